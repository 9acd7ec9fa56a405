/* One value a slot, the digest over all of them, and the events that the host has not acknowledged yet. */
#ifndef SLOTS_H
#define SLOTS_H

#include <stdbool.h>
#include <stdint.h>

struct event {
    uint32_t ms;
    uint32_t value;
    uint16_t slot;
};

void slots_init(void);
void slots_ready(void); /* every sensor has been read: from now on changes are events */
bool slots_are_ready(void);
uint32_t slots_get(uint16_t slot);
void slots_set(uint16_t slot, uint32_t value);
uint16_t slots_digest(void);

uint16_t events_oldest(void);
uint16_t events_next(void);
uint16_t events_dropped(void);
const struct event *event_at(uint16_t number); /* oldest <= number < next */
void events_free(uint16_t expected);           /* those before `expected` have arrived */
void events_clear(void);

#endif

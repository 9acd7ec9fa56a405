/* Presence sensors: a bit is believed after five equal samples, 2 ms apart. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include <stdbool.h>

void halls_init(void);
void halls_poll(void);
bool halls_are_read(void);

#endif

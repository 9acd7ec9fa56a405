/* Lights and buzzer; both dark and silent without a session. */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#define BUZZ_MOST_MS 2000u

void outputs_init(void);
void outputs_poll(void);
void outputs_off(void); /* dead man */
void outputs_light(uint16_t light, const uint8_t rgb[3]);
void outputs_show(void);
void outputs_buzz(uint16_t hz, uint16_t ms);

#endif

/* Analogue spots: readings to classes, believed after three equal scans (unclear after eight). */
#ifndef SPOTS_H
#define SPOTS_H

#include <stdbool.h>
#include <stdint.h>

void spots_init(void);
void spots_poll(void);
bool spots_are_read(void);
uint16_t spots_scan_10us(void); /* how long the last scan took */

#endif

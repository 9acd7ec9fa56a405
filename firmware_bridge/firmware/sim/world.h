/* What lies around the processor, whichever way that is simulated: the line, magnets, tags, lights. Carries out the
 * part of native/native.h that has nothing to do with the processor. */
#ifndef WORLD_H
#define WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "../core/config.h"

void world_power(uint32_t seed, uint8_t *memory); /* nothing on the table; a blank memory with a serial number */
uint32_t world_draw(void);                        /* a random number */
uint16_t world_reading(uint8_t spot);             /* 0 to 1023, with its noise */
uint32_t world_halls(void);                       /* bit n: a magnet over presence sensor n */

bool world_is_coming(void);                       /* bytes are on the wire towards the board */
uint8_t world_next_byte(void);
void world_cut_off(void);                         /* what was coming is lost */
void world_leave(uint8_t byte);                   /* a byte has left the board */

extern uint8_t world_shown[LIGHTS * 3];           /* red, green, blue of every light */

#define WORLD_MEMORY 1024u

#endif

/* The board's end of the wire protocol (docs/protocol.md). */
#ifndef LINK_H
#define LINK_H

#include <stdint.h>

void link_init(void);
void link_poll(void);
uint16_t link_bad_frames(void);

#endif

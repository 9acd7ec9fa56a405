/* The whole board: call board_init once and board_poll for ever. */
#ifndef BOARD_H
#define BOARD_H

void board_init(void);
void board_poll(void);

#endif

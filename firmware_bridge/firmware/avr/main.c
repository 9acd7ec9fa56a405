#include "../core/board.h"

int main(void)
{
    board_init();
    for (;;)
        board_poll();
}

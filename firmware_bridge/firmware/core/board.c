#include "board.h"

#include "debounce.h"
#include "hal.h"
#include "link.h"
#include "nfc.h"
#include "outputs.h"
#include "slots.h"
#include "spots.h"
#include "tune.h"

void board_init(void)
{
    hal_init();
    tune_init();
    slots_init();
    nfc_init();
    halls_init();
    spots_init();
    outputs_init();
    link_init();
}

void board_poll(void)
{
    hal_watchdog();
    link_poll();
    halls_poll();
    spots_poll();
    nfc_poll();
    tune_poll();
    outputs_poll();
    if (!slots_are_ready() && halls_are_read() && spots_are_read() && nfc_is_read())
        slots_ready();
}

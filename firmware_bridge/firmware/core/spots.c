#include "spots.h"

#include "config.h"
#include "hal.h"
#include "nfc.h"
#include "slots.h"
#include "table.h"
#include "tune.h"

#define SCANS 3u
#define SCANS_UNCLEAR 8u
#define AT_ONCE 8u /* spots looked at in one round, so that nothing else waits long */

static uint8_t candidate[SPOTS]; /* class in the low nibble, equal scans so far in the high one */
static uint8_t seen_scan;
static uint8_t at;
static uint8_t scans;
static uint16_t started; /* in ticks */
static uint16_t scan_10us;

void spots_init(void)
{
    for (uint8_t spot = 0; spot < SPOTS; spot++)
        candidate[spot] = UNCLEAR;
    seen_scan = hal_scans();
    at = SPOTS;
    scans = 0;
    started = hal_ticks();
    scan_10us = 0;
}

bool spots_are_read(void)
{
    return scans > SCANS;
}

uint16_t spots_scan_10us(void)
{
    return scan_10us;
}

static void believe(uint8_t spot, uint8_t class)
{
    slots_set((uint16_t)(FIRST_SPOT_SLOT + spot), class);
    if (spot >= BOX_SPOTS + OBELISK_BOXES)
        nfc_hurry(table_tile_cell((uint8_t)(spot - BOX_SPOTS - OBELISK_BOXES)));
}

static void look(uint8_t spot)
{
    uint8_t current = (uint8_t)slots_get((uint16_t)(FIRST_SPOT_SLOT + spot));
    uint8_t class = tune_classify(spot, hal_reading(spot), current);
    uint8_t count = candidate[spot] >> 4;
    if (class == current) {
        candidate[spot] = class;
        return;
    }
    count = (uint8_t)(class == (candidate[spot] & 0x0Fu) ? count + 1 : 1);
    if (count >= (class == UNCLEAR ? SCANS_UNCLEAR : SCANS)) {
        believe(spot, class);
        count = 0;
    }
    candidate[spot] = (uint8_t)(class | (uint8_t)(count << 4));
}

void spots_poll(void)
{
    if (at == SPOTS) {
        if (hal_scans() == seen_scan)
            return;
        uint16_t now = hal_ticks();
        scan_10us = (uint16_t)((uint16_t)(now - started) / 5u * 2u);
        started = now;
        seen_scan = hal_scans();
        at = 0;
    }
    for (uint8_t i = 0; i < AT_ONCE && at < SPOTS; i++)
        look(at++);
    if (at == SPOTS && scans <= SCANS)
        scans++;
}

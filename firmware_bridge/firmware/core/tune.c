#include "tune.h"

#include "config.h"
#include "crc.h"
#include "flash.h"
#include "hal.h"

#define WIDER 3 /* the window of the current class, on both sides */

/* What is kept, byte by byte: the boot count, the serial number, a check, then the tuning. */
#define KEPT_BOOT 0u
#define KEPT_SERIAL 4u
#define KEPT_CHECK 8u
#define KEPT_TUNING 10u
#define WINDOW_BYTES 4u
#define SPOT_BYTES 3u
#define TUNING_BYTES (WINDOWS * WINDOW_BYTES + SPOTS * SPOT_BYTES)

/* As it is sent and checked: low, high (i16) of each window, then rest (u16), scale (u8) of each spot. */
static uint8_t tuning[TUNING_BYTES];
static uint16_t config;
static bool config_is_stale;
static uint16_t keep_at;
static bool keeping;
static uint32_t boot;

/* Two strengths of magnet, two poles, and 15 between them. */
static const int16_t start_windows[WINDOWS * 2] FLASH = {
    -24, 24, 40, 110, -110, -40, 140, 450, -450, -140, 1, 0, 1, 0, 1, 0,
};

static void put16(uint16_t at, uint16_t value)
{
    tuning[at] = (uint8_t)value;
    tuning[at + 1] = (uint8_t)(value >> 8);
    config_is_stale = true;
}

static uint16_t get16(uint16_t at)
{
    return (uint16_t)(tuning[at] | (uint16_t)(tuning[at + 1] << 8));
}

static uint16_t spot_at(uint8_t spot)
{
    return (uint16_t)(WINDOWS * WINDOW_BYTES + spot * SPOT_BYTES);
}

static uint32_t kept32(uint16_t at)
{
    uint32_t value = 0;
    for (uint8_t i = 4; i--;)
        value = value << 8 | hal_keep_read((uint16_t)(at + i));
    return value;
}

static void count_boot(void)
{
    boot = kept32(KEPT_BOOT) + 1u;
    for (uint8_t i = 0; i < 4; i++)
        while (!hal_keep_write((uint16_t)(KEPT_BOOT + i), (uint8_t)(boot >> (8 * i))))
            ;
}

static void load_start_values(void)
{
    for (uint8_t i = 0; i < WINDOWS * 2; i++)
        put16((uint16_t)(2u * i), (uint16_t)flash_word(&start_windows[i]));
    for (uint8_t spot = 0; spot < SPOTS; spot++)
        tune_spot(spot, 512, 64);
}

void tune_init(void)
{
    keeping = false;
    count_boot();
    for (uint16_t i = 0; i < TUNING_BYTES; i++)
        tuning[i] = hal_keep_read((uint16_t)(KEPT_TUNING + i));
    config_is_stale = true;
    uint16_t kept = (uint16_t)(hal_keep_read(KEPT_CHECK) | (uint16_t)(hal_keep_read(KEPT_CHECK + 1) << 8));
    if (kept != tune_config())
        load_start_values();
}

uint32_t tune_boot(void)
{
    return boot;
}

uint32_t tune_serial(void)
{
    return kept32(KEPT_SERIAL);
}

uint16_t tune_config(void)
{
    if (config_is_stale) {
        config = CRC16_START;
        for (uint16_t i = 0; i < TUNING_BYTES; i++)
            config = crc16_byte(config, tuning[i]);
        config_is_stale = false;
    }
    return config;
}

void tune_spot(uint8_t spot, uint16_t rest, uint8_t scale)
{
    put16(spot_at(spot), rest);
    tuning[spot_at(spot) + 2] = scale;
}

void tune_window(uint8_t class, int16_t low, int16_t high)
{
    put16((uint16_t)(class * WINDOW_BYTES), (uint16_t)low);
    put16((uint16_t)(class * WINDOW_BYTES + 2), (uint16_t)high);
}

void tune_keep(void)
{
    keep_at = 0;
    keeping = true;
}

bool tune_is_keeping(void)
{
    return keeping;
}

void tune_poll(void)
{
    if (!keeping)
        return;
    /* The check goes last: a power cut on the way leaves a tuning that does not fit it. */
    uint16_t check = tune_config();
    uint16_t at = keep_at < TUNING_BYTES ? (uint16_t)(KEPT_TUNING + keep_at)
                                         : (uint16_t)(KEPT_CHECK + (keep_at - TUNING_BYTES));
    uint8_t value = keep_at < TUNING_BYTES    ? tuning[keep_at]
                    : keep_at == TUNING_BYTES ? (uint8_t)check
                                              : (uint8_t)(check >> 8);
    if (hal_keep_write(at, value))
        keep_at++;
    if (keep_at == TUNING_BYTES + 2)
        keeping = false;
}

uint8_t tune_classify(uint8_t spot, uint16_t reading, uint8_t current)
{
    uint16_t at = spot_at(spot);
    int32_t deviation = ((int32_t)reading - (int32_t)get16(at)) * tuning[at + 2] / 64;
    for (uint8_t class = 0; class < WINDOWS; class++) {
        int16_t low = (int16_t)get16((uint16_t)(class * WINDOW_BYTES));
        int16_t high = (int16_t)get16((uint16_t)(class * WINDOW_BYTES + 2));
        int8_t wider = class == current ? WIDER : 0;
        if (low <= high && low - wider <= deviation && deviation <= high + wider)
            return class;
    }
    return UNCLEAR;
}

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

static int16_t windows[WINDOWS * 2]; /* low, high of each */
static uint16_t rests[SPOTS];
static uint8_t scales[SPOTS];
static uint16_t config;
static bool config_is_stale;
static uint16_t keep_at;
static bool keeping;
static uint32_t boot;

/* Two strengths of magnet, two poles, and 15 between them. */
static const int16_t start_windows[WINDOWS * 2] FLASH = {
    -24, 24, 40, 110, -110, -40, 140, 450, -450, -140, 1, 0, 1, 0, 1, 0,
};

static uint8_t byte_of(uint16_t value, bool high)
{
    return (uint8_t)(high ? value >> 8 : value);
}

/* The tuning byte by byte, as it is kept: the windows, then rest and scale of every spot. */
static uint8_t tuning_byte(uint16_t at)
{
    if (at < WINDOWS * WINDOW_BYTES)
        return byte_of((uint16_t)windows[at / 2u], at & 1u);
    at = (uint16_t)(at - WINDOWS * WINDOW_BYTES);
    uint8_t spot = (uint8_t)(at / SPOT_BYTES);
    uint8_t part = (uint8_t)(at % SPOT_BYTES);
    return part == 2 ? scales[spot] : byte_of(rests[spot], part);
}

static uint16_t kept16(uint16_t at)
{
    return (uint16_t)(hal_keep_read(at) | (uint16_t)(hal_keep_read((uint16_t)(at + 1u)) << 8));
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
    for (uint8_t i = 0; i < WINDOWS; i++)
        tune_window(i, (int16_t)flash_word(&start_windows[2 * i]), (int16_t)flash_word(&start_windows[2 * i + 1]));
    for (uint8_t spot = 0; spot < SPOTS; spot++)
        tune_spot(spot, 512, 64);
}

static void load_kept(void)
{
    uint16_t at = KEPT_TUNING;
    for (uint8_t i = 0; i < WINDOWS; i++, at = (uint16_t)(at + WINDOW_BYTES))
        tune_window(i, (int16_t)kept16(at), (int16_t)kept16((uint16_t)(at + 2u)));
    for (uint8_t spot = 0; spot < SPOTS; spot++, at = (uint16_t)(at + SPOT_BYTES))
        tune_spot(spot, kept16(at), hal_keep_read((uint16_t)(at + 2u)));
}

void tune_init(void)
{
    keeping = false;
    count_boot();
    load_kept();
    if (kept16(KEPT_CHECK) != tune_config())
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

static uint16_t check_word(uint16_t crc, uint16_t word)
{
    return crc16_byte(crc16_byte(crc, (uint8_t)word), (uint8_t)(word >> 8));
}

uint16_t tune_config(void)
{
    if (config_is_stale) {
        config = CRC16_START;
        for (uint8_t i = 0; i < WINDOWS * 2; i++)
            config = check_word(config, (uint16_t)windows[i]);
        for (uint8_t spot = 0; spot < SPOTS; spot++)
            config = crc16_byte(check_word(config, rests[spot]), scales[spot]);
        config_is_stale = false;
    }
    return config;
}

void tune_spot(uint8_t spot, uint16_t rest, uint8_t scale)
{
    rests[spot] = rest;
    scales[spot] = scale;
    config_is_stale = true;
}

void tune_window(uint8_t class, int16_t low, int16_t high)
{
    windows[2 * class] = low;
    windows[2 * class + 1] = high;
    config_is_stale = true;
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
    uint8_t value = (uint8_t)check;
    if (keep_at < TUNING_BYTES)
        value = tuning_byte(keep_at);
    else if (keep_at > TUNING_BYTES)
        value = (uint8_t)(check >> 8);
    if (hal_keep_write(at, value))
        keep_at++;
    if (keep_at == TUNING_BYTES + 2)
        keeping = false;
}

static int16_t deviation_of(uint8_t spot, uint16_t reading)
{
    bool is_below = reading < rests[spot];
    uint16_t size = (uint16_t)(is_below ? rests[spot] - reading : reading - rests[spot]);
    if (scales[spot] != 64) /* size * scale / 64, by a shift that costs an AVR little */
        size = (uint16_t)((((uint32_t)size * (uint16_t)scales[spot]) << 2) >> 8);
    return (int16_t)(is_below ? -(int16_t)size : (int16_t)size);
}

static bool is_within(uint8_t class, int16_t deviation, int8_t wider)
{
    int16_t low = windows[2 * class];
    int16_t high = windows[2 * class + 1];
    return low <= high && low - wider <= deviation && deviation <= high + wider;
}

uint8_t tune_classify(uint8_t spot, uint16_t reading, uint8_t current)
{
    int16_t deviation = deviation_of(spot, reading);
    if (current < WINDOWS && is_within(current, deviation, WIDER))
        return current;
    for (uint8_t class = 0; class < WINDOWS; class++)
        if (is_within(class, deviation, 0))
            return class;
    return UNCLEAR;
}

#include "native.h"

#include <string.h>

#include "../core/board.h"
#include "../core/config.h"
#include "../core/hal.h"
#include "../core/slots.h"
#include "../core/table.h"
#include "../core/tune.h"
#include "../sim/readers.h"
#include "../sim/world.h"

#ifndef BYTE_US
#define BYTE_US 85u /* 117,647 baud, as a 16 MHz AVR does it */
#endif
#define ROUND_US 60u    /* the main loop without its devices */
#define SPI_US 3u
#define LIGHT_US 31u
#define CONVERSION_US 58u
#define KEEP_US 3400u
#define RX_RING 64u
#define TX_RING 128u

static uint64_t now_us;
static uint64_t clock_us; /* when the processor's clock stood at zero (modulo its 32 bits) */
static uint8_t cause;

static uint64_t feed_us;
static uint8_t rx[RX_RING];
static uint8_t rx_in, rx_count;
static uint16_t overruns;

static uint8_t tx[TX_RING];
static uint8_t tx_out, tx_count;
static uint64_t tx_us;

static uint16_t readings[SPOTS];
static uint32_t conversions;
static uint64_t conversion_us;
static uint8_t scans;

static struct {
    uint32_t value;
    uint16_t slot;
} made[65536];
static uint16_t noted;

static uint8_t kept[WORLD_MEMORY];
static uint32_t show_count, buzz_count, reset_count;
static uint16_t buzz_hz;

/* -- time passes ------------------------------------------------------------------------------------- */

static void run_adc(void)
{
    while (conversion_us + CONVERSION_US <= now_us) {
        conversion_us += CONVERSION_US;
        /* All inputs of a channel, then the next channel: spot = input * 16 + channel. */
        uint32_t spot = conversions % MUXES * 16u + conversions / MUXES;
        if (spot < SPOTS)
            readings[spot] = world_reading((uint8_t)spot);
        if (++conversions == MUXES * 16u) {
            conversions = 0;
            scans++;
        }
    }
}

static void run_line(void)
{
    while (world_is_coming() && feed_us + BYTE_US <= now_us) {
        feed_us += BYTE_US;
        uint8_t byte = world_next_byte();
        if (rx_count == RX_RING) {
            overruns++;
        } else {
            rx[(uint8_t)(rx_in + rx_count) % RX_RING] = byte;
            rx_count++;
        }
    }
    if (!world_is_coming())
        feed_us = now_us;
    while (tx_count && tx_us + BYTE_US <= now_us) {
        tx_us += BYTE_US;
        world_leave(tx[tx_out]);
        tx_out = (uint8_t)(tx_out + 1u) % TX_RING;
        tx_count--;
    }
    if (!tx_count)
        tx_us = now_us;
}

/* Every event made in this life of the board, by number: for the test bench. */
static void note_events(void)
{
    for (; noted != events_next(); noted++) {
        made[noted].slot = event_at(noted)->slot;
        made[noted].value = event_at(noted)->value;
    }
}

static void pass(uint32_t us)
{
    now_us += us;
    run_adc();
    run_line();
}

/* -- the hardware layer ------------------------------------------------------------------------------ */

void hal_init(void) {}
void hal_watchdog(void) {}

uint8_t hal_reset_cause(void)
{
    return cause;
}

uint16_t hal_free_bytes(void)
{
    return 0xFFFF;
}

uint16_t hal_ticks(void)
{
    return (uint16_t)((now_us - clock_us) / 4u);
}

uint32_t hal_ms(void)
{
    return (uint32_t)((now_us - clock_us) / 1000u);
}

bool hal_rx(uint8_t *byte)
{
    if (!rx_count)
        return false;
    *byte = rx[rx_in];
    rx_in = (uint8_t)(rx_in + 1u) % RX_RING;
    rx_count--;
    return true;
}

uint16_t hal_overruns(void)
{
    return overruns;
}

uint8_t hal_tx_room(void)
{
    return (uint8_t)(TX_RING - tx_count);
}

void hal_tx(uint8_t byte)
{
    if (tx_count == TX_RING)
        return;
    tx[(tx_out + tx_count) % TX_RING] = byte;
    tx_count++;
}

uint32_t hal_halls(void)
{
    return world_halls();
}

uint8_t hal_scans(void)
{
    return scans;
}

uint16_t hal_reading(uint8_t spot)
{
    return readings[spot];
}

void hal_reader(uint8_t reader)
{
    readers_select(reader == NO_READER ? -1 : reader);
}

uint8_t hal_spi(uint8_t out)
{
    pass(SPI_US);
    return readers_spi(out, now_us);
}

void hal_lights(const uint8_t *rgb, uint16_t lights)
{
    memcpy(world_shown, rgb, lights * 3u);
    show_count++;
    for (uint16_t i = 0; i < lights; i++)
        pass(LIGHT_US);
}

void hal_buzz(uint16_t hz)
{
    buzz_count += hz && !buzz_hz;
    buzz_hz = hz;
}

uint8_t hal_keep_read(uint16_t at)
{
    return kept[at];
}

bool hal_keep_write(uint16_t at, uint8_t value)
{
    if (kept[at] != value) {
        kept[at] = value;
        pass(KEEP_US);
    }
    return true;
}

/* -- what Python calls ------------------------------------------------------------------------------- */

static void boot(uint8_t why)
{
    cause = why;
    reset_count++;
    clock_us = now_us;
    rx_count = tx_count = 0;
    world_cut_off();
    overruns = 0;
    conversions = 0;
    conversion_us = now_us;
    scans = 0;
    noted = 0;
    board_init();
}

void native_power(uint32_t seed)
{
    now_us = 0;
    show_count = buzz_count = reset_count = 0;
    buzz_hz = 0;
    world_power(seed, kept);
    boot(1);
}

void native_reset(uint8_t why)
{
    if (why == 1)
        readers_power(world_draw());
    boot(why);
}

void native_age(uint32_t ms)
{
    clock_us -= (uint64_t)ms * 1000u;
}

void native_run(uint32_t us)
{
    uint64_t until = now_us + us;
    while (now_us < until) {
        board_poll();
        note_events();
        pass(ROUND_US);
    }
}

uint64_t native_now_us(void)
{
    return now_us;
}

uint32_t native_number(uint8_t which)
{
    switch (which) {
    case N_SPOTS: return SPOTS;
    case N_CELLS: return CELLS;
    case N_READERS: return READERS;
    case N_LIGHTS: return LIGHTS;
    case N_SLOTS: return SLOTS;
    case N_BUZZ_HZ: return buzz_hz;
    case N_SHOWN: return show_count;
    case N_BUZZED: return buzz_count;
    case N_CONFLICTS: return readers_conflicts();
    case N_OVERRUNS: return overruns;
    case N_RESETS: return reset_count;
    case N_BOOT: return tune_boot();
    case N_NEXT: return events_next();
    case N_DIGEST: return slots_digest();
    case N_LONGEST_WAIT_US: return readers_longest_wait_us();
    default: return 0;
    }
}

uint32_t native_slot(uint16_t slot)
{
    return slots_get(slot);
}

uint32_t native_event(uint16_t number, uint16_t *slot)
{
    *slot = made[number].slot;
    return made[number].value;
}

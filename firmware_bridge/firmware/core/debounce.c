#include "debounce.h"

#include "config.h"
#include "hal.h"
#include "nfc.h"
#include "slots.h"

#define SAMPLE_MS 2u
#define SAMPLES 5u

static uint8_t streak[HALLS]; /* equal samples in a row that differ from what is believed */
static uint32_t believed;
static uint32_t last_bits;
static bool is_quiet; /* all samples are as believed, and no streak is running */
static uint8_t last_ms;
static uint8_t samples;

void halls_init(void)
{
    for (uint8_t i = 0; i < HALLS; i++)
        streak[i] = 0;
    believed = last_bits = 0;
    is_quiet = false;
    last_ms = (uint8_t)hal_ms();
    samples = 0;
}

bool halls_are_read(void)
{
    return samples > SAMPLES;
}

static void believe(uint8_t hall, bool present)
{
    streak[hall] = 0;
    slots_set((uint16_t)(FIRST_HALL_SLOT + hall), present);
    nfc_hurry(hall);
}

/* After the first samples those believed to be empty from the start are known to be so. */
static void settle_unread(void)
{
    samples++;
    for (uint8_t hall = 0; hall < HALLS; hall++)
        if (slots_get((uint16_t)(FIRST_HALL_SLOT + hall)) == UNCLEAR)
            slots_set((uint16_t)(FIRST_HALL_SLOT + hall), EMPTY);
}

static void sample(uint32_t bits)
{
    uint32_t changed = bits ^ last_bits;
    uint32_t wrong = bits ^ believed;
    uint32_t mask = 1;
    is_quiet = wrong == 0;
    for (uint8_t hall = 0; hall < HALLS; hall++, mask <<= 1) {
        if (!(wrong & mask)) {
            streak[hall] = 0;
            continue;
        }
        streak[hall] = (uint8_t)((changed & mask) ? 1 : streak[hall] + 1);
        if (streak[hall] >= SAMPLES) {
            believed ^= mask;
            believe(hall, (bits & mask) != 0);
        }
    }
    last_bits = bits;
}

void halls_poll(void)
{
    uint8_t now = (uint8_t)hal_ms();
    if ((uint8_t)(now - last_ms) < SAMPLE_MS)
        return;
    last_ms = now;
    uint32_t bits = hal_halls();
    if (!is_quiet || bits != believed)
        sample(bits);
    if (samples < SAMPLES)
        samples++;
    else if (samples == SAMPLES)
        settle_unread();
}

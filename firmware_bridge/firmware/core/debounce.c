#include "debounce.h"

#include "config.h"
#include "hal.h"
#include "nfc.h"
#include "slots.h"

#define SAMPLE_MS 2u
#define SAMPLES 5u

static uint8_t streak[HALLS]; /* equal samples in a row that differ from what is believed */
static uint32_t last_bits;
static uint8_t last_ms;
static uint8_t samples;

void halls_init(void)
{
    for (uint8_t i = 0; i < HALLS; i++)
        streak[i] = 0;
    last_bits = 0;
    last_ms = (uint8_t)hal_ms();
    samples = 0;
}

bool halls_are_read(void)
{
    return samples > SAMPLES;
}

static void sample(uint8_t hall, bool present, bool same)
{
    uint16_t slot = (uint16_t)(FIRST_HALL_SLOT + hall);
    if (slots_get(slot) == present) {
        streak[hall] = 0;
        return;
    }
    streak[hall] = (uint8_t)(same ? streak[hall] + 1 : 1);
    if (streak[hall] >= SAMPLES) {
        streak[hall] = 0;
        slots_set(slot, present);
        nfc_hurry(hall);
    }
}

void halls_poll(void)
{
    uint8_t now = (uint8_t)hal_ms();
    if ((uint8_t)(now - last_ms) < SAMPLE_MS)
        return;
    last_ms = now;
    uint32_t bits = hal_halls();
    for (uint8_t hall = 0; hall < HALLS; hall++) {
        bool present = (bits >> hall) & 1u;
        sample(hall, present, present == (bool)((last_bits >> hall) & 1u));
    }
    last_bits = bits;
    if (samples <= SAMPLES)
        samples++;
}

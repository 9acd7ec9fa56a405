#include "slots.h"

#include "config.h"
#include "hal.h"

static uint32_t tags[TAG_SLOTS ? TAG_SLOTS : 1];
static uint8_t classes[SPOTS + HALLS];
static uint16_t digest;
static bool ready;

static struct event ring[RING];
static uint16_t oldest;
static uint16_t next;
static uint16_t dropped;

/* Tag slots come first; a table without readers has none. */
static bool is_tag(uint16_t slot)
{
#if READERS > 0
    return slot < TAG_SLOTS;
#else
    (void)slot;
    return false;
#endif
}

static uint16_t mix(uint16_t slot, uint32_t value)
{
    uint16_t h = (uint16_t)(slot * 0x9E37u + (uint16_t)value);
    h ^= h >> 7;
    h = (uint16_t)(h * 0x2C1Bu + (uint16_t)(value >> 16));
    h ^= h >> 9;
    h = (uint16_t)(h * 0x297Bu);
    return (uint16_t)(h ^ (h >> 8));
}

void slots_init(void)
{
    digest = 0;
    ready = false;
    oldest = next = dropped = 0;
    for (uint16_t slot = 0; slot < SLOTS; slot++) {
        /* Unclear until read; one unclear slot makes a whole reader unclear. */
        uint8_t value = !is_tag(slot) || slot % TAGS_EACH == 0 ? UNCLEAR : EMPTY;
        if (is_tag(slot))
            tags[slot] = value;
        else
            classes[slot - TAG_SLOTS] = value;
        digest = (uint16_t)(digest + mix(slot, value));
    }
}

void slots_ready(void)
{
    ready = true;
}

bool slots_are_ready(void)
{
    return ready;
}

uint32_t slots_get(uint16_t slot)
{
    return is_tag(slot) ? tags[slot] : classes[slot - TAG_SLOTS];
}

static void push(uint16_t slot, uint32_t value)
{
    if ((uint16_t)(next - oldest) == RING) {
        dropped = (uint16_t)(dropped + RING);
        events_clear();
    }
    struct event *event = &ring[next % RING];
    event->ms = hal_ms();
    event->slot = slot;
    event->value = value;
    next++;
}

void slots_set(uint16_t slot, uint32_t value)
{
    uint32_t old = slots_get(slot);
    if (old == value)
        return;
    digest = (uint16_t)(digest - mix(slot, old) + mix(slot, value));
    if (is_tag(slot))
        tags[slot] = value;
    else
        classes[slot - TAG_SLOTS] = (uint8_t)value;
    if (ready)
        push(slot, value);
}

uint16_t slots_digest(void)
{
    return digest;
}

uint16_t events_oldest(void)
{
    return oldest;
}

uint16_t events_next(void)
{
    return next;
}

uint16_t events_dropped(void)
{
    return dropped;
}

const struct event *event_at(uint16_t number)
{
    return &ring[number % RING];
}

void events_free(uint16_t expected)
{
    if ((uint16_t)(expected - oldest) <= (uint16_t)(next - oldest))
        oldest = expected;
}

void events_clear(void)
{
    oldest = next;
}

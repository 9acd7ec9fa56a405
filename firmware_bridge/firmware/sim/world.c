#include "world.h"

#include <string.h>

#include "../native/native.h"
#include "readers.h"

#define FEED_MOST 8192u

uint8_t world_shown[LIGHTS * 3];

static uint32_t noise = 1;
static uint8_t feed[FEED_MOST];
static uint16_t feed_in, feed_out;
static uint8_t taken[FEED_MOST];
static uint16_t taken_count;
static uint32_t halls;
static uint16_t spot_level[SPOTS];
static uint16_t spot_noise[SPOTS];

void world_power(uint32_t seed, uint8_t *memory)
{
    noise = seed * 2246822519u | 1u;
    taken_count = 0;
    feed_out = feed_in;
    halls = 0;
    memset(world_shown, 0, sizeof world_shown);
    for (uint16_t i = 0; i < SPOTS; i++) {
        spot_level[i] = 512;
        spot_noise[i] = 0;
    }
    memset(memory, 0xFF, WORLD_MEMORY);
    for (uint8_t i = 0; i < 4; i++) {
        memory[i] = 0;                              /* boots */
        memory[4 + i] = (uint8_t)(seed >> (8 * i)); /* serial number */
    }
    readers_clear();
    readers_power(seed);
}

uint32_t world_draw(void)
{
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    return noise;
}

uint16_t world_reading(uint8_t spot)
{
    int32_t value = spot_level[spot];
    if (spot_noise[spot])
        value += (int32_t)(world_draw() % (2u * spot_noise[spot] + 1u)) - spot_noise[spot];
    return (uint16_t)(value < 0 ? 0 : value > 1023 ? 1023 : value);
}

uint32_t world_halls(void)
{
    return halls;
}

/* -- line -------------------------------------------------------------------------------------------- */

bool world_is_coming(void)
{
    return feed_out != feed_in;
}

uint8_t world_next_byte(void)
{
    return feed[feed_out++ % FEED_MOST];
}

void world_cut_off(void)
{
    feed_out = feed_in;
}

void world_leave(uint8_t byte)
{
    if (taken_count < FEED_MOST)
        taken[taken_count++] = byte;
}

void native_feed(const uint8_t *bytes, uint16_t length)
{
    while (length-- && (uint16_t)(feed_in - feed_out) < FEED_MOST)
        feed[feed_in++ % FEED_MOST] = *bytes++;
}

uint16_t native_take(uint8_t *bytes, uint16_t most)
{
    uint16_t count = taken_count < most ? taken_count : most;
    memcpy(bytes, taken, count);
    memmove(taken, taken + count, (size_t)(taken_count - count));
    taken_count = (uint16_t)(taken_count - count);
    return count;
}

/* -- pieces ------------------------------------------------------------------------------------------ */

void native_hall(uint8_t hall, uint8_t present)
{
    uint32_t bit = 1u << hall;
    halls = present ? halls | bit : halls & ~bit;
}

void native_spot(uint8_t spot, uint16_t reading, uint16_t noise_each)
{
    spot_level[spot] = reading;
    spot_noise[spot] = noise_each;
}

void native_tags_off(uint8_t reader)
{
    readers_take_tags(reader);
}

void native_tag(uint8_t reader, const uint8_t *uid, uint8_t length, uint16_t missed_permille)
{
    readers_put_tag(reader, uid, length, missed_permille);
}

void native_fault(uint8_t reader, uint8_t fault)
{
    readers_fault(reader, (enum reader_fault)fault);
}

void native_forget(uint8_t reader)
{
    readers_forget(reader);
}

void native_count_from_received(uint8_t yes)
{
    readers_count_from_received(yes != 0);
}

uint32_t native_light(uint16_t light)
{
    const uint8_t *rgb = world_shown + 3 * light;
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

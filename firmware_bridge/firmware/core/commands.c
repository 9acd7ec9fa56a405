#include "commands.h"

#include "config.h"
#include "outputs.h"
#include "tune.h"

enum { LIGHTS_SET = 0x50, FILL, BUZZ, TUNE, WINDOWS_SET, KEEP };

bool command_is(uint8_t type)
{
    return type >= LIGHTS_SET && type <= KEEP;
}

static bool is_range(uint16_t first, uint16_t count, uint16_t end)
{
    return first < end && count <= end - first;
}

static uint8_t light_command(const uint8_t *body, uint8_t length)
{
    uint16_t first = get16(body + 2);
    uint8_t count = (uint8_t)((length - 5) / 3);
    if (!is_range(first, count, LIGHTS))
        return STATUS_REFUSED;
    for (uint8_t i = 0; i < count; i++)
        outputs_light((uint16_t)(first + i), body + 5 + 3 * i);
    if (body[4] & 1u)
        outputs_show();
    return STATUS_DONE;
}

static uint8_t fill_command(const uint8_t *body)
{
    uint16_t first = get16(body + 2);
    uint16_t count = get16(body + 4);
    if (!is_range(first, count, LIGHTS))
        return STATUS_REFUSED;
    for (uint16_t i = 0; i < count; i++)
        outputs_light((uint16_t)(first + i), body + 7);
    if (body[6] & 1u)
        outputs_show();
    return STATUS_DONE;
}

static uint8_t buzz_command(const uint8_t *body)
{
    uint16_t ms = get16(body + 4);
    if (ms > BUZZ_MOST_MS)
        return STATUS_REFUSED;
    outputs_buzz(get16(body + 2), ms);
    return STATUS_DONE;
}

static uint8_t tune_command(const uint8_t *body, uint8_t length)
{
    uint16_t first = get16(body + 2);
    uint8_t count = (uint8_t)((length - 4) / 3);
    if (!is_range(first, count, SPOTS))
        return STATUS_REFUSED;
    for (uint8_t i = 0; i < count; i++)
        tune_spot((uint8_t)(first + i), get16(body + 4 + 3 * i), body[6 + 3 * i]);
    return STATUS_DONE;
}

static uint8_t windows_command(const uint8_t *body, uint8_t length)
{
    uint8_t count = (uint8_t)((length - 3) / 4);
    if (!is_range(body[2], count, WINDOWS))
        return STATUS_REFUSED;
    for (uint8_t i = 0; i < count; i++)
        tune_window((uint8_t)(body[2] + i), (int16_t)get16(body + 3 + 4 * i), (int16_t)get16(body + 5 + 4 * i));
    return STATUS_DONE;
}

bool command_fits(uint8_t type, uint8_t length)
{
    switch (type) {
    case LIGHTS_SET:
        return length >= 8 && (length - 5) % 3 == 0;
    case FILL:
        return length == 10;
    case BUZZ:
        return length == 6;
    case TUNE:
        return length >= 7 && (length - 4) % 3 == 0;
    case WINDOWS_SET:
        return length >= 7 && (length - 3) % 4 == 0;
    default:
        return length == 2;
    }
}

uint8_t command_carry_out(uint8_t type, const uint8_t *body, uint8_t length)
{
    switch (type) {
    case LIGHTS_SET:
        return light_command(body, length);
    case FILL:
        return fill_command(body);
    case BUZZ:
        return buzz_command(body);
    case TUNE:
        return tune_command(body, length);
    case WINDOWS_SET:
        return windows_command(body, length);
    default:
        tune_keep();
        return STATUS_DONE;
    }
}

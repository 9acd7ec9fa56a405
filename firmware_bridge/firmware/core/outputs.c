#include "outputs.h"

#include "config.h"
#include "hal.h"

static uint8_t colours[LIGHTS * 3];
static bool show;
static bool buzzing;
static uint32_t silent_at_ms;

void outputs_init(void)
{
    outputs_off();
    outputs_poll();
}

void outputs_off(void)
{
    for (uint16_t i = 0; i < LIGHTS * 3; i++)
        colours[i] = 0;
    show = true;
    outputs_buzz(0, 0);
}

void outputs_light(uint16_t light, const uint8_t rgb[3])
{
    for (uint8_t i = 0; i < 3; i++)
        colours[light * 3u + i] = rgb[i];
}

void outputs_show(void)
{
    show = true;
}

void outputs_buzz(uint16_t hz, uint16_t ms)
{
    buzzing = hz && ms;
    silent_at_ms = hal_ms() + ms;
    hal_buzz(buzzing ? hz : 0);
}

void outputs_poll(void)
{
    if (buzzing && (int32_t)(hal_ms() - silent_at_ms) >= 0)
        outputs_buzz(0, 0);
    if (show) {
        show = false;
        hal_lights(colours, LIGHTS);
    }
}

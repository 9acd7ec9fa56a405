/* The board fed with rubbish, half-right and right frames, under ASan and UBSan: fuzz INPUTS [SEED]
 * Every frame that the board sends in return must be whole and fit the protocol. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/board.h"
#include "../core/cobs.h"
#include "../core/config.h"
#include "../core/crc.h"
#include "../core/hal.h"
#include "../sim/readers.h"

#define INPUT_MOST 160u

static uint64_t state;
static uint8_t input[INPUT_MOST];
static unsigned input_at, input_length;
static uint32_t now_us;
static uint8_t scans;
static uint8_t kept[1024];
static uint16_t session; /* the low half, as the board last said */
static uint8_t command;
static uint8_t out[80];
static unsigned out_length;
static unsigned long frames_out, commands_done;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

static uint32_t below(uint32_t limit)
{
    return draw() % limit;
}

static void fail(const char *why)
{
    fprintf(stderr, "fuzz: %s\n", why);
    abort();
}

/* -- what comes back --------------------------------------------------------------------------------- */

static void check_out(void)
{
    if (out_length == 0)
        return;
    if (out_length > 65)
        fail("a frame of more than 65 bytes");
    uint8_t length = cobs_decode(out, (uint8_t)out_length);
    if (length == COBS_BAD || length < 4 || length > 64)
        fail("a frame that is no COBS text");
    uint16_t crc = crc16(out, (uint8_t)(length - 2));
    if (out[length - 2] != (uint8_t)crc || out[length - 1] != (uint8_t)(crc >> 8))
        fail("a frame that does not check");
    if (out[0] < 1 || out[0] > 8)
        fail("a frame of an unknown type");
    frames_out++;
    if (out[0] == 0x01)
        session = (uint16_t)(out[14] | out[15] << 8);
    if (out[0] == 0x02) {
        session = (uint16_t)(out[8] | out[9] << 8);
        command = out[22];
    }
    if (out[0] == 0x04) {
        command = out[6];
        commands_done += out[5] == 0;
    }
    out_length = 0;
}

void hal_tx(uint8_t byte)
{
    if (byte == 0)
        check_out();
    else if (out_length < sizeof out)
        out[out_length++] = byte;
}

uint8_t hal_tx_room(void)
{
    return 128;
}

/* -- the hardware ------------------------------------------------------------------------------------ */

void hal_init(void) {}
void hal_watchdog(void) {}
uint8_t hal_reset_cause(void) { return 1; }
uint16_t hal_free_bytes(void) { return 1; }
uint16_t hal_overruns(void) { return 0; }
uint16_t hal_ticks(void) { return (uint16_t)(now_us / 4u); }
uint32_t hal_ms(void) { return now_us / 1000u; }
uint32_t hal_halls(void) { return below(50) ? 0x155555u : draw(); }
uint8_t hal_scans(void) { return scans = (uint8_t)(scans + (below(4) == 0)); }
uint16_t hal_reading(uint8_t spot) { return below(6) ? (uint16_t)(512 + spot % 3 * 75) : (uint16_t)below(1024); }
void hal_reader(uint8_t reader) { readers_select(reader == NO_READER ? -1 : reader); }

uint8_t hal_spi(uint8_t byte)
{
    now_us += 3;
    uint8_t in = readers_spi(byte, now_us);
    return below(200) ? in : (uint8_t)draw();
}

void hal_lights(const uint8_t *rgb, uint16_t lights)
{
    volatile uint8_t sum = 0;
    for (uint16_t i = 0; i < lights * 3; i++)
        sum = (uint8_t)(sum + rgb[i]);
}

void hal_buzz(uint16_t hz) { (void)hz; }
uint8_t hal_keep_read(uint16_t at) { return kept[at]; }

bool hal_keep_write(uint16_t at, uint8_t value)
{
    kept[at] = value;
    return below(3) != 0;
}

bool hal_rx(uint8_t *byte)
{
    if (input_at == input_length)
        return false;
    *byte = input[input_at++];
    return true;
}

/* -- what goes in ------------------------------------------------------------------------------------ */

static const uint8_t types[] = {0x41, 0x42, 0x43, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x41, 0x50, 0x53};

static uint8_t fitting_length(uint8_t type)
{
    switch (type) {
    case 0x41: return 8;
    case 0x42: return 5;
    case 0x43: return 8;
    case 0x50: return (uint8_t)(5 + 3 * (1 + below(18)));
    case 0x51: return 10;
    case 0x52: return 6;
    case 0x53: return (uint8_t)(4 + 3 * (1 + below(18)));
    case 0x54: return (uint8_t)(3 + 4 * (1 + below(9)));
    default: return 2;
    }
}

static void small(uint8_t *at)
{
    uint16_t value = (uint16_t)(below(4) ? below(130) : draw());
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

static void put_frame(void)
{
    uint8_t raw[72], wire[80];
    uint8_t type = below(20) ? types[below(sizeof types)] : (uint8_t)draw();
    uint8_t length = below(10) ? fitting_length(type) : (uint8_t)below(61);
    if (length > 60)
        length = 60;
    for (unsigned i = 0; i < sizeof raw; i++)
        raw[i] = (uint8_t)draw();
    raw[0] = type;
    raw[1] = below(8) ? command : (uint8_t)draw();
    uint8_t *body = raw + 2;
    if (type == 0x41) {
        memcpy(body, "MT\1\0", 4);
        body[4] = (uint8_t)(1 + below(3));
        body[5] = body[6] = body[7] = 0;
    } else if (below(10)) {
        body[0] = (uint8_t)session;
        body[1] = (uint8_t)(session >> 8);
    }
    if (type == 0x50 || type == 0x51 || type == 0x53) {
        small(body + 2);
        if (type == 0x51)
            small(body + 4);
    } else if (type == 0x54) {
        body[2] = (uint8_t)below(10);
    } else if (type == 0x43) {
        body[2] = (uint8_t)below(6);
        small(body + 3);
        small(body + 5);
    }
    uint16_t crc = crc16(raw, (uint8_t)(length + 2));
    raw[length + 2] = (uint8_t)crc;
    raw[length + 3] = (uint8_t)(crc >> 8);
    uint8_t size = cobs_encode(raw, (uint8_t)(length + 4), wire);
    wire[size++] = 0;
    if (input_length + size <= INPUT_MOST) {
        memcpy(input + input_length, wire, size);
        input_length += size;
    }
}

static void put_rubbish(void)
{
    unsigned count = below(90);
    for (unsigned i = 0; i < count && input_length < INPUT_MOST; i++)
        input[input_length++] = (uint8_t)(below(8) ? draw() : 0);
}

static void damage(void)
{
    if (input_length == 0)
        return;
    unsigned at = below(input_length);
    switch (below(3)) {
    case 0:
        input[at] = (uint8_t)(input[at] ^ 1u << below(8));
        break;
    case 1:
        memmove(input + at, input + at + 1, input_length - at - 1);
        input_length--;
        break;
    default:
        input[at] = 0;
    }
}

static void make_input(void)
{
    input_at = input_length = 0;
    if (below(8) == 0)
        put_rubbish();
    else
        put_frame();
    if (below(4) == 0)
        damage();
}

static void disturb_table(void)
{
    uint8_t uid[10];
    uint8_t reader = (uint8_t)below(21);
    if (below(3) == 0) {
        readers_take_tags(reader);
    } else {
        for (unsigned i = 0; i < sizeof uid; i++)
            uid[i] = (uint8_t)(below(3) ? 4 : draw());
        readers_put_tag(reader, uid, (uint8_t)(4 + 3 * below(3)), (uint16_t)below(300));
    }
    readers_fault((uint8_t)below(21), below(4) ? READER_WELL : (enum reader_fault)below(4));
}

int main(int argc, char **argv)
{
    unsigned long inputs = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    state = 0x9E3779B97F4A7C15ull ^ (argc > 2 ? strtoull(argv[2], NULL, 10) << 20 : 0);
    memset(kept, 0xFF, sizeof kept);
    readers_clear();
    readers_power(1);
    board_init();
    for (unsigned long i = 0; i < inputs; i++) {
        make_input();
        now_us += below(300) ? 1000u + below(3000) : below(4000000);
        board_poll();
        if (below(400) == 0)
            disturb_table();
        if (below(20000) == 0)
            board_init();
    }
    printf("%lu inputs, %lu frames in return, %lu commands carried out, no finding\n", inputs, frames_out, commands_done);
    return 0;
}

#include "readers.h"

#include <string.h>

#include "../core/table.h"

#define READERS_MOST 21
#define TAGS_MOST 10
#define BYTE_US 85.0 /* nine bits of 9.44 us */
#define DELAY_US 86.0
#define WAKE_US 4500u

enum tag_state { UNPOWERED, IDLE, READY, ACTIVE, HALTED };

struct tag {
    uint8_t uid[10];
    uint8_t length;
    uint8_t level; /* cascade levels passed */
    enum tag_state state;
    uint16_t missed;
};

struct reader {
    uint8_t regs[64];
    uint8_t fifo[64];
    uint8_t fifo_length;
    uint8_t fifo_at;
    struct tag tags[TAGS_MOST];
    uint8_t tag_count;
    enum reader_fault fault;
    bool field;
    uint64_t field_us;
    bool busy;
    bool has_reply;
    uint64_t due_us;
    uint8_t reply[8];
    uint8_t reply_length;
    uint8_t reply_collision; /* absolute position, 0 = none */
    uint8_t reply_known;
};

static struct reader readers[READERS_MOST];
static int selected = -1;
static bool first_byte;
static uint8_t address;
static bool from_received;
static uint32_t noise;
static uint32_t conflicts;
static uint64_t longest_wait_us;

static uint32_t draw(void)
{
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    return noise;
}

static void forget_registers(struct reader *r)
{
    memset(r->regs, 0, sizeof r->regs);
    r->regs[0x37] = 0x92;
    r->fifo_length = r->fifo_at = 0;
    r->busy = r->field = false;
    r->field_us = 0;
    for (int i = 0; i < r->tag_count; i++)
        r->tags[i].state = UNPOWERED;
}

void readers_power(uint32_t seed)
{
    noise = seed * 2654435761u | 1u;
    conflicts = 0;
    longest_wait_us = 0;
    selected = -1;
    for (int i = 0; i < READERS_MOST; i++)
        forget_registers(&readers[i]);
}

void readers_clear(void)
{
    for (int i = 0; i < READERS_MOST; i++) {
        readers[i].tag_count = 0;
        readers[i].fault = READER_WELL;
    }
    from_received = false;
}

void readers_take_tags(uint8_t reader)
{
    readers[reader].tag_count = 0;
}

void readers_put_tag(uint8_t reader, const uint8_t *uid, uint8_t length, uint16_t missed_permille)
{
    struct reader *r = &readers[reader];
    if (r->tag_count == TAGS_MOST)
        return;
    struct tag *tag = &r->tags[r->tag_count++];
    memset(tag, 0, sizeof *tag);
    memcpy(tag->uid, uid, length);
    tag->length = length;
    tag->missed = missed_permille;
    tag->state = r->field ? IDLE : UNPOWERED;
}

void readers_fault(uint8_t reader, enum reader_fault fault)
{
    readers[reader].fault = fault;
}

void readers_forget(uint8_t reader)
{
    forget_registers(&readers[reader]);
}

void readers_count_from_received(bool yes)
{
    from_received = yes;
}

uint32_t readers_longest_wait_us(void)
{
    return (uint32_t)longest_wait_us;
}

uint32_t readers_conflicts(void)
{
    return conflicts;
}

/* -- tags -------------------------------------------------------------------------------------------- */

static uint8_t levels(const struct tag *tag)
{
    return tag->length <= 4 ? 1 : tag->length <= 7 ? 2 : 3;
}

static void level_bytes(const struct tag *tag, uint8_t level, uint8_t part[5])
{
    bool is_last = level + 1 == levels(tag);
    const uint8_t *from = tag->uid + 3 * level;
    if (is_last) {
        memcpy(part, from, 4);
    } else {
        part[0] = 0x88;
        memcpy(part + 1, from, 3);
    }
    part[4] = part[0] ^ part[1] ^ part[2] ^ part[3];
}

static bool get_bit(const uint8_t *bytes, int bit)
{
    return (bytes[bit / 8] >> (bit % 8)) & 1;
}

static bool begins_with(const uint8_t *part, const uint8_t *known, int bits)
{
    for (int i = 0; i < bits; i++)
        if (get_bit(part, i) != get_bit(known, i))
            return false;
    return true;
}

static void reply_bytes(struct reader *r, const uint8_t *bytes, uint8_t length)
{
    memcpy(r->reply, bytes, length);
    r->reply_length = length;
    r->has_reply = true;
}

static void on_request(struct reader *r, uint64_t now_us)
{
    static const uint8_t atqa[2] = {0x44, 0x00};
    if (now_us - r->field_us < WAKE_US)
        return;
    for (int i = 0; i < r->tag_count; i++) {
        struct tag *tag = &r->tags[i];
        if (tag->state == READY || tag->state == ACTIVE) {
            tag->state = IDLE;
        } else if (tag->state == IDLE && draw() % 1000 >= tag->missed) {
            tag->state = READY;
            tag->level = 0;
            reply_bytes(r, atqa, 2);
        }
    }
}

static void on_search(struct reader *r, uint8_t level, int bits, const uint8_t *known)
{
    uint8_t all[5] = {0};
    int collision = 40;
    bool any = false;
    for (int i = 0; i < r->tag_count; i++) {
        uint8_t part[5];
        struct tag *tag = &r->tags[i];
        if (tag->state != READY || tag->level != level)
            continue;
        level_bytes(tag, level, part);
        if (!begins_with(part, known, bits))
            continue;
        if (!any)
            memcpy(all, part, 5);
        for (int bit = bits; bit < collision; bit++)
            if (get_bit(all, bit) != get_bit(part, bit))
                collision = bit;
        any = true;
    }
    if (!any)
        return;
    for (int bit = collision; bit < 40; bit++)
        all[bit / 8] = (uint8_t)(all[bit / 8] & ~(1u << (bit % 8)));
    uint8_t known_bits = (uint8_t)((1u << (bits % 8)) - 1u);
    all[bits / 8] = (uint8_t)(all[bits / 8] & (uint8_t)~known_bits);
    reply_bytes(r, all + bits / 8, (uint8_t)(5 - bits / 8));
    r->reply_collision = collision < 40 ? (uint8_t)(collision + 1) : 0;
    r->reply_known = (uint8_t)bits;
}

static uint16_t check_a(const uint8_t *data, int length)
{
    uint16_t crc = 0x6363;
    for (int i = 0; i < length; i++)
        for (int bit = 0; bit < 8; bit++) {
            bool one = ((unsigned)(crc ^ (data[i] >> bit)) & 1u) != 0;
            crc = (uint16_t)(crc >> 1);
            if (one)
                crc ^= 0x8408u;
        }
    return crc;
}

static bool is_checked(const uint8_t *frame, int length)
{
    uint16_t crc = check_a(frame, length - 2);
    return frame[length - 2] == (uint8_t)crc && frame[length - 1] == (uint8_t)(crc >> 8);
}

static void on_select(struct reader *r, uint8_t level, const uint8_t *part)
{
    uint8_t answer[3];
    bool any = false;
    for (int i = 0; i < r->tag_count; i++) {
        struct tag *tag = &r->tags[i];
        uint8_t own[5];
        if (tag->state != READY || tag->level != level)
            continue;
        level_bytes(tag, level, own);
        if (memcmp(own, part, 5) != 0) {
            tag->state = IDLE;
            continue;
        }
        bool is_last = level + 1 == levels(tag);
        answer[0] = is_last ? 0x00 : 0x04;
        tag->level++;
        tag->state = is_last ? ACTIVE : READY;
        any = true;
    }
    if (!any)
        return;
    uint16_t crc = check_a(answer, 1);
    answer[1] = (uint8_t)crc;
    answer[2] = (uint8_t)(crc >> 8);
    reply_bytes(r, answer, 3);
}

static void on_halt(struct reader *r)
{
    for (int i = 0; i < r->tag_count; i++)
        if (r->tags[i].state == ACTIVE)
            r->tags[i].state = HALTED;
}

static void air(struct reader *r, const uint8_t *frame, int length, int last_bits, uint64_t now_us)
{
    r->has_reply = false;
    r->reply_collision = r->reply_known = 0;
    if (length == 1 && frame[0] == 0x26 && last_bits == 7) {
        on_request(r, now_us);
    } else if (length >= 2 && (frame[0] == 0x93 || frame[0] == 0x95 || frame[0] == 0x97)) {
        uint8_t level = (uint8_t)((frame[0] - 0x93) / 2);
        if (frame[1] == 0x70 && length == 9 && is_checked(frame, 9))
            on_select(r, level, frame + 2);
        else if (frame[1] != 0x70)
            on_search(r, level, ((frame[1] >> 4) - 2) * 8 + (frame[1] & 7), frame + 2);
    } else if (length == 4 && frame[0] == 0x50 && is_checked(frame, 4)) {
        on_halt(r);
    }
}

/* -- the chip ---------------------------------------------------------------------------------------- */

static void start_exchange(struct reader *r, uint64_t now_us)
{
    int last_bits = r->regs[0x0D] & 7;
    int sent = r->fifo_length;
    double sending_us = sent * BYTE_US;
    r->busy = true;
    if (r->field)
        air(r, r->fifo, sent, last_bits, now_us);
    else
        r->has_reply = false;
    r->fifo_length = r->fifo_at = 0;
    if (r->has_reply)
        r->due_us = now_us + (uint64_t)(sending_us + DELAY_US + r->reply_length * BYTE_US);
    else
        r->due_us = now_us + (uint64_t)(sending_us + 25.0 * (r->regs[0x2D] + 1));
}

static void settle(struct reader *r, uint64_t now_us)
{
    if (!r->busy || now_us < r->due_us || r->fault == READER_HANGS)
        return;
    r->busy = false;
    r->regs[0x06] = 0;
    if (!r->has_reply) {
        r->regs[0x04] |= 0x01;
        return;
    }
    r->regs[0x04] |= 0x30;
    memcpy(r->fifo, r->reply, r->reply_length);
    r->fifo_length = r->reply_length;
    r->fifo_at = 0;
    if (r->reply_collision) {
        uint8_t position = (uint8_t)(r->reply_collision - (from_received ? r->reply_known : 0));
        r->regs[0x06] = 0x08;
        r->regs[0x0E] = position & 0x1F;
    } else {
        r->regs[0x0E] = 0x20;
    }
}

static void note_conflicts(int reader)
{
    for (int i = 0; i < READERS_MOST; i++)
        if (i != reader && readers[i].field && table_neighbours((uint8_t)i, (uint8_t)reader))
            conflicts++;
}

static void switch_field(struct reader *r, bool on, uint64_t now_us)
{
    if (on == r->field)
        return;
    r->field = on;
    if (on && r->field_us && now_us - r->field_us > longest_wait_us)
        longest_wait_us = now_us - r->field_us;
    r->field_us = now_us;
    for (int i = 0; i < r->tag_count; i++)
        r->tags[i].state = on ? IDLE : UNPOWERED;
    if (on)
        note_conflicts(selected);
}

static void write_register(struct reader *r, uint8_t reg, uint8_t value, uint64_t now_us)
{
    if (reg == 0x04) {
        if (value & 0x80)
            r->regs[reg] = (uint8_t)(r->regs[reg] | (value & 0x7F));
        else
            r->regs[reg] = (uint8_t)(r->regs[reg] & ~value);
    } else if (reg == 0x09) {
        if (r->fifo_length < sizeof r->fifo)
            r->fifo[r->fifo_length++] = value;
    } else if (reg == 0x0A) {
        if (value & 0x80)
            r->fifo_length = r->fifo_at = 0;
    } else {
        r->regs[reg] = value;
        if (reg == 0x01 && (value & 0x0F) == 0)
            r->busy = false;
        if (reg == 0x0D && (value & 0x80) && (r->regs[0x01] & 0x0F) == 0x0C)
            start_exchange(r, now_us);
        if (reg == 0x14)
            switch_field(r, (value & 3) != 0, now_us);
    }
}

static uint8_t read_register(struct reader *r, uint8_t reg, uint64_t now_us)
{
    settle(r, now_us);
    if (reg == 0x09)
        return r->fifo_at < r->fifo_length ? r->fifo[r->fifo_at++] : 0;
    if (reg == 0x0A)
        return (uint8_t)(r->fifo_length - r->fifo_at);
    return r->regs[reg];
}

void readers_select(int reader)
{
    selected = reader;
    first_byte = true;
}

uint8_t readers_spi(uint8_t out, uint64_t now_us)
{
    if (selected < 0 || selected >= READERS_MOST)
        return 0xFF;
    struct reader *r = &readers[selected];
    if (r->fault == READER_ZEROS || r->fault == READER_ONES)
        return r->fault == READER_ONES ? 0xFF : 0x00;
    if (first_byte) {
        first_byte = false;
        address = out;
        return 0x00;
    }
    uint8_t reg = (address >> 1) & 0x3F;
    if (address & 0x80) {
        address = out;
        return read_register(r, reg, now_us);
    }
    write_register(r, reg, out, now_us);
    return 0x00;
}

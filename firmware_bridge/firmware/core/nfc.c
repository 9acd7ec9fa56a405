#include "nfc.h"

#include "config.h"

#if READERS == 0

void nfc_init(void) {}
void nfc_poll(void) {}
void nfc_hurry(uint8_t cell) { (void)cell; }
bool nfc_is_read(void) { return true; }
uint16_t nfc_sweep_ms(void) { return 0; }
uint32_t nfc_dead(void) { return 0; }

#else

#include "crc.h"
#include "hal.h"
#include "rc522.h"
#include "slots.h"
#include "table.h"

#define FIELD_TICKS 1250u /* 5 ms: tags wake up within this time (ISO 14443-3) */
#define HANG_TICKS 5000u  /* 20 ms: a chip that neither answers nor times out */
#define MISSES 3u         /* passes without a tag before it counts as gone */
#define HURRIES 3u
#define TRIES 3u
#define TAG_BIT 0x80000000u
#define FOUND_MOST (TAGS_EACH + 1u)

enum { REQA = 0x26, HLTA = 0x50, CASCADE_TAG = 0x88, CASCADE_BIT = 0x04 };
enum step { FREE, FIELD, REQUEST, SEARCH, SELECT, HALT };

/* One pass over one reader. */
struct lane {
    uint16_t since; /* in ticks */
    uint32_t found[FOUND_MOST];
    uint8_t founds;
    uint8_t reader;
    uint8_t step;
    uint8_t tries;
    bool again;       /* after a failure: tags may need one request in vain */
    uint8_t level;    /* of the cascade, 0 ... 2 */
    uint8_t bits;     /* known of this level's four bytes */
    uint8_t part[5];  /* this level's four bytes and their check */
    uint8_t uid[10];
    uint8_t uid_length;
};

static struct lane lanes[LANES];
static uint16_t visited_ms[READERS];
static uint8_t hurry[READERS];
static uint8_t misses[TAG_SLOTS];
static uint32_t unread;
static uint32_t dead;
static uint16_t sweep_ms;
static uint16_t sweep_started_ms;
static uint8_t visits;
/* Chips differ in whether they count a collision's position from the level's first bit or from the first bit
 * received; the wrong way fails the check and is turned round. */
static bool counts_from_received;

static uint32_t bit(uint8_t reader)
{
    return (uint32_t)1u << reader;
}

void nfc_init(void)
{
    for (uint8_t i = 0; i < LANES; i++)
        lanes[i].step = FREE;
    for (uint8_t i = 0; i < READERS; i++) {
        visited_ms[i] = (uint16_t)hal_ms();
        hurry[i] = 0;
        rc522_field(i, false); /* it may still be on from before a reset of the processor alone */
    }
    for (uint16_t i = 0; i < TAG_SLOTS; i++)
        misses[i] = 0;
    unread = (uint32_t)((1ull << READERS) - 1u);
    dead = 0;
    sweep_ms = 0;
    sweep_started_ms = (uint16_t)hal_ms();
    visits = 0;
    counts_from_received = false;
}

void nfc_hurry(uint8_t cell)
{
    if (cell < READERS)
        hurry[cell] = HURRIES;
}

bool nfc_is_read(void)
{
    return unread == 0;
}

uint16_t nfc_sweep_ms(void)
{
    return sweep_ms;
}

uint32_t nfc_dead(void)
{
    return dead;
}

/* -- what a pass found ------------------------------------------------------------------------------- */

static bool is_found(const struct lane *lane, uint32_t tag)
{
    for (uint8_t i = 0; i < lane->founds; i++)
        if (lane->found[i] == tag)
            return true;
    return false;
}

static bool take_found(struct lane *lane, uint32_t tag)
{
    for (uint8_t i = 0; i < lane->founds; i++)
        if (lane->found[i] == tag) {
            lane->found[i] = 0;
            return true;
        }
    return false;
}

static void keep_or_drop(struct lane *lane, uint16_t slot, bool is_sure)
{
    uint32_t value = slots_get(slot);
    if (value == EMPTY)
        return;
    if (value != UNCLEAR && take_found(lane, value))
        misses[slot] = 0;
    else if (is_sure && (value == UNCLEAR || ++misses[slot] >= MISSES)) {
        misses[slot] = 0;
        slots_set(slot, EMPTY);
    }
}

static void add(uint16_t first, uint32_t tag)
{
    for (uint16_t slot = first; slot < first + TAGS_EACH; slot++)
        if (slots_get(slot) == EMPTY) {
            misses[slot] = 0;
            slots_set(slot, tag);
            return;
        }
}

static void report(struct lane *lane, bool is_sure)
{
    uint16_t first = (uint16_t)(lane->reader * TAGS_EACH);
    if (lane->founds == FOUND_MOST) { /* more than there are slots for */
        slots_set((uint16_t)(first + TAGS_EACH - 1), UNCLEAR);
        return;
    }
    for (uint16_t slot = first; slot < first + TAGS_EACH; slot++)
        keep_or_drop(lane, slot, is_sure);
    for (uint8_t i = 0; i < lane->founds; i++)
        if (lane->found[i])
            add(first, lane->found[i]);
}

static void leave(struct lane *lane)
{
    uint16_t now = (uint16_t)hal_ms();
    visited_ms[lane->reader] = now;
    unread &= ~bit(lane->reader);
    lane->step = FREE;
    if (++visits >= READERS) {
        visits = 0;
        sweep_ms = (uint16_t)(now - sweep_started_ms);
        sweep_started_ms = now;
    }
}

static void finish(struct lane *lane, bool is_sure)
{
    rc522_field(lane->reader, false);
    dead &= ~bit(lane->reader);
    report(lane, is_sure);
    leave(lane);
}

static void lose(struct lane *lane)
{
    rc522_field(lane->reader, false);
    dead |= bit(lane->reader);
    slots_set((uint16_t)(lane->reader * TAGS_EACH), UNCLEAR);
    leave(lane);
}

/* -- one pass ---------------------------------------------------------------------------------------- */

static void request(struct lane *lane)
{
    static const uint8_t reqa[1] = {REQA};
    rc522_send(lane->reader, reqa, 1, 7);
    lane->step = REQUEST;
}

static void search(struct lane *lane)
{
    uint8_t frame[6];
    uint8_t whole = lane->bits / 8u;
    uint8_t rest = lane->bits % 8u;
    frame[0] = (uint8_t)(0x93u + 2u * lane->level);
    frame[1] = (uint8_t)((uint8_t)((2u + whole) << 4) | rest);
    for (uint8_t i = 0; i < 4; i++)
        frame[2 + i] = lane->part[i];
    rc522_send(lane->reader, frame, (uint8_t)(2u + whole + (rest ? 1u : 0u)), rest);
    lane->step = SEARCH;
}

static void start_level(struct lane *lane, uint8_t level)
{
    lane->level = level;
    lane->bits = 0;
    search(lane);
}

static void send_checked(struct lane *lane, uint8_t *frame, uint8_t length, uint8_t step)
{
    uint16_t crc = crc_a(frame, length);
    frame[length] = (uint8_t)crc;
    frame[length + 1] = (uint8_t)(crc >> 8);
    rc522_send(lane->reader, frame, (uint8_t)(length + 2u), 0);
    lane->step = step;
}

static void choose(struct lane *lane)
{
    uint8_t frame[9];
    frame[0] = (uint8_t)(0x93u + 2u * lane->level);
    frame[1] = 0x70;
    for (uint8_t i = 0; i < 5; i++)
        frame[2 + i] = lane->part[i];
    send_checked(lane, frame, 7, SELECT);
}

static void halt(struct lane *lane)
{
    uint8_t frame[4] = {HLTA, 0};
    send_checked(lane, frame, 2, HALT);
}

static void fail(struct lane *lane)
{
    if (++lane->tries >= TRIES) {
        finish(lane, false);
        return;
    }
    lane->again = true;
    request(lane);
}

/* Puts what was received behind the bits already known. */
static void merge(struct lane *lane, const struct rc522_reply *reply)
{
    uint8_t at = lane->bits / 8u;
    uint8_t known = (uint8_t)((1u << (lane->bits % 8u)) - 1u);
    for (uint8_t i = 0; i < reply->length && at < 5; i++, at++) {
        lane->part[at] = (uint8_t)((lane->part[at] & known) | (reply->bytes[i] & (uint8_t)~known));
        known = 0;
    }
}

static void take_collision(struct lane *lane, const struct rc522_reply *reply)
{
    uint8_t position = reply->collision;
    if (counts_from_received)
        position = (uint8_t)(position + lane->bits);
    if (position <= lane->bits || position > 32) {
        counts_from_received = !counts_from_received;
        fail(lane);
        return;
    }
    merge(lane, reply);
    uint8_t at = (uint8_t)(position - 1u);
    lane->part[at / 8u] = (uint8_t)(lane->part[at / 8u] | (1u << (at % 8u)));
    lane->bits = position;
    search(lane);
}

static void take_part(struct lane *lane, const struct rc522_reply *reply)
{
    merge(lane, reply);
    uint8_t check = 0;
    for (uint8_t i = 0; i < 5; i++)
        check ^= lane->part[i];
    if (reply->length != 5u - lane->bits / 8u || check != 0) {
        if (lane->bits)
            counts_from_received = !counts_from_received;
        fail(lane);
    } else {
        choose(lane);
    }
}

static void take_selected(struct lane *lane, const struct rc522_reply *reply)
{
    uint8_t sak = reply->bytes[0];
    uint16_t crc = crc_a(reply->bytes, 1);
    if (reply->length != 3 || reply->bytes[1] != (uint8_t)crc || reply->bytes[2] != (uint8_t)(crc >> 8)) {
        fail(lane);
        return;
    }
    bool is_more = (sak & CASCADE_BIT) && lane->level < 2 && lane->part[0] == CASCADE_TAG;
    for (uint8_t i = is_more ? 1 : 0; i < 4; i++)
        lane->uid[lane->uid_length++] = lane->part[i];
    if (is_more) {
        start_level(lane, (uint8_t)(lane->level + 1u));
        return;
    }
    uint32_t tag = crc32(lane->uid, lane->uid_length) | TAG_BIT;
    if (is_found(lane, tag)) { /* it did not hear that it should be quiet */
        if (++lane->tries >= TRIES)
            finish(lane, false);
        else
            halt(lane);
        return;
    }
    lane->found[lane->founds++] = tag;
    if (lane->founds == FOUND_MOST)
        finish(lane, true);
    else
        halt(lane);
}

static void take_request(struct lane *lane, enum rc522_answer answer)
{
    if (answer == RC522_SILENCE && lane->again) {
        lane->again = false;
        request(lane);
    } else if (answer == RC522_SILENCE) {
        finish(lane, true);
    } else if (answer == RC522_ERROR) {
        fail(lane);
    } else { /* one or several at once */
        lane->uid_length = 0;
        start_level(lane, 0);
    }
}

static void take_answer(struct lane *lane, enum rc522_answer answer, const struct rc522_reply *reply)
{
    if (lane->step == REQUEST)
        take_request(lane, answer);
    else if (lane->step == HALT)
        request(lane);
    else if (lane->step == SEARCH && answer == RC522_COLLISION)
        take_collision(lane, reply);
    else if (answer != RC522_OK)
        fail(lane);
    else if (lane->step == SEARCH)
        take_part(lane, reply);
    else
        take_selected(lane, reply);
}

static void begin(struct lane *lane, uint8_t reader)
{
    lane->reader = reader;
    lane->founds = 0;
    lane->tries = 0;
    lane->again = false;
    if (hurry[reader])
        hurry[reader]--;
    if (!rc522_wake(reader)) {
        lose(lane);
        return;
    }
    rc522_field(reader, true);
    lane->since = hal_ticks();
    lane->step = FIELD;
}

static bool is_near_a_field(uint8_t reader)
{
    for (uint8_t i = 0; i < LANES; i++)
        if (lanes[i].step != FREE && table_neighbours(lanes[i].reader, reader))
            return true;
    return false;
}

static bool is_at_work(uint8_t reader)
{
    for (uint8_t i = 0; i < LANES; i++)
        if (lanes[i].step != FREE && lanes[i].reader == reader)
            return true;
    return false;
}

/* The idle reader that waited longest, an unread one before all others, then one in a hurry; none beside a field
 * that is on unless `anywhere`, none beside `kept`. */
static uint8_t longest_waiting(bool anywhere, uint8_t kept)
{
    uint8_t best = NO_READER;
    uint16_t best_age = 0;
    uint8_t best_rank = 0;
    uint16_t now = (uint16_t)hal_ms();
    uint32_t mask = 1;
    for (uint8_t reader = 0; reader < READERS; reader++, mask <<= 1) {
        uint16_t age = (uint16_t)(now - visited_ms[reader]);
        uint8_t rank = (unread & mask) ? 2 : hurry[reader] ? 1 : 0;
        if (best != NO_READER && (rank < best_rank || (rank == best_rank && age <= best_age)))
            continue;
        if (anywhere ? is_at_work(reader) : is_near_a_field(reader))
            continue;
        if (kept != NO_READER && table_neighbours(kept, reader))
            continue;
        best_rank = rank;
        best_age = age;
        best = reader;
    }
    return best;
}

/* Keeps the place free for the one that waited longest: else its neighbours might go on for ever in turns. */
static uint8_t next_reader(void)
{
    uint8_t first = longest_waiting(true, NO_READER);
    if (first == NO_READER || !is_near_a_field(first))
        return first;
    return longest_waiting(false, first);
}

static void step_lane(struct lane *lane)
{
    struct rc522_reply reply = {{0}, 0, 0};
    if (lane->step == FREE) {
        uint8_t reader = next_reader();
        if (reader != NO_READER)
            begin(lane, reader);
    } else if (lane->step == FIELD) {
        if ((uint16_t)(hal_ticks() - lane->since) >= FIELD_TICKS)
            request(lane);
    } else {
        enum rc522_answer answer = rc522_poll(lane->reader, &reply);
        if (answer != RC522_BUSY) {
            lane->since = hal_ticks();
            take_answer(lane, answer, &reply);
        } else if ((uint16_t)(hal_ticks() - lane->since) >= HANG_TICKS) {
            lose(lane);
        }
    }
}

void nfc_poll(void)
{
    for (uint8_t i = 0; i < LANES; i++)
        step_lane(&lanes[i]);
}

#endif

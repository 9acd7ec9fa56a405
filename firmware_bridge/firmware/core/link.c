#include "link.h"

#include <stdbool.h>

#include "cobs.h"
#include "commands.h"
#include "config.h"
#include "crc.h"
#include "hal.h"
#include "nfc.h"
#include "outputs.h"
#include "slots.h"
#include "spots.h"
#include "table.h"
#include "tune.h"

enum { HELLO = 0x01, ALIVE, EVENTS, DONE, SNAPSHOT, GEOMETRY, RAW, HEALTH,
       OPEN = 0x41, ACK, GET };
enum { WHAT_HELLO, WHAT_GEOMETRY, WHAT_SNAPSHOT, WHAT_RAW, WHAT_HEALTH };

#define RAW_MIN 4u
#define RAW_MAX 64u
#define WIRE_MAX (RAW_MAX + 1u)
#define BODY_MAX (RAW_MAX - RAW_MIN)
#define ALIVE_MS 50u
#define AGAIN_MS 80u
#define SESSION_MS 3000u
#define STRANGER_MS 20u /* frames of another session are answered at most this often */
#define EVENTS_EACH 5u

#define ABILITIES ((READERS ? 1u : 0u) | 2u | 4u | 8u | 16u | 32u)

/* A question that takes several frames to answer. */
struct cursor {
    uint16_t at;
    uint16_t end;
    uint8_t most;
};

static uint8_t rx[WIRE_MAX];
static uint8_t rx_length;
static bool rx_too_long;
static uint16_t bad;

static uint8_t raw[RAW_MAX]; /* the frame being built: type, number, body */
static uint8_t raw_length;
static uint8_t number;

static uint32_t session;
static uint32_t heard_ms;
static uint32_t beat_ms;
static uint32_t stranger_ms;
static bool hello_due;
static bool alive_due;
static bool health_due;
static bool was_ready;

static uint8_t command_expected;
static uint8_t command_answered;
static uint8_t command_status;
static uint8_t last_status; /* of the last command that was carried out or refused */
static bool done_due;

static uint16_t event_sent;  /* the next event to be sent */
static uint16_t event_again; /* events before this one go alone: they were sent before */
static uint32_t event_ms;    /* of the last progress */
static uint16_t resent;

static uint16_t geometry_check;
static struct cursor geometry;
static struct cursor snapshot;
static struct cursor readings;

/* -- writing ---------------------------------------------------------------------------------------- */

static void begin(uint8_t type)
{
    raw[0] = type;
    raw[1] = number++;
    raw_length = 2;
}

static void put8(uint8_t value)
{
    raw[raw_length++] = value;
}

static void put16(uint16_t value)
{
    put8((uint8_t)value);
    put8((uint8_t)(value >> 8));
}

static void put32(uint32_t value)
{
    put16((uint16_t)value);
    put16((uint16_t)(value >> 16));
}

static uint8_t var_length(uint32_t value)
{
    uint8_t length = 1;
    while (value >>= 7)
        length++;
    return length;
}

static void put_var(uint32_t value)
{
    while (value > 0x7Fu) {
        put8((uint8_t)(value | 0x80u));
        value >>= 7;
    }
    put8((uint8_t)value);
}

static void end(void)
{
    uint8_t wire[WIRE_MAX];
    uint16_t crc = crc16(raw, raw_length);
    put16(crc);
    uint8_t length = cobs_encode(raw, raw_length, wire);
    for (uint8_t i = 0; i < length; i++)
        hal_tx(wire[i]);
    hal_tx(0);
}

static void send_hello(void)
{
    static const uint8_t firmware[3] = FIRMWARE_VERSION;
    begin(HELLO);
    put8('M');
    put8('T');
    put8(PROTOCOL_MAJOR);
    put8(PROTOCOL_MINOR);
    for (uint8_t i = 0; i < 3; i++)
        put8(firmware[i]);
    put8(hal_reset_cause());
    put32(tune_boot());
    put32(session);
    put16(ABILITIES);
    put16(SLOTS);
    put16(LIGHTS);
    put16(table_entries());
    put16(geometry_check);
    put16(tune_config());
    put16(events_next());
    put32(tune_serial());
    end();
}

static void send_alive(void)
{
    begin(ALIVE);
    put8('M');
    put8('T');
    put8(PROTOCOL_MAJOR);
    put8((uint8_t)((slots_are_ready() ? 1u : 0u) | (tune_is_keeping() ? 2u : 0u)));
    put16((uint16_t)tune_boot());
    put16((uint16_t)session);
    put32(hal_ms());
    put16(events_oldest());
    put16(events_next());
    put16(slots_digest());
    put16(tune_config());
    put8(command_expected);
    end();
}

static void send_done(void)
{
    begin(DONE);
    put16((uint16_t)session);
    put8(command_answered);
    put8(command_status);
    put8(command_expected);
    end();
}

static void send_health(void)
{
    begin(HEALTH);
    put16(bad);
    put16(hal_overruns());
    put16(resent);
    put16(events_dropped());
    put16(nfc_sweep_ms());
    put16(spots_scan_10us());
    put16(hal_free_bytes());
    put32(nfc_dead());
    end();
}

static bool before(uint16_t a, uint16_t b)
{
    return (int16_t)(uint16_t)(a - b) < 0;
}

static void send_events(void)
{
    bool again = before(event_sent, event_again);
    uint8_t most = again ? 1 : EVENTS_EACH;
    if (events_oldest() == event_sent)
        event_ms = hal_ms();
    begin(EVENTS);
    put16(events_oldest());
    put16(event_sent);
    while (most-- && event_sent != events_next()) {
        const struct event *event = event_at(event_sent++);
        put32(event->ms);
        put16(event->slot);
        put32(event->value);
        resent = (uint16_t)(resent + again);
    }
    end();
}

static void send_geometry(void)
{
    uint8_t entry[ENTRY_BYTES];
    begin(GEOMETRY);
    put8((uint8_t)geometry.at);
    put8(table_entries());
    while (geometry.at < geometry.end && raw_length + ENTRY_BYTES + 2u <= geometry.most) {
        table_entry((uint8_t)geometry.at++, entry);
        for (uint8_t i = 0; i < ENTRY_BYTES; i++)
            put8(entry[i]);
    }
    end();
}

static void send_snapshot(void)
{
    uint8_t count = 0;
    begin(SNAPSHOT);
    put16(events_next());
    put16(snapshot.at);
    uint8_t count_at = raw_length;
    put8(0);
    while (snapshot.at < snapshot.end) {
        uint32_t value = slots_get(snapshot.at);
        if ((uint8_t)(raw_length + var_length(value)) + 2u > snapshot.most)
            break;
        put_var(value);
        snapshot.at++;
        count++;
    }
    raw[count_at] = count;
    end();
}

static void send_readings(void)
{
    begin(RAW);
    put16(readings.at);
    while (readings.at < readings.end && raw_length + 4u <= readings.most)
        put16(hal_reading((uint8_t)readings.at++));
    end();
}

static bool is_open(const struct cursor *cursor)
{
    return cursor->at < cursor->end;
}

static bool take(bool *due)
{
    bool was = *due;
    *due = false;
    return was;
}

/* Sends the most urgent frame; false when there is none. */
static bool send_one(void)
{
    if (take(&hello_due))
        send_hello();
    else if (take(&done_due))
        send_done();
    else if (session && event_sent != events_next())
        send_events();
    else if (take(&alive_due))
        send_alive();
    else if (is_open(&geometry))
        send_geometry();
    else if (is_open(&snapshot))
        send_snapshot();
    else if (is_open(&readings))
        send_readings();
    else if (take(&health_due))
        send_health();
    else
        return false;
    return true;
}

/* -- reading ---------------------------------------------------------------------------------------- */

static void forget_questions(void)
{
    geometry.at = geometry.end = 0;
    snapshot.at = snapshot.end = 0;
    readings.at = readings.end = 0;
    health_due = done_due = false;
}

static bool take_open(const uint8_t *body, uint8_t length)
{
    if (length != 8 || body[0] != 'M' || body[1] != 'T')
        return false;
    uint32_t wanted = (uint32_t)get16(body + 4) | (uint32_t)get16(body + 6) << 16;
    hello_due = true;
    if (body[2] != PROTOCOL_MAJOR || (uint16_t)wanted == 0)
        return true;
    heard_ms = hal_ms();
    alive_due = true;
    if (wanted != session) {
        session = wanted;
        command_expected = 0;
        events_clear();
        event_sent = event_again = events_next();
        forget_questions();
        outputs_off();
    }
    return true;
}

/* Events that are held no longer need no sending. */
static void catch_up(void)
{
    if (before(event_sent, events_oldest()))
        event_sent = events_oldest();
    if (before(event_again, events_oldest()))
        event_again = events_oldest();
}

static bool take_ack(const uint8_t *body, uint8_t length)
{
    if (length != 5)
        return false;
    uint16_t oldest = events_oldest();
    events_free(get16(body + 2));
    if (events_oldest() != oldest)
        event_ms = hal_ms();
    catch_up();
    if (body[4] & 1u) {
        if (before(event_again, event_sent))
            event_again = event_sent;
        event_sent = events_oldest();
    }
    return true;
}

static void start(struct cursor *cursor, const uint8_t *body, uint16_t end)
{
    uint16_t count = get16(body + 5);
    cursor->at = get16(body + 3);
    cursor->end = cursor->at < end && count > end - cursor->at ? end : (uint16_t)(cursor->at + count);
    if (cursor->at >= end)
        cursor->end = cursor->at;
    cursor->most = body[7] < 16u ? 16u : body[7] > RAW_MAX ? (uint8_t)RAW_MAX : body[7];
}

static bool take_get(const uint8_t *body, uint8_t length)
{
    if (length != 8)
        return false;
    switch (body[2]) {
    case WHAT_HELLO:
        hello_due = true;
        break;
    case WHAT_GEOMETRY:
        start(&geometry, body, table_entries());
        break;
    case WHAT_SNAPSHOT:
        start(&snapshot, body, SLOTS);
        break;
    case WHAT_RAW:
        start(&readings, body, SPOTS);
        break;
    case WHAT_HEALTH:
        health_due = true;
        break;
    default: /* of a newer minor version */
        break;
    }
    return true;
}

static bool take_command(uint8_t type, uint8_t wanted, const uint8_t *body, uint8_t length)
{
    if (!command_fits(type, length))
        return false;
    if (wanted == command_expected) {
        last_status = command_carry_out(type, body, length);
        command_expected++;
        command_status = last_status;
    } else {
        bool is_repeated = wanted == (uint8_t)(command_expected - 1u);
        command_status = is_repeated ? last_status : (uint8_t)STATUS_NUMBER;
    }
    command_answered = wanted;
    done_due = true;
    return true;
}

static bool is_known(uint8_t type)
{
    return type == ACK || type == GET || command_is(type);
}

/* Takes a checked frame; false when its body does not fit its type. */
static bool take_frame(uint8_t type, uint8_t wanted, const uint8_t *body, uint8_t length)
{
    if (type == OPEN)
        return take_open(body, length);
    if (!is_known(type))
        return true;
    if (length < 2)
        return false;
    if (session == 0 || get16(body) != (uint16_t)session) {
        if (hal_ms() - stranger_ms >= STRANGER_MS) {
            stranger_ms = hal_ms();
            hello_due = true;
        }
        return true;
    }
    heard_ms = hal_ms();
    if (type == ACK)
        return take_ack(body, length);
    if (type == GET)
        return take_get(body, length);
    return take_command(type, wanted, body, length);
}

static bool take_wire(void)
{
    uint8_t length = cobs_decode(rx, rx_length);
    if (length == COBS_BAD || length < RAW_MIN || length > RAW_MAX)
        return false;
    if (crc16(rx, (uint8_t)(length - 2u)) != get16(rx + length - 2))
        return false;
    return take_frame(rx[0], rx[1], rx + 2, (uint8_t)(length - RAW_MIN));
}

static void receive(uint8_t byte)
{
    if (byte) {
        if (rx_length < WIRE_MAX)
            rx[rx_length++] = byte;
        else
            rx_too_long = true;
        return;
    }
    if (rx_length && (rx_too_long || !take_wire()))
        bad++;
    rx_length = 0;
    rx_too_long = false;
}

/* -- the round -------------------------------------------------------------------------------------- */

static void drop_session(void)
{
    session = 0;
    forget_questions();
    outputs_off();
    hello_due = true;
}

static void look_at_clock(void)
{
    uint32_t now = hal_ms();
    if (session && now - heard_ms >= SESSION_MS)
        drop_session();
    if (now - beat_ms >= ALIVE_MS) {
        beat_ms = now;
        if (session)
            alive_due = true;
        else
            hello_due = true;
    }
    catch_up();
    if (session && events_oldest() != event_sent && now - event_ms >= AGAIN_MS) {
        event_ms = now;
        if (before(event_again, event_sent))
            event_again = event_sent;
        event_sent = events_oldest();
    }
}

void link_init(void)
{
    rx_length = 0;
    rx_too_long = false;
    bad = resent = 0;
    number = 0;
    session = 0;
    heard_ms = beat_ms = event_ms = hal_ms();
    stranger_ms = heard_ms - STRANGER_MS;
    command_expected = 0;
    geometry_check = table_check();
    event_sent = event_again = events_next();
    forget_questions();
    alive_due = was_ready = false;
    hello_due = true;
    hal_tx(0);
}

void link_poll(void)
{
    uint8_t byte;
    while (hal_rx(&byte))
        receive(byte);
    look_at_clock();
    if (slots_are_ready() && !was_ready && session)
        alive_due = true;
    was_ready = slots_are_ready();
    while (hal_tx_room() > WIRE_MAX && send_one())
        ;
}

uint16_t link_bad_frames(void)
{
    return bad;
}

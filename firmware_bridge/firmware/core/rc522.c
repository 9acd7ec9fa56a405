#include "rc522.h"

#include "hal.h"

enum { COMMAND = 0x01, COM_IRQ = 0x04, ERROR_FLAGS = 0x06, FIFO_DATA = 0x09, FIFO_LEVEL = 0x0A,
       BIT_FRAMING = 0x0D, COLL = 0x0E, MODE = 0x11, TX_CONTROL = 0x14, TX_ASK = 0x15, RF_CFG = 0x26,
       T_MODE = 0x2A, T_PRESCALER = 0x2B, T_RELOAD_HIGH = 0x2C, T_RELOAD_LOW = 0x2D, VERSION = 0x37 };

#define CMD_IDLE 0x00u
#define CMD_TRANSCEIVE 0x0Cu
#define CMD_RESET 0x0Fu
#define IRQ_ALL 0x7Fu
#define IRQ_RX 0x20u
#define IRQ_TIMER 0x01u
#define FIFO_FLUSH 0x80u
#define START_SEND 0x80u
#define ASK_100 0x40u
#define ANTENNA 0x03u
#define WAIT_TICKS 16u /* of 25 us: tags answer after 0.1 ms */
#define ERRORS 0x13u   /* overflow, parity, protocol */
#define COLLIDED 0x08u

static void write(uint8_t reader, uint8_t reg, uint8_t value)
{
    hal_reader(reader);
    hal_spi((uint8_t)(reg << 1));
    hal_spi(value);
    hal_reader(NO_READER);
}

static uint8_t read(uint8_t reader, uint8_t reg)
{
    hal_reader(reader);
    hal_spi((uint8_t)(0x80u | (uint8_t)(reg << 1)));
    uint8_t value = hal_spi(0);
    hal_reader(NO_READER);
    return value;
}

static bool is_version(uint8_t version)
{
    /* NXP 1.0 and 2.0, and the clones that are sold: not 0x00 or 0xFF of an unpowered or absent one. */
    return version == 0x91 || version == 0x92 || version == 0x88 || version == 0x12 || version == 0xB2;
}

static void set_up(uint8_t reader)
{
    write(reader, COMMAND, CMD_IDLE);
    write(reader, T_MODE, 0x80);      /* timer starts when sending ends */
    write(reader, T_PRESCALER, 0xA9); /* ticks of 25 us */
    write(reader, T_RELOAD_HIGH, 0);
    write(reader, T_RELOAD_LOW, WAIT_TICKS);
    write(reader, RF_CFG, 0x40); /* 33 dB: more and neighbours disturb each other */
    write(reader, MODE, 0x3D);
    write(reader, COLL, 0x00); /* bits after a collision read as zero */
    write(reader, TX_ASK, ASK_100);
}

bool rc522_wake(uint8_t reader)
{
    if (!is_version(read(reader, VERSION)))
        return false;
    if (read(reader, TX_ASK) != ASK_100 || read(reader, T_RELOAD_LOW) != WAIT_TICKS)
        set_up(reader);
    return true;
}

void rc522_field(uint8_t reader, bool on)
{
    write(reader, TX_CONTROL, on ? 0x80u | ANTENNA : 0x80u);
}

void rc522_send(uint8_t reader, const uint8_t *bytes, uint8_t length, uint8_t last_bits)
{
    write(reader, COMMAND, CMD_IDLE);
    write(reader, COM_IRQ, IRQ_ALL);
    write(reader, FIFO_LEVEL, FIFO_FLUSH);
    hal_reader(reader);
    hal_spi(FIFO_DATA << 1);
    while (length--)
        hal_spi(*bytes++);
    hal_reader(NO_READER);
    uint8_t framing = (uint8_t)((uint8_t)(last_bits << 4) | last_bits);
    write(reader, COMMAND, CMD_TRANSCEIVE);
    write(reader, BIT_FRAMING, framing | START_SEND);
}

static void fetch(uint8_t reader, struct rc522_reply *reply)
{
    uint8_t length = read(reader, FIFO_LEVEL) & 0x7Fu;
    reply->length = length;
    if (length > sizeof reply->bytes)
        return;
    /* In one go: every byte sent names the register of the next one read. */
    uint8_t address = 0x80u | FIFO_DATA << 1;
    hal_reader(reader);
    hal_spi(address);
    for (uint8_t i = 0; i < length; i++)
        reply->bytes[i] = hal_spi(i + 1u < length ? address : 0);
    hal_reader(NO_READER);
}

enum rc522_answer rc522_poll(uint8_t reader, struct rc522_reply *reply)
{
    uint8_t irq = read(reader, COM_IRQ);
    if (!(irq & (IRQ_RX | IRQ_TIMER)))
        return RC522_BUSY;
    if (!(irq & IRQ_RX))
        return RC522_SILENCE;
    uint8_t errors = read(reader, ERROR_FLAGS);
    if (errors & ERRORS)
        return RC522_ERROR;
    fetch(reader, reply);
    if (reply->length > sizeof reply->bytes)
        return RC522_ERROR;
    if (!(errors & COLLIDED))
        return RC522_OK;
    uint8_t position = read(reader, COLL);
    if (position & 0x20u)
        return RC522_ERROR;
    reply->collision = (position & 0x1Fu) ? position & 0x1Fu : 32u;
    return RC522_COLLISION;
}

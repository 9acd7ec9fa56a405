/* The hardware layer on an ATmega2560 (full table) or ATmega328P (no readers), 16 MHz. */
#include "../core/hal.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "../core/config.h"
#include "pins.h"

#if defined(__AVR_ATmega2560__)
#define RX_VECTOR USART0_RX_vect
#define TX_VECTOR USART0_UDRE_vect
#else
#define RX_VECTOR USART_RX_vect
#define TX_VECTOR USART_UDRE_vect
#endif

#define DIVISOR 16 /* 16 MHz / 8 / 17 = 117,647 baud */
#define RX_RING 64u /* powers of two */
#define TX_RING 128u
#define PAINT 0xC5

static volatile uint8_t rx[RX_RING];
static volatile uint8_t rx_in;
static uint8_t rx_out;
static volatile uint16_t overruns;
static uint8_t tx[TX_RING];
static uint8_t tx_in;
static volatile uint8_t tx_out;
static volatile uint32_t ms;
static volatile uint16_t readings[SPOTS];
static volatile uint8_t scans;
static uint8_t channel;
static uint8_t input;
static uint8_t cause __attribute__((section(".noinit")));

extern uint8_t _end;
extern uint8_t __stack;

/* Before main: note why we start, stop the watchdog that may have caused it, paint the free memory. */
void start_early(void) __attribute__((naked, used, section(".init3")));
void start_early(void)
{
    cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

void paint(void) __attribute__((naked, used, section(".init1")));
void paint(void)
{
    __asm__ volatile(
        "ldi r30, lo8(_end)\n"
        "ldi r31, hi8(_end)\n"
        "ldi r24, %0\n"
        "ldi r25, hi8(__stack)\n"
        "rjmp 2f\n"
        "1: st Z+, r24\n"
        "2: cpi r30, lo8(__stack)\n"
        "cpc r31, r25\n"
        "brlo 1b\n" ::"M"(PAINT));
}

uint16_t hal_free_bytes(void)
{
    const uint8_t *at = &_end;
    while (at <= &__stack && *at == PAINT)
        at++;
    return (uint16_t)(at - &_end);
}

uint8_t hal_reset_cause(void)
{
    return cause & 0x0F;
}

void hal_watchdog(void)
{
    wdt_reset();
}

/* -- time -------------------------------------------------------------------------------------------- */

ISR(TIMER0_COMPA_vect)
{
    ms++;
}

uint32_t hal_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = ms;
    }
    return now;
}

uint16_t hal_ticks(void)
{
    uint16_t now;
    uint8_t ticks;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = (uint16_t)ms;
        ticks = TCNT0;
        if ((TIFR0 & _BV(OCF0A)) && ticks < 125)
            now++;
    }
    return (uint16_t)(now * 250u + ticks);
}

/* -- line -------------------------------------------------------------------------------------------- */

ISR(RX_VECTOR)
{
    uint8_t status = UCSR0A;
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)((rx_in + 1u) % RX_RING);
    if ((status & _BV(DOR0)) || next == rx_out)
        overruns++;
    if (next != rx_out) {
        rx[rx_in] = byte;
        rx_in = next;
    }
}

ISR(TX_VECTOR)
{
    if (tx_out == tx_in) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    } else {
        UDR0 = tx[tx_out];
        tx_out = (uint8_t)((tx_out + 1u) % TX_RING);
    }
}

bool hal_rx(uint8_t *byte)
{
    if (rx_out == rx_in)
        return false;
    *byte = rx[rx_out];
    rx_out = (uint8_t)((rx_out + 1u) % RX_RING);
    return true;
}

uint16_t hal_overruns(void)
{
    uint16_t count;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = overruns;
    }
    return count;
}

uint8_t hal_tx_room(void)
{
    return (uint8_t)(tx_out + TX_RING - 1u - tx_in) % TX_RING;
}

void hal_tx(uint8_t byte)
{
    uint8_t next = (uint8_t)((tx_in + 1u) % TX_RING);
    if (next == tx_out)
        return;
    tx[tx_in] = byte;
    tx_in = next;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= _BV(UDRIE0);
    }
}

/* -- sensors ----------------------------------------------------------------------------------------- */

uint32_t hal_halls(void)
{
    uint32_t bits = 0;
    CHAIN_PORT &= (uint8_t)~_BV(CHAIN_LOAD);
    __asm__ volatile("nop\nnop");
    CHAIN_PORT |= _BV(CHAIN_LOAD);
    /* The last input of the last chip comes first: wired so that it is the highest bit. */
    for (uint8_t i = 0; i < 24; i++) {
        bits <<= 1;
        if (!(CHAIN_PIN & _BV(CHAIN_DATA))) /* the sensors pull low */
            bits |= 1;
        CHAIN_PORT |= _BV(CHAIN_CLOCK);
        __asm__ volatile("nop");
        CHAIN_PORT &= (uint8_t)~_BV(CHAIN_CLOCK);
    }
    return bits;
}

static void select(uint8_t to)
{
    MUX_PORT = (uint8_t)((MUX_PORT & ~(0x0F << MUX_SHIFT)) | (uint8_t)(to << MUX_SHIFT));
}

/* All inputs of one channel, then the next channel; a conversion takes 52 us. */
ISR(ADC_vect)
{
    uint8_t spot = (uint8_t)(input * 16u + channel);
    if (spot < SPOTS)
        readings[spot] = ADC;
    if (++input == MUXES) {
        input = 0;
        channel = (channel + 1u) & 0x0Fu;
        select(channel);
        if (channel == 0)
            scans++;
    }
    ADMUX = (uint8_t)(_BV(REFS0) | input);
    ADCSRA |= _BV(ADSC);
}

uint8_t hal_scans(void)
{
    return scans;
}

uint16_t hal_reading(uint8_t spot)
{
    uint16_t reading;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        reading = readings[spot];
    }
    return reading;
}

/* -- readers ----------------------------------------------------------------------------------------- */

#if READERS > 0
static void chip_select(uint8_t reader, bool on)
{
    volatile uint8_t *port = reader < 8 ? &PORTA : reader < 16 ? &PORTC : &PORTL;
    static const uint8_t masks[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint8_t mask = masks[reader & 7u];
    if (on)
        *port &= (uint8_t)~mask;
    else
        *port |= mask;
}

void hal_reader(uint8_t reader)
{
    static uint8_t selected = NO_READER;
    if (selected != NO_READER)
        chip_select(selected, false);
    if (reader != NO_READER)
        chip_select(reader, true);
    selected = reader;
}

uint8_t hal_spi(uint8_t out)
{
    SPDR = out;
    while (!(SPSR & _BV(SPIF)))
        ;
    return SPDR;
}

static void start_readers(void)
{
    DDRA = DDRC = DDRL = 0xFF;
    PORTA = PORTC = PORTL = 0xFF;
    SPI_DDR |= SPI_PINS;
    SPI_PORT |= _BV(PB0);
    SPCR = _BV(SPE) | _BV(MSTR); /* 4 MHz */
}
#else
static void start_readers(void) {}
#endif

/* -- outputs ----------------------------------------------------------------------------------------- */

#ifdef APA102

static void light_byte(uint8_t byte)
{
    for (uint8_t bits = 8; bits; bits--, byte = (uint8_t)(byte << 1)) {
        if (byte & 0x80)
            LIGHT_PORT |= _BV(LIGHT_BIT);
        else
            LIGHT_PORT &= (uint8_t)~_BV(LIGHT_BIT);
        LIGHT_PORT |= _BV(LIGHT_CLOCK);
        LIGHT_PORT &= (uint8_t)~_BV(LIGHT_CLOCK);
    }
}

/* These have a clock of their own: interrupts may come at any time. */
void hal_lights(const uint8_t *rgb, uint16_t lights)
{
    for (uint8_t i = 0; i < 4; i++)
        light_byte(0);
    for (uint16_t i = 0; i < lights; i++, rgb += 3) {
        light_byte(0xFF);
        light_byte(rgb[2]);
        light_byte(rgb[1]);
        light_byte(rgb[0]);
    }
    for (uint16_t i = 0; i < lights / 16u + 1u; i++)
        light_byte(0);
}

#else

/* One byte, highest bit first: 20 cycles a bit, high for 5 (zero) or 13 (one). */
static void light_byte(uint8_t byte, uint8_t high, uint8_t low)
{
    uint8_t bits = 8;
    __asm__ volatile(
        "1: out %[port], %[high]\n"
        "nop\nnop\nnop\n"
        "sbrs %[byte], 7\n"
        "out %[port], %[low]\n"
        "lsl %[byte]\n"
        "nop\nnop\nnop\nnop\nnop\nnop\n"
        "out %[port], %[low]\n"
        "nop\nnop\nnop\n"
        "dec %[bits]\n"
        "brne 1b\n"
        : [byte] "+r"(byte), [bits] "+r"(bits)
        : [port] "I"(_SFR_IO_ADDR(LIGHT_PORT)), [high] "r"(high), [low] "r"(low));
}

/* Interrupts come in between two lights: no byte of the line is lost, and no light takes it for an end. */
void hal_lights(const uint8_t *rgb, uint16_t lights)
{
    while (lights--) {
        uint8_t green = rgb[1], red = rgb[0], blue = rgb[2];
        rgb += 3;
        cli();
        uint8_t low = (uint8_t)(LIGHT_PORT & ~_BV(LIGHT_BIT));
        uint8_t high = (uint8_t)(low | _BV(LIGHT_BIT));
        light_byte(green, high, low);
        light_byte(red, high, low);
        light_byte(blue, high, low);
        sei();
        /* A simulator serves an interrupt one instruction later than the chip. */
        __asm__ volatile("nop\nnop\nnop\nnop");
    }
}

#endif

void hal_buzz(uint16_t hz)
{
    if (!hz) {
        TCCR2A = 0;
        TCCR2B = 0;
        return;
    }
    uint16_t top = 31250u / hz;
    OCR2A = (uint8_t)(top > 256 ? 255 : top ? top - 1 : 0);
    TCCR2A = _BV(COM2A0) | _BV(WGM21);
    TCCR2B = _BV(CS22) | _BV(CS21); /* 16 MHz / 256 */
}

/* -- what is kept ------------------------------------------------------------------------------------ */

uint8_t hal_keep_read(uint16_t at)
{
    return eeprom_read_byte((const uint8_t *)at);
}

bool hal_keep_write(uint16_t at, uint8_t value)
{
    if (!eeprom_is_ready())
        return false;
    if (eeprom_read_byte((const uint8_t *)at) != value)
        eeprom_write_byte((uint8_t *)at, value);
    return true;
}

void hal_init(void)
{
    CHAIN_DDR |= _BV(CHAIN_LOAD) | _BV(CHAIN_CLOCK);
    CHAIN_PORT |= _BV(CHAIN_LOAD);
    MUX_DDR |= 0x0F << MUX_SHIFT;
    LIGHT_DDR |= _BV(LIGHT_BIT);
#ifdef APA102
    LIGHT_DDR |= _BV(LIGHT_CLOCK);
#endif
    BUZZ_DDR |= _BV(BUZZ_BIT);
    start_readers();

    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);

    UBRR0 = DIVISOR;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);

    select(0);
    ADMUX = _BV(REFS0);
    ADCSRA = _BV(ADEN) | _BV(ADIE) | _BV(ADSC) | _BV(ADPS2) | _BV(ADPS1); /* 250 kHz */

    wdt_enable(WDTO_500MS);
    sei();
}

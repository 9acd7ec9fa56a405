/* Where everything is wired; docs/sensor_table.md shows the same as a table. */
#ifndef PINS_H
#define PINS_H

#include <avr/io.h>

#if defined(__AVR_ATmega2560__)

/* 74HC165 chain of the presence sensors: load (low), clock, data */
#define CHAIN_PORT PORTG
#define CHAIN_DDR DDRG
#define CHAIN_PIN PING
#define CHAIN_LOAD PG0
#define CHAIN_CLOCK PG1
#define CHAIN_DATA PG2
/* CD74HC4067: the four select lines of all of them; their outputs go to A0 ... A7 */
#define MUX_PORT PORTK
#define MUX_DDR DDRK
#define MUX_SHIFT 0
#define LIGHT_PORT PORTE
#define LIGHT_DDR DDRE
#define LIGHT_BIT PE4
#define LIGHT_CLOCK PE5 /* APA102 only */
#define BUZZ_DDR DDRB
#define BUZZ_BIT PB4 /* OC2A */
#define SPI_PORT PORTB
#define SPI_DDR DDRB
#define SPI_PINS (_BV(PB0) | _BV(PB1) | _BV(PB2)) /* SS as output, SCK, MOSI */

#elif defined(__AVR_ATmega328P__)

#define CHAIN_PORT PORTB
#define CHAIN_DDR DDRB
#define CHAIN_PIN PINB
#define CHAIN_LOAD PB0
#define CHAIN_CLOCK PB1
#define CHAIN_DATA PB2
#define MUX_PORT PORTD
#define MUX_DDR DDRD
#define MUX_SHIFT 4
#define LIGHT_PORT PORTB
#define LIGHT_DDR DDRB
#define LIGHT_BIT PB4
#define LIGHT_CLOCK PB5 /* APA102 only */
#define BUZZ_DDR DDRB
#define BUZZ_BIT PB3 /* OC2A */

#else
#error "no pins for this processor"
#endif

#endif

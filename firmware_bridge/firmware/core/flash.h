/* Constants that stay in flash on an AVR. */
#ifndef FLASH_H
#define FLASH_H

#ifdef __AVR__
#include <avr/pgmspace.h>
#define FLASH PROGMEM
#define flash_byte(address) pgm_read_byte(address)
#define flash_word(address) pgm_read_word(address)
#else
#define FLASH
#define flash_byte(address) (*(address))
#define flash_word(address) (*(address))
#endif

#endif

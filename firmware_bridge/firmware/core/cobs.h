/* Consistent overhead byte stuffing of raw frames shorter than 254 bytes. */
#ifndef COBS_H
#define COBS_H

#include <stdint.h>

#define COBS_BAD 0xFFu

/* Writes length + 1 bytes without a zero to `wire`; returns that number. */
uint8_t cobs_encode(const uint8_t *raw, uint8_t length, uint8_t *wire);
/* Decodes in place; returns the raw length or COBS_BAD. */
uint8_t cobs_decode(uint8_t *bytes, uint8_t length);

#endif

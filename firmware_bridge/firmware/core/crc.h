/* CRC-16/CCITT-FALSE of the frames and CRC-32 of tag numbers. */
#ifndef CRC_H
#define CRC_H

#include <stdint.h>

#define CRC16_START 0xFFFFu
uint16_t crc16_byte(uint16_t crc, uint8_t byte);
uint16_t crc16(const uint8_t *data, uint8_t length);
uint32_t crc32(const uint8_t *data, uint8_t length);
uint16_t crc_a(const uint8_t *data, uint8_t length); /* ISO 14443-3 type A */

#endif

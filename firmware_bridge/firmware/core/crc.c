#include "crc.h"

uint16_t crc16_byte(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)((crc >> 8) | (crc << 8));
    crc ^= byte;
    crc ^= (uint16_t)((crc & 0xFFu) >> 4);
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xFFu) << 5);
    return crc;
}

uint16_t crc16(const uint8_t *data, uint8_t length)
{
    uint16_t crc = CRC16_START;
    while (length--)
        crc = crc16_byte(crc, *data++);
    return crc;
}

uint32_t crc32(const uint8_t *data, uint8_t length)
{
    uint32_t crc = 0xFFFFFFFFu;
    while (length--) {
        crc ^= *data++;
        for (uint8_t bit = 0; bit < 8; bit++)
            crc = (crc & 1u) ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

uint16_t crc_a(const uint8_t *data, uint8_t length)
{
    uint16_t crc = 0x6363u;
    while (length--) {
        uint8_t x = (uint8_t)(*data++ ^ (uint8_t)crc);
        x ^= (uint8_t)(x << 4);
        crc = (uint16_t)((crc >> 8) ^ (uint16_t)(x << 8) ^ (uint16_t)((uint16_t)x << 3) ^ (uint16_t)(x >> 4));
    }
    return crc;
}

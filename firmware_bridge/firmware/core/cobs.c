#include "cobs.h"

uint8_t cobs_encode(const uint8_t *raw, uint8_t length, uint8_t *wire)
{
    uint8_t code_at = 0;
    uint8_t out = 1;
    for (uint8_t i = 0; i < length; i++) {
        if (raw[i]) {
            wire[out++] = raw[i];
        } else {
            wire[code_at] = (uint8_t)(out - code_at);
            code_at = out++;
        }
    }
    wire[code_at] = (uint8_t)(out - code_at);
    return out;
}

uint8_t cobs_decode(uint8_t *bytes, uint8_t length)
{
    uint8_t in = 0;
    uint8_t out = 0;
    while (in < length) {
        uint8_t code = bytes[in++];
        if (code == 0 || code - 1 > length - in)
            return COBS_BAD;
        for (uint8_t i = 1; i < code; i++)
            bytes[out++] = bytes[in++];
        if (in < length)
            bytes[out++] = 0;
    }
    return out;
}

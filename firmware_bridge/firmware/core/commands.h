/* What the host may command: forms, ranges, and carrying out (docs/protocol.md, section 9). */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

enum command_status { STATUS_DONE, STATUS_REFUSED, STATUS_NUMBER };

bool command_is(uint8_t type);
bool command_fits(uint8_t type, uint8_t length); /* of the body, session included */
uint8_t command_carry_out(uint8_t type, const uint8_t *body, uint8_t length);

static inline uint16_t get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | (uint16_t)(at[1] << 8));
}

#endif

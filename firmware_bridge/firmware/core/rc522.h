/* MFRC522 reader chips: registers, start-up, and one exchange with the tags in the field. */
#ifndef RC522_H
#define RC522_H

#include <stdbool.h>
#include <stdint.h>

enum rc522_answer { RC522_BUSY, RC522_OK, RC522_SILENCE, RC522_COLLISION, RC522_ERROR };

struct rc522_reply {
    uint8_t bytes[8];
    uint8_t length;
    uint8_t collision; /* position as the chip reports it, 1 ... 32 */
};

bool rc522_wake(uint8_t reader); /* true: alive and set up (also when it had lost its registers) */
void rc522_field(uint8_t reader, bool on);
/* Sends `length` bytes, of the last one `last_bits` bits (0 = all); the answer is stored from bit `last_bits` on. */
void rc522_send(uint8_t reader, const uint8_t *bytes, uint8_t length, uint8_t last_bits);
enum rc522_answer rc522_poll(uint8_t reader, struct rc522_reply *reply);

#endif

/* A model of the MFRC522 readers and the tags on them, register by register and in time. */
#ifndef READERS_MODEL_H
#define READERS_MODEL_H

#include <stdbool.h>
#include <stdint.h>

enum reader_fault { READER_WELL, READER_ZEROS, READER_ONES, READER_HANGS };

void readers_power(uint32_t seed);           /* everything as after switching on; tags stay where they lie */
void readers_clear(void);                    /* takes all tags away, heals all readers */
void readers_take_tags(uint8_t reader);
void readers_put_tag(uint8_t reader, const uint8_t *uid, uint8_t length, uint16_t missed_permille);
void readers_fault(uint8_t reader, enum reader_fault fault);
void readers_forget(uint8_t reader);         /* a brown-out of the chip: registers lost */
void readers_count_from_received(bool yes);  /* how collisions are counted */
void readers_select(int reader);             /* -1: none */
uint8_t readers_spi(uint8_t out, uint64_t now_us);
uint32_t readers_longest_wait_us(void);      /* the longest that a reader went without its field on */
uint32_t readers_conflicts(void);            /* fields of neighbours that were on at the same time */

#endif

/* The firmware as a library in virtual time: what Python calls. One table in a process. */
#ifndef NATIVE_H
#define NATIVE_H

#include <stdint.h>

enum native_number { N_SPOTS, N_CELLS, N_READERS, N_LIGHTS, N_SLOTS, N_BUZZ_HZ, N_SHOWN, N_BUZZED, N_CONFLICTS,
                     N_OVERRUNS, N_RESETS, N_BOOT, N_NEXT, N_DIGEST, N_LONGEST_WAIT_US };

void native_power(uint32_t seed);                 /* a new table: nothing on it, nothing kept */
void native_reset(uint8_t cause);                 /* the processor alone starts anew */
void native_age(uint32_t ms);                     /* the board has been on for longer */
void native_run(uint32_t us);
uint64_t native_now_us(void);
void native_feed(const uint8_t *bytes, uint16_t length); /* arrives byte by byte, at the line's speed */
uint16_t native_take(uint8_t *bytes, uint16_t most);     /* what has left the board since */
void native_hall(uint8_t hall, uint8_t present);
void native_spot(uint8_t spot, uint16_t reading, uint16_t noise);
void native_tags_off(uint8_t reader);
void native_tag(uint8_t reader, const uint8_t *uid, uint8_t length, uint16_t missed_permille);
void native_fault(uint8_t reader, uint8_t fault);
void native_forget(uint8_t reader);
void native_count_from_received(uint8_t yes);
uint32_t native_number(uint8_t which);
uint32_t native_slot(uint16_t slot);    /* what the board holds */
uint32_t native_event(uint16_t number, uint16_t *slot); /* an event of this life: its value */
uint32_t native_light(uint16_t light); /* 0xRRGGBB as shown */

#endif

/* The thin layer under which a processor, or a model of one, does the work. */
#ifndef HAL_H
#define HAL_H

#include <stdbool.h>
#include <stdint.h>

void hal_init(void);
void hal_watchdog(void);    /* the main loop is alive */
uint8_t hal_reset_cause(void); /* 1 power, 2 reset line, 4 brown-out, 8 watchdog */
uint16_t hal_free_bytes(void); /* the least memory that was ever left between heap and stack */
uint16_t hal_ticks(void); /* of 4 us, wraps after 262 ms */
uint32_t hal_ms(void);

bool hal_rx(uint8_t *byte); /* the next byte received, if any */
uint16_t hal_overruns(void);
uint8_t hal_tx_room(void);
void hal_tx(uint8_t byte);

uint32_t hal_halls(void);             /* one bit a presence sensor, 1 = magnet there */
uint8_t hal_scans(void);              /* grows by one whenever all spots have been converted anew */
uint16_t hal_reading(uint8_t spot);   /* the last conversion of a spot, 0 ... 1023 */

void hal_reader(uint8_t reader);      /* chip select of one reader, NO_READER = none */
uint8_t hal_spi(uint8_t out);
#define NO_READER 0xFFu

void hal_lights(const uint8_t *rgb, uint16_t lights);
void hal_buzz(uint16_t hz);           /* 0 = silence */

uint8_t hal_keep_read(uint16_t at);
bool hal_keep_write(uint16_t at, uint8_t value); /* false: still busy with the byte before, try again */

#endif

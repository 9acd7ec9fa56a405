/* Rest and scale of every spot, the class windows, and keeping them over a power cut. */
#ifndef TUNE_H
#define TUNE_H

#include <stdbool.h>
#include <stdint.h>

#define WINDOWS 8u

void tune_init(void);
uint32_t tune_boot(void); /* this start's number */
uint32_t tune_serial(void);
void tune_poll(void);
void tune_spot(uint8_t spot, uint16_t rest, uint8_t scale);
void tune_window(uint8_t class, int16_t low, int16_t high);
void tune_keep(void);
bool tune_is_keeping(void);
uint16_t tune_config(void);
uint8_t tune_classify(uint8_t spot, uint16_t reading, uint8_t current);

#endif

/* Which tags lie on which reader: several readers at work at once, none beside another. */
#ifndef NFC_H
#define NFC_H

#include <stdbool.h>
#include <stdint.h>

void nfc_init(void);
void nfc_poll(void);
void nfc_hurry(uint8_t cell); /* something moved there: look at once */
bool nfc_is_read(void);
uint16_t nfc_sweep_ms(void);
uint32_t nfc_dead(void);

#endif

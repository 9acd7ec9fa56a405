/* The table's geometry: which slot and which light is where (docs/protocol.md, section 4). */
#ifndef TABLE_H
#define TABLE_H

#include <stdbool.h>
#include <stdint.h>

#define ENTRY_BYTES 5u

uint8_t table_entries(void);
void table_entry(uint8_t index, uint8_t entry[ENTRY_BYTES]);
uint16_t table_check(void);
bool table_neighbours(uint8_t cell, uint8_t other); /* also diagonally; a cell is its own neighbour */
uint8_t table_tile_cell(uint8_t index);             /* the index-th cell that is not the courtyard */

#endif

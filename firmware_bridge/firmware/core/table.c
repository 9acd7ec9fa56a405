#include "table.h"

#include "config.h"
#include "crc.h"
#include "flash.h"

enum { READER = 0x01, BOX = 0x02, OBELISK = 0x03, SIDE = 0x04, PRESENCE = 0x05,
       CELL_LIGHT = 0x41, BOX_LIGHT = 0x42, OBELISK_LIGHT = 0x43 };

/* row << 4 | column of every cell */
static const uint8_t cells[21] FLASH = {
    0x01, 0x02, 0x03,
    0x10, 0x11, 0x12, 0x13, 0x14,
    0x20, 0x21, 0x22, 0x23, 0x24,
    0x30, 0x31, 0x32, 0x33, 0x34,
    0x41, 0x42, 0x43,
};

struct section {
    uint8_t kind;
    uint8_t entries; /* one for each cell, tile cell, or one in all */
    uint8_t count;
};

static const struct section sections[] FLASH = {
    {READER, READERS, TAGS_EACH},
    {BOX, TILE_CELLS, BOXES_EACH},
    {OBELISK, 1, OBELISK_BOXES},
    {SIDE, TILE_CELLS, 1},
    {PRESENCE, CELLS, 1},
    {CELL_LIGHT, CELLS, 1},
    {BOX_LIGHT, BOX_LIGHTS ? TILE_CELLS : 0, BOXES_EACH},
    {OBELISK_LIGHT, 1, OBELISK_BOXES},
};
#define SECTIONS (sizeof sections / sizeof sections[0])

uint8_t table_tile_cell(uint8_t index)
{
    return (uint8_t)(index < COURTYARD ? index : index + 1);
}

uint8_t table_entries(void)
{
    uint8_t sum = 0;
    for (uint8_t i = 0; i < SECTIONS; i++)
        sum = (uint8_t)(sum + flash_byte(&sections[i].entries));
    return sum;
}

void table_entry(uint8_t index, uint8_t entry[ENTRY_BYTES])
{
    uint8_t section = 0;
    while (index >= flash_byte(&sections[section].entries)) {
        index = (uint8_t)(index - flash_byte(&sections[section].entries));
        section++;
    }
    uint8_t kind = flash_byte(&sections[section].kind);
    bool on_tiles = kind == BOX || kind == SIDE || kind == BOX_LIGHT;
    bool on_cell = kind != OBELISK && kind != OBELISK_LIGHT;
    uint8_t at = on_cell ? flash_byte(&cells[on_tiles ? table_tile_cell(index) : index]) : 0;
    entry[0] = kind;
    entry[1] = at >> 4;
    entry[2] = at & 0x0F;
    entry[3] = 0;
    entry[4] = flash_byte(&sections[section].count);
}

uint16_t table_check(void)
{
    uint16_t crc = CRC16_START;
    uint8_t entry[ENTRY_BYTES];
    uint8_t entries = table_entries();
    for (uint8_t i = 0; i < entries; i++) {
        table_entry(i, entry);
        for (uint8_t k = 0; k < ENTRY_BYTES; k++)
            crc = crc16_byte(crc, entry[k]);
    }
    return crc;
}

static uint8_t distance(uint8_t a, uint8_t b)
{
    return (uint8_t)(a > b ? a - b : b - a);
}

bool table_neighbours(uint8_t cell, uint8_t other)
{
    uint8_t a = flash_byte(&cells[cell]);
    uint8_t b = flash_byte(&cells[other]);
    return distance(a >> 4, b >> 4) <= 1 && distance(a & 0x0F, b & 0x0F) <= 1;
}

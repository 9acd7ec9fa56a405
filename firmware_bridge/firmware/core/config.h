/* What this table is made of. Every number may be overridden on the compiler's command line. */
#ifndef CONFIG_H
#define CONFIG_H

#define PROTOCOL_MAJOR 1
#define PROTOCOL_MINOR 0
#define FIRMWARE_VERSION {0, 1, 0}

#ifndef CELLS
#define CELLS 21 /* the square of 5 x 5 without its corners; fewer cells: the first ones, row by row */
#endif
#ifndef READERS
#define READERS CELLS /* 0 = the cheap variant, without NFC */
#endif
#ifndef TAGS_EACH
#define TAGS_EACH 6
#endif
#ifndef BOXES_EACH
#define BOXES_EACH 4
#endif
#ifndef OBELISK_BOXES
#define OBELISK_BOXES 13
#endif
#ifndef BOX_LIGHTS
#define BOX_LIGHTS 1 /* 1 = a light at every contribution spot */
#endif
#ifndef RING
#define RING 32 /* events held for the host; a power of two */
#endif
#ifndef LANES
#define LANES 4 /* readers at work at the same time, never neighbours */
#endif

#define COURTYARD 10 /* the cell without spots */
#define TILE_CELLS (CELLS > COURTYARD ? CELLS - 1 : CELLS)

#define TAG_SLOTS (READERS * TAGS_EACH)
#define BOX_SPOTS (TILE_CELLS * BOXES_EACH)
#define SIDE_SPOTS TILE_CELLS
#define SPOTS (BOX_SPOTS + OBELISK_BOXES + SIDE_SPOTS)
#define HALLS CELLS

#define FIRST_SPOT_SLOT TAG_SLOTS
#define FIRST_HALL_SLOT (TAG_SLOTS + SPOTS)
#define SLOTS (TAG_SLOTS + SPOTS + HALLS)
#define LIGHTS (CELLS + (BOX_LIGHTS ? BOX_SPOTS : 0) + OBELISK_BOXES)

#define MUXES ((SPOTS + 15) / 16)

#define EMPTY 0u
#define UNCLEAR 15u

#endif

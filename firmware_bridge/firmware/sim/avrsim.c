/* The firmware's real binary under simavr 1.6, wired to models of everything around it, in virtual time.
 * Shows the same face as native/native.h. simavr is GPL-3; this file serves the tests and is never shipped in a
 * binary. What simavr 1.6 does otherwise than the chip is put right here, each time with a word of why. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../core/config.h"
#include "../native/native.h"
#include "avr_adc.h"
#include "avr_eeprom.h"
#include "avr_extint.h"
#include "avr_ioport.h"
#include "avr_spi.h"
#include "avr_uart.h"
#include "readers.h"
#include "world.h"
#include "sim_avr.h"
#include "sim_elf.h"
#include "sim_time.h"

DEFINE_FIFO(uint16_t, uart_fifo);

#define HZ 16000000u
#define PER_US (HZ / 1000000u)
#define BYTE_CYCLES 1360u /* 10 bits at 117,647 baud */
#define RECEIVER_DEPTH 3 /* two bytes of buffer and the shift register */
#define SPI_CYCLES 32u    /* a byte at 4 MHz */
#define RESET_GAP_US 50u  /* a light strip's end of frame */

int avrsim_load(const char *path, const char *mcu);
void avrsim_pulses(uint32_t counts[3]);

static char elf_path[512];
static char mcu_name[32];
static bool is_mega;
static avr_t *avr;
static uint64_t base_us; /* virtual time before the present core's life */
static uint8_t eeprom[WORLD_MEMORY];

static uint32_t overruns, resets;
static avr_uart_t *uart;
static avr_spi_t *spi;

static uint32_t chain_at;

static uint8_t strip[LIGHTS * 3 + 8];
static uint32_t strip_bits;
static avr_cycle_count_t edge_cycle;
static uint32_t show_count;
static uint32_t pulses_good, pulses_bad, gaps_bad;

uint64_t native_now_us(void)
{
    return base_us + (avr ? avr->cycle / PER_US : 0);
}

/* -- line -------------------------------------------------------------------------------------------- */

static void on_sent(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    world_leave((uint8_t)value);
}

static avr_cycle_count_t on_arrival(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)when, (void)param;
    if (world_is_coming()) {
        /* simavr's receiver is 64 deep, the chip's three. */
        uint8_t byte = world_next_byte();
        if (uart_fifo_get_read_size(&uart->input) >= RECEIVER_DEPTH)
            overruns++;
        else
            avr_raise_irq(avr_io_getirq(a, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
    }
    return when + BYTE_CYCLES;
}

/* simavr counts eleven bits a byte. */
static void on_baud(avr_t *a, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)addr, (void)param;
    a->data[addr] = value;
    uart->cycles_per_byte = 10u * 8u * (value + 1u);
}

/* -- readers ----------------------------------------------------------------------------------------- */

static void on_select(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    readers_select((value & 1) ? -1 : (int)(intptr_t)param);
}

static avr_cycle_count_t on_spi_done(avr_t *a, avr_cycle_count_t when, void *param)
{
    (void)when;
    spi->input_data_register = (uint8_t)(intptr_t)param;
    avr_raise_interrupt(a, &spi->spi);
    return 0;
}

/* simavr needs 100 us for a byte; this one answers at the clock that is set. */
static void on_spi_write(avr_t *a, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)addr, (void)param;
    uint8_t in = readers_spi(value, native_now_us());
    avr_clear_interrupt(a, &spi->spi);
    avr_cycle_timer_register(a, SPI_CYCLES, on_spi_done, (void *)(intptr_t)in);
}

/* -- sensors ----------------------------------------------------------------------------------------- */

static uint8_t mux_channel(void)
{
    return is_mega ? avr->data[0x108] & 0x0F : avr->data[0x2B] >> 4;
}

static void on_convert(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    union {
        avr_adc_mux_t mux;
        uint32_t word;
    } source = {.word = value};
    uint32_t spot = source.mux.src * 16u + mux_channel();
    uint32_t reading = spot < SPOTS ? world_reading((uint8_t)spot) : 0;
    uint32_t millivolts = (reading * 5000u + 1022u) / 1023u;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, (int)(ADC_IRQ_ADC0 + source.mux.src)), millivolts);
}

static void show_chain(void)
{
    char port = is_mega ? 'G' : 'B';
    bool present = chain_at < 24 && (world_halls() >> (23 - chain_at)) & 1;
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), 2), !present);
}

static void on_chain_load(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (!(value & 1)) {
        chain_at = 0;
        show_chain();
    }
}

static void on_chain_clock(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    if (value & 1) {
        chain_at++;
        show_chain();
    }
}

/* -- lights ------------------------------------------------------------------------------------------ */

static void end_frame(void)
{
    if (strip_bits == 0)
        return;
    uint32_t bytes = strip_bits / 8;
    for (uint32_t i = 0; i + 2 < bytes && i + 2 < sizeof world_shown; i += 3) {
        world_shown[i] = strip[i + 1];
        world_shown[i + 1] = strip[i];
        world_shown[i + 2] = strip[i + 2];
    }
    if (strip_bits % 24)
        gaps_bad++;
    show_count++;
    strip_bits = 0;
}

/* High for 0.2 to 0.5 us is a zero, for 0.58 to 1.0 us a one; anything else is out of the strip's specification. */
static void on_strip(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    avr_cycle_count_t passed = avr->cycle - edge_cycle;
    edge_cycle = avr->cycle;
    if (value & 1) {
        if (passed > RESET_GAP_US * PER_US)
            end_frame();
        return;
    }
    if (passed > RESET_GAP_US * PER_US)
        return; /* the pin's first edge: no pulse went before */
    double us = (double)passed / PER_US;
    bool one = us >= 0.58 && us <= 1.0;
    if (!one && !(us >= 0.2 && us <= 0.5)) {
        pulses_bad++;
        return;
    }
    pulses_good++;
    if (strip_bits / 8 < sizeof strip) {
        uint8_t bit = (uint8_t)(0x80u >> (strip_bits % 8));
        uint8_t *at = &strip[strip_bits / 8];
        *at = one ? (uint8_t)(*at | bit) : (uint8_t)(*at & ~bit);
        strip_bits++;
    }
}

void avrsim_pulses(uint32_t counts[3])
{
    counts[0] = pulses_good;
    counts[1] = pulses_bad;
    counts[2] = gaps_bad;
}

/* -- the core ---------------------------------------------------------------------------------------- */

static avr_io_t *find_io(const char *kind, int nth)
{
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (strcmp(io->kind, kind) == 0 && nth-- == 0)
            return io;
    return NULL;
}

static avr_uart_t *find_uart(void)
{
    for (int i = 0;; i++) {
        avr_uart_t *found = (avr_uart_t *)find_io("uart", i);
        if (!found || found->name == '0')
            return found;
    }
}

static void no_log(avr_t *a, const int level, const char *format, va_list args)
{
    (void)a, (void)level, (void)format, (void)args;
}

static void no_sleep(avr_t *a, avr_cycle_count_t cycles)
{
    (void)a, (void)cycles;
}

static void wire_pin(char port, int pin, avr_irq_notify_t notify, void *param)
{
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), notify, param);
}

static void wire(void)
{
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart = find_uart();
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_sent, NULL);
    avr_register_io_write(avr, uart->ubrrl.reg, on_baud, NULL);
    avr_cycle_timer_register(avr, BYTE_CYCLES, on_arrival, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_convert, NULL);
    /* Level interrupts on pins that are low are polled every cycle, even when masked: 17 times slower. */
    for (uint8_t i = 0; i < (is_mega ? 8 : 2); i++)
        avr_extint_set_strict_lvl_trig(avr, i, 0);
    if (is_mega) {
        spi = (avr_spi_t *)find_io("spi", 0);
        avr_register_io_write(avr, spi->r_spdr, on_spi_write, NULL);
        for (int i = 0; i < READERS; i++)
            wire_pin("ACL"[i / 8], i % 8, on_select, (void *)(intptr_t)i);
        wire_pin('G', 0, on_chain_load, NULL);
        wire_pin('G', 1, on_chain_clock, NULL);
        wire_pin('E', 4, on_strip, NULL);
    } else {
        wire_pin('B', 0, on_chain_load, NULL);
        wire_pin('B', 1, on_chain_clock, NULL);
        wire_pin('B', 4, on_strip, NULL);
    }
}

/* A new core for every reset: simavr's own leaves its devices half reset. */
static int boot(uint8_t cause)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (avr) {
        base_us = native_now_us();
        avr_eeprom_desc_t keep = {.ee = eeprom, .offset = 0, .size = sizeof eeprom};
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &keep);
        if (keep.ee != eeprom)
            memcpy(eeprom, keep.ee, sizeof eeprom);
        avr_terminate(avr);
        free(avr);
        avr = NULL;
    }
    avr = avr_make_mcu_by_name(mcu_name);
    if (!avr || avr_init(avr) || elf_read_firmware(elf_path, &firmware))
        return -1;
    firmware.frequency = HZ;
    firmware.vcc = firmware.avcc = firmware.aref = 5000;
    avr_load_firmware(avr, &firmware);
    avr->frequency = HZ;
    avr->sleep = no_sleep;
    avr->log = LOG_NONE;
    avr_eeprom_desc_t kept = {.ee = eeprom, .offset = 0, .size = sizeof eeprom};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &kept);
    avr->data[0x54] = cause; /* MCUSR */
    world_cut_off();
    strip_bits = 0;
    edge_cycle = 0;
    resets++;
    wire();
    return 0;
}

int avrsim_load(const char *path, const char *mcu)
{
    strncpy(elf_path, path, sizeof elf_path - 1);
    strncpy(mcu_name, mcu, sizeof mcu_name - 1);
    avr_global_logger_set(no_log);
    is_mega = strcmp(mcu, "atmega2560") == 0;
    native_power(1);
    return avr ? 0 : -1;
}

/* -- what Python calls ------------------------------------------------------------------------------- */

void native_power(uint32_t seed)
{
    if (avr) {
        avr_terminate(avr);
        free(avr);
        avr = NULL;
    }
    base_us = 0;
    overruns = resets = show_count = 0;
    pulses_good = pulses_bad = gaps_bad = 0;
    world_power(seed, eeprom);
    boot(1);
}

void native_reset(uint8_t cause)
{
    if (cause == 1)
        readers_power(world_draw());
    boot(cause);
}

void native_age(uint32_t ms)
{
    (void)ms;
}

void native_run(uint32_t us)
{
    avr_cycle_count_t until = avr->cycle + (avr_cycle_count_t)us * PER_US;
    while (avr->cycle < until) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            break;
    }
    if (strip_bits && avr->cycle - edge_cycle > RESET_GAP_US * PER_US)
        end_frame();
}

static uint32_t buzzer_hz(void)
{
    uint8_t control = avr->data[0xB1], top = avr->data[0xB3];
    return control ? 31250u / (top + 1u) : 0;
}

uint32_t native_number(uint8_t which)
{
    switch (which) {
    case N_SPOTS: return SPOTS;
    case N_CELLS: return CELLS;
    case N_READERS: return READERS;
    case N_LIGHTS: return LIGHTS;
    case N_SLOTS: return SLOTS;
    case N_BUZZ_HZ: return buzzer_hz();
    case N_SHOWN: return show_count;
    case N_CONFLICTS: return readers_conflicts();
    case N_OVERRUNS: return overruns;
    case N_RESETS: return resets;
    default: return 0;
    }
}

/* The chip's memory is its own affair: what it holds is asked for over the line. */
uint32_t native_slot(uint16_t slot)
{
    (void)slot;
    return 0;
}

uint32_t native_event(uint16_t number, uint16_t *slot)
{
    (void)number;
    *slot = 0;
    return 0;
}

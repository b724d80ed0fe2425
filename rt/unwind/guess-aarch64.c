/* SPDX-License-Identifier: MIT */
/* Runs one instruction of AArch64, for guess.c (Arm Architecture Reference Manual, C4).
   Owns no data. Async-signal-safe. */

#include "rt/unwind/guess.h"

enum { LINK = 30, SP = 31 };

/* Returns the signed number of COUNT bits from bit FIRST on. */
static uint64_t guess_bits(uint32_t code, unsigned first, unsigned count)
{
    return (uint64_t)((int64_t)((uint64_t)code << (64 - first - count)) >> (64 - count));
}

/* Loads or stores a register. Register 31 is always 0. */
static void guess_transfer(struct ccprof_guess *guess, bool loads, unsigned number,
                           uint64_t address)
{
    uint64_t *reg = &guess->now.registers[number];

    if (!loads)
        ccprof_guess_store(guess, address, number == SP ? 0 : *reg);
    else if (number != SP)
        *reg = ccprof_guess_load(guess, address);
    if (loads && number == LINK)
        guess->now.slot = address;
}

/* Loads and stores, of which those with a base that changes matter, and those of 64-bit
   registers. */
static void guess_memory(struct ccprof_guess *guess, uint32_t code)
{
    /* Registers of ld1 to ld4, by bits 12 to 15. */
    static const uint8_t vectors[16] = {4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2};
    uint64_t *base = &guess->now.registers[code >> 5 & 31];
    unsigned first = code & 31, size = code >> 30;
    bool vector = code >> 26 & 1, loads = code >> 22 & 1;

    if ((code & 0x3a000000) == 0x28000000) { /* pairs */
        uint64_t offset = guess_bits(code, 15, 7) * (vector      ? 4u << size
                                                     : size == 2 ? 8u
                                                                 : 4u);
        uint64_t address = (code >> 23 & 3) == 1 ? *base : *base + offset;
        if (code >> 23 & 1)
            *base += offset;
        if (!vector && size == 2) {
            guess_transfer(guess, loads, first, address);
            guess_transfer(guess, loads, code >> 10 & 31, address + 8);
        }
    } else if ((code & 0x3b200000) == 0x38000000) { /* a signed offset */
        uint64_t offset = guess_bits(code, 12, 9);
        uint64_t address = (code >> 10 & 3) == 1 ? *base : *base + offset;
        if (code >> 10 & 1)
            *base += offset;
        if (!vector && size == 3 && !(code >> 23 & 1))
            guess_transfer(guess, loads, first, address);
    } else if ((code & 0xff800000) == 0xf9000000) { /* an unsigned offset */
        guess_transfer(guess, loads, first, *base + 8 * (code >> 10 & 0xfff));
    } else if ((code & 0xbfbf0000) == 0x0c9f0000) { /* vectors, then a constant */
        *base += vectors[code >> 12 & 15] * (code >> 30 & 1 ? 16u : 8u);
    }
}

static enum ccprof_guess_next guess_jump(struct ccprof_guess *guess, uint64_t pc,
                                         uint64_t offset, enum ccprof_guess_next next)
{
    guess->target = pc + 4 * offset;
    return next;
}

enum ccprof_guess_next ccprof_guess_run(struct ccprof_guess *guess)
{
    uint64_t word, pc = guess->now.pc, *registers = guess->now.registers;

    /* 4 bytes before, since these are in the same page. */
    if (!ccprof_safe_read(guess->readable, pc & -UINT64_C(8), &word))
        return CCPROF_GUESS_END;
    const uint32_t code = (uint32_t)(word >> (pc & 4) * 8);
    uint64_t *to = &registers[code & 31], from = registers[code >> 5 & 31];
    uint64_t number = (uint64_t)(code >> 10 & 0xfff) << (code >> 22 & 1 ? 12 : 0);
    guess->now.pc += 4;
    if ((code & 0xfefff000) == 0xd65f0000) { /* ret, also with a signed address */
        guess->target = registers[code & 0x800 ? LINK : code >> 5 & 31] & ccprof_cpu.code;
        return CCPROF_GUESS_RETURN;
    }
    if ((code & 0xfefff000) == 0xd61f0000) /* br */
        return CCPROF_GUESS_UNKNOWN;
    if (code >> 16 == 0 || (code & 0xffe00000) == 0xd4200000) /* udf, brk */
        return CCPROF_GUESS_END;
    if ((code & 0xfc000000) == 0x14000000)
        return guess_jump(guess, pc, guess_bits(code, 0, 26), CCPROF_GUESS_JUMP);
    if ((code & 0xff000000) == 0x54000000 || (code & 0x7e000000) == 0x34000000)
        return guess_jump(guess, pc, guess_bits(code, 5, 19), CCPROF_GUESS_BRANCH);
    if ((code & 0x7e000000) == 0x36000000)
        return guess_jump(guess, pc, guess_bits(code, 5, 14), CCPROF_GUESS_BRANCH);
    if ((code & 0xfc000000) == 0x94000000 || (code & 0xfefff000) == 0xd63f0000) {
        registers[LINK] = pc + 4;
        guess->now.slot = 0;
    } else if ((code & 0xff800000) == 0x91000000) { /* add */
        *to = from + number;
    } else if ((code & 0xff800000) == 0xd1000000) { /* sub */
        *to = from - number;
    } else if ((code & 0xffe0ffe0) == 0xaa0003e0 && (code & 31) != SP) { /* mov */
        *to = (code >> 16 & 31) == SP ? 0 : registers[code >> 16 & 31];
    } else if ((code & 0xff80001f) == 0x9200001f) {
        *to = from; /* and: lower addresses, restored later, can as well be unaligned */
    } else {
        guess_memory(guess, code);
    }
    return CCPROF_GUESS_ON;
}

/* Calls are bl, and blr with or without a signed address. */
bool ccprof_guess_is_after_call(struct ccprof_safe_read *readable, uint64_t address)
{
    uint64_t word;

    if (address % 4 != 0 ||
        !ccprof_safe_read(readable, (address - 4) & -UINT64_C(8), &word))
        return false;
    const uint32_t code = (uint32_t)(word >> (address & 4 ? 0 : 32));
    return (code & 0xfc000000) == 0x94000000 || (code & 0xfefff000) == 0xd63f0000;
}

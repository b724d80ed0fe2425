/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of RISC-V with 64 bits: RV64GC, V, and Zcb (The RISC-V Instruction Set
   Manual, volume I: "RV32/64G Instruction Set Listings", "C" and "V").

   The base instructions have no calls and returns. A jump that writes the link register
   x1 or x5 is a call, and an indirect jump to such a register is a return, as the manual
   recommends for the prediction of returns. A call of a distant function is an indirect
   call, because the instruction before computes the target (auipc and jalr). */

#include "mlprof/elf/events-inside.h"

#include <elf.h>

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static bool is_link(unsigned reg)
{
    return reg == 1 || reg == 5;
}

/* Returns the sum of ADDRESS and the signed number VALUE, which has COUNT bits. */
static uint64_t add_signed(uint64_t address, uint32_t value, unsigned count)
{
    uint64_t sign = UINT64_C(1) << (count - 1);
    return address + ((value ^ sign) - sign);
}

/* A jump to the address in register TO that writes the next address to register LINK. */
static void set_indirect(struct events_insn *insn, unsigned to, unsigned link)
{
    insn->branch = true;
    insn->call = is_link(link);
    insn->returns = link == 0 && is_link(to);
    insn->indirect = !insn->returns;
}

static void set_conditional(struct events_insn *insn, uint64_t target)
{
    insn->branch = insn->conditional = true;
    insn->target = target;
}

static void set_jump(struct events_insn *insn, uint64_t target, unsigned link)
{
    insn->branch = true;
    insn->call = is_link(link);
    insn->target = target;
}

/* An access of floating-point or vector registers. */
static bool decode_float_access(uint32_t word, bool load, struct events_insn *insn)
{
    unsigned width = bits(word, 14, 12);
    insn->scalable = width == 0 || width >= 5;
    events_add_accesses(insn, load, 1, insn->scalable ? 0 : 1U << width);
    return true;
}

static bool decode_atomic(uint32_t word, struct events_insn *insn)
{
    unsigned width = bits(word, 14, 12), operation = bits(word, 31, 27);
    if (width > 4)
        return false;
    if (operation != 3) /* sc */
        events_add_loads(insn, 1, 1U << width);
    if (operation != 2) /* lr */
        events_add_stores(insn, 1, 1U << width);
    return true;
}

static bool decode_vector(uint32_t word, struct events_insn *insn)
{
    unsigned form = bits(word, 14, 12), operation = bits(word, 31, 26);
    insn->scalable = form != 7; /* vsetvl and others */
    if (form == 2 || form == 6) /* vdivu, vdiv, vremu, vrem */
        insn->division = operation >= 32 && operation <= 35;
    else if (form == 1 || form == 5) /* vfdiv, vfrdiv */
        insn->division = operation == 32 || (operation == 33 && form == 5);
    return true;
}

static bool decode_conditional(uint32_t word, struct events_insn *insn)
{
    uint32_t distance = bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 |
                        bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1;
    set_conditional(insn, add_signed(insn->address, distance, 13));
    return bits(word, 14, 12) != 2 && bits(word, 14, 12) != 3;
}

static bool decode_jump(uint32_t word, struct events_insn *insn)
{
    uint32_t distance = bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
                        bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1;
    set_jump(insn, add_signed(insn->address, distance, 21), bits(word, 11, 7));
    return true;
}

static bool decode_system(uint32_t word, struct events_insn *insn)
{
    insn->system = word == 0x00000073;
    insn->branch = insn->returns = word == 0x10200073 || word == 0x30200073; /* sret */
    return bits(word, 14, 12) != 4 || bits(word, 31, 28) >= 6;
}

static bool decode_word(uint32_t word, struct events_insn *insn)
{
    unsigned width = bits(word, 14, 12);
    insn->size = 4;
    switch (bits(word, 6, 0)) {
    case 0x03:
        events_add_loads(insn, 1, 1U << (width & 3));
        return width != 7;
    case 0x23:
        events_add_stores(insn, 1, 1U << (width & 3));
        return width < 4;
    case 0x07:
    case 0x27:
        return decode_float_access(word, bits(word, 5, 5) == 0, insn);
    case 0x2f:
        return decode_atomic(word, insn);
    case 0x13:
        insn->padding = word == 0x13;
        return true;
    case 0x33:
    case 0x3b: /* div, divu, rem, remu */
        insn->division = bits(word, 31, 25) == 1 && width >= 4;
        return true;
    case 0x53: /* fdiv */
        insn->division = bits(word, 31, 27) == 3;
        return true;
    case 0x57:
        return decode_vector(word, insn);
    case 0x77: /* cryptography of vectors */
        insn->scalable = true;
        return true;
    case 0x63:
        return decode_conditional(word, insn);
    case 0x67:
        set_indirect(insn, bits(word, 19, 15), bits(word, 11, 7));
        return width == 0;
    case 0x6f:
        return decode_jump(word, insn);
    case 0x73:
        return decode_system(word, insn);
    case 0x0f: /* cbo.zero; only the processor knows the size */
        if (width == 2 && bits(word, 31, 20) == 4)
            events_add_stores(insn, 1, 0);
        return width <= 2;
    case 0x17: /* auipc */
    case 0x37: /* lui */
    case 0x1b: /* addiw and others */
    case 0x43: /* fmadd */
    case 0x47:
    case 0x4b:
    case 0x4f:
        return true;
    default:
        return false;
    }
}

/* The accesses of one byte and of half-words (Zcb). */
static bool decode_narrow_access(unsigned half, struct events_insn *insn)
{
    unsigned operation = bits(half, 12, 10);
    if (operation > 3 || (operation == 3 && bits(half, 6, 6)))
        return false;
    events_add_accesses(insn, operation < 2, 1, operation % 2 ? 2 : 1);
    return true;
}

static uint64_t compressed_jump(uint64_t address, unsigned half)
{
    uint32_t distance = bits(half, 12, 12) << 11 | bits(half, 11, 11) << 4 |
                        bits(half, 10, 9) << 8 | bits(half, 8, 8) << 10 |
                        bits(half, 7, 7) << 6 | bits(half, 6, 6) << 7 |
                        bits(half, 5, 3) << 1 | bits(half, 2, 2) << 5;
    return add_signed(address, distance, 12);
}

static uint64_t compressed_branch(uint64_t address, unsigned half)
{
    uint32_t distance = bits(half, 12, 12) << 8 | bits(half, 11, 10) << 3 |
                        bits(half, 6, 5) << 6 | bits(half, 4, 3) << 1 |
                        bits(half, 2, 2) << 5;
    return add_signed(address, distance, 9);
}

/* c.jr, c.jalr, c.mv, c.add, c.ebreak. */
static bool decode_compressed_register(unsigned half, struct events_insn *insn)
{
    unsigned first = bits(half, 11, 7), second = bits(half, 6, 2);
    bool links = bits(half, 12, 12);
    if (second == 0 && first != 0)
        set_indirect(insn, first, links ? 1 : 0);
    return first != 0 || second != 0 || links;
}

/* The operation of quadrant 0 or 2 that accesses memory, by bits 15 to 13: 1 to 3 load,
   5 to 7 store. */
static bool decode_compressed_access(unsigned operation, struct events_insn *insn)
{
    events_add_accesses(insn, operation < 4, 1, (operation & 3) == 2 ? 4 : 8);
    return true;
}

static bool decode_half(unsigned half, struct events_insn *insn)
{
    unsigned operation = bits(half, 15, 13), quadrant = half & 3;
    insn->size = 2;
    if (quadrant == 1) {
        insn->padding = half == 1;
        if (operation == 5)
            set_jump(insn, compressed_jump(insn->address, half), 0);
        else if (operation >= 6)
            set_conditional(insn, compressed_branch(insn->address, half));
        return true;
    }
    if (operation == 0)
        return half != 0;
    if (operation == 4)
        return quadrant == 0 ? decode_narrow_access(half, insn)
                             : decode_compressed_register(half, insn);
    return decode_compressed_access(operation, insn);
}

static bool decode(const uint8_t *bytes, size_t size, struct events_insn *insn)
{
    if (size < 2)
        return false;
    uint32_t half = bytes[0] | (uint32_t)bytes[1] << 8;
    if ((half & 3) != 3)
        return decode_half(half, insn);
    /* Longer instructions are not in use. */
    if (size < 4 || (half & 0x1c) == 0x1c)
        return false;
    return decode_word(half | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24, insn);
}

const struct events_processor events_riscv64 = {
    .machine = EM_RISCV, .unit = 2, .decode = decode};

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of AArch64 (Arm Architecture Reference Manual for A-profile, C4: A64
   instruction set encoding). Instructions are decoded by groups, as far as their events
   differ. Therefore some unallocated encodings inside a group pass as instructions.

   A load or store of a pair counts two accesses. A load or store of a SIMD structure
   counts an access for each register. A vector load of 64 bits (ldr d0) counts as scalar,
   because it cannot be told from a load of a double. */

#include "mlprof/elf/events-inside.h"

#include <elf.h>

static uint32_t bits(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((UINT32_C(2) << (high - low)) - 1);
}

static bool bit(uint32_t word, unsigned number)
{
    return word >> number & 1;
}

/* Returns the address that is the COUNT bits from LOW, a signed number of words, away. */
static uint64_t target_of(uint64_t address, uint32_t word, unsigned low, unsigned count)
{
    uint64_t field = bits(word, low + count - 1, low), sign = UINT64_C(1) << (count - 1);
    return address + 4 * ((field ^ sign) - sign);
}

static unsigned full_or_half(uint32_t word)
{
    return bit(word, 30) ? 128 : 64;
}

static void add_modification(struct events_insn *insn, unsigned count, unsigned size)
{
    events_add_loads(insn, count, size);
    events_add_stores(insn, count, size);
}

/* ld1 to ld4, st1 to st4, of whole registers. */
static bool decode_structures(uint32_t word, struct events_insn *insn)
{
    static const uint8_t registers[16] = {
        [0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2};
    insn->vector = (uint16_t)full_or_half(word);
    events_add_accesses(insn, bit(word, 22), registers[bits(word, 15, 12)],
                        insn->vector / 8);
    return registers[bits(word, 15, 12)] != 0;
}

/* ld1 to ld4, st1 to st4, of one element of each register; ld1r to ld4r. */
static bool decode_structure_elements(uint32_t word, struct events_insn *insn)
{
    unsigned scale = bits(word, 15, 14);
    unsigned registers = 1 + (bit(word, 13) ? 2 : 0) + (bit(word, 21) ? 1 : 0);
    bool replicates = scale == 3;
    if (replicates)
        scale = bits(word, 11, 10);
    else if (scale == 2 && bit(word, 10))
        scale = 3;
    insn->vector = (uint16_t)(replicates ? full_or_half(word) : 128);
    events_add_accesses(insn, bit(word, 22), registers, 1U << scale);
    return true;
}

/* Exclusive and ordered accesses, compare and swap. */
static bool decode_exclusive(uint32_t word, struct events_insn *insn)
{
    unsigned size = 1U << bits(word, 31, 30);
    bool ordered = bit(word, 23), other = bit(word, 21);
    if (!other)
        events_add_accesses(insn, bit(word, 22), 1, size);
    else if (ordered)
        add_modification(insn, 1, size);
    else if (bit(word, 31))
        events_add_accesses(insn, bit(word, 22), 2, size);
    else
        add_modification(insn, 2, bit(word, 30) ? 8 : 4); /* casp */
    return true;
}

static bool decode_literal(uint32_t word, struct events_insn *insn)
{
    unsigned opc = bits(word, 31, 30);
    if (bit(word, 26)) {
        events_add_loads(insn, 1, 4U << opc);
        insn->vector = opc == 2 ? 128 : 0;
        return opc != 3;
    }
    if (opc != 3) /* a prefetch */
        events_add_loads(insn, 1, opc == 1 ? 8 : 4);
    return true;
}

static bool decode_pair(uint32_t word, struct events_insn *insn)
{
    unsigned opc = bits(word, 31, 30);
    bool load = bit(word, 22), simd = bit(word, 26);
    unsigned size = simd ? 4U << opc : opc == 2 || (opc == 1 && !load) ? 8 : 4;
    events_add_accesses(insn, load, 2, size);
    insn->vector = simd && opc == 2 ? 128 : 0;
    return opc != 3;
}

/* Atomic accesses of one instruction. */
static bool decode_atomic(uint32_t word, struct events_insn *insn)
{
    unsigned size = 1U << bits(word, 31, 30), opc = bits(word, 14, 12);
    if (bit(word, 26))
        return false;
    if (!bit(word, 15) || opc == 0)
        add_modification(insn, 1, size);
    else if (opc == 4)
        events_add_loads(insn, 1, size); /* ldapr */
    else if (size == 8 && (opc == 5 || (opc >= 1 && opc <= 3)))
        events_add_accesses(insn, opc == 5, 1, 64); /* ld64b, st64b */
    else
        return false;
    return true;
}

/* A load or store of one register. */
static bool decode_register(uint32_t word, struct events_insn *insn)
{
    unsigned size = bits(word, 31, 30), opc = bits(word, 23, 22);
    bool scaled = bit(word, 24);
    if (!scaled && bit(word, 21) && bits(word, 11, 10) == 0)
        return decode_atomic(word, insn);
    if (!scaled && bit(word, 21) && bit(word, 10)) { /* ldraa */
        events_add_loads(insn, 1, 8);
        return size == 3 && !bit(word, 26);
    }
    if (bit(word, 26)) {
        bool quad = bit(word, 23);
        events_add_accesses(insn, bit(word, 22), 1, quad ? 16 : 1U << size);
        insn->vector = quad ? 128 : 0;
        return !quad || size == 0;
    }
    if (opc == 2 && size == 3) /* a prefetch, which cannot change the address */
        return scaled || !bit(word, 10);
    events_add_accesses(insn, opc != 0, 1, 1U << size);
    return opc != 3 || size < 2;
}

/* ldapur and stlur; copies and sets of a block of memory; tags. */
static bool decode_unscaled(uint32_t word, struct events_insn *insn)
{
    unsigned opc = bits(word, 23, 22);
    bool simd = bit(word, 26);
    if (bits(word, 31, 24) == 0xd9 && bit(word, 21)) {
        if (bits(word, 11, 10) != 0 && bit(word, 22)) /* stzg, stz2g */
            events_add_stores(insn, 1, bit(word, 23) ? 32 : 16);
        return true;
    }
    if (!bit(word, 21) && bits(word, 11, 10) == 1 && bits(word, 31, 30) == 0) {
        events_add_stores(insn, 1, 0);
        if (opc != 3)
            events_add_loads(insn, 1, 0);
        insn->repeats = true;
        return true;
    }
    if (bit(word, 21) || bits(word, 11, 10) != (simd ? 2 : 0))
        return false;
    bool quad = simd && bit(word, 23);
    events_add_accesses(insn, simd ? bit(word, 22) : opc != 0, 1,
                        quad ? 16 : 1U << bits(word, 31, 30));
    insn->vector = quad ? 128 : 0;
    return true;
}

static bool decode_access(uint32_t word, struct events_insn *insn)
{
    if ((word & 0xbf000000) == 0x0c000000)
        return decode_structures(word, insn);
    if ((word & 0xbf000000) == 0x0d000000)
        return decode_structure_elements(word, insn);
    if ((word & 0x3f000000) == 0x08000000)
        return decode_exclusive(word, insn);
    if ((word & 0x3b000000) == 0x18000000)
        return decode_literal(word, insn);
    if ((word & 0x3b000000) == 0x19000000)
        return decode_unscaled(word, insn);
    if ((word & 0x3a000000) == 0x28000000)
        return decode_pair(word, insn);
    if ((word & 0x3a000000) == 0x38000000)
        return decode_register(word, insn);
    return false;
}

static bool decode_branch_to_register(uint32_t word, struct events_insn *insn)
{
    /* Bit 24 is set if the address has an authentication code. */
    unsigned opc = bits(word, 24, 21) & 7;
    insn->branch = true;
    insn->indirect = opc <= 1;
    insn->call = opc == 1;
    insn->returns = opc == 2 || opc == 4 || opc == 5; /* ret, eret, drps */
    return (insn->indirect || insn->returns) && bits(word, 20, 16) == 31;
}

static bool decode_system(uint32_t word, struct events_insn *insn)
{
    if (bits(word, 31, 24) == 0xd4)
        insn->system = (word & 0xffe0001f) == 0xd4000001; /* svc */
    insn->padding = word == 0xd503201f;
    if ((word & 0xffffffe0) == 0xd50b7420)
        events_add_stores(insn, 1, 0); /* dc zva; only the processor knows the size */
    return bits(word, 31, 24) == 0xd4 || bits(word, 31, 24) == 0xd5;
}

static bool decode_branch(uint32_t word, struct events_insn *insn)
{
    if ((word & 0x7c000000) == 0x14000000) { /* b, bl */
        insn->branch = true;
        insn->call = bit(word, 31);
        insn->target = target_of(insn->address, word, 0, 26);
    } else if ((word & 0x7e000000) == 0x34000000) { /* cbz, cbnz */
        insn->branch = insn->conditional = true;
        insn->target = target_of(insn->address, word, 5, 19);
    } else if ((word & 0x7e000000) == 0x36000000) { /* tbz, tbnz */
        insn->branch = insn->conditional = true;
        insn->target = target_of(insn->address, word, 5, 14);
    } else if ((word & 0xff000000) == 0x54000000) { /* b.cond, where 14 is always */
        insn->branch = true;
        insn->conditional = bits(word, 3, 0) < 14;
        insn->target = target_of(insn->address, word, 5, 19);
    } else if ((word & 0xfe000000) == 0xd6000000) {
        return decode_branch_to_register(word, insn);
    } else {
        return decode_system(word, insn);
    }
    return true;
}

/* Returns whether an operation of half a vector register has another operand that is a
   full one: it widens, narrows, looks up bytes in a table, or moves an element. */
static bool has_full_operand(uint32_t word)
{
    bool different = bit(word, 29);
    unsigned opcode;
    if (bit(word, 24) && !bit(word, 10)) { /* by element */
        opcode = bits(word, 15, 12);
        return opcode == 2 || opcode == 6 || opcode == 10 ||
               (!different && (opcode == 3 || opcode == 7 || opcode == 11)) ||
               (word & 0xbfc0f400) == 0x0fc0f000; /* bfmlalb */
    }
    if (bit(word, 24)) { /* shrn to sshll */
        opcode = bits(word, 15, 11);
        return bits(word, 22, 19) != 0 && opcode >= 16 && opcode <= 20;
    }
    if (bit(word, 21) && bits(word, 11, 10) == 0) /* saddl and others */
        return true;
    if (bits(word, 21, 17) == 16 && bits(word, 11, 10) == 2) { /* xtn, shll, fcvtl */
        opcode = bits(word, 16, 12);
        return opcode >= 18 && opcode <= 23 && opcode != 21;
    }
    return (word & 0xbfe08c00) == 0x0e000000 || /* tbl */
           (word & 0xbfe0fc00) == 0x2ec0fc00 || /* bfmlalb */
           (word & 0xbfe0fc00) == 0x0e002c00 || /* smov */
           (word & 0xbfe0fc00) == 0x0e003c00;   /* umov */
}

static unsigned vector_of(uint32_t word)
{
    if ((word & 0xfff8fc00) == 0x2f00e400) /* movi d0 */
        return 0;
    return has_full_operand(word) ? 128 : full_or_half(word);
}

/* Operations of one element in a vector register. Some of them read whole vectors. */
static unsigned vector_of_element(uint32_t word)
{
    if ((word & 0xff208c00) == 0x5e000000) /* sha1c and others, except copies */
        return 128;
    if ((word & 0xff3e0c00) == 0x5e280800) /* sha1su1, sha256su0; not sha1h */
        return bits(word, 16, 12) == 0 ? 0 : 128;
    if ((word & 0xdf3e0c00) == 0x5e300800) /* addp d0, v0.2d and others */
        return bit(word, 29) && !bit(word, 22) ? 64 : bit(word, 22) ? 128 : 64;
    return 0;
}

static bool is_float_division(uint32_t word)
{
    return (word & 0xff20fc00) == 0x1e201800 || (word & 0xbfa0fc00) == 0x2e20fc00 ||
           (word & 0xbfe0fc00) == 0x2e403c00;
}

static bool decode_simd(uint32_t word, struct events_insn *insn)
{
    unsigned kind = bits(word, 31, 29);
    insn->division = is_float_division(word);
    if (!bit(word, 28)) {
        bool crypto = bits(word, 31, 24) == 0xce;
        insn->vector = (uint16_t)(crypto ? 128 : vector_of(word));
        return crypto || !bit(word, 31);
    }
    if (kind == 2 || kind == 3)
        insn->vector = (uint16_t)(bit(word, 24) ? 0 : vector_of_element(word));
    else
        return kind == 0 || (kind == 4 && !bit(word, 24));
    return true;
}

/* Returns whether an instruction of SVE in the group of loads only prefetches. */
static bool is_scalable_prefetch(uint32_t word)
{
    bool longs = bit(word, 30);
    if (bit(word, 29) || bit(word, 4))
        return false;
    if (bits(word, 24, 23) == 0 && bit(word, 21) && (!bit(word, 15) || bit(word, 22)))
        return longs || !bit(word, 15);
    if (!longs && bits(word, 24, 22) == 7 && !bit(word, 15))
        return true;
    return bits(word, 22, 21) == 0 &&
           (bits(word, 15, 13) == 7 || (!longs && bits(word, 15, 13) == 6));
}

static bool decode_scalable(uint32_t word, struct events_insn *insn)
{
    insn->scalable = true;
    /* sdiv, udiv, sdivr, udivr; fdiv, fdivr. */
    insn->division =
        (word & 0xff3ce000) == 0x04140000 || (word & 0xff3ee000) == 0x650c8000;
    if (bit(word, 31) && !is_scalable_prefetch(word))
        events_add_accesses(insn, bits(word, 30, 29) != 3, 1, 0);
    return true;
}

/* The reserved group: udf, and SME. */
static bool decode_reserved(uint32_t word, struct events_insn *insn)
{
    if (!bit(word, 31))
        return bits(word, 31, 16) == 0;
    insn->scalable = true;
    if (bits(word, 31, 25) == 0x70)
        events_add_accesses(insn, !bit(word, 21), 1, 0);
    return true;
}

static bool decode_word(uint32_t word, struct events_insn *insn)
{
    switch (bits(word, 28, 25)) {
    case 0:
        return decode_reserved(word, insn);
    case 2:
        return decode_scalable(word, insn);
    case 8:
    case 9:
        return true; /* operations with constants */
    case 10:
    case 11:
        return decode_branch(word, insn);
    case 4:
    case 6:
    case 12:
    case 14:
        return decode_access(word, insn);
    case 5:
    case 13:
        insn->division = (word & 0x7fe0f800) == 0x1ac00800; /* udiv, sdiv */
        return true;
    case 7:
    case 15:
        return decode_simd(word, insn);
    default:
        return false;
    }
}

static bool decode(const uint8_t *bytes, size_t size, struct events_insn *insn)
{
    if (size < 4)
        return false;
    uint32_t word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                    (uint32_t)bytes[3] << 24;
    insn->size = 4;
    return decode_word(word, insn);
}

const struct events_processor events_aarch64 = {
    .machine = EM_AARCH64, .unit = 4, .decode = decode};

/* SPDX-License-Identifier: MIT */
/* Runs one instruction of x86-64, for guess.c. Knows the length of all instructions
   (Intel Software Developer's Manual, volume 2, appendix A), and the effect of the
   instructions that move the stack pointer or save and restore registers. Owns no
   data. Async-signal-safe. */

#include <stddef.h>
#include <string.h>

#include "rt/unwind/guess.h"

/* The operands behind each opcode: m: ModR/M; b: 1 byte; z: 2 or 4 bytes; B and Z: both;
   f: ModR/M and perhaps an operand; v: 4 or 8 bytes; w: 2 bytes; !: no instruction, or
   one that compilers and people do not write. The second row is for opcodes after 0f. */
static const char guess_forms[2][257] = {
    "mmmmbz!!mmmmbz!!mmmmbz!!mmmmbz!!mmmmbz!!mmmmbz!!mmmmbz!!mmmmbz!!"
    "................................!!!m!!!!zZbB....bbbbbbbbbbbbbbbb"
    "BZ!Bmmmmmmmmmmmm..........!.....!!!!....bz......bbbbbbbbvvvvvvvv"
    "BBw.!!BZ!.w..b!.mmmm!!!.mmmmmmmmbbbbbbbbzz!b....!.!!..ff......mm",
    "mmmm!.....!.!m.Bmmmmmmmmmmmmmmmmmmmm!!!!mmmmmmmm........!!!!!!!!"
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmBBBBmmm.mmmmmmmm"
    "zzzzzzzzzzzzzzzzmmmmmmmmmmmmmmmm...mBm!!...mBmmmmmmmmmmmmmBmmmmm"
    "mmBmBBBm........mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"};

/* The DWARF numbers of the registers, by their numbers in machine code. */
static const uint8_t guess_dwarf[16] = {0, 2, 1,  3,  7,  6,  4,  5,
                                        8, 9, 10, 11, 12, 13, 14, 15};

enum { RSP = 4, RBP };

struct guess_insn {
    uint8_t bytes[24]; /* the last 8 are 0 */
    unsigned position; /* number of bytes that are decoded */
    bool narrow;       /* prefix 66 */
    unsigned rex, map, opcode;
    unsigned mode, reg, rm; /* of ModR/M */
    bool relative;    /* the operand's address is relative to the next instruction */
    uint64_t address; /* of the operand in memory */
    int64_t immediate;
};

static uint64_t *guess_register(struct ccprof_guess *guess, unsigned number)
{
    return &guess->now.registers[guess_dwarf[number]];
}

static int64_t guess_number(struct guess_insn *insn, unsigned size)
{
    int64_t value;

    if (insn->position + size > 16)
        size = 0;
    memcpy(&value, insn->bytes + insn->position, sizeof value);
    insn->position += size;
    return size == 0 ? 0
                     : (int64_t)((uint64_t)value << (64 - 8 * size)) >> (64 - 8 * size);
}

/* Reads prefixes and opcode. Vector prefixes (VEX: c4 and c5, XOP: 8f, EVEX: 62)
   have the map of the opcode in their second byte. Returns the form of the opcode. */
static char guess_opcode(struct guess_insn *insn)
{
    const uint8_t *bytes = insn->bytes;
    unsigned code;

    while (insn->position < 12 &&
           ((code = bytes[insn->position]) == 0x66 || code == 0x67 ||
            (code & 0xfe) == 0xf2 || code == 0xf0 || (code & 0xe7) == 0x26 ||
            (code & 0xfe) == 0x64)) {
        insn->narrow |= code == 0x66;
        insn->position++;
    }
    if ((bytes[insn->position] & 0xf0) == 0x40)
        insn->rex = bytes[insn->position++];
    code = bytes[insn->position++];
    if (code == 0xc5 || code == 0xc4 || code == 0x62 ||
        (code == 0x8f && (bytes[insn->position] & 31) >= 8)) {
        insn->map = code == 0xc5 ? 1 : bytes[insn->position] & (code == 0x62 ? 7 : 31);
        insn->position += code == 0xc5 ? 1 : code == 0x62 ? 3 : 2;
        insn->opcode = bytes[insn->position++] | 0x10000;
    } else if (code == 0x0f) {
        code = bytes[insn->position++];
        insn->map = code == 0x38 ? 2 : code == 0x3a ? 3 : 1;
        insn->opcode = insn->map == 1 ? code : bytes[insn->position++];
    } else {
        insn->opcode = code;
    }
    if (insn->map > 1)
        return insn->map == 3 || insn->map == 8 ? 'B' : insn->map == 10 ? 'Z' : 'm';
    return guess_forms[insn->map][insn->opcode & 0xff];
}

/* Reads ModR/M and what follows it: SIB and the displacement. */
static void guess_operand(struct ccprof_guess *guess, struct guess_insn *insn)
{
    unsigned modrm = insn->bytes[insn->position++], base = modrm & 7, index = RSP,
             scale = 0;

    insn->mode = modrm >> 6;
    insn->reg = (modrm >> 3 & 7) | (insn->rex & 4) << 1;
    insn->rm = base | (insn->rex & 1) << 3;
    if (insn->mode == 3)
        return;
    if (base == RSP) {
        unsigned sib = insn->bytes[insn->position++];
        scale = sib >> 6;
        index = (sib >> 3 & 7) | (insn->rex & 2) << 2;
        base = sib & 7;
    } else {
        insn->relative = insn->mode == 0 && base == RBP;
    }
    if (insn->mode != 0 || base != RBP)
        insn->address = *guess_register(guess, base | (insn->rex & 1) << 3);
    if (index != RSP)
        insn->address += *guess_register(guess, index) << scale;
    if (insn->mode == 1)
        insn->address += (uint64_t)guess_number(insn, 1);
    else if (insn->mode == 2 || base == RBP)
        insn->address += (uint64_t)guess_number(insn, 4);
}

static bool guess_decode(struct ccprof_guess *guess, struct guess_insn *insn)
{
    char form = guess_opcode(insn);
    unsigned size = insn->narrow && !(insn->rex & 8) ? 2 : 4;

    if (form == '!')
        return false;
    if (form == 'm' || form == 'f' || form == 'B' || form == 'Z')
        guess_operand(guess, insn);
    if (form == 'f')
        form = (insn->reg & 7) >= 2 ? '.' : insn->opcode & 1 ? 'z' : 'b';
    if (form == 'b' || form == 'B')
        size = 1;
    else if (form == 'w')
        size = 2;
    else if (form == 'v' && insn->rex & 8)
        size = 8;
    else if (form == '.' || form == 'm')
        size = 0;
    else if ((insn->opcode & 0xfe) == 0xe8 || (insn->map == 1 && form == 'z'))
        size = 4;
    insn->immediate = guess_number(insn, size);
    return insn->position <= 15;
}

static void guess_push(struct ccprof_guess *guess, uint64_t value)
{
    uint64_t *stack = guess_register(guess, RSP);

    *stack -= sizeof value;
    ccprof_guess_store(guess, *stack, value);
}

static uint64_t guess_pop(struct ccprof_guess *guess)
{
    uint64_t *stack = guess_register(guess, RSP);

    *stack += sizeof *stack;
    return ccprof_guess_load(guess, *stack - sizeof *stack);
}

/* Instructions with opcode ff: calls, jumps and pushes. */
static enum ccprof_guess_next guess_group(struct ccprof_guess *guess,
                                          const struct guess_insn *insn)
{
    unsigned what = insn->reg & 7;

    if (what == 6)
        guess_push(guess, insn->mode == 3 ? *guess_register(guess, insn->rm)
                                          : ccprof_guess_load(guess, insn->address));
    if (what != 4 && what != 5)
        return CCPROF_GUESS_ON;
    /* A jump to another module, by a word that the loader has filled in. */
    if (what == 4 && insn->relative &&
        ccprof_safe_read(guess->readable, insn->address + guess->now.pc, &guess->target))
        return CCPROF_GUESS_JUMP;
    return CCPROF_GUESS_UNKNOWN;
}

/* Instructions with 64-bit operands. */
static void guess_move(struct ccprof_guess *guess, const struct guess_insn *insn)
{
    uint64_t *reg = guess_register(guess, insn->reg), *rm = NULL;

    if (insn->mode == 3)
        rm = guess_register(guess, insn->rm);
    if (insn->opcode == 0x8d)
        *reg = insn->address;
    else if (insn->opcode == 0x8b)
        *reg = rm ? *rm : ccprof_guess_load(guess, insn->address);
    else if (insn->opcode == 0x89 && rm)
        *rm = *reg;
    else if (insn->opcode == 0x89)
        ccprof_guess_store(guess, insn->address, *reg);
    else if ((insn->opcode | 2) == 0x83 && rm && (insn->reg & 7) == 0)
        *rm += (uint64_t)insn->immediate;
    else if ((insn->opcode | 2) == 0x83 && rm && (insn->reg & 7) == 5)
        *rm -= (uint64_t)insn->immediate;
    else if ((insn->opcode | 2) == 0x83 && rm && (insn->reg & 7) == 4)
        *rm &= (uint64_t)insn->immediate;
}

/* Instructions of one byte, with or without operand. */
static enum ccprof_guess_next guess_simple(struct ccprof_guess *guess,
                                           const struct guess_insn *insn)
{
    unsigned number = (insn->opcode & 7) | (insn->rex & 1) << 3;
    uint64_t *stack = guess_register(guess, RSP);

    guess->target = guess->now.pc + (uint64_t)insn->immediate;
    switch (insn->opcode) {
    case 0x50 ... 0x57:
        guess_push(guess, *guess_register(guess, number));
        return CCPROF_GUESS_ON;
    case 0x58 ... 0x5f:
        *guess_register(guess, number) = guess_pop(guess);
        return CCPROF_GUESS_ON;
    case 0x68:
    case 0x6a:
    case 0x9c:
        guess_push(guess, (uint64_t)insn->immediate);
        return CCPROF_GUESS_ON;
    case 0x8f:
    case 0x9d:
        guess_pop(guess);
        return CCPROF_GUESS_ON;
    case 0x70 ... 0x7f:
    case 0xe0 ... 0xe3:
        return CCPROF_GUESS_BRANCH;
    case 0xc9:
        *stack = *guess_register(guess, RBP);
        *guess_register(guess, RBP) = guess_pop(guess);
        return CCPROF_GUESS_ON;
    case 0xc2:
    case 0xc3:
        guess->now.slot = *stack;
        guess->target = guess_pop(guess);
        *stack += (uint16_t)insn->immediate;
        return CCPROF_GUESS_RETURN;
    case 0xcc:
    case 0xf4:
        return CCPROF_GUESS_END;
    case 0xe8: /* a call of the next instruction only pushes the program counter */
        if (insn->immediate == 0)
            guess_push(guess, guess->now.pc);
        return CCPROF_GUESS_ON;
    case 0xe9:
    case 0xeb:
        return CCPROF_GUESS_JUMP;
    case 0xff:
        return guess_group(guess, insn);
    }
    if (insn->rex & 8)
        guess_move(guess, insn);
    return CCPROF_GUESS_ON;
}

enum ccprof_guess_next ccprof_guess_run(struct ccprof_guess *guess)
{
    struct guess_insn insn = {.position = 0};
    uint64_t pc = guess->now.pc, code[2] = {0, 0};

    if (!ccprof_safe_read(guess->readable, pc, &code[0]))
        return CCPROF_GUESS_END;
    ccprof_safe_read(guess->readable, pc + sizeof *code, &code[1]);
    memcpy(insn.bytes, code, sizeof code);
    if (!guess_decode(guess, &insn))
        return CCPROF_GUESS_END;
    guess->now.pc += insn.position;
    if (insn.map == 0)
        return guess_simple(guess, &insn);
    guess->target = guess->now.pc + (uint64_t)insn.immediate;
    if (insn.map == 1 && insn.opcode == 0x0b)
        return CCPROF_GUESS_END;
    return insn.map == 1 && (insn.opcode & ~0xfu) == 0x80 ? CCPROF_GUESS_BRANCH
                                                          : CCPROF_GUESS_ON;
}

/* Calls are e8 with a distance of 4 bytes, and ff with ModR/M, SIB and displacement. */
bool ccprof_guess_is_after_call(struct ccprof_safe_read *readable, uint64_t address)
{
    uint8_t code[8];
    uint64_t word;

    if (!ccprof_safe_read(readable, address - sizeof word, &word))
        return false;
    memcpy(code, &word, sizeof code);
    if (code[3] == 0xe8)
        return true;
    for (unsigned i = 1; i < sizeof code - 1; i++) {
        static const uint8_t displacement[4] = {0, 1, 4, 0};
        unsigned mode = code[i + 1] >> 6, rm = code[i + 1] & 7, size = 2;
        if (code[i] != 0xff || (code[i + 1] & 0x38) != 0x10)
            continue;
        size += displacement[mode];
        if (mode != 3 && rm == RSP)
            size++;
        if (mode == 0 && (rm == RBP || (rm == RSP && i < 6 && (code[i + 2] & 7) == RBP)))
            size += 4;
        if (size == sizeof code - i)
            return true;
    }
    return false;
}

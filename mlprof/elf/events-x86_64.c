/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of x86-64. Zydis knows the operands, also the implicit ones, and whether
   they are read or written. This file adds the exceptions (Intel Software Developer's
   Manual, volume 2). */

#include "mlprof/base/text.h"
#include "mlprof/elf/events-inside.h"

#include <Zydis/Zydis.h>
#include <elf.h>
#include <string.h>

struct decoding {
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* Returns the name of the instruction without the `v' of AVX. */
static const char *name_of(const ZydisDecodedInstruction *decoded)
{
    const char *name = ZydisMnemonicGetString(decoded->mnemonic);
    return name + (*name == 'v');
}

static void describe_branch(struct events_insn *insn,
                            const ZydisDecodedInstruction *decoded)
{
    switch (decoded->meta.category) {
    case ZYDIS_CATEGORY_CALL:
        insn->branch = insn->call = true;
        break;
    case ZYDIS_CATEGORY_RET:
        insn->branch = insn->returns = true;
        break;
    /* Zydis counts xabort and xend as jumps. Without a transaction, execution continues
       with the next instruction. */
    case ZYDIS_CATEGORY_UNCOND_BR:
        insn->branch = decoded->mnemonic != ZYDIS_MNEMONIC_XABORT;
        break;
    case ZYDIS_CATEGORY_COND_BR:
        insn->branch = insn->conditional = decoded->mnemonic != ZYDIS_MNEMONIC_XEND;
        break;
    default:
        break;
    }
    if (!insn->branch || insn->returns)
        return;
    if (decoded->raw.imm[0].is_relative)
        insn->target =
            insn->address + decoded->length + (uint64_t)decoded->raw.imm[0].value.s;
    else
        insn->indirect = true;
}

static bool is_division(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_DIV:
    case ZYDIS_MNEMONIC_IDIV:
    case ZYDIS_MNEMONIC_FDIV:
    case ZYDIS_MNEMONIC_FDIVP:
    case ZYDIS_MNEMONIC_FDIVR:
    case ZYDIS_MNEMONIC_FDIVRP:
    case ZYDIS_MNEMONIC_FIDIV:
    case ZYDIS_MNEMONIC_FIDIVR:
    case ZYDIS_MNEMONIC_DIVSS:
    case ZYDIS_MNEMONIC_DIVSD:
    case ZYDIS_MNEMONIC_DIVPS:
    case ZYDIS_MNEMONIC_DIVPD:
    case ZYDIS_MNEMONIC_VDIVSS:
    case ZYDIS_MNEMONIC_VDIVSD:
    case ZYDIS_MNEMONIC_VDIVSH:
    case ZYDIS_MNEMONIC_VDIVPS:
    case ZYDIS_MNEMONIC_VDIVPD:
    case ZYDIS_MNEMONIC_VDIVPH:
        return true;
    default:
        return false;
    }
}

static bool is_system_call(ZydisMnemonic mnemonic)
{
    return mnemonic == ZYDIS_MNEMONIC_SYSCALL || mnemonic == ZYDIS_MNEMONIC_SYSENTER ||
           mnemonic == ZYDIS_MNEMONIC_INT;
}

/* Returns whether the memory operand of the instruction is only a hint or an address. */
static bool has_no_access(const ZydisDecodedInstruction *decoded)
{
    switch (decoded->meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_PREFETCHWT1:
    case ZYDIS_CATEGORY_CLDEMOTE:
    case ZYDIS_CATEGORY_CLFLUSHOPT:
    case ZYDIS_CATEGORY_CLWB:
        return true;
    default:
        break;
    }
    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_LEA:
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_CLFLUSH:
    case ZYDIS_MNEMONIC_INVLPG:
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
        return true;
    default:
        /* vgatherpf0dps prefetches. */
        return text_begins(name_of(decoded), "gatherpf") ||
               text_begins(name_of(decoded), "scatterpf");
    }
}

static unsigned register_bits(ZydisRegister reg)
{
    return ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, reg);
}

static bool is_vector(const ZydisDecodedOperand *operand)
{
    if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER)
        return false;
    switch (ZydisRegisterGetClass(operand->reg.value)) {
    case ZYDIS_REGCLASS_MMX:
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM:
        return true;
    default:
        return false;
    }
}

/* Returns the number of elements that a gather or scatter accesses, and the bytes of an
   element. The name ends in the size of an index, and the size of an element: "gatherdpd"
   has double-word indices and elements of double precision. The vector of indices or the
   vector of elements may be longer than necessary. */
static unsigned elements_of(const struct decoding *decoding,
                            const ZydisDecodedOperand *memory, unsigned *bytes)
{
    const char *name = ZydisMnemonicGetString(decoding->decoded.mnemonic);
    size_t length = strlen(name);
    bool packed_float = name[length - 2] == 'p';
    char element = name[length - 1];
    char index = name[length - (packed_float ? 3 : 2)];
    unsigned count = register_bits(memory->mem.index) / (index == 'q' ? 64 : 32);
    *bytes = element == 'd' && !packed_float ? 4 : element == 's' ? 4 : 8;
    for (unsigned i = 0; i < decoding->decoded.operand_count; i++)
        if (is_vector(&decoding->operands[i])) {
            unsigned most = register_bits(decoding->operands[i].reg.value) / (8 * *bytes);
            return count < most ? count : most;
        }
    return count;
}

/* An enter with nested frames copies pointers of the outer frames. */
static void count_enter(struct events_insn *insn, unsigned level)
{
    level %= 32;
    events_add_stores(insn, 1 + level, 8);
    if (level > 1)
        events_add_loads(insn, level - 1, 8);
}

static void count_accesses(struct events_insn *insn, const struct decoding *decoding)
{
    if (has_no_access(&decoding->decoded))
        return;
    if (decoding->decoded.mnemonic == ZYDIS_MNEMONIC_ENTER) {
        count_enter(insn, (unsigned)decoding->decoded.raw.imm[1].value.u);
        return;
    }
    for (unsigned i = 0; i < decoding->decoded.operand_count; i++) {
        const ZydisDecodedOperand *operand = &decoding->operands[i];
        if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY ||
            operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
            continue;
        unsigned count = 1, bytes = operand->size / 8;
        if (operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB)
            count = elements_of(decoding, operand, &bytes);
        if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
            events_add_loads(insn, count, bytes);
        if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
            events_add_stores(insn, count, bytes);
    }
}

/* Returns whether an instruction with vector registers uses only the lowest element. */
static bool is_scalar(const char *name, bool mmx)
{
    size_t length = strlen(name);
    const char *last = name + (length < 2 ? 0 : length - 2);
    if (strcmp(name, "movd") == 0 || strcmp(name, "movw") == 0)
        return true;
    /* The registers of MMX have 64 bits, so movq moves all of one. */
    if (strcmp(name, "movq") == 0)
        return !mmx;
    if (text_begins(name, "cvt"))
        name += name[3] == 't' ? 4 : 3;
    else if (*name == 'p' || text_begins(name, "broadcast"))
        return false;
    /* cvtsd2si, and cvtsi2sd below. */
    if (text_begins(name, "ss2") || text_begins(name, "sd2") || text_begins(name, "sh2"))
        return true;
    return strcmp(last, "ss") == 0 || strcmp(last, "sd") == 0 || strcmp(last, "sh") == 0;
}

/* Returns the width of a register or memory operand with a vector; 0 for others. */
static unsigned vector_bits(const ZydisDecodedOperand *operand)
{
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
        return operand->mem.type == ZYDIS_MEMOP_TYPE_MEM ? operand->size : 0;
    return is_vector(operand) ? register_bits(operand->reg.value) : 0;
}

static unsigned vector_of(const struct decoding *decoding)
{
    const ZydisDecodedInstruction *decoded = &decoding->decoded;
    const char *name = name_of(decoded);
    /* vcvtpd2ps has a vector in memory that is wider than the register, and perhaps
       repeats one element from memory to the vector length of AVX. */
    unsigned widest = decoded->avx.vector_length;
    bool vector = text_begins(name, "fpclassp"); /* has a mask and a vector in memory */
    bool mmx = false;
    for (unsigned i = 0; i < decoded->operand_count_visible; i++) {
        const ZydisDecodedOperand *operand = &decoding->operands[i];
        unsigned bits = vector_bits(operand);
        widest = bits > widest ? bits : widest;
        vector = vector || is_vector(operand);
        mmx = mmx || (is_vector(operand) && bits == 64);
    }
    return vector && !is_scalar(name, mmx) ? widest : 0;
}

/* Returns by how much the instruction, which is no call or return, moves the stack
   pointer, or 0 if the amount is unknown. */
static int64_t moved_by(const struct decoding *decoding)
{
    const ZydisDecodedInstruction *decoded = &decoding->decoded;
    const ZydisDecodedOperand *from = &decoding->operands[1];
    if (decoded->meta.category == ZYDIS_CATEGORY_PUSH)
        return -(int64_t)decoded->operand_width / 8;
    if (decoded->meta.category == ZYDIS_CATEGORY_POP)
        return decoded->operand_width / 8;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_LEA)
        return from->mem.base == ZYDIS_REGISTER_RSP ? from->mem.disp.value : 0;
    if (from->type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
        return 0;
    return decoded->mnemonic == ZYDIS_MNEMONIC_ADD   ? from->imm.value.s
           : decoded->mnemonic == ZYDIS_MNEMONIC_SUB ? -from->imm.value.s
                                                     : 0;
}

static void describe_stack(struct events_insn *insn, const struct decoding *decoding)
{
    const ZydisDecodedInstruction *decoded = &decoding->decoded;
    bool moves = false, pushes = decoded->meta.category == ZYDIS_CATEGORY_PUSH;
    for (unsigned i = 0; i < decoded->operand_count; i++) {
        const ZydisDecodedOperand *operand = &decoding->operands[i];
        if (!(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
            continue;
        moves |= operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
                 (operand->reg.value == ZYDIS_REGISTER_RSP ||
                  operand->reg.value == ZYDIS_REGISTER_ESP);
        insn->stack.replaces |= operand->type == ZYDIS_OPERAND_TYPE_MEMORY && !pushes &&
                                operand->mem.base == ZYDIS_REGISTER_RSP &&
                                operand->mem.disp.value == 0;
    }
    int64_t bytes = moves ? moved_by(decoding) : 0;
    insn->stack.unknown = moves && (!bytes || bytes != (int16_t)bytes);
    insn->stack.moved = insn->stack.unknown ? 0 : (int16_t)bytes;
}

#define REPEATS (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)

static bool decode(const uint8_t *bytes, size_t size, struct events_insn *insn)
{
    ZydisDecoder decoder;
    struct decoding decoding;
    if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
                                     ZYDIS_STACK_WIDTH_64)) ||
        ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, bytes, size, &decoding.decoded,
                                           decoding.operands)))
        return false;
    const ZydisDecodedInstruction *decoded = &decoding.decoded;
    insn->size = decoded->length;
    describe_branch(insn, decoded);
    count_accesses(insn, &decoding);
    insn->vector = (uint16_t)vector_of(&decoding);
    insn->division = is_division(decoded->mnemonic);
    insn->system = is_system_call(decoded->mnemonic);
    insn->padding = decoded->mnemonic == ZYDIS_MNEMONIC_NOP;
    insn->repeats = (decoded->attributes & REPEATS) != 0;
    if (!insn->branch)
        describe_stack(insn, &decoding);
    return true;
}

const struct events_processor events_x86_64 = {
    .machine = EM_X86_64, .unit = 1, .decode = decode};

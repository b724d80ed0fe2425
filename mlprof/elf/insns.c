/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes instructions with Zydis: length, control transfer, latency, and the address
   of an indirect target. Only x86-64 is decoded. */

#include "mlprof/base/buf.h"
#include "mlprof/elf/insns-inside.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

struct insns *insns_open(const char *path)
{
    struct insns *insns = buf_alloc(sizeof *insns);
    insns->file = elffile_try(path);
    if (insns->file && insns->file->machine == EM_X86_64 && insns->file->is_64 &&
        !insns->file->big_endian &&
        ZYAN_SUCCESS(ZydisDecoderInit(&insns->decoder, ZYDIS_MACHINE_MODE_LONG_64,
                                      ZYDIS_STACK_WIDTH_64)))
        return insns;
    insns_close(insns);
    return NULL;
}

void insns_close(struct insns *insns)
{
    if (!insns)
        return;
    elffile_close(insns->file);
    free(insns);
}

static bool is_any_of(const char *mnemonic, const char *const *starts)
{
    mnemonic += *mnemonic == 'v';
    for (; *starts; starts++)
        if (strncmp(mnemonic, *starts, strlen(*starts)) == 0)
            return true;
    return false;
}

/* Returns the rounded latency of an instruction on current processors (Agner Fog,
   Instruction tables). */
static unsigned cycles_of(const char *mnemonic)
{
    static const char *const slow[] = {
        "div",    "idiv",   "sqrt",  "fdiv",   "fsqrt",  "pause",  "rdtsc",  "rdpmc",
        "rdrand", "rdseed", "cpuid", "xgetbv", "mfence", "lfence", "sfence", NULL};
    static const char *const middle[] = {
        "imul", "mul",   "add",    "adds", "sub",  "subs", "fma",  "fnma", "fms", "fnms",
        "cvt",  "round", "popcnt", "crc",  "lzcn", "tzcn", "fadd", "fmul", NULL};
    if (is_any_of(mnemonic, slow))
        return 15;
    /* Additions and subtractions of integers take one cycle. */
    if (strcmp(mnemonic, "add") == 0 || strcmp(mnemonic, "sub") == 0)
        return 1;
    return is_any_of(mnemonic, middle) ? 3 : 1;
}

/* Caches the latency of each mnemonic, because comparing names takes longer than
   decoding an instruction. */
static unsigned cached_cycles(struct insns *insns, ZydisMnemonic mnemonic)
{
    if (!insns->cycles[mnemonic])
        insns->cycles[mnemonic] = cycles_of(ZydisMnemonicGetString(mnemonic));
    return insns->cycles[mnemonic];
}

/* Latency of a load that hits the first-level cache (Agner Fog, Instruction tables). */
#define LOAD_CYCLES 4

static enum insns_transfer transfer_of(const ZydisDecodedInstruction *decoded)
{
    switch (decoded->meta.category) {
    case ZYDIS_CATEGORY_CALL:
        return INSNS_CALL;
    case ZYDIS_CATEGORY_RET:
        return INSNS_RETURN;
    /* Zydis counts xabort and xend as jumps. Without a transaction, execution
       continues with the next instruction. The instruction that branches is xbegin. */
    case ZYDIS_CATEGORY_UNCOND_BR:
        return decoded->mnemonic == ZYDIS_MNEMONIC_XABORT ? INSNS_NEXT : INSNS_JUMP;
    case ZYDIS_CATEGORY_COND_BR:
        return decoded->mnemonic == ZYDIS_MNEMONIC_XEND ? INSNS_NEXT : INSNS_BRANCH;
    default:
        return decoded->mnemonic == ZYDIS_MNEMONIC_UD2 ||
                       decoded->mnemonic == ZYDIS_MNEMONIC_HLT
                   ? INSNS_UNKNOWN
                   : INSNS_NEXT;
    }
}

/* Memory for a decoded instruction. */
struct decoding {
    ZydisDecoderContext context;
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

/* Returns whether an instruction may have a memory operand. Decoding the operands
   takes nearly as long as decoding the rest, and most instructions can be excluded
   without it: a memory operand needs a ModRM byte (Intel SDM, volume 2, 2.1.3), except
   in the few instructions that have an implicit memory operand. */
static bool may_have_memory(const ZydisDecodedInstruction *decoded)
{
    if (decoded->attributes & ZYDIS_ATTRIB_HAS_MODRM)
        return decoded->raw.modrm.mod != 3;
    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_XLAT:
        return true;
    default:
        return decoded->meta.category == ZYDIS_CATEGORY_STRINGOP ||
               decoded->meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
    }
}

/* Returns the memory operand, not counting the stack access of a push or call; NULL if
   there is none. */
static const ZydisDecodedOperand *memory_of(const struct insns *insns,
                                            struct decoding *decoding)
{
    const ZydisDecodedInstruction *decoded = &decoding->decoded;
    if (!may_have_memory(decoded) || ZYAN_FAILED(ZydisDecoderDecodeOperands(
                                         &insns->decoder, &decoding->context, decoded,
                                         decoding->operands, decoded->operand_count)))
        return NULL;
    for (unsigned i = 0; i < decoded->operand_count; i++)
        if (decoding->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            return &decoding->operands[i];
    return NULL;
}

/* Describes from where an indirect jump or call reads its target: sets SLOT or TABLE. */
static void describe_indirect(struct insn *insn, const ZydisDecodedInstruction *decoded,
                              const ZydisDecodedOperand *word)
{
    if (word && word->mem.base == ZYDIS_REGISTER_RIP)
        insn->slot = insn->address + decoded->length + (uint64_t)word->mem.disp.value;
    else
        insn->table = insn->transfer == INSNS_JUMP &&
                      (!word || word->mem.index != ZYDIS_REGISTER_NONE);
}

/* Sets REFERS, FROM and TO if the instruction writes a register without reading
   memory. The value is an address relative to the instruction, or a 32-bit number (an
   address in code that is loaded at a fixed address), or the value of another
   register. Opcodes and registers: Intel SDM, volume 2, 2.1.5 and 2.2.1.2. */
static void describe_copy(struct insn *insn, const ZydisDecodedInstruction *decoded,
                          const ZydisDecodedOperand *memory)
{
    unsigned reg = decoded->raw.modrm.reg + 8U * decoded->raw.rex.R + 1;
    unsigned rm = decoded->raw.modrm.rm + 8U * decoded->raw.rex.B + 1;
    unsigned opcode = decoded->opcode;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_LEA && memory &&
        memory->mem.base == ZYDIS_REGISTER_RIP) {
        insn->refers = insn->address + decoded->length + (uint64_t)memory->mem.disp.value;
        insn->to = (uint8_t)reg;
    } else if (decoded->mnemonic == ZYDIS_MNEMONIC_MOV &&
               decoded->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT) {
        bool copies = (opcode == 0x89 || opcode == 0x8b) && decoded->raw.modrm.mod == 3;
        if (opcode >= 0xb8 && opcode <= 0xbf) {
            insn->refers = decoded->raw.imm[0].value.u;
            insn->to = (uint8_t)((opcode & 7) + 8U * decoded->raw.rex.B + 1);
        } else if (copies) {
            insn->to = (uint8_t)(opcode == 0x89 ? rm : reg);
            insn->from = (uint8_t)(opcode == 0x89 ? reg : rm);
        }
    }
}

static void describe(struct insns *insns, struct insn *insn, struct decoding *decoding)
{
    const ZydisDecodedInstruction *decoded = &decoding->decoded;
    const ZydisDecodedOperand *memory = memory_of(insns, decoding);
    insn->transfer = transfer_of(decoded);
    if (decoded->raw.imm[0].is_relative)
        insn->target =
            insn->address + decoded->length + (uint64_t)decoded->raw.imm[0].value.s;
    else if (insn->transfer == INSNS_JUMP || insn->transfer == INSNS_CALL)
        describe_indirect(insn, decoded, memory);
    describe_copy(insn, decoded, memory);
    insn->memory = memory && decoded->mnemonic != ZYDIS_MNEMONIC_LEA &&
                   decoded->mnemonic != ZYDIS_MNEMONIC_NOP;
    insn->stores = insn->memory && !(memory->actions & ZYDIS_OPERAND_ACTION_MASK_READ);
    insn->joins = decoded->mnemonic == ZYDIS_MNEMONIC_CMP ||
                  decoded->mnemonic == ZYDIS_MNEMONIC_TEST;
    insn->cycles = cached_cycles(insns, decoded->mnemonic);
    if (insn->memory && !insn->stores)
        insn->cycles += LOAD_CYCLES;
}

struct insns_code insns_read(struct insns *insns, uint64_t start, uint64_t end)
{
    struct insns_code code = {0};
    struct decoding decoding;
    size_t capacity = 0;
    const uint8_t *bytes = end > start ? elffile_code(insns->file, start, &end) : NULL;
    for (uint64_t address = start; bytes && address < end;) {
        struct insn *insn = &BUF_NEXT(code.list, code.count, capacity);
        *insn = (struct insn){.address = address, .transfer = INSNS_UNKNOWN};
        /* Each byte that cannot be decoded becomes an entry of its own. */
        if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(
                &insns->decoder, &decoding.context, bytes + (address - start),
                (size_t)(end - address), &decoding.decoded))) {
            address++;
            continue;
        }
        describe(insns, insn, &decoding);
        address += decoding.decoded.length;
    }
    return code;
}

/* RDI is register 7 (System V ABI for AMD64, 3.2.3). */
#define FIRST_ARGUMENT (7 + 1)

/* Returns whether called functions preserve the register: RBX, RBP and R12 to R15
   (System V ABI for AMD64, 3.2.1). */
static bool is_preserved(unsigned reg)
{
    return reg == 3 + 1 || reg == 5 + 1 || (reg >= 12 + 1 && reg <= 15 + 1);
}

/* Returns the address that the code writes to the register. Returns 0 if the code
   writes no address, or if it writes several different values. */
static uint64_t only_address(const struct insns_code *code, unsigned reg)
{
    uint64_t only = 0;
    for (size_t i = 0; i < code->count; i++) {
        const struct insn *insn = &code->list[i];
        if (insn->to != reg)
            continue;
        if (!insn->refers || (only && only != insn->refers))
            return 0;
        only = insn->refers;
    }
    return only;
}

uint64_t insns_first_argument(const struct insns_code *code, size_t call)
{
    uint8_t reg = FIRST_ARGUMENT;
    for (size_t i = call; i-- > 0;) {
        const struct insn *insn = &code->list[i];
        if (insn->transfer != INSNS_NEXT)
            return is_preserved(reg) ? only_address(code, reg) : 0;
        if (insn->to != reg)
            continue;
        if (!insn->from)
            return insn->refers;
        reg = insn->from;
    }
    return 0;
}

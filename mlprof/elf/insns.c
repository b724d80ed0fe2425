/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/insns.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <capstone/capstone.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A section with code, whose content lives as long as the file is open.  */
struct section {
    uint64_t address, size;
    const uint8_t *bytes; /* NULL: the file does not have them all */
};

struct insns {
    int descriptor;
    Elf *elf;
    struct section *sections;
    size_t section_count, section_capacity;
    csh engine;
    cs_insn *room;
    struct insn *list; /* of the code that was read last */
    size_t capacity;
    unsigned cycles[X86_INS_ENDING]; /* by the number of the mnemonic; 0: not looked up */
};

static bool open_elf(struct insns *insns, const char *path)
{
    GElf_Ehdr header;
    insns->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (insns->descriptor < 0)
        return false;
    elf_version(EV_CURRENT);
    insns->elf = elf_begin(insns->descriptor, ELF_C_READ_MMAP, NULL);
    return insns->elf && elf_kind(insns->elf) == ELF_K_ELF &&
           gelf_getehdr(insns->elf, &header) && header.e_machine == EM_X86_64 &&
           header.e_ident[EI_CLASS] == ELFCLASS64;
}

static bool open_engine(struct insns *insns)
{
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &insns->engine) != CS_ERR_OK) {
        insns->engine = 0;
        return false;
    }
    cs_option(insns->engine, CS_OPT_DETAIL, CS_OPT_ON);
    /* What it does not know is a byte each, up to the next one that it knows.  */
    cs_option(insns->engine, CS_OPT_SKIPDATA, CS_OPT_ON);
    insns->room = cs_malloc(insns->engine);
    return insns->room;
}

/* A file whose code was taken out, of which debug information is left, has its sections
   without content, and its segments as they were.  */
static void find_sections(struct insns *insns)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr header;
    while ((scn = elf_nextscn(insns->elf, scn))) {
        if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_EXECINSTR))
            continue;
        Elf_Data *data = header.sh_type == SHT_PROGBITS ? elf_rawdata(scn, NULL) : NULL;
        bool whole = data && data->d_buf && data->d_size == header.sh_size;
        insns->sections = buf_grow(insns->sections, &insns->section_capacity,
                                   insns->section_count + 1, sizeof *insns->sections);
        insns->sections[insns->section_count++] =
            (struct section){.address = header.sh_addr,
                             .size = header.sh_size,
                             .bytes = whole ? data->d_buf : NULL};
    }
}

struct insns *insns_open(const char *path)
{
    struct insns *insns = buf_alloc(sizeof *insns);
    if (open_elf(insns, path) && open_engine(insns)) {
        find_sections(insns);
        return insns;
    }
    insns_close(insns);
    return NULL;
}

void insns_close(struct insns *insns)
{
    if (!insns)
        return;
    if (insns->room)
        cs_free(insns->room, 1);
    if (insns->engine)
        cs_close(&insns->engine);
    if (insns->elf)
        elf_end(insns->elf);
    if (insns->descriptor >= 0)
        close(insns->descriptor);
    free(insns->sections);
    free(insns->list);
    free(insns);
}

/* The bytes of the code from START to *END, or to that of the section, which *END is
   then; NULL if the file does not have them.  */
static const uint8_t *bytes_of(const struct insns *insns, uint64_t start, uint64_t *end)
{
    for (size_t i = 0; i < insns->section_count; i++) {
        const struct section *section = &insns->sections[i];
        if (start < section->address || start - section->address >= section->size)
            continue;
        if (*end - section->address > section->size)
            *end = section->address + section->size;
        return section->bytes ? section->bytes + (start - section->address) : NULL;
    }
    return NULL;
}

static bool in_group(const cs_insn *room, unsigned group)
{
    for (unsigned i = 0; i < room->detail->groups_count; i++)
        if (room->detail->groups[i] == group)
            return true;
    return false;
}

static const cs_x86_op *operand(const cs_insn *room, x86_op_type type)
{
    for (unsigned i = 0; i < room->detail->x86.op_count; i++)
        if (room->detail->x86.operands[i].type == type)
            return &room->detail->x86.operands[i];
    return NULL;
}

static bool is_any_of(const char *mnemonic, const char *const *starts)
{
    mnemonic += *mnemonic == 'v';
    for (; *starts; starts++)
        if (strncmp(mnemonic, *starts, strlen(*starts)) == 0)
            return true;
    return false;
}

/* Rounded latencies of processors of these years: Agner Fog, Instruction tables.  */
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
    /* Those of integers take one cycle.  */
    if (strcmp(mnemonic, "add") == 0 || strcmp(mnemonic, "sub") == 0)
        return 1;
    return is_any_of(mnemonic, middle) ? 3 : 1;
}

/* The names of instructions without their prefixes are all that counts, and comparing
   them takes longer than decoding.  */
static unsigned known_cycles(struct insns *insns, unsigned id)
{
    assert(id < X86_INS_ENDING);
    if (!insns->cycles[id])
        insns->cycles[id] = cycles_of(cs_insn_name(insns->engine, id));
    return insns->cycles[id];
}

/* From the nearest cache; the same source.  */
#define LOAD_CYCLES 4

static enum insns_transfer transfer_of(const cs_insn *room)
{
    if (in_group(room, CS_GRP_CALL))
        return INSNS_CALL;
    if (in_group(room, CS_GRP_RET) || in_group(room, CS_GRP_IRET))
        return INSNS_RETURN;
    if (in_group(room, CS_GRP_JUMP))
        return room->id == X86_INS_JMP || room->id == X86_INS_LJMP ? INSNS_JUMP
                                                                   : INSNS_BRANCH;
    return room->id == X86_INS_UD2 || room->id == X86_INS_HLT ? INSNS_UNKNOWN
                                                              : INSNS_NEXT;
}

/* Where an indirect jump or call reads its target.  */
static void describe_indirect(struct insn *insn, const cs_insn *room)
{
    const cs_x86_op *word = operand(room, X86_OP_MEM);
    if (word && word->mem.base == X86_REG_RIP)
        insn->slot = room->address + room->size + (uint64_t)word->mem.disp;
    else
        insn->table =
            insn->transfer == INSNS_JUMP && (!word || word->mem.index != X86_REG_INVALID);
}

static void describe(struct insns *insns, struct insn *insn)
{
    const cs_insn *room = insns->room;
    *insn = (struct insn){.address = room->address, .transfer = INSNS_UNKNOWN};
    if (room->id == 0)
        return;
    const cs_x86_op *target = operand(room, X86_OP_IMM);
    insn->transfer = transfer_of(room);
    if (insn->transfer != INSNS_NEXT && target)
        insn->target = (uint64_t)target->imm;
    else if (insn->transfer == INSNS_JUMP || insn->transfer == INSNS_CALL)
        describe_indirect(insn, room);
    const cs_x86_op *memory = operand(room, X86_OP_MEM);
    insn->memory = memory && room->id != X86_INS_LEA && room->id != X86_INS_NOP;
    insn->stores = insn->memory && !(memory->access & CS_AC_READ);
    insn->joins = room->id == X86_INS_CMP || room->id == X86_INS_TEST;
    insn->cycles = known_cycles(insns, room->id);
    if (insn->memory && !insn->stores)
        insn->cycles += LOAD_CYCLES;
}

struct insns_code insns_read(struct insns *insns, uint64_t start, uint64_t end)
{
    struct insns_code code = {0};
    const uint8_t *bytes = end > start ? bytes_of(insns, start, &end) : NULL;
    size_t left = end - start;
    uint64_t address = start;
    while (bytes && cs_disasm_iter(insns->engine, &bytes, &left, &address, insns->room)) {
        insns->list =
            buf_grow(insns->list, &insns->capacity, code.count + 1, sizeof *insns->list);
        describe(insns, &insns->list[code.count++]);
    }
    if (code.count) {
        code.list = buf_alloc(code.count * sizeof *code.list);
        memcpy(code.list, insns->list, code.count * sizeof *code.list);
    }
    return code;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes instructions as objdump -d does. Zydis's formatter for AT&T syntax differs from
   objdump in the mnemonics: Zydis has the names of Intel's manuals, and appends a size to
   each instruction with an operand in memory. Here the mnemonic is made from the name in
   the manuals, and Zydis writes the operands. The library of objdump (libopcodes) is not
   used: its interface changes between versions, and it is seldom installed. */

#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/insns-inside.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instruction, and what its text needs. */
struct text {
    const ZydisDecodedInstruction *decoded;
    const ZydisDecodedOperand *operands, *memory; /* MEMORY may be NULL */
    insns_name *name;
    void *context;
    uint64_t next; /* address of the next instruction */
    char mnemonic[32];
    bool implied; /* the mnemonic includes the first operand */
};

/* Pairs of names: Zydis's and objdump's. */
typedef const char *const renamed[2];

static const renamed conditions[] = {{"nbe", "a"}, {"nle", "g"}, {"nb", "ae"},
                                     {"nl", "ge"}, {"nz", "ne"}, {"z", "e"}};

static const renamed others[] = {{"cbw", "cbtw"},     {"cwde", "cwtl"},  {"cdqe", "cltq"},
                                 {"cwd", "cwtd"},     {"cdq", "cltd"},   {"cqo", "cqto"},
                                 {"pushfq", "pushf"}, {"popfq", "popf"}, {"sal", "shl"},
                                 {"iretd", "iret"}};

/* Integer instructions that get a size unless a register shows it. */
static const char sized[] =
    "adc add and bt btc btr bts cmp dec div idiv imul inc mov mul "
    "neg nop not or rcl rcr rol ror sar sbb shl shr sub test xor";

/* Conversions that get the size of a vector in memory, which their register does not
   show. */
static const char narrowed[] = "vcvtpd2ps vcvtpd2dq vcvttpd2dq vcvtpd2udq vcvttpd2udq "
                               "vcvtqq2ps vcvtuqq2ps";

/* Instructions on x87's numbers that get the size of the number in memory. */
static const char floating[] = "fadd fcom fcomp fdiv fdivr fld fmul fst fstp fsub fsubr";
static const char integral[] = "fiadd ficom ficomp fidiv fidivr fild fimul fist fistp "
                               "fisttp fisub fisubr";

/* Conditions of vector comparisons, by the immediate operand (Intel SDM, volume 2,
   VCMPPD). */
static const char *const predicates[] = {
    "eq",    "lt",     "le",     "unord",    "neq",    "nlt",    "nle",    "ord",
    "eq_uq", "nge",    "ngt",    "false",    "neq_oq", "ge",     "gt",     "true",
    "eq_os", "lt_oq",  "le_oq",  "unord_s",  "neq_us", "nlt_uq", "nle_uq", "ord_s",
    "eq_us", "nge_uq", "ngt_uq", "false_os", "neq_os", "ge_oq",  "gt_oq",  "true_us"};

static const char *rename_of(const renamed *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i][0], name) == 0)
            return list[i][1];
    return name;
}

static char size_letter(unsigned bits)
{
    return bits == 8 ? 'b' : bits == 16 ? 'w' : bits == 32 ? 'l' : 'q';
}

/* Returns whether a general register among the operands shows the size. The count of a
   shift does not. */
static bool shows_size(const struct text *text)
{
    const ZydisDecodedInstruction *decoded = text->decoded;
    if (decoded->meta.category == ZYDIS_CATEGORY_SHIFT ||
        decoded->meta.category == ZYDIS_CATEGORY_ROTATE ||
        decoded->mnemonic == ZYDIS_MNEMONIC_NOP)
        return false;
    for (unsigned i = 0; i < decoded->operand_count_visible; i++)
        if (text->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
            return true;
    return false;
}

/* Returns the sizes that are appended to the mnemonic NAME. */
static const char *suffix_of(const struct text *text, const char *name, char sizes[3])
{
    const ZydisDecodedOperand *memory = text->memory;
    unsigned bits = memory ? memory->size : 0;
    memset(sizes, 0, 3);
    if (strcmp(name, "crc32") == 0)
        sizes[0] = size_letter(text->operands[1].size);
    else if (!memory)
        return "";
    else if (text_is_listed(sized, name, strlen(name)) && !shows_size(text))
        sizes[0] = size_letter(bits);
    else if (text_is_listed(floating, name, strlen(name)))
        sizes[0] = bits == 32 ? 's' : bits == 64 ? 'l' : 't';
    else if (text_is_listed(integral, name, strlen(name)))
        return bits == 16 ? "s" : bits == 32 ? "l" : "ll";
    else if (strstr(name, "cvtsi2s") || strstr(name, "cvtusi2s"))
        sizes[0] = size_letter(bits);
    else if (text_is_listed(narrowed, name, strlen(name)))
        sizes[0] = bits == 128 ? 'x' : 'y';
    return sizes;
}

/* Sets the mnemonic of a vector comparison, or of a multiplication without carry, whose
   immediate operand is part of its name. Returns false if NAME is neither. */
static bool name_with_immediate(struct text *text, const char *name)
{
    static const char types[] = "ps pd ss sd ph sh", integers[] = "b w d q ub uw ud uq";
    uint64_t value = text->decoded->raw.imm[0].value.u;
    const char *stem = strstr(name, "cmp"), *type = stem ? stem + 3 : "";
    bool vector = *name == 'v',
         packed = vector && text_is_listed(integers, type, strlen(type));
    size_t most = packed || !vector ? 8 : 32;
    if (!text->decoded->raw.imm[0].size)
        return false;
    if (stem && (packed ? value % 4 != 3 : text_is_listed(types, type, strlen(type))) &&
        value < most)
        snprintf(text->mnemonic, sizeof text->mnemonic, "%.*s%s%s", (int)(type - name),
                 name, predicates[value], type);
    else if (strcmp(name + vector, "pclmulqdq") == 0 && !(value & ~(uint64_t)0x11))
        snprintf(text->mnemonic, sizeof text->mnemonic, "%spclmul%sq%sqdq",
                 vector ? "v" : "", value & 1 ? "h" : "l", value & 0x10 ? "h" : "l");
    else
        return false;
    return text->implied = true;
}

/* Makes the mnemonic. NAME is the name in Intel's manuals. */
static void find_mnemonic(struct text *text, const char *name)
{
    const ZydisDecodedInstruction *decoded = text->decoded;
    const ZydisDecodedOperand *operands = text->operands;
    char *to = text->mnemonic, sizes[3];
    size_t room = sizeof text->mnemonic, length = strlen(name);
    bool string = decoded->meta.category == ZYDIS_CATEGORY_STRINGOP;
    /* objdump follows AT&T's assembler, which exchanged these names if the result is not
       in the first register (binutils: opcode/i386.h, SYSV386_COMPAT). */
    bool exchanged = (decoded->opcode == 0xdc || decoded->opcode == 0xde) &&
                     decoded->raw.modrm.mod == 3 &&
                     (strncmp(name, "fsub", 4) == 0 || strncmp(name, "fdiv", 4) == 0);
    size_t stem = strncmp(name, "set", 3) == 0 || strncmp(name, "cmov", 4) == 0
                      ? (size_t)(*name == 's' ? 3 : 4)
                  : *name == 'j' ? 1
                                 : 0;
    if (!string && name_with_immediate(text, name))
        return;
    if (stem)
        snprintf(
            to, room, "%.*s%s", (int)stem, name,
            rename_of(conditions, sizeof conditions / sizeof *conditions, name + stem));
    else if (strncmp(name, "movzx", 5) == 0 || strncmp(name, "movsx", 5) == 0)
        snprintf(to, room, "%.4s%c%c", name, size_letter(operands[1].size),
                 size_letter(operands[0].size));
    else if (string && (strncmp(name, "movs", 4) == 0 || strncmp(name, "cmps", 4) == 0))
        snprintf(to, room, "%.4s%c", name, name[4] == 'd' ? 'l' : name[4]);
    else if (string)
        snprintf(to, room, "%.4s", name);
    else if (exchanged)
        snprintf(to, room, "%.4s%s%s", name, name[4] == 'r' ? "" : "r",
                 name[length - 1] == 'p' ? "p" : "");
    else if (decoded->mnemonic == ZYDIS_MNEMONIC_MOV &&
             (decoded->raw.imm[0].size == 64 ||
              (decoded->opcode >= 0xa0 && decoded->opcode <= 0xa3 &&
               decoded->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT)))
        snprintf(to, room, "movabs");
    else if (decoded->mnemonic == ZYDIS_MNEMONIC_NOP && !text->memory &&
             decoded->operand_width == 16)
        snprintf(to, room, "xchg   %%ax,%%ax");
    else {
        name = rename_of(others, sizeof others / sizeof *others, name);
        snprintf(to, room, "%s%s", name, suffix_of(text, name, sizes));
    }
}

/* Returns the operands of an instruction on strings, which Zydis does not write. */
static const char *string_operands(const struct text *text, const char *name)
{
    static const char *const stores[] = {"%al,%es:(%rdi)", "%ax,%es:(%rdi)",
                                         "%eax,%es:(%rdi)", "%rax,%es:(%rdi)"};
    static const char *const loads[] = {"%ds:(%rsi),%al", "%ds:(%rsi),%ax",
                                        "%ds:(%rsi),%eax", "%ds:(%rsi),%rax"};
    static const char *const scans[] = {"%es:(%rdi),%al", "%es:(%rdi),%ax",
                                        "%es:(%rdi),%eax", "%es:(%rdi),%rax"};
    size_t size = name[4] == 'b' ? 0 : name[4] == 'w' ? 1 : name[4] == 'd' ? 2 : 3;
    if (text->decoded->meta.category != ZYDIS_CATEGORY_STRINGOP)
        return "";
    return *name == 'm'     ? "%ds:(%rsi),%es:(%rdi)"
           : *name == 'c'   ? "%es:(%rdi),%ds:(%rsi)"
           : name[1] == 't' ? stores[size]
           : *name == 'l'   ? loads[size]
                            : scans[size];
}

/* Prints the prefixes without an effect, which pad code, and the one of a return. */
static void put_prefixes(FILE *out, const ZydisDecodedInstruction *decoded)
{
    for (unsigned i = 0; i < decoded->raw.prefix_count; i++) {
        unsigned value = decoded->raw.prefixes[i].value;
        if (decoded->raw.prefixes[i].type == ZYDIS_PREFIX_TYPE_IGNORED)
            fputs(value == 0x66   ? "data16 "
                  : value == 0x2e ? "cs "
                  : value == 0xf3 ? "repz "
                                  : "",
                  out);
    }
}

/* Configures Zydis: AT&T syntax, and numbers without leading zeros. */
static bool set_format(ZydisFormatter *formatter)
{
    static const struct {
        ZydisFormatterProperty property;
        ZyanUPointer value;
    } settings[] = {
        {ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE},
        {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_IMM_SIGNEDNESS, ZYDIS_SIGNEDNESS_UNSIGNED},
    };
    bool good = ZYAN_SUCCESS(ZydisFormatterInit(formatter, ZYDIS_FORMATTER_STYLE_ATT));
    for (size_t i = 0; good && i < sizeof settings / sizeof *settings; i++)
        good = ZYAN_SUCCESS(ZydisFormatterSetProperty(formatter, settings[i].property,
                                                      settings[i].value));
    return good;
}

/* Prints an address with the name of its symbol. Without a name, a target is a number,
   and data have their distance from the next instruction. Zydis's text is printed for
   other addresses. */
static void put_address(FILE *out, const struct text *text, const char *zydis)
{
    bool target = text->decoded->raw.imm[0].is_relative;
    const ZydisDecodedOperand *memory = text->memory;
    if (!target && !(memory && memory->mem.base == ZYDIS_REGISTER_RIP)) {
        fputs(zydis, out);
        return;
    }
    int64_t distance =
        target ? text->decoded->raw.imm[0].value.s : memory->mem.disp.value;
    uint64_t address = text->next + (uint64_t)distance;
    BUF_OWN char *name = text->name ? text->name(text->context, address, !target) : NULL;
    if (name)
        fputs(name, out);
    else if (target)
        fprintf(out, "%" PRIx64, address);
    else
        fprintf(out, "%s0x%" PRIx64, distance < 0 ? "-" : "",
                distance < 0 ? -(uint64_t)distance : (uint64_t)distance);
    if (!target)
        fputs("(%rip)", out);
}

static void put_operand(FILE *out, const struct text *text, ZydisTokenType type,
                        const char *zydis)
{
    if (type == ZYDIS_TOKEN_ADDRESS_ABS)
        put_address(out, text, zydis);
    else if (type == ZYDIS_TOKEN_REGISTER && strncmp(zydis, "%st", 3) == 0)
        fprintf(out, zydis[3] == '0' ? "%%st" : "%%st(%c)", zydis[3]);
    else if (type != ZYDIS_TOKEN_WHITESPACE)
        fputs(zydis, out);
}

/* Returns whether a jump or call reads its target from a register, before which Zydis
   writes no star. */
static bool is_indirect(const struct text *text)
{
    return (text->decoded->mnemonic == ZYDIS_MNEMONIC_CALL ||
            text->decoded->mnemonic == ZYDIS_MNEMONIC_JMP) &&
           !text->decoded->raw.imm[0].is_relative && !text->memory;
}

/* Prints the tokens of Zydis. */
static void put_tokens(FILE *out, struct text *text, const ZydisFormatterToken *token)
{
    const char *name = ZydisMnemonicGetString(text->decoded->mnemonic), *value;
    ZydisTokenType type;
    enum { BEFORE, AT, SKIP, OPERANDS } state = BEFORE;
    put_prefixes(out, text->decoded);
    do {
        if (ZYAN_FAILED(ZydisFormatterTokenGetValue(token, &type, &value)))
            break;
        if (type == ZYDIS_TOKEN_PREFIX)
            fprintf(out, "%s ",
                    strcmp(value, "repe") == 0    ? "repz"
                    : strcmp(value, "repne") == 0 ? "repnz"
                                                  : value);
        if (type == ZYDIS_TOKEN_MNEMONIC) {
            find_mnemonic(text, name);
            state = AT;
        } else if (state == AT && type != ZYDIS_TOKEN_WHITESPACE) {
            bool nop = text->decoded->mnemonic == ZYDIS_MNEMONIC_NOP;
            fprintf(out, "%-6s %s", text->mnemonic, is_indirect(text) ? "*" : "");
            state = text->implied || nop ? SKIP : OPERANDS;
        } else if (state == SKIP && type == ZYDIS_TOKEN_DELIMITER) {
            state = OPERANDS;
            continue;
        }
        if (state == OPERANDS)
            put_operand(out, text, type, value);
    } while (ZYAN_SUCCESS(ZydisFormatterTokenNext(&token)));
    if (state == AT) {
        const char *operands = string_operands(text, name);
        fprintf(out, *operands ? "%-6s %s" : "%s%s", text->mnemonic, operands);
    }
}

char *insns_text(const struct insns *insns, uint64_t address, insns_name *name,
                 void *context)
{
    ZydisFormatter formatter;
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct text text = {
        .decoded = &decoded, .operands = operands, .name = name, .context = context};
    uint64_t end = address + ZYDIS_MAX_INSTRUCTION_LENGTH;
    const uint8_t *bytes = elffile_code(insns->file, address, &end);
    const ZydisFormatterToken *token;
    char *result = NULL, tokens[1024];
    size_t size;
    if (!bytes)
        return buf_copy("?");
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(
            &insns->decoder, bytes, (size_t)(end - address), &decoded, operands)) ||
        !set_format(&formatter) ||
        ZYAN_FAILED(ZydisFormatterTokenizeInstruction(
            &formatter, &decoded, operands, decoded.operand_count_visible, tokens,
            sizeof tokens, address, &token, NULL)))
        return buf_format(".byte 0x%02x", *bytes);
    text.next = address + decoded.length;
    for (unsigned i = 0; i < decoded.operand_count_visible && !text.memory; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            text.memory = &operands[i];
    FILE *out = buf_open(&result, &size);
    put_tokens(out, &text, token);
    buf_close(out);
    return result;
}

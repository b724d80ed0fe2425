/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/insns-inside.h"

#include <stdio.h>

/* Sets the format of objdump: AT&T's syntax, and addresses without leading zeros.  */
static bool set_up(ZydisFormatter *formatter)
{
    static const struct {
        ZydisFormatterProperty property;
        ZyanUPointer value;
    } settings[] = {
        {ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE},
        {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED},
        {ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED},
    };
    bool good = ZYAN_SUCCESS(ZydisFormatterInit(formatter, ZYDIS_FORMATTER_STYLE_ATT));
    for (size_t i = 0; good && i < sizeof settings / sizeof *settings; i++)
        good = ZYAN_SUCCESS(ZydisFormatterSetProperty(formatter, settings[i].property,
                                                      settings[i].value));
    return good;
}

void insns_text(const struct insns *insns, uint64_t address, char *text, size_t size)
{
    ZydisFormatter formatter;
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    uint64_t end = address + ZYDIS_MAX_INSTRUCTION_LENGTH;
    const uint8_t *bytes = insns_bytes(insns, address, &end);
    if (!bytes)
        snprintf(text, size, "?");
    else if (ZYAN_FAILED(ZydisDecoderDecodeFull(
                 &insns->decoder, bytes, (size_t)(end - address), &decoded, operands)) ||
             !set_up(&formatter) ||
             ZYAN_FAILED(ZydisFormatterFormatInstruction(&formatter, &decoded, operands,
                                                         decoded.operand_count_visible,
                                                         text, size, address, NULL)))
        snprintf(text, size, ".byte 0x%02x", *bytes);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Prints sections, words, bytes and strings to the assembly file. Bytes are collected
// in .ascii directives.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/assembly.h"
#include "rt/format.h"

#define BYTES_PER_LINE 64

static unsigned bytes_in_line; // in the .ascii directive that is being printed

static void end_bytes(void)
{
    if (bytes_in_line)
        fputs("\"\n", asm_out_file);
    bytes_in_line = 0;
}

static bool is_plain(unsigned char c)
{
    return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

// Prints an octal escape inside a string, always with three digits: the next character
// may be a digit.
static void put_escaped(unsigned char c)
{
    const char digits[] = {'\\', (char)('0' + c / 64), (char)('0' + c / 8 % 8),
                           (char)('0' + c % 8)};

    fwrite(digits, 1, sizeof digits, asm_out_file);
}

void assembly_push_section(const char *name, const char *flags, const char *type,
                           const char *operand)
{
    end_bytes();
    fprintf(asm_out_file, "\t.pushsection\t%s,\"%s\"," TYPE_OPERAND_FMT "%s%s\n", name,
            flags, type, *operand ? "," : "", operand);
}

void assembly_pop_section(void)
{
    end_bytes();
    fputs("\t.popsection\n", asm_out_file);
}

void assembly_push_in_group(const char *name, const char *flags, const char *type,
                            const char *group)
{
    char *operand = concat(group, ",comdat", NULL);

    assembly_push_section(name, flags, type, operand);
    free(operand);
}

static void print_address(struct assembly_address address)
{
    if (address.variable)
        output_addr_const(asm_out_file, XEXP(DECL_RTL(address.variable), 0));
    else
        fprintf(asm_out_file, address.offset ? "%s+%u" : "%s", address.label,
                address.offset);
}

void assembly_push_beside(const char *name, struct assembly_address beside)
{
    end_bytes();
    fprintf(asm_out_file, "\t.pushsection\t%s,\"o\"," TYPE_OPERAND_FMT ",", name,
            "progbits");
    print_address(beside);
    putc('\n', asm_out_file);
}

void assembly_push_note(const char *name, const char *group, const char *retain,
                        unsigned size, int type)
{
    char *flags = concat("aG", retain, NULL);

    assembly_push_in_group(name, flags, "note", group);
    free(flags);
    assembly_line(".balign", "4");
    assembly_line(".4byte", "%u,%u,%d", (unsigned)sizeof CCPROF_NOTE_NAME, size, type);
    assembly_line(".asciz", "\"%s\"", CCPROF_NOTE_NAME);
    assembly_line(".balign", "4");
    assembly_line(".4byte", "%d", CCPROF_ATTACH_VERSION);
}

void assembly_line(const char *directive, const char *operands, ...)
{
    va_list arguments;

    end_bytes();
    fprintf(asm_out_file, "\t%s\t", directive);
    va_start(arguments, operands);
    vfprintf(asm_out_file, operands, arguments);
    va_end(arguments);
    putc('\n', asm_out_file);
}

void assembly_label(const char *name)
{
    end_bytes();
    fprintf(asm_out_file, "%s:\n", name);
}

void assembly_set(const char *name, struct assembly_address address)
{
    end_bytes();
    fprintf(asm_out_file, "\t.set\t%s,", name);
    print_address(address);
    putc('\n', asm_out_file);
}

void assembly_word(struct assembly_address address)
{
    end_bytes();
    fputs("\t.8byte\t", asm_out_file);
    print_address(address);
    putc('\n', asm_out_file);
}

void assembly_distance(struct assembly_address to, struct assembly_address from)
{
    end_bytes();
    fputs("\t.4byte\t", asm_out_file);
    print_address(to);
    putc('-', asm_out_file);
    print_address(from);
    putc('\n', asm_out_file);
}

void assembly_word_of_element(struct assembly_address array, unsigned bytes)
{
    end_bytes();
    fputs("\t.8byte\t", asm_out_file);
    print_address(array);
    fprintf(asm_out_file, "+%u\n", bytes);
}

bool assembly_has_words_of_thread(void)
{
    return targetm.asm_out.output_dwarf_dtprel != NULL;
}

void assembly_word_of_thread(tree variable, unsigned offset)
{
    rtx address = XEXP(DECL_RTL(variable), 0);

    end_bytes();
    targetm.asm_out.output_dwarf_dtprel(asm_out_file, 8,
                                        plus_constant(Pmode, address, offset));
    putc('\n', asm_out_file);
}

// Prints bytes as text, which the assembler reads much faster than numbers.
void assembly_byte(unsigned char byte)
{
    if (bytes_in_line == BYTES_PER_LINE)
        end_bytes();
    if (!bytes_in_line)
        fputs("\t.ascii\t\"", asm_out_file);
    if (is_plain(byte))
        putc(byte, asm_out_file);
    else
        put_escaped(byte);
    bytes_in_line++;
}

void assembly_put_byte(void *, unsigned char byte)
{
    assembly_byte(byte);
}

void assembly_bytes(const unsigned char *bytes, size_t count)
{
    end_bytes();
    for (size_t i = 0; i < count; i++)
        assembly_byte(bytes[i]);
    end_bytes();
}

void assembly_string(const char *text)
{
    end_bytes();
    fputs("\t.string\t\"", asm_out_file);
    while (*text) {
        size_t length = 0;
        while (is_plain(text[length]))
            length++;
        fwrite(text, 1, length, asm_out_file);
        text += length;
        if (*text)
            put_escaped(*text++);
    }
    fputs("\"\n", asm_out_file);
}

static const struct assembly_token *
find_token(const char *text, const struct assembly_token *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (startswith(text, tokens[i].name))
            return &tokens[i];
    return NULL;
}

// The name of each token begins with @.
void assembly_text(const char *text, const struct assembly_token *tokens, size_t count)
{
    end_bytes();
    while (*text) {
        size_t length = strcspn(text, "@");
        fwrite(text, 1, length, asm_out_file);
        text += length;
        const struct assembly_token *token = find_token(text, tokens, count);
        if (token) {
            fputs(token->text, asm_out_file);
            text += strlen(token->name);
        } else if (*text) {
            putc(*text++, asm_out_file);
        }
    }
}

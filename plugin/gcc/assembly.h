/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assembly: prints the plugin's additions to the compiler's assembly file, in the syntax
   of GNU as: sections, words, bytes, strings and notes. All rooms use it, and only
   assembly.cc prints to asm_out_file. GCC's own section objects are not used: they
   cannot express links to other sections and flags such as "R" (GCC: varasm.cc,
   default_elf_asm_named_section). */

#ifndef CCPROF_ASSEMBLY_H
#define CCPROF_ASSEMBLY_H

/* The flag of sections that the linker keeps although nothing refers to them. Empty if
   the assembler does not support the flag. */
#if HAVE_GAS_SHF_GNU_RETAIN
#define ASSEMBLY_RETAIN "R"
#else
#define ASSEMBLY_RETAIN ""
#endif

/* An address: OFFSET bytes after LABEL, or the start of VARIABLE if VARIABLE is not
   NULL_TREE. VARIABLE must be a variable that is written. */
struct assembly_address {
    const char *label;
    unsigned offset;
    tree variable;
};

static inline struct assembly_address assembly_at(const char *label)
{
    return {label, 0, NULL_TREE};
}

/* Begins a section. assembly_pop_section ends it and returns to the previous section.
   FLAGS, TYPE (progbits, nobits, note) and OPERAND have the meaning that they have in
   .pushsection. OPERAND is the size of an entry if FLAGS contain "M", otherwise "". */
void assembly_push_section(const char *name, const char *flags, const char *type,
                           const char *operand);
void assembly_pop_section(void);

/* Begins a section in the COMDAT group GROUP. FLAGS must contain "G". */
void assembly_push_in_group(const char *name, const char *flags, const char *type,
                            const char *group);

/* Begins a section of tables, which is not loaded into memory. When the linker drops
   the section that contains BESIDE, it drops this section too (flag "o"). */
void assembly_push_beside(const char *name, struct assembly_address beside);

/* Begins the section of a note of ccprof. The description of the note has SIZE bytes
   and starts with the word CCPROF_ATTACH_VERSION, which this function prints. The
   caller prints the other words. RETAIN is ASSEMBLY_RETAIN, or "" if the ELF header of
   the object must stay as GCC makes it. */
void assembly_push_note(const char *name, const char *group, const char *retain,
                        unsigned size, int type);

/* Prints a line: DIRECTIVE, with its dot, and its operands. OPERANDS is a printf
   format. */
void assembly_line(const char *directive, const char *operands, ...)
    ATTRIBUTE_PRINTF(2, 3);
void assembly_label(const char *name);

/* Makes the local symbol NAME mean ADDRESS, also in lines that were printed before. */
void assembly_set(const char *name, struct assembly_address address);

/* Print a word of 8 bytes: an address, or the address BYTES bytes after the start of
   an array. */
void assembly_word(struct assembly_address address);
void assembly_word_of_element(struct assembly_address array, unsigned bytes);

/* Prints the distance between two addresses of one section, in 4 bytes. */
void assembly_distance(struct assembly_address to, struct assembly_address from);

/* Prints a word of 8 bytes: the offset of an address in the module's thread-local
   storage. The address is OFFSET bytes after the start of VARIABLE. Call it only if
   assembly_has_words_of_thread returns true: not every target has such words. GCC
   itself uses them for debug information. */
bool assembly_has_words_of_thread(void);
void assembly_word_of_thread(tree variable, unsigned offset);

/* Prints a byte. Adjacent bytes share a line. */
void assembly_byte(unsigned char byte);
/* The same for the encoders of plugin/tables, which pass their own data first.
   assembly_bytes prints COUNT bytes on lines of their own. */
void assembly_put_byte(void *, unsigned char byte);
void assembly_bytes(const unsigned char *bytes, size_t count);

/* Prints TEXT and a final 0. */
void assembly_string(const char *text);

/* Prints TEXT and replaces the name of each token by the token's text. */
struct assembly_token {
    const char *name, *text;
};
void assembly_text(const char *text, const struct assembly_token *tokens, size_t count);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* assembly: prints what the plugin writes into the compiler's assembly file, in the
   syntax of GNU as: sections, words, bytes, strings, notes.  For all rooms; only
   assembly.cc prints to asm_out_file.  GCC's own section objects cannot express what the
   tables need: ties to other sections, and flags such as "R" (GCC: varasm.cc,
   default_elf_asm_named_section).  */

#ifndef CCPROF_ASSEMBLY_H
#define CCPROF_ASSEMBLY_H

/* The flag of sections that the linker keeps though nothing refers to them, if the
   assembler knows it.  */
#if HAVE_GAS_SHF_GNU_RETAIN
#define ASSEMBLY_RETAIN "R"
#else
#define ASSEMBLY_RETAIN ""
#endif

/* An address: OFFSET bytes behind LABEL, or where VARIABLE, which is written, begins.  */
struct assembly_address {
    const char *label;
    unsigned offset;
    tree variable;
};

static inline struct assembly_address assembly_at(const char *label)
{
    return {label, 0, NULL_TREE};
}

/* Begins a section, which assembly_pop_section ends; the section around it continues
   then. FLAGS, TYPE (progbits, nobits, note) and OPERAND (an entry's size for "M",
   otherwise
   "") are those of .pushsection.  */
void assembly_push_section(const char *name, const char *flags, const char *type,
                           const char *operand);
void assembly_pop_section(void);

/* Begins a section in the COMDAT group GROUP; FLAGS have a "G".  */
void assembly_push_in_group(const char *name, const char *flags, const char *type,
                            const char *group);

/* Begins a section of tables, which are not loaded: the linker drops the section with
   that in which BESIDE stands ("o").  */
void assembly_push_beside(const char *name, struct assembly_address beside);

/* Begins the section of a note of ccprof's whose description, SIZE bytes, starts with
   CCPROF_ATTACH_VERSION.  This word is printed; the caller prints the others.  RETAIN is
   ASSEMBLY_RETAIN, or "" if the object's head must stay as GCC makes it.  */
void assembly_push_note(const char *name, const char *group, const char *retain,
                        unsigned size, int type);

/* A line: a directive, with its dot, and its operands, a format as of printf.  */
void assembly_line(const char *directive, const char *operands, ...)
    ATTRIBUTE_PRINTF(2, 3);
void assembly_label(const char *name);

/* A word of 8 bytes with an address; with the address of an element of an array, BYTES
   behind the array's start.  */
void assembly_word(struct assembly_address address);
void assembly_word_of_element(struct assembly_address array, unsigned bytes);

/* The distance from one address to another in the same section, in 4 bytes.  */
void assembly_distance(struct assembly_address to, struct assembly_address from);

/* A word of 8 bytes with the offset of a place in the module's thread-local storage:
   OFFSET bytes behind VARIABLE.  Only if the assembler has such words; GCC uses them for
   debug information.  */
bool assembly_has_words_of_thread(void);
void assembly_word_of_thread(tree variable, unsigned offset);

/* A byte, in the line of the bytes before it; several bytes, in lines of their own.  */
void assembly_byte(unsigned char byte);
/* A byte, for the encoders of plugin/tables, which pass their own data first.  */
void assembly_put_byte(void *, unsigned char byte);
void assembly_bytes(const unsigned char *bytes, size_t count);

/* TEXT and its final 0.  */
void assembly_string(const char *text);

/* TEXT, in which each token's name is replaced by its text.  */
struct assembly_token {
    const char *name, *text;
};
void assembly_text(const char *text, const struct assembly_token *tokens, size_t count);

#endif

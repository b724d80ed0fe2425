/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes small ELF files for the tests of mlprof, and for fuzzing. */

#ifndef TESTSUITE_MAKE_ELF_H
#define TESTSUITE_MAKE_ELF_H

#include <stdbool.h>
#include <stddef.h>

#define MAKE_ELF_SECTIONS 64
#define MAKE_ELF_CODE     0x401000

/* Bytes as text: pairs of hexadecimal digits separated by spaces. */
struct make_elf_section {
    const char *name;
    const char *bytes;
};

struct make_elf {
    int class;            /* ELFCLASS64 if 0 */
    int order;            /* ELFDATA2LSB if 0 */
    int type;             /* ET_DYN if 0 */
    int machine;          /* EM_NONE if 0 */
    const char *build_id; /* bytes; NULL: none */
    const char *debuglink;
    const char *code; /* bytes of .text, which is at MAKE_ELF_CODE; NULL: none */
    bool compress;    /* the sections of ccprof */
    struct make_elf_section sections[MAKE_ELF_SECTIONS];
    size_t sizes[MAKE_ELF_SECTIONS]; /* if not 0: the number of bytes, which are then not
                                        given as text */
};

/* Ends the program if an error occurs. */
void make_elf(const char *path, const struct make_elf *file);

/* Returns the bytes of TEXT. The caller frees them. */
unsigned char *make_bytes(const char *text, size_t *size);

/* Creates an empty file in a new subfolder and returns its name. The caller frees the
   name. */
char *make_path(void);

#endif

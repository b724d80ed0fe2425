/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes small ELF files for the tests of mlprof.  */

#ifndef TESTSUITE_MAKE_ELF_H
#define TESTSUITE_MAKE_ELF_H

#include <stdbool.h>
#include <stddef.h>

#define MAKE_ELF_SECTIONS 10

/* Bytes as a text of hexadecimal digits, in pairs, with blanks between.  */
struct make_elf_section {
    const char *name;
    const char *bytes;
};

struct make_elf {
    int class;            /* ELFCLASS64 if 0 */
    int order;            /* ELFDATA2LSB if 0 */
    int type;             /* ET_DYN if 0 */
    const char *build_id; /* bytes; NULL: none */
    const char *debuglink;
    bool compress; /* the sections of ccprof */
    struct make_elf_section sections[MAKE_ELF_SECTIONS];
};

/* Ends the test if it cannot.  */
void make_elf(const char *path, const struct make_elf *file);

/* The bytes that TEXT spells, to be freed.  */
unsigned char *make_bytes(const char *text, size_t *size);

/* The name of a new empty file in a new folder below the current one, to be freed.  */
char *make_path(void);

#endif

/* SPDX-License-Identifier: MIT */
/* Copies sections of a module's file that are not loaded into memory of their own, for
   the symbolizer: a file that is truncated or overwritten meanwhile cannot hurt the
   reader.  All functions are async-signal-safe and trust nothing in the file.  */

#ifndef CCPROF_ELF_FILE_H
#define CCPROF_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/os/notes.h"
#include "rt/os/pages.h"

struct ccprof_elf {
    int fd;
    uint64_t size; /* of the file */
    struct ccprof_pages headers;
    struct ccprof_pages names;
    size_t sections;
    uint8_t id_size; /* 0: no build-id */
    uint8_t id[CCPROF_NOTES_ID];
};

/* Opens an executable or shared object of this machine.  Returns null, or what is wrong;
   then there is nothing to close.  */
const char *ccprof_elf_open(struct ccprof_elf *elf, const char *path);
void ccprof_elf_close(struct ccprof_elf *elf);

/* The section's header, null if there is none of the type and, unless it is null, the
   name.  The first one, or the one behind BEFORE.  */
const Elf64_Shdr *ccprof_elf_find(const struct ccprof_elf *elf, uint32_t type,
                                  const char *name, const Elf64_Shdr *before);

/* The section with the number, or null.  */
const Elf64_Shdr *ccprof_elf_section(const struct ccprof_elf *elf, size_t number);

/* What the section holds.  Returns null, or what is wrong.  */
const char *ccprof_elf_read(const struct ccprof_elf *elf, const Elf64_Shdr *section,
                            struct ccprof_pages *to);

/* What all sections of the name hold, one behind the other; nothing if there is none. */
const char *ccprof_elf_read_all(const struct ccprof_elf *elf, const char *name,
                                struct ccprof_pages *to);

#endif

/* SPDX-License-Identifier: MIT */
/* Copies sections of a module's file that the loader does not load into memory for the
   symbolizer, and finds the names of functions in the file's symbol table. Sections
   are copied so that nothing breaks if the file is truncated or overwritten at the
   same time. Used by chain.c. All functions are async-signal-safe and trust nothing
   in the file. */

#ifndef CCPROF_ELF_FILE_H
#define CCPROF_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/os/file.h"
#include "rt/os/notes.h"
#include "rt/os/memory.h"

struct ccprof_elf {
    struct ccprof_file file;
    uint64_t size; /* size of the file in bytes */
    struct ccprof_pages headers;
    struct ccprof_pages names;
    size_t sections;
    uint8_t id_size; /* 0: no build ID */
    uint8_t id[CCPROF_BUILD_ID_MAX];
};

/* Opens an executable or shared object of this machine. Returns null, or a text with
   the error; after an error nothing need be closed. */
const char *ccprof_elf_open(struct ccprof_elf *elf, const char *path);
void ccprof_elf_close(struct ccprof_elf *elf);

/* Returns the header of the next section after BEFORE (of the first section if BEFORE
   is null) that has this type and, unless NAME is null, this name. Returns null if
   there is none. */
const Elf64_Shdr *ccprof_elf_find(const struct ccprof_elf *elf, uint32_t type,
                                  const char *name, const Elf64_Shdr *before);

/* Returns the header of the section with the index NUMBER, or null. */
const Elf64_Shdr *ccprof_elf_section(const struct ccprof_elf *elf, size_t number);

/* Copies the content of the section. Returns null, or a text with the error. */
const char *ccprof_elf_read(const struct ccprof_elf *elf, const Elf64_Shdr *section,
                            struct ccprof_pages *to);

/* Copies the contents of all sections with this name, one after the other; copies
   nothing if there is none. Returns null, or a text with the error. */
const char *ccprof_elf_read_all(const struct ccprof_elf *elf, const char *name,
                                struct ccprof_pages *to);

/* The symbol table of a file, for functions that are not profiled. */
struct ccprof_symbols {
    struct ccprof_pages symbols, strings;
};

/* Reads the full symbol table or, if there is none, the dynamic symbol table. Leaves
   SYMBOLS empty if there is neither. */
void ccprof_symbols_read(struct ccprof_symbols *symbols, const struct ccprof_elf *elf);
void ccprof_symbols_free(struct ccprof_symbols *symbols);

/* Returns the name of the function at an address in the file, or null. */
const char *ccprof_symbols_find(const struct ccprof_symbols *symbols, uint64_t address);

#endif

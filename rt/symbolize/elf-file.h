/* SPDX-License-Identifier: MIT */
/* Copies sections of a module's file, which the loader does not load, into memory for the
   symbolizer, and finds the names of functions in its symbol table.  Since sections are
   copied, no harm is done if the file is truncated or overwritten meanwhile.  All
   functions are async-signal-safe and trust nothing in the file.  */

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
    uint64_t size; /* bytes of the file */
    struct ccprof_pages headers;
    struct ccprof_pages names;
    size_t sections;
    uint8_t id_size; /* 0: no build-id */
    uint8_t id[CCPROF_NOTES_ID];
};

/* Opens an executable or shared object of this machine.  Returns null, or a text that
   says what is wrong; then there is nothing to close.  */
const char *ccprof_elf_open(struct ccprof_elf *elf, const char *path);
void ccprof_elf_close(struct ccprof_elf *elf);

/* Returns the header of the next section behind BEFORE (of the first one if BEFORE is
   null) with this type and, unless NAME is null, this name; null if there is none.  */
const Elf64_Shdr *ccprof_elf_find(const struct ccprof_elf *elf, uint32_t type,
                                  const char *name, const Elf64_Shdr *before);

/* Returns the header of section NUMBER, or null.  */
const Elf64_Shdr *ccprof_elf_section(const struct ccprof_elf *elf, size_t number);

/* Copies the content of the section.  Returns null, or a text that says what is
   wrong.  */
const char *ccprof_elf_read(const struct ccprof_elf *elf, const Elf64_Shdr *section,
                            struct ccprof_pages *to);

/* Copies the contents of all sections with this name, one behind the other; nothing if
   there is none.  Returns null, or a text that says what is wrong.  */
const char *ccprof_elf_read_all(const struct ccprof_elf *elf, const char *name,
                                struct ccprof_pages *to);

/* The symbol table of a file, for functions that are not profiled.  */
struct ccprof_symbols {
    struct ccprof_pages symbols, strings;
};

/* Reads the full symbol table or, if there is none, the loader's.  Leaves SYMBOLS empty
   if there is neither.  */
void ccprof_symbols_read(struct ccprof_symbols *symbols, const struct ccprof_elf *elf);
void ccprof_symbols_free(struct ccprof_symbols *symbols);

/* Returns the name of the function that holds the address of the file, or null.  */
const char *ccprof_symbols_find(const struct ccprof_symbols *symbols, uint64_t address);

#endif

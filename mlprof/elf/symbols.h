/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols of an executable or shared object: names of code by address (symbols_), the
   addresses of loaded code (segments_), imports from libstdc++ (imports_), and the
   symbols that the dynamic linker binds (bindings_). */

#ifndef MLPROF_SYMBOLS_H
#define MLPROF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/* Reads .symtab and .dynsym of the file at PATH: functions and, with DATA, variables. If
   the file has no .symtab, reads the .symtab of its debug file (debugfile_open). If the
   file cannot be read, or its build ID is not BUILD_ID (NULL: no build ID), there are no
   symbols. A damaged table yields the symbols before the damage. */
struct symbols *symbols_read(const char *path, const char *build_id, bool data);

/* Frees SYMBOLS, which may be NULL. */
void symbols_free(struct symbols *symbols);

/* Returns the name of the symbol that contains ADDRESS, or NULL; it lives as long as
   SYMBOLS. Sets *OFFSET, unless OFFSET is NULL, to the distance from the symbol's start.
   A symbol without a size extends to the next symbol in its section. */
const char *symbols_find(const struct symbols *symbols, uint64_t address,
                         uint64_t *offset);

/* The addresses of the code of an executable or shared object. */
struct segments_code {
    uint64_t start, end; /* as in the file; END is excluded */
    uint64_t offset;     /* offset of START in the file */
};

/* Sets CODE to the range from the first to the last executable segment of the file at
   PATH. Returns false if there is none, or if the file cannot be read. */
bool segments_find_code(const char *path, struct segments_code *code);

/* Returns whether the executable at PATH is static: it needs no dynamic linker.
   Returns false if the file cannot be read. */
bool segments_is_static(const char *path);

/* Returns whether the file at PATH uses a member function of std::string that may
   allocate and is implemented in libstdc++.so. The headers declare `extern template
   class basic_string<char>', so the program does not contain this code itself. Returns
   false if the file cannot be read. */
bool imports_strings(const char *path);

/* Bindings of the dynamic linker: the words in memory through which code accesses
   other modules, and the functions that the module exports. */

struct bindings;

enum bindings_what {
    /* The word has no relocation, or its value is known only at run time. */
    BINDINGS_NOTHING,
    BINDINGS_SYMBOL, /* a symbol of this or another module */
    BINDINGS_ADDRESS /* an address in this module */
};

/* Reads the dynamic relocations and symbols of the file at PATH. If the file cannot be
   read, or its build ID is not BUILD_ID (NULL: no build ID), there are none. */
struct bindings *bindings_read(const char *path, const char *build_id);

/* Frees BINDINGS, which may be NULL. */
void bindings_free(struct bindings *bindings);

/* Finds the binding of the word at address SLOT. Sets *NAME, which lives as long as
   BINDINGS, or *ADDRESS. */
enum bindings_what bindings_slot(const struct bindings *bindings, uint64_t slot,
                                 const char **name, uint64_t *address);

/* Returns whether the module exports a function NAME, and sets *ADDRESS to its address
   in the file. *ADDRESS is 0 if the module has several functions of this name or
   chooses one at run time. */
bool bindings_export(const struct bindings *bindings, const char *name,
                     uint64_t *address);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols of an executable or shared object: names of code by address, where the code is
   loaded, and what the dynamic linker binds.  */

#ifndef MLPROF_SYMBOLS_H
#define MLPROF_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/* Reads .symtab and .dynsym of the file at PATH and, if it has no .symtab, that of its
   debug file, which is looked for below DEBUG_ROOT.  A file that cannot be read, or whose
   build-id is not BUILD_ID (NULL: it has none), gives no symbols; a damaged table gives
   the symbols before the damage.  */
struct symbols *symbols_read(const char *path, const char *build_id,
                             const char *debug_root);

/* SYMBOLS may be NULL.  */
void symbols_free(struct symbols *symbols);

/* The name of the symbol around ADDRESS, or NULL if there is none; lives as long as
   SYMBOLS.  A symbol without a size extends to the next one in its section.  */
const char *symbols_find(const struct symbols *symbols, uint64_t address);

/* The name and the *ADDRESS of symbol NUMBER, from 0, in the order of addresses; NULL:
   there are no more.  If several symbols have one address, only one of them is in this
   list.  */
const char *symbols_at(const struct symbols *symbols, size_t number, uint64_t *address);

/* Whether there was a .symtab, which has local symbols, too.  */
bool symbols_are_all(const struct symbols *symbols);

/* Where the code of an executable or shared object is loaded.  */
struct segments_code {
    uint64_t start, end; /* as in the file; END is excluded */
    uint64_t offset;     /* of START in the file */
    uint64_t image;      /* the address of the first of all segments */
};

/* Sets CODE to the range from the first executable segment of the file at PATH to the
   last.  False if there is none, or if the file cannot be read.  */
bool segments_find_code(const char *path, struct segments_code *code);

/* Whether the executable at PATH asks for no loader of shared objects.  False if the file
   cannot be read.  */
bool segments_is_static(const char *path);

/* Whether the file at PATH uses a member of std::string that may allocate and whose code
   is in libstdc++.so: the headers declare `extern template class basic_string<char>', so
   the program has no such code of its own.  False if the file cannot be read.  */
bool imports_strings(const char *path);

/* What the dynamic linker binds: the words in memory through which the code reaches other
   modules, and the functions that the module exports.  */

struct bindings;

enum bindings_what {
    /* The word has no relocation, or its value is only known while the program runs.  */
    BINDINGS_NOTHING,
    BINDINGS_SYMBOL, /* a symbol of this or another module */
    BINDINGS_ADDRESS /* an address of this module */
};

/* Reads the dynamic relocations and symbols of the file at PATH.  There are none if the
   file cannot be read, or if its build-id is not BUILD_ID (NULL: the file has no
   build-id).  */
struct bindings *bindings_read(const char *path, const char *build_id);

/* BINDINGS may be NULL.  */
void bindings_free(struct bindings *bindings);

/* Finds the binding of the word at the address SLOT.  Sets *NAME, which lives as long as
   BINDINGS, or *ADDRESS.  */
enum bindings_what bindings_slot(const struct bindings *bindings, uint64_t slot,
                                 const char **name, uint64_t *address);

/* Whether the module exports a function NAME.  *ADDRESS is as in the file; 0 if the
   module has several of the name, or chooses one at run time.  */
bool bindings_export(const struct bindings *bindings, const char *name,
                     uint64_t *address);

#endif

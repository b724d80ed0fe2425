/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the symbols of an executable or shared object that stand for code, where its code
   is loaded, and what it asks of others.  */

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
   there are no more.  Of several symbols at an address one is there.  */
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

#endif

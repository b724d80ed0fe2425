/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the symbols of an executable or shared object that stand for code.  */

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

#endif

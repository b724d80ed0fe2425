/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells exits.c what the dynamic linker binds in an executable or shared object: the
   words in memory through which its code reaches others, and the functions that others
   reach in it.  */

#ifndef MLPROF_BINDINGS_H
#define MLPROF_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

struct bindings;

enum bindings_what {
    BINDINGS_NOTHING, /* no relocation is there, or only the program's run says what */
    BINDINGS_SYMBOL,  /* a symbol of this or another module */
    BINDINGS_ADDRESS  /* an address of this module */
};

/* Reads the relocations of the file at PATH that hold at run time, and its dynamic
   symbols.  A file that cannot be read, or whose build-id is not BUILD_ID (NULL: it has
   none), gives none.  */
struct bindings *bindings_read(const char *path, const char *build_id);

/* BINDINGS may be NULL.  */
void bindings_free(struct bindings *bindings);

/* What the word at the address SLOT is bound to: *NAME, which lives as long as BINDINGS,
 *or ADDRESS.  */
enum bindings_what bindings_slot(const struct bindings *bindings, uint64_t slot,
                                 const char **name, uint64_t *address);

/* Whether the module exports a function NAME, and its *ADDRESS as in the file; 0 if it
   has several, or finds out at run time which one it is.  */
bool bindings_export(const struct bindings *bindings, const char *name,
                     uint64_t *address);

#endif

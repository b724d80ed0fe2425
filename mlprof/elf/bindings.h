/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells exits.c what the dynamic linker binds in an executable or shared object: the
   words in memory through which its code reaches other modules, and the functions that
   other modules reach in it.  */

#ifndef MLPROF_BINDINGS_H
#define MLPROF_BINDINGS_H

#include <stdbool.h>
#include <stdint.h>

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

/* What the word at the address SLOT is bound to.  Sets *NAME, which lives as long as
   BINDINGS, or *ADDRESS.  */
enum bindings_what bindings_slot(const struct bindings *bindings, uint64_t slot,
                                 const char **name, uint64_t *address);

/* Whether the module exports a function NAME.  *ADDRESS is as in the file; 0 if the
   module has several of the name, or chooses one at run time.  */
bool bindings_export(const struct bindings *bindings, const char *name,
                     uint64_t *address);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names what threads wait for, and the calls on the stacks of waits (profile/waitdata.h):
   a lock by its variable, a call by its function and line. Used by groups/ and by
   waiting.c. Symbols are read at the first query. */

#ifndef MLPROF_PLACES_H
#define MLPROF_PLACES_H

#include "mlprof/names/names.h"
#include "mlprof/program/program.h"

/* A call. The texts live as long as the struct places. */
struct places_place {
    const char *function; /* NULL: unknown */
    /* FUNCTION with the functions around it into which it was inlined, callers first,
       joined by ` > '; NULL: unknown. */
    const char *inlined;
    bool library;     /* only code of libraries is there */
    const char *file; /* name of the source file; NULL: unknown, as is LINE */
    uint32_t line;
};

struct places;

/* Returns names for the waits of PROFILE. LIBRARIES are source files of libraries besides
   system headers; may be NULL. Calls in functions that match HIDE are named like those
   of libraries. The arguments must live as long as the result,
   which places_free frees. */
struct places *places_new(const struct profile *profile, const struct program *program,
                          const struct names_style *style,
                          const struct patterns *libraries, const struct patterns *hide);

/* PLACES may be NULL. */
void places_free(struct places *places);

/* Returns the name of an object of the waits: a variable, with `+OFFSET' if the object is
   inside it; or the path of a file; or `lock 0xADDRESS first waited for in FUNCTION'. */
const char *places_object(struct places *places, uint32_t object);

/* Returns `process NUMBER'. */
const char *places_process(struct places *places, uint64_t number);

/* Returns the innermost function outside of libraries at ADDRESS of a module, or
   PROFILE_NO_MODULE. If there is none, returns the innermost function. Of PROFILE_PROCESS
   nothing is known. */
struct places_place places_at(struct places *places, uint32_t module, uint64_t address);

/* Returns the innermost call outside of libraries of the waits' stack that ends at NODE.
   If there is none, returns the call at NODE. If the node is a thread, nothing of the
   result is known. */
struct places_place places_node(struct places *places, uint32_t node);

/* Returns the call at NODE itself. */
struct places_place places_call(struct places *places, uint32_t node);

/* Returns `FUNCTION, FILE: LINE', or what is known of it; NULL: nothing is known. The
   caller frees it. */
char *places_text(const struct places_place *place);

#endif

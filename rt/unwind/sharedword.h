/* SPDX-License-Identifier: MIT */
/* Each module may define a thread-local word of a certain name. sharedword makes all
   modules use the same word: for the field below, and for paths (rt/count/counts.h).
   The executable's word is used, since the linker has bound the executable's code to
   it. If the executable has no such word, a word of the runtime is used. Code of
   shared objects finds the offset of the word in its place (struct ccprof_place),
   which the runtime sets when the objects are loaded. */

#ifndef CCPROF_SHAREDWORD_H
#define CCPROF_SHAREDWORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ccprof_sharedword {
    /* Types of the modules' notes (CCPROF_NOTE_*), whose content is a struct
       ccprof_word_note. PLACED is the type for code with places. */
    unsigned note, placed;
    _Atomic bool is_there;   /* the word has been chosen, and OFFSET is valid */
    _Atomic intptr_t offset; /* distance of the word from the thread pointer; may be 0 */
};

/* Makes the module at ADDRESS use the word, if its code has such a word. FALLBACK is the
   address of the runtime's word in the calling thread. Called by the constructor, one
   thread at a time. */
void ccprof_sharedword_attach(struct ccprof_sharedword *word, const void *address,
                              const void *fallback);

/* The field: the shared word in which code of kind time-field stores the site of its
   local stack. */

/* Gives the field to the module at ADDRESS, which is of kind time-field. Called by
   the constructor, one thread at a time. */
void ccprof_field_attach(const void *address);

/* Returns the address of the site in the calling thread's field, or of the site that
   the thread was about to store when the signal arrived. Returns 0 if the thread has
   not called a function of kind time-field. CONTEXT is the third argument of the
   signal handler. Async-signal-safe. */
uint64_t ccprof_field_site(const void *context);

#endif

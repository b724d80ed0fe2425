/* SPDX-License-Identifier: MIT */
/* Makes one word of each thread out of the words of the same name that modules have: for
   the field below, and for paths (rt/count/counts.h).  The word is the executable's, to
   which the linker has bound the executable's code, or one of the runtime's if the
   executable has none. Code of shared objects finds the offset of the word in its place
   (struct ccprof_place), which the runtime sets when the objects are loaded.  */

#ifndef CCPROF_SHAREDWORD_H
#define CCPROF_SHAREDWORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ccprof_sharedword {
    /* Types of the modules' notes (CCPROF_NOTE_*), whose content is a struct
       ccprof_word_note.  */
    unsigned note, placed;
    _Atomic bool is_there;   /* the word has been chosen, and OFFSET is valid */
    _Atomic intptr_t offset; /* distance of the word from the thread pointer; may be 0 */
};

/* Makes the module that holds ADDRESS use the word, if its code does.  OWN is the address
   of the runtime's word for the calling thread.  Constructor, one thread at a time.  */
void ccprof_sharedword_attach(struct ccprof_sharedword *word, const void *address,
                              const void *own);

/* The field is the shared word in which code of kind time-field stores the site of its
   local stack.  */

/* Gives the field to the module that holds ADDRESS, which is of kind time-field.
   Constructor, one thread at a time.  */
void ccprof_field_attach(const void *address);

/* Returns the address of the site that the calling thread's field holds, or that the
   thread was about to store when the signal came; 0 if the thread has been in no function
   of kind time-field.  CONTEXT is the third argument of the signal's handler.
   Async-signal-safe.  */
uint64_t ccprof_field_site(const void *context);

#endif

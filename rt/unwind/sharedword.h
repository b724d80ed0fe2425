/* SPDX-License-Identifier: MIT */
/* Makes one word of each thread out of those of the same name that modules have: that of
   the executable, to which the linker has bound the executable's code; if the executable
   has none, one of the runtime's.  The code of shared objects finds the word's offset in
   a slot, which is changed when they are loaded.  For time-field and for paths.  */

#ifndef CCPROF_SHAREDWORD_H
#define CCPROF_SHAREDWORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ccprof_sharedword {
    unsigned note;           /* the modules' (CCPROF_NOTE_*), a struct ccprof_word_note */
    _Atomic bool is_there;   /* a module has one; then: */
    _Atomic intptr_t offset; /* distance from a thread's pointer, which may be 0 */
};

/* The module that holds ADDRESS may have the word.  OWN: that of the runtime, of the
   thread that calls.  Constructor, one thread at a time.  */
void ccprof_sharedword_attach(struct ccprof_sharedword *word, const void *address,
                              const void *own);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads the field, for the SIGPROF handler: a word of each thread in which code of kind
   time-field stores the site of its local stack.  There is one field in the process, that
   of the executable, to which the linker has bound the executable's code; if the
   executable has none, one of the runtime's.  The code of shared objects finds the
   field's offset in a slot, which is changed when they are loaded.  */

#ifndef CCPROF_FIELD_H
#define CCPROF_FIELD_H

#include <stdint.h>

/* The module that holds ADDRESS is of kind time-field.  Constructor, one thread at a
   time.  */
void ccprof_field_attach(const void *address);

/* The address of the site in the calling thread's field, or of that which it was about to
   store there when the signal came; 0 if it has been in no profiled function of that
   kind. CONTEXT is the third argument of the signal's handler.  Async-signal-safe.  */
uint64_t ccprof_field_site(const void *context);

#endif

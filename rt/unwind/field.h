/* SPDX-License-Identifier: MIT */
/* Reads the field, for the SIGPROF handler: a word of each thread in which code of kind
   time-field stores the site of its local stack.  The process has one field: the
   executable's, to which the linker has bound the executable's code, or one of the
   runtime's if the executable has no field.  Shared objects find the offset of the field
   in a place, which the runtime sets when they are loaded (sharedword.h).  */

#ifndef CCPROF_FIELD_H
#define CCPROF_FIELD_H

#include <stdint.h>

/* Gives the field to the module that holds ADDRESS, which is of kind time-field.
   Constructor, one thread at a time.  */
void ccprof_field_attach(const void *address);

/* Returns the address of the site that the calling thread's field holds, or that the
   thread was about to store when the signal came; 0 if the thread has been in no function
   of kind time-field.  CONTEXT is the third argument of the signal's handler.
   Async-signal-safe.  */
uint64_t ccprof_field_site(const void *context);

#endif

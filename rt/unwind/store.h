/* SPDX-License-Identifier: MIT */
/* Recognizes the instructions that the plugin writes to store into the field
   (plugin/field/field_store.h), for the SIGPROF handler: one file store-NAME.c for each
   processor that has them, and store-none.c.  */

#ifndef CCPROF_STORE_H
#define CCPROF_STORE_H

#include <stdbool.h>
#include <stdint.h>

/* A function that gives the distance of a module's field from the thread pointer.  */
typedef intptr_t ccprof_store_offset(void);

/* The slot in which a shared object keeps the distance of its field, of which FUNCTION
   gives the content; null if the linker has made a constant of it.  */
intptr_t *ccprof_store_slot(ccprof_store_offset *function);

/* Whether a signal came when a store into the field, which is OFFSET away from the thread
   pointer, had been begun, or was the next to come: then *SITE is what it stores.  An
   instruction that is waited for, behind a call say, is where the thread is, not the one
   before it.  Code need not be readable; then it did not.  Async-signal-safe.  */
bool ccprof_store_begun(const void *context, intptr_t offset, uint64_t *site);

#endif

/* SPDX-License-Identifier: MIT */
/* Recognizes the instructions that the plugin writes to store into the field
   (plugin/field/field.h), for the SIGPROF handler.  Each processor that has such
   stores has a file store-NAME.c; the others have store-none.c.  */

#ifndef CCPROF_STORE_H
#define CCPROF_STORE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether the signal came inside a store into the field, or right before one;
   *SITE is then the site that the store writes.  OFFSET is the distance of the field from
   the thread pointer.  A thread that waits, for instance behind a call, is at the
   instruction that it will execute next, not at the one before.  Returns false if the
   code is not readable.  Async-signal-safe.  */
bool ccprof_store_begun(const void *context, intptr_t offset, uint64_t *site);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads ELF notes in memory and in files, for all rooms: those of ccprof, and
   build-ids.  */

#ifndef CCPROF_NOTES_H
#define CCPROF_NOTES_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the module has the address in memory.  */
bool ccprof_notes_holds(const struct dl_phdr_info *info, uintptr_t address);

/* The content of the module's first note of ccprof of that type (CCPROF_NOTE_*) and SIZE;
   null if there is none in memory.  */
const void *ccprof_notes_find(const struct dl_phdr_info *info, unsigned type,
                              size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads ELF notes for all rooms: those of ccprof in the modules in memory, and build-ids
   in memory and in files.  (attach.c has a reader of its own, since it stands alone in
   each program.)  All functions are async-signal-safe.  */

#ifndef CCPROF_NOTES_H
#define CCPROF_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Build-ids that are longer are not known.  */
#define CCPROF_NOTES_ID 64

/* The notes of a section or segment that are still to be read.  */
struct ccprof_notes {
    const char *at;
    size_t left;
    size_t align; /* 4, or 8 */
};

/* Pointers are into the notes.  */
struct ccprof_note {
    unsigned type;
    const char *name;
    const void *content;
    size_t name_size, size;
};

/* SIZE bytes of notes in a section or segment with that alignment.  */
static inline struct ccprof_notes ccprof_notes_of(const void *at, size_t size,
                                                  size_t align)
{
    return (struct ccprof_notes){at, size, align < 8 ? 4 : 8};
}

/* Reads the next note; returns false at the end, or where a note has no end.  */
bool ccprof_notes_next(struct ccprof_notes *notes, struct ccprof_note *note);

/* The first build-id, of *SIZE bytes, 1 to CCPROF_NOTES_ID; null if there is none.  */
const void *ccprof_notes_build_id(struct ccprof_notes notes, size_t *size);

struct dl_phdr_info;

/* Whether the module has the address in memory.  */
bool ccprof_notes_holds(const struct dl_phdr_info *info, uintptr_t address);

/* The content of the module's first note of ccprof of that type (CCPROF_NOTE_*) and SIZE;
   null if there is none in memory.  */
const void *ccprof_notes_find(const struct dl_phdr_info *info, unsigned type,
                              size_t size);

#endif

/* SPDX-License-Identifier: MIT */
/* Reads ELF notes: ccprof's notes in loaded modules, and build IDs in memory and in
   files. Knows which address ranges are ccprof's own code. (attach.c has its own
   reader of notes, since each program contains attach.c without the rest of the
   runtime.) All functions are async-signal-safe, except ccprof_own_add. */

#ifndef CCPROF_NOTES_H
#define CCPROF_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rt/format.h"

/* Position in the notes of a section or segment. */
struct ccprof_notes {
    const char *start;
    size_t left;
    size_t align; /* alignment of notes: 4 or 8 */
};

/* One note. The pointers point into the section or segment. */
struct ccprof_note {
    unsigned type;
    const char *name;
    const void *content;
    size_t name_size, size;
};

/* Starts to read SIZE bytes of notes in a section or segment with alignment ALIGN. */
static inline struct ccprof_notes ccprof_notes_of(const void *start, size_t size,
                                                  size_t align)
{
    return (struct ccprof_notes){start, size, align < 8 ? 4 : 8};
}

/* Reads the next note. Returns false at the end, or if the size in the note's header
   exceeds the remaining bytes. */
bool ccprof_notes_next(struct ccprof_notes *notes, struct ccprof_note *note);

/* Returns the first build ID and stores its length, 1 to CCPROF_BUILD_ID_MAX bytes, in
 *SIZE. Returns null if there is none. */
const void *ccprof_notes_build_id(struct ccprof_notes notes, size_t *size);

struct dl_phdr_info;

/* Returns whether ADDRESS is in a loaded segment of the module. */
bool ccprof_notes_holds(const struct dl_phdr_info *info, uintptr_t address);

/* Returns the content of the module's first ccprof note with this type (CCPROF_NOTE_*)
   and SIZE bytes of content; null if no such note is loaded. */
const void *ccprof_notes_find(const struct dl_phdr_info *info, unsigned type,
                              size_t size);

/* Calls VISIT with the content of each ccprof note that has this type and size, until
   VISIT returns false. */
typedef bool ccprof_notes_visit(const void *content, void *context);
void ccprof_notes_each(const struct dl_phdr_info *info, unsigned type, size_t size,
                       ccprof_notes_visit *visit, void *context);

/* An address range of ccprof's own code: the runtime, even if it is linked into the
   program, or the stub in a module. rt/rt.ld defines the bounds of the runtime. In a
   test that links only parts of the runtime they are null. */
struct ccprof_own_code {
    uint64_t start, end;
};

struct ccprof_attach;

/* Adds the stub of a module that is being attached. Called in constructors, by one
   thread at a time. */
void ccprof_own_add(const struct ccprof_attach *attach);

/* Finds the address range of ccprof's own code that has the number NUMBER, counted
   from 0. Returns false if there is no such range. */
bool ccprof_own_get(unsigned number, struct ccprof_own_code *code);

/* Returns whether ADDRESS is in ccprof's own code. */
bool ccprof_own_is(uint64_t address);

#endif

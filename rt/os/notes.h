/* SPDX-License-Identifier: MIT */
/* Reads ELF notes, the notes of ccprof in loaded modules and build-ids in memory and in
   files, and knows which code is ccprof's own.  (attach.c has its own reader, since it
   stands alone in each program.)  All functions are async-signal-safe, except
   ccprof_own_add.  */

#ifndef CCPROF_NOTES_H
#define CCPROF_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest build-id, in bytes, that is understood.  */
#define CCPROF_NOTES_ID 64

/* The notes of a section or segment that have not been read yet.  */
struct ccprof_notes {
    const char *at;
    size_t left;
    size_t align; /* the alignment of notes: 4 or 8 */
};

/* One note.  The pointers point into the notes.  */
struct ccprof_note {
    unsigned type;
    const char *name;
    const void *content;
    size_t name_size, size;
};

/* Starts to read SIZE bytes of notes, which lie in a section or segment with this
   alignment.  */
static inline struct ccprof_notes ccprof_notes_of(const void *at, size_t size,
                                                  size_t align)
{
    return (struct ccprof_notes){at, size, align < 8 ? 4 : 8};
}

/* Reads the next note.  Returns false at the end, or where a note is longer than what is
   left.  */
bool ccprof_notes_next(struct ccprof_notes *notes, struct ccprof_note *note);

/* Returns the first build-id, with its length of 1 to CCPROF_NOTES_ID bytes in *SIZE;
   null if there is none.  */
const void *ccprof_notes_build_id(struct ccprof_notes notes, size_t *size);

struct dl_phdr_info;

/* Returns whether a loaded segment of the module holds the address.  */
bool ccprof_notes_holds(const struct dl_phdr_info *info, uintptr_t address);

/* Returns the content of the module's first note of ccprof that has this type
   (CCPROF_NOTE_*) and SIZE bytes; null if no note in memory does.  */
const void *ccprof_notes_find(const struct dl_phdr_info *info, unsigned type,
                              size_t size);

/* Calls VISIT with the content of each such note, until VISIT returns false.  */
typedef bool ccprof_notes_visit(const void *content, void *of);
void ccprof_notes_each(const struct dl_phdr_info *info, unsigned type, size_t size,
                       ccprof_notes_visit *visit, void *of);

/* A piece of ccprof's own code: the runtime, even one linked into the program, or the
   stub in a module.  rt/rt.ld defines the bounds of the runtime; a test that links only
   parts of the runtime has none.  */
struct ccprof_own_code {
    uint64_t start, end;
};

struct ccprof_attach;

/* Adds the stub of a module that is being attached.  Constructor, one thread at a
   time.  */
void ccprof_own_add(const struct ccprof_attach *attach);

/* Gets piece NUMBER, from 0 on, of ccprof's code; returns false if there is no such
 * piece.  */
bool ccprof_own_get(unsigned number, struct ccprof_own_code *code);

/* Returns whether the instruction at ADDRESS is ccprof's.  */
bool ccprof_own_is(uint64_t address);

#endif

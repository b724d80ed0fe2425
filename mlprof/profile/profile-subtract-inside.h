/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files profile-subtract*.c, which subtract an earlier profile of a
   process from a later one. */

#ifndef MLPROF_PROFILE_SUBTRACT_INSIDE_H
#define MLPROF_PROFILE_SUBTRACT_INSIDE_H

#include "mlprof/profile/profile.h"

/* Used for a module, label, thread or point that the later profile does not have. As a
   module, no point of a single data file has it. */
#define SUBTRACT_ABSENT PROFILE_PROCESS

/* Maps numbers of the two profiles to numbers of the later profile. */
struct subtract_match {
    struct profile *later;
    const struct profile *earlier;
    /* Numbers of modules, labels and threads of EARLIER. */
    uint32_t *modules, *labels, *threads;
    /* Numbers of modules, labels and threads of LATER. Those that are equal have the
       number of the first one. */
    uint32_t *own_modules, *own_labels, *own_threads;
};

/* In profile-subtract-match.c: both profiles must live until subtract_match_close. */
struct subtract_match subtract_match_open(struct profile *later,
                                          const struct profile *earlier);
void subtract_match_close(struct subtract_match *match);

/* Sets *PLACE to a place in the later profile at which a point of the earlier profile
   may be, and returns true. N is 0 for the most likely place, then 1, and so on.
   Returns false if there are no more places. There are several because an address can
   be in a module in one answer, and in no module in the other answer: the module was
   loaded, or another module was loaded in its place. */
bool subtract_place(const struct subtract_match *match, uint32_t module, uint64_t address,
                    size_t n, struct heapmerge_place *place);

/* Subtracts AMOUNT from *FROM. Returns false if *FROM is less. */
static inline bool subtract_number(uint64_t *from, uint64_t amount)
{
    return !__builtin_sub_overflow(*from, amount, from);
}

/* In profile-subtract-regions.c and profile-subtract-heap.c. Return false if a
   difference would be negative; the later profile can then
   only be freed. */
bool subtract_regions(const struct subtract_match *match);
bool subtract_heap(const struct subtract_match *match);

/* In profile-subtract-waits.c. No difference becomes negative. */
void subtract_waits(const struct subtract_match *match);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remarks: the loops of a compiled function, and what GCC did with each loop, before
   remarks_encode writes the piece of .ccprof.remarks (doc/tables.md, "Remarks"). This
   module does not use GCC. plugin/remarks fills a `struct remarks'. */

#ifndef CCPROF_REMARKS_H
#define CCPROF_REMARKS_H

#include "plugin/tables/encode.h"
#include "plugin/tables/unit.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct remarks_place {
    unsigned line, column; /* column 0: unknown */
};

struct remarks_loop {
    unsigned outer; /* number of the loop around it, from 1; 0: none */
    unsigned copy;  /* copy of the part */
    unsigned file;  /* file of the unit, not 0 */
    struct remarks_place head, first, last;
};

struct remarks_remark {
    unsigned loop; /* number of the loop, from 1 */
    enum ccprof_remark what;
    unsigned number, line;
    unsigned text, about; /* strings of the unit */
};

/* The loops of one compiled function. Starts as all zero. Loops and copies have larger
   numbers than the loops and copies around them. */
struct remarks {
    struct part part; /* only its source and its copies are used */
    struct remarks_loop *loops;
    size_t loop_count, loop_room;
    struct remarks_remark *remarks;
    size_t remark_count, remark_room;
    struct distinct heads; /* key: copy, file, line and column of the loop's head */
};

/* Sets *NUMBER to the number of the loop, from 1, that has the same copy and head as
   LOOP. Returns whether the loop is new: then it is added, as LOOP. */
bool remarks_put_loop(struct remarks *remarks, const struct remarks_loop *loop,
                      unsigned *number);

/* Adds a remark at the end of the list of its loop, unless the list contains an equal
   one. */
void remarks_add(struct remarks *remarks, const struct remarks_remark *remark);

/* Returns the number of the smallest loop in COPY whose range contains the position;
   0: none. */
unsigned remarks_find_around(const struct remarks *remarks, unsigned copy, unsigned file,
                             unsigned line, unsigned column);

/* Removes all loops, copies and remarks, but keeps the memory. */
void remarks_clear(struct remarks *remarks);

void remarks_free(struct remarks *remarks);

/* Writes the piece of the function, after its address. */
void remarks_encode(const struct remarks *remarks, const struct encode_sink *sink);

#ifdef __cplusplus
}
#endif

#endif

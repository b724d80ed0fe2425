/* SPDX-License-Identifier: GPL-3.0-or-later */
/* typed: writes which types the blocks have that calls return, as the bytes of
   doc/tables.md, "Types of blocks", for blocktype.cc and the unit tests.  Knows nothing
   of GCC.  */

#ifndef CCPROF_TYPED_H
#define CCPROF_TYPED_H

#include "plugin/tables/encode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the source returns the result of a call.  */
enum typed_returned { TYPED_UNSAID, TYPED_KEPT, TYPED_RETURNED };

/* A call in a source.  All are numbers of the unit but line and column.  */
struct typed_call {
    unsigned source, file, line, column;
    unsigned type; /* a string; 0: not known */
    enum typed_returned returned;
};

/* Puts them into the order in which they are written, each position of a source once: of
   different types none is kept; the result is returned if it is so for all of which this
   is known; and what is neither returned nor of a known type is not kept.  Returns how
   many are left.  */
size_t typed_sort(struct typed_call *calls, size_t count);

/* Writes the piece of UNIT behind the unit's offset.  The calls are sorted.  */
void typed_encode(const struct typed_call *calls, size_t count, const struct unit *unit,
                  enum ccprof_position detail, const struct encode_sink *sink);

#ifdef __cplusplus
}
#endif

#endif

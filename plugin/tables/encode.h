/* SPDX-License-Identifier: GPL-3.0-or-later */
/* encode: writes a part as the bytes of doc/tables.md, for emit, alloc-table and the
   unit tests.  Knows nothing of GCC: distances between labels and the offsets of
   strings are left to the sink, since only the assembler and the linker know them.  */

#ifndef CCPROF_ENCODE_H
#define CCPROF_ENCODE_H

#include "plugin/tables/part.h"
#include "plugin/tables/unit.h"
#include "rt/format.h"

#ifdef __cplusplus
extern "C" {
#endif

struct encode_sink {
    void *data;
    void (*byte)(void *data, unsigned char byte);
    /* The ULEB128 number TO - FROM + PLUS.  */
    void (*distance)(void *data, unsigned from, unsigned to, unsigned plus);
    /* Four bytes: the offset of the unit's string in .ccprof.str.  */
    void (*string)(void *data, unsigned string);
};

/* A function of a stream; PREVIOUS_END is the label where the function before it
   ends, or the stream's base.  */
void encode_part(const struct part *part, const struct unit *unit,
                 enum ccprof_position detail, unsigned previous_end,
                 const struct encode_sink *sink);

/* A unit, without its length; DIRECTORY and EMPTY, which is "", are strings of the unit.
 */
void encode_unit(const struct unit *unit, enum ccprof_position detail, unsigned directory,
                 unsigned empty, const struct encode_sink *sink);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part: collects what is known of one part of a compiled function (the whole, or its
   hot or cold half), which are its copies, its points, and from which label on which
   point holds: label.cc fills it, encode.c writes it.  Knows nothing of GCC: files and
   sources are numbers of the unit, labels are numbers of the assembler's.  */

#ifndef CCPROF_PART_H
#define CCPROF_PART_H

#include "plugin/tables/distinct.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A position, or a range, in a source file.  file 0: unknown.  start_column 0: no range.
   Columns count from 1, 0: unknown.  */
struct part_position {
    unsigned file;
    unsigned line, column;
    unsigned start_line, start_column;
    unsigned end_line, end_column;
};

/* One inlined copy.  parent 0 is the function itself, otherwise a smaller
   number than the copy's own.  */
struct part_copy {
    unsigned parent;
    unsigned source; /* 0: excluded */
    unsigned call_file, call_line, call_column;
};

struct part_point {
    unsigned copy;
    struct part_position position;
};

struct part_entry {
    unsigned label;
    unsigned point; /* a number of part.points */
};

struct part {
    unsigned source; /* of the function itself, 0 if excluded */
    unsigned start_label, end_label;
    struct distinct copies; /* struct part_copy */
    struct distinct points; /* struct part_point */
    struct part_entry *entries;
    size_t count, room;
};

/* The number of the copy, made at first sight.  */
unsigned part_copy(struct part *part, unsigned parent, unsigned source,
                   unsigned call_file, unsigned call_line, unsigned call_column);

unsigned part_point(struct part *part, unsigned copy,
                    const struct part_position *position);

/* From LABEL on the program is at POINT.  */
void part_enter(struct part *part, unsigned label, unsigned point);

void part_clear(struct part *part);
void part_free(struct part *part);

#ifdef __cplusplus
}
#endif

#endif

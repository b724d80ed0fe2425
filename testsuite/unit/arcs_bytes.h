/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of .ccprof.arcs, .ccprof.edge, .ccprof.values and .ccprof.callees of a
   function with three arcs, for the tests of arctables and for fuzzing.  */

#ifndef TESTSUITE_ARCS_BYTES_H
#define TESTSUITE_ARCS_BYTES_H

#define ARCS_EXAMPLE_ID "88 77 66 55 44 33 22 11 "

/* Version, id, and a length of 26 bytes.  */
#define ARCS_EXAMPLE_HEAD "01 " ARCS_EXAMPLE_ID "1a 00 00 00 "

/* Of GCC 12.2: ident 1, lineno 0x202, checksum 0x30003, three arcs, two calls by a
   pointer, a list of other values, /o/a, f.  */
#define ARCS_EXAMPLE                                                                     \
    ARCS_EXAMPLE_HEAD "2a 32 32 42 01 00 00 00 02 02 00 00 03 00 03 00 "                 \
                      "03 02 01 2f 6f 2f 61 00 66 00 "

/* The counters at 0x4010 and 0x4018 are arc 0, and the first less the second is arc 1. */
#define ARCS_EXAMPLE_TERMS                                                               \
    "03 10 40 00 00 00 00 00 00 00 00 00 00 "                                            \
    "01 " ARCS_EXAMPLE_ID "04 00 00 00 01 02 7f 01 01 "

/* 0x5000 is the function's first execution, 0x5001 its second call.  */
#define ARCS_EXAMPLE_VALUES                                                              \
    "01 " ARCS_EXAMPLE_ID "00 00 50 00 00 00 00 00 00 "                                  \
    "01 " ARCS_EXAMPLE_ID "02 01 50 00 00 00 00 00 00 "

/* 0x1000 is the function whose ident is 1, 0x1040 one whose ident is 9.  */
#define ARCS_EXAMPLE_CALLEES                                                             \
    "01 00 10 00 00 00 00 00 00 01 00 00 00 "                                            \
    "01 40 10 00 00 00 00 00 00 09 00 00 00 "

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of .ccprof.arcs, .ccprof.edge, .ccprof.values and .ccprof.callees of a
   function with three arcs, for the tests of arctables and for fuzzing. */

#ifndef TESTSUITE_ARCS_BYTES_H
#define TESTSUITE_ARCS_BYTES_H

#define ARCS_EXAMPLE_ID "88 77 66 55 44 33 22 11 "

/* Version, id, and a length of 79 bytes. */
#define ARCS_EXAMPLE_HEAD "02 " ARCS_EXAMPLE_ID "4f 00 00 00 "

/* Of GCC 12.2: ident 1, lineno 0x202, checksum 0x30003. */
#define ARCS_EXAMPLE_WORDS "2a 32 32 42 01 00 00 00 02 02 00 00 03 00 03 00 "

/* Five blocks: the entry leads to 2, which leads to 3, or by arc 1 to 4; 3 leads by arc 2
   back to 2, or to the exit if its call does not return; 4 leads to the exit. */
#define ARCS_EXAMPLE_GRAPH "05 01 09 00 02 0c 11 02 09 06 01 04 "

/* A list of values for the divisor of a remainder in block 3, and two calls through
   pointers. */
#define ARCS_EXAMPLE_NUMBERS "02 01 01 03 "

/* Two inlined bodies of g in a.c. The first is called in line 3 with discriminator 2, the
   second in line 1 of the first body. */
#define ARCS_EXAMPLE_INLINED "02 00 03 02 00 67 00 61 2e 63 00 01 01 00 01 "

/* Block 2 is in line 1, block 3 in line 5 of the second body and in line 4. The first
   call, in block 2, has no position. The second call, in block 3, is in line 6 of the
   second body. */
#define ARCS_EXAMPLE_POSITIONS                                                           \
    "00 00 01 00 01 00 02 02 05 00 00 04 01 00 02 00 03 03 06 00 "

/* /o/a; f and a.c. */
#define ARCS_EXAMPLE_NAMES "2f 6f 2f 61 00 66 00 61 2e 63 00 "

/* All sections after the graph. */
#define ARCS_EXAMPLE_REST                                                                \
    ARCS_EXAMPLE_NUMBERS ARCS_EXAMPLE_INLINED ARCS_EXAMPLE_POSITIONS ARCS_EXAMPLE_NAMES

/* With three arcs. */
#define ARCS_EXAMPLE                                                                     \
    ARCS_EXAMPLE_HEAD ARCS_EXAMPLE_WORDS "03 " ARCS_EXAMPLE_GRAPH ARCS_EXAMPLE_REST

/* Arc 0 is the sum of the counters at 0x4010 and 0x4018, arc 1 the first counter minus
   the second. */
#define ARCS_EXAMPLE_TERMS                                                               \
    "03 10 40 00 00 00 00 00 00 00 00 00 00 "                                            \
    "01 " ARCS_EXAMPLE_ID "04 00 00 00 01 02 7f 01 01 "

/* 0x5000 is the function's first execution, 0x5001 its second call, 0x5002 its list of
   values. */
#define ARCS_EXAMPLE_VALUES                                                              \
    "01 " ARCS_EXAMPLE_ID "00 00 50 00 00 00 00 00 00 "                                  \
    "01 " ARCS_EXAMPLE_ID "02 01 50 00 00 00 00 00 00 "                                  \
    "01 " ARCS_EXAMPLE_ID "03 02 50 00 00 00 00 00 00 "

/* The function with ident 1 is at 0x1000, a function with ident 9 at 0x1040. */
#define ARCS_EXAMPLE_CALLEES                                                             \
    "01 00 10 00 00 00 00 00 00 01 00 00 00 "                                            \
    "01 40 10 00 00 00 00 00 00 09 00 00 00 "

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables written by hand in the syntax of make_elf. */

#ifndef TESTSUITE_TABLE_BYTES_H
#define TESTSUITE_TABLE_BYTES_H

#include "testsuite/unit/make_elf.h"

/* /dir at 0, ex.c at 5, main at 12, sq at 17. */
__attribute__((unused)) static const char example_strings[] =
    "2f 64 69 72 00 65 78 2e 63 00 2d 00 6d 61 69 6e 00 73 71 00";

/* A checksum of the three bytes abc: the test vector of RFC 1321. */
#define EXAMPLE_HASH "90 01 50 98 3c d2 4f b0 d6 96 3f 7d 28 e1 7f 72 "

/* The example of doc/tables.md. */
__attribute__((unused)) static const char example_unit[] =
    "2c 00 00 00 02 02 00 00 00 00 01 05 00 00 00 " EXAMPLE_HASH
    "02 0c 00 00 00 00 01 07 05 11 00 00 00 00 01 03 0c";
__attribute__((unused)) static const char example_code[] =
    "00 01 00 00 00 00 00 10 00 00 00 00 00 00 "
    "0d 00 01 01 02 02 02 0c 03 "
    "00 24 05 32 04 13 01 0a 05 41";

/* The same with the fixed-size numbers in reverse byte order. */
__attribute__((unused)) static const char example_unit_big[] =
    "00 00 00 2c 02 02 00 00 00 00 01 00 00 00 05 " EXAMPLE_HASH
    "02 00 00 00 0c 00 01 07 05 00 00 00 11 00 01 03 0c";
__attribute__((unused)) static const char example_code_big[] =
    "00 01 00 00 00 00 00 00 00 00 00 00 10 00 "
    "0d 00 01 01 02 02 02 0c 03 "
    "00 24 05 32 04 13 01 0a 05 41";

/* The example of a flow graph in doc/tables.md. Its source is f below. */
#define FLOW_EXAMPLE_HEAD "01 00 00 00 00 01 00 00 00 88 77 66 55 44 33 22 11 "
#define FLOW_EXAMPLE                                                                     \
    FLOW_EXAMPLE_HEAD "45 00 00 00 "                                                     \
                      "03 66 2e 63 00 66 00 67 00 01 02 00 01 01 05 05 01 05 "           \
                      "00 00 00 01 02 05 00 00 00 00 "                                   \
                      "02 00 00 05 00 02 08 00 01 00 00 08 02 03 21 04 40 "              \
                      "01 00 00 0c 01 03 00 00 0c 00 02 01 02 04 05 "                    \
                      "01 00 01 0c 00 00 01 01 00 "
/* The same with the ranges of its statements. */
#define FLOW_EXAMPLE_RANGES                                                              \
    "02 00 00 00 00 01 00 00 00 99 77 66 55 44 33 22 11 49 00 00 00 "                    \
    "03 66 2e 63 00 66 00 67 00 01 02 00 01 01 05 05 01 05 "                             \
    "00 00 00 01 02 05 00 00 00 00 "                                                     \
    "02 00 00 05 00 00 02 08 02 00 01 00 00 08 02 03 21 04 40 "                          \
    "01 00 00 0c 02 01 03 00 00 0c 00 02 01 02 04 05 "                                   \
    "01 00 01 0c 00 00 00 01 01 00 "
#define FLOW_EXAMPLE_EDGES                                                               \
    "01 03 00 00 00 "                                                                    \
    "10 40 00 00 00 00 00 00 88 77 66 55 44 33 22 11 00 00 00 00 "                       \
    "18 40 00 00 00 00 00 00 88 77 66 55 44 33 22 11 01 00 00 00 "                       \
    "20 40 00 00 00 00 00 00 88 77 66 55 44 33 22 11 04 00 00 00 "

/* The example of remarks in doc/tables.md, after version, unit and address. */
#define REMARKS_EXAMPLE                                                                  \
    "01 01 01 02 01 0c 05 01 00 01 01 06 14 00 14 01 12 01 02 00 07 10 00 00 00 "        \
    "31 00 00 00"

#define FLOW_EXAMPLE_TERMS                                                               \
    "03 10 40 00 00 00 00 00 00 00 00 00 00 "                                            \
    "01 88 77 66 55 44 33 22 11 03 00 00 02 01 06 01 "

/* a.c at 0, b.h at 4, f at 8, g at 10, h at 12, _Z1gv at 14, "" at 19. */
__attribute__((unused)) static const char strings[] =
    "61 2e 63 00 62 2e 68 00 66 00 67 00 68 00 5f 5a 31 67 76 00";

/* Sources: f of a.c:10 with the symbol f; g of b.h:20:300 with the symbol _Z1gv,
   artificial and with an undefined flag; h, a part without file or symbol. The hash of
   b.h is unknown. */
#define UNKNOWN_HASH "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
#define UNIT_NAMES                                                                       \
    "00 00 00 00 02 00 00 00 00 " EXAMPLE_HASH "04 00 00 00 " UNKNOWN_HASH               \
    "03 08 00 00 00 00 01 0a 00 0a 00 00 00 83 08 0e 00 00 00 02 14 ac 02 "              \
    "0c 00 00 00 09 13 00 00 00 00 00 00"
__attribute__((unused)) static const char unit[] = "52 00 00 00 02 02 " UNIT_NAMES;
__attribute__((unused)) static const char line_unit[] = "52 00 00 00 02 01 " UNIT_NAMES;
__attribute__((unused)) static const char plain_unit[] = "52 00 00 00 02 00 " UNIT_NAMES;

#define HEAD "00 01 00 00 00 00 00 20 00 00 00 00 00 00 "

__attribute__((unused)) static const char code[] = HEAD
    /* 64 bytes at 0x2010: f, with four copies */
    "41 10 01 04 "
    "03 02 02 05 03 " /* 1: g in f, called at b.h:15:3 */
    "02 00 05 04 "    /* 2: excluded, in g at b.h:25:4 */
    "02 03 1e 05 "    /* 3: h, in the excluded one */
    "09 02 00 "       /* 4: g in f, called from nowhere known */
    "09 "
    "00 12 07 "                      /* +0: f, line 10+0, column 7 */
    "04 3d 01 e4 00 14 ff 03 05 "    /* +4: g, line 20+100, columns 2-20-40 */
    "00 3f 02 01 28 09 02 01 01 0a " /* +4: replaced by h, a.c:40:9, 38:1 to 41:10 */
    "08 40 "                         /* +12: the same again */
    "04 42 "                         /* +16: the first point again */
    "04 33 02 01 "                   /* +20: the excluded copy, line 0+4, column 1 */
    "04 01 02 "                      /* +24: copy 4, unknown */
    "04 02 00 "                      /* +28: the same copy, line 20-2, no column */
    "04 0f 7c 00 05 00 00 00 00 "    /* +32: f, line 10-1, column 5, no range */
    "01 00 01 00 00 "                /* no bytes at 0x2050 */
    "02 00 00 00 00 "                /* one byte at 0x2050, excluded */
    "00 01 00 00 00 00 00 10 00 00 00 00 00 00 "
    "09 00 03 00 00"; /* 8 bytes at 0x1000: h, no entries */

static inline struct make_elf with_tables(const char *names, const char *units,
                                          const char *streams)
{
    return (struct make_elf){.sections = {{".ccprof.str", names},
                                          {".ccprof.unit", units},
                                          {".ccprof.code", streams}}};
}

/* The example of machine code in doc/tables.md: the table, and the code at
   MAKE_ELF_CODE. */
#define MACHINE_EXAMPLE_STARTS   "10 40 00 00 00 00 00 00 00 10 40 00 00 00 00 00 "
#define MACHINE_EXAMPLE_EDGES    "03 04 00 01 01 01 02 02 01 02 00 02 00 00 "
#define MACHINE_EXAMPLE_SEGMENTS "05 00 0a 01 00 04 00 00 0a 05 00 02 04 06 01 0e 01"
#define MACHINE_EXAMPLE                                                                  \
    "01 01 " MACHINE_EXAMPLE_STARTS MACHINE_EXAMPLE_EDGES MACHINE_EXAMPLE_SEGMENTS
#define MACHINE_EXAMPLE_CODE                                                             \
    "64 48 83 04 25 f0 ff ff ff 01 85 ff 74 12 "                                         \
    "64 48 83 04 25 f8 ff ff ff 01 ff c8 66 0f 1f 44 00 00 c3 "

#endif

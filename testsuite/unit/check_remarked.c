/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* The verdicts about loops as mlprof reads them: bytes written by hand, their meaning,
   and the words for GCC's messages. (Damaged tables: check_tables_damage.c.) */

#define _GNU_SOURCE
#include "mlprof/program/remarked.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"
#include "testsuite/unit/tests.h"

#define REMARKS_HEAD "01 00 00 00 00 00 10 00 00 00 00 00 00 "

/* /dir at 0, ex.c at 5, f at 0xa, g at 0xc; the texts of the example at 0x10 and 0x31. */
#define STRINGS                                                                          \
    "2f 64 69 72 00 65 78 2e 63 00 66 00 67 00 2d 00 "                                   \
    "77 6f 75 6c 64 20 6e 65 65 64 20 61 20 72 75 6e 74 69 6d 65 20 "                    \
    "61 6c 69 61 73 20 63 68 65 63 6b 00 64 73 74 2c 20 73 72 63 00"
#define NO_HASH "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "

/* f of ex.c:1, g of ex.c:5. */
#define UNIT                                                                             \
    "2c 00 00 00 02 02 00 00 00 00 01 05 00 00 00 " NO_HASH                              \
    "02 0a 00 00 00 00 01 01 01 0c 00 00 00 00 01 05 01"

/* f at 0x1000, 12 bytes, with g inlined at 12:5, whose code begins at 6:20. */
#define CODE                                                                             \
    "00 01 00 00 00 00 00 10 00 00 00 00 00 00 "                                         \
    "0d 00 01 01 02 02 0b 05 01 00 1b 01 14"

static struct tables *open_example(const char *remarks)
{
    struct make_elf file = {.sections = {{".ccprof.str", STRINGS},
                                         {".ccprof.unit", UNIT},
                                         {".ccprof.code", CODE},
                                         {".ccprof.remarks", remarks}}};
    return open_elf(&file);
}

TEST(reader)
{
    struct tables *tables = open_example(REMARKS_HEAD REMARKS_EXAMPLE),
                  *modules[] = {tables};
    struct program program = {.tables = modules, .count = 1};
    const struct remarktable *table = tables_remarks(tables);
    ck_assert_uint_eq(table->functions.count, 1);
    ck_assert_uint_eq(table->functions.list[0].address, 0x1000);
    const struct remarktable_loop *loop = &table->loops.list[0];
    ck_assert_uint_eq(loop->first_line, 6);
    ck_assert_uint_eq(loop->first_column, 20);
    ck_assert_uint_eq(loop->last_line, 7);
    ck_assert_uint_eq(loop->last_column, 18);
    ck_assert(remarked_any(&program));
    struct remarked *remarks = remarked_new(&program);
    ck_assert_ptr_null(remarked_of(remarks, 0, 1));
    const struct remarked_function *function = remarked_of(remarks, 0, 0);
    ck_assert_ptr_nonnull(function);
    ck_assert_uint_eq(function->count, 1);
    ck_assert_uint_eq(remarked_at(function, 1, "/dir/ex.c", 7, 18), 0);
    ck_assert_uint_eq(remarked_at(function, 1, "/dir/ex.c", 7, 0), 0);
    ck_assert_uint_eq(remarked_at(function, 1, "/dir/ex.c", 7, 19), REMARKED_NONE);
    ck_assert_uint_eq(remarked_at(function, 1, "/dir/ex.c", 6, 19), REMARKED_NONE);
    ck_assert_uint_eq(remarked_at(function, 0, "/dir/ex.c", 7, 18), REMARKED_NONE);
    ck_assert_uint_eq(remarked_at(function, 1, "/dir/other.c", 7, 18), REMARKED_NONE);
    char *text = remarked_verdict(function, &function->loops[0]);
    ck_assert_str_eq(text, "not vectorised: possible aliasing of dst, src");
    free(text);
    text = remarked_messages(function, &function->loops[0]);
    ck_assert_str_eq(text, "would need a runtime alias check (line 7)");
    free(text);
    remarked_free(remarks);
    tables_close(tables);
}

/* Copies with another call, source or parent have no code; the function itself has code.
   A code range that does not begin at a function's start belongs to no function. */
static const struct {
    const char *remarks;
    bool found;
    size_t loops;
} joins[] = {
    {REMARKS_HEAD "01 01 01 02 01 0c 06 01 00 01 01 06 14 00 14 01 12 00", true, 0},
    {REMARKS_HEAD "01 01 01 01 01 0c 05 01 00 01 01 06 14 00 14 01 12 00", true, 0},
    {REMARKS_HEAD "01 02 01 02 01 0c 06 01 02 01 0c 05 01 00 02 01 06 14 00 14 01 12 00",
     true, 0},
    {REMARKS_HEAD "01 02 01 02 01 0c 06 02 02 01 0c 05 01 00 02 01 06 14 00 14 01 12 00",
     true, 1},
    {REMARKS_HEAD "01 00 01 00 00 01 06 14 00 14 01 12 00", true, 1},
    {"01 00 00 00 00 01 10 00 00 00 00 00 00 01 00 00", false, 0},
    {"01 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00", false, 0},
};

TEST_ROWS(joined, joins)
{
    struct tables *tables = open_example(joins[_i].remarks), *modules[] = {tables};
    struct program program = {.tables = modules, .count = 1};
    struct remarked *remarks = remarked_new(&program);
    const struct remarked_function *function = remarked_of(remarks, 0, 0);
    ck_assert_int_eq(function != NULL, joins[_i].found);
    if (function)
        ck_assert_uint_eq(function->count, joins[_i].loops);
    remarked_free(remarks);
    tables_close(tables);
}

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* The words for GCC's messages. OUTER: the loop contains another loop. */
#define VECTORIZED(n)   CCPROF_REMARK_VECTORIZED, n, 0, "loop vectorized", ""
#define MISSED(text)    CCPROF_REMARK_MISSED, 0, 0, text, ""
#define MISSED_OF(text) CCPROF_REMARK_MISSED, 0, 0, text, "a, b"
#define UNROLLED(n)     CCPROF_REMARK_UNROLLED, n, 0, "", ""
#define OTHER(text)     CCPROF_REMARK_OTHER, 0, 0, text, ""
static const struct {
    struct remarktable_remark remarks[4];
    const char *words;
    bool outer;
} words[] = {
    {{{0}}, NULL},
    {{{99, 0, 0, "from a later version", ""}}, NULL},
    {{{VECTORIZED(16)}}, "vectorised by 16 bytes"},
    {{{VECTORIZED(0)}}, "vectorised"},
    {{{VECTORIZED(32)}, {VECTORIZED(16)}, {UNROLLED(4)}},
     "vectorised by 32 bytes, the rest by 16, unrolled by 4"},
    {{{VECTORIZED(16)},
      {CCPROF_REMARK_VERSIONED, 0, 0,
       "loop versioned for vectorization because of possible aliasing", ""}},
     "vectorised by 16 bytes with a run-time alias check"},
    /* GCC also reports that the rest of a vectorised loop is unrolled and that a copy of
       it is not vectorised. */
    {{{VECTORIZED(16)}, {CCPROF_REMARK_PEELED, 3, 0, "", ""}, {MISSED("no")}},
     "vectorised by 16 bytes"},
    {{{CCPROF_REMARK_PEELED, 4, 0, "", ""}}, "completely unrolled"},
    {{{OTHER("Loop 1 distributed: split to 0 loops and 1 library calls.")}},
     "replaced by a library call"},
    {{{OTHER("Unswitching loop on condition: if (x)")}, {VECTORIZED(16)}},
     "vectorised by 16 bytes, unswitched"},
    {{{CCPROF_REMARK_UNSEEN, CCPROF_UNSEEN_OFF, 0, "-O1", ""}}, "vectoriser off (-O1)"},
    {{{CCPROF_REMARK_UNSEEN, CCPROF_UNSEEN_COLD, 0, "", ""}},
     "not vectorised: GCC considers it cold"},
    {{{MISSED("statement clobbers memory: _5 = g (_4);")}},
     "not vectorised: a call of g"},
    {{{MISSED("statement clobbers memory: g (&a, 3);")}}, "not vectorised: a call of g"},
    {{{MISSED("statement clobbers memory: _5 = *f_3 (_4);")}},
     "not vectorised: a call of f_3"},
    {{{MISSED("statement clobbers memory: __asm__ __volatile__(\"\");")}},
     "not vectorised: an asm statement"},
    {{{MISSED("statement clobbers memory: x")}}, "not vectorised: a call"},
    {{{MISSED_OF("not vectorized, possible dependence between data-refs *_4 and *_7")}},
     "not vectorised: possible dependence between iterations of a, b"},
    {{{CCPROF_REMARK_MISSED, CCPROF_MISSED_ORDER, 0, "not vectorized: x", "s"}},
     "not vectorised: reduction of s without -ffast-math"},
    {{{MISSED("not vectorized: control flow in loop.")}},
     "outer loop, not vectorised: branches in the loop",
     true},
    /* Unknown messages are shown, long ones are shortened, and control characters never
       reach the terminal. */
    {{{MISSED("not vectorized: what no version says.")}},
     "not vectorised: what no version says"},
    {{{MISSED("\033[31mred")}}, "not vectorised: \\x1b[31mred"},
    {{{MISSED("")}}, "not vectorised: GCC gives no reason"},
};

TEST_ROWS(verdict, words)
{
    struct remarktable_remark list[4];
    struct remarktable_loop loop = {0};
    memcpy(list, words[_i].remarks, sizeof list);
    for (; loop.remarks < LENGTH(list) && list[loop.remarks].what; loop.remarks++)
        if (!list[loop.remarks].text)
            list[loop.remarks].text = list[loop.remarks].about = "";
    /* Without remarks the table has no list. */
    const struct remarktable table = {.remarks.list = loop.remarks ? list : NULL};
    const struct remarked_function function = {.table = &table};
    const struct remarked_loop of = {.table = &loop, .inner = !words[_i].outer};
    char *text = remarked_verdict(&function, &of);
    if (words[_i].words)
        ck_assert_str_eq(text, words[_i].words);
    else
        ck_assert_ptr_null(text);
    free(text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Tables as MLton lays them out.  */

#define _GNU_SOURCE
#include "mlprof/base/layout.h"
#include "testsuite/unit/tests.h"

static void assert_layout(const char *const *heads, size_t columns,
                          const char *const *cells, size_t rows, const char *expected)
{
    FILE *out = print_begin();
    layout_print(out, heads, columns, (char *const *)cells, rows);
    print_end(out, expected);
}

/* MLton's own lay-out, with three columns of numbers: two tables from the description
   of its tool.  */
TEST(layout_with_stacks)
{
    static const char *const heads[] = {"function", "cur", "raw", "stack",
                                        "raw",      "GC",  "raw"};
    static const char *const cells[] = {
        "Mat.mul", "83.3%", "(3.75s)", "83.3%", "(3.75s)", "8.9%",  "(0.40s)",
        "<gc>",    "11.1%", "(0.50s)", "0.0%",  "(0.00s)", "11.1%", "(0.50s)",
        "<main>",  "5.6%",  "(0.25s)", "88.9%", "(4.00s)", "11.1%", "(0.50s)"};
    assert_layout(heads, 7, cells, 3,
                  "function  cur    raw   stack   raw    GC     raw  \n"
                  "-------- ----- ------- ----- ------- ----- -------\n"
                  "Mat.mul  83.3% (3.75s) 83.3% (3.75s)  8.9% (0.40s)\n"
                  "<gc>     11.1% (0.50s)  0.0% (0.00s) 11.1% (0.50s)\n"
                  "<main>    5.6% (0.25s) 88.9% (4.00s) 11.1% (0.50s)\n");
}

TEST(layout_with_lines)
{
    static const char *const heads[] = {"function", "cur", "raw"};
    static const char *const cells[] = {
        "Mat.mul.inner  mat.sml: 20", "100.0%", "(1,200,000)",
        "Mat.mul  mat.sml: 12",       "0.0%",   "(40)",
        "Mat.never  mat.sml: 40",     "0.0%",   "(0)"};
    assert_layout(heads, 3, cells, 3,
                  "         function           cur       raw    \n"
                  "-------------------------- ------ -----------\n"
                  "Mat.mul.inner  mat.sml: 20 100.0% (1,200,000)\n"
                  "Mat.mul  mat.sml: 12         0.0%        (40)\n"
                  "Mat.never  mat.sml: 40       0.0%         (0)\n");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/remarks.c plugin/tables/encode.c plugin/tables/unit.c
   plugin/tables/memory.c testsuite/unit/encoded.c */
/* The plugin's table of loops: its bytes, and the search for the loop at a position.
   (GCC's remarks about real loops: plugin/plugin-remarks.test.) */

#include "plugin/tables/remarks.h"
#include "plugin/tables/memory.h"
#include "testsuite/unit/encoded.h"
#include "testsuite/unit/table_bytes.h"
#include "testsuite/unit/tests.h"

TEST(writer)
{
    struct unit names = {0};
    struct remarks remarks = {0};
    struct encoded bytes = {.unit = &names};
    const struct encode_sink sink = encoded_sink(&bytes);
    unsigned number;
    unit_string(&names, "/dir/file/ex.c.");
    unsigned text = unit_string(&names, "would need a runtime alias check");
    unsigned about = unit_string(&names, "dst, src");
    remarks.part.source = 1;
    unsigned copy = part_copy(&remarks.part, 0, 2, 1, 12, 5);
    const struct remarks_loop loop = {
        .copy = copy, .file = 1, .head = {6, 20}, .first = {6, 20}, .last = {7, 18}};
    ck_assert(remarks_put_loop(&remarks, &loop, &number));
    ck_assert_uint_eq(number, 1);
    /* The same loop and the same remark again. */
    ck_assert(!remarks_put_loop(&remarks, &loop, &number));
    ck_assert_uint_eq(number, 1);
    for (int i = 0; i < 2; i++)
        remarks_add(&remarks,
                    &(struct remarks_remark){1, CCPROF_REMARK_MISSED, 0, 7, text, about});
    remarks_encode(&remarks, &sink);
    ck_assert_str_eq(bytes.text, REMARKS_EXAMPLE);
    encoded_free(&bytes);
    remarks_free(&remarks);
    unit_free(&names);
}

/* The innermost loop at a position. Loops are numbered from 1. */
static const struct {
    unsigned copy, file, line, column, loop;
} around[] = {
    {0, 1, 5, 1, 1}, {0, 1, 6, 3, 2}, {0, 1, 6, 2, 1}, {0, 1, 7, 9, 2}, {0, 1, 7, 10, 1},
    {0, 1, 9, 2, 0}, {0, 1, 4, 9, 0}, {0, 2, 6, 3, 0}, {1, 1, 6, 3, 0}, {0, 1, 20, 5, 4},
};

TEST_ROWS(around_position, around)
{
    struct remarks remarks = {0};
    unsigned number;
    const struct remarks_loop loops[] = {
        {0, 0, 1, {5, 1}, {5, 1}, {9, 1}},
        {1, 0, 1, {6, 3}, {6, 3}, {7, 9}},
        /* Two loops in one macro: the later loop is the inner one. */
        {0, 0, 1, {20, 4}, {20, 4}, {20, 5}},
        {3, 0, 1, {20, 5}, {20, 4}, {20, 5}},
    };
    for (size_t i = 0; i < LENGTH(loops); i++)
        ck_assert(remarks_put_loop(&remarks, &loops[i], &number));
    ck_assert_uint_eq(remarks_find_around(&remarks, around[_i].copy, around[_i].file,
                                          around[_i].line, around[_i].column),
                      around[_i].loop);
    remarks_free(&remarks);
}

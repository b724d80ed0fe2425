/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* The catalog: functions and inlined calls in the tables of table_bytes.h. */

#include "mlprof/report/report.h"
#include "mlprof/base/sourcefile.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/table_bytes.h"

/* g is inlined in f twice. h is inlined in g through an excluded copy. h also exists as a
   function of its own. */
TEST(functions_and_inlined_calls)
{
    static const struct {
        const char *name, *file;
        uint32_t line;
    } expected[] = {{"f", "a.c", 10}, {"g", "b.h", 20}, {"h", NULL, 0}};
    struct make_elf file = with_tables(strings, unit, code);
    static const struct patterns no_patterns;
    static const struct flowtables no_flows;
    struct rows rows;
    struct tables *tables = open_elf(&file);

    catalog_fill(&rows, tables, &no_patterns, &(struct names_style){.long_name = true},
                 &no_flows);
    ck_assert_uint_eq(rows.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct rows_row *row = &rows.rows[i];
        ck_assert_str_eq(row->source.name, expected[i].name);
        ck_assert_pstr_eq(sourcefile_name(row->source.file), expected[i].file);
        ck_assert_uint_eq(row->source.line, expected[i].line);
        ck_assert(rows_self(row) == 0 && rows_total(row) == 0);
    }
    ck_assert_uint_eq(rows.total, 0);
    size_t count;
    const struct rows_edge *edges = rows_edges(&rows, &count);
    ck_assert_uint_eq(count, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(edges[i].callee, edges[i].caller + 1);
        ck_assert_uint_eq(edges[i].weight, 0);
    }
    ck_assert_uint_ne(edges[0].caller, edges[1].caller);
    rows_free(&rows);
    tables_close(tables);
}

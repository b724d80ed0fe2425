/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* mlprof's reader of flow graphs and of their counters: bytes written by hand from
   doc/tables.md, and their meaning. Real programs: count/gcov-lines, flow-aliases. */

#define _GNU_SOURCE
#include "mlprof/tables/flowtables.h"
#include "mlprof/base/sourcefile.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/page_bytes.h"
#include "testsuite/unit/table_bytes.h"

static void print_position(FILE *out, const struct flowgraph_position *position)
{
    fprintf(out, " %s:%u:%u", sourcefile_name(position->file), position->line,
            position->column);
}

/* Prints the range, too, if it is longer than the position. */
static void print_statement(FILE *out, const struct flowgraph *graph, uint32_t number)
{
    const struct flowgraph_position *position = &graph->positions.list[number];
    const struct flowgraph_range *range = &graph->ranges[number];
    print_position(out, position);
    if (range->start_line != position->line || range->start_column != position->column ||
        range->end_line != position->line || range->end_column != position->column)
        fprintf(out, "[%u:%u-%u:%u]", range->start_line, range->start_column,
                range->end_line, range->end_column);
}

static void print_edge(FILE *out, const struct flowgraph *graph, uint32_t number)
{
    const struct flowgraph_edge *edge = &graph->edges.list[number];
    fprintf(out, " %u>%u/%x", edge->from, edge->to, edge->flags);
    for (uint32_t i = 0; i < edge->cases.count; i++) {
        const struct flowgraph_case *one = &graph->cases.list[edge->cases.first + i];
        if (one->is_default)
            fprintf(out, ",default");
        else
            fprintf(out, ",%lld..%lld", (long long)one->first, (long long)one->last);
    }
}

/* Prints a line for the function and one for each block: statements, calls with (), the
   branch at the end of the block with ?, edges FROM>TO/FLAGS. */
static void print_flow(FILE *out, const struct flowtables_flow *flow)
{
    const struct flowgraph *graph = &flow->graph;
    fprintf(out, "%s %llx '%s' %s %x", unit_source(flow->unit, flow->source)->name,
            (unsigned long long)flow->id, graph->input, graph->symbol, graph->flags);
    print_position(out, &graph->start);
    fprintf(out, "-%u", graph->end_line);
    for (size_t i = 0; i < graph->blocks.count; i++) {
        const struct flowgraph_block *block = &graph->blocks.list[i];
        fprintf(out, "\n%zu:", i);
        for (uint32_t n = 0; n < block->positions.count; n++)
            print_statement(out, graph, block->positions.first + n);
        for (uint32_t n = 0; n < block->calls.count; n++) {
            const struct flowgraph_call *call =
                &graph->calls.list[block->calls.first + n];
            fprintf(out, " %s()", call->callee ? call->callee : "?");
            print_position(out, &call->position);
        }
        if (block->branch != CCPROF_BRANCH_NONE) {
            fprintf(out, " ?%d", block->branch);
            print_position(out, &block->branch_position);
        }
        for (uint32_t n = 0; n < block->edges.count; n++)
            print_edge(out, graph, block->edges.first + n);
    }
    fprintf(out, "\n");
}

#define MEANING_HEAD "f 1122334455667788 "
#define MEANING                                                                          \
    MEANING_HEAD "'f.c' f 0 f.c:1:5-5\n"                                                 \
                 "0: 0>2/5\n"                                                            \
                 "1:\n"                                                                  \
                 "2: f.c:1:5 f.c:3:8 ?1 f.c:3:8 2>3/21 2>4/40\n"                         \
                 "3: f.c:3:12 g() f.c:3:12 3>1/2 3>4/5\n"                                \
                 "4: f.c:4:12 4>1/0\n"
#define MEANING_RANGES                                                                   \
    "f 1122334455667799 'f.c' f 0 f.c:1:5-5\n"                                           \
    "0: 0>2/5\n"                                                                         \
    "1:\n"                                                                               \
    "2: f.c:1:5 f.c:3:8[3:8-3:10] ?1 f.c:3:8 2>3/21 2>4/40\n"                            \
    "3: f.c:3:12[3:12-3:14] g() f.c:3:12 3>1/2 3>4/5\n"                                  \
    "4: f.c:4:12 4>1/0\n"
#define MEANING_COUNTERS "4010 +0.0\n4018 +0.1\n4020 +0.4\n"

static const char page_flow[] = FLOW_EXAMPLE;
static const char page_edges[] = FLOW_EXAMPLE_TERMS;

/* The example of ranges with mispredictions: the flag, the counters of edge 4, and the
   counters of the branches that end blocks 2 (6 + 2), 3 (none) and 5 (the block does not
   exist). */
#define PREDICTED                                                                        \
    "03 00 00 00 00 01 00 00 00 99 77 66 55 44 33 22 11 49 00 00 00 "                    \
    "03 66 2e 63 00 66 00 67 00 01 02 40 01 01 05 05 01 05 "                             \
    "00 00 00 01 02 05 00 00 00 00 "                                                     \
    "02 00 00 05 00 00 02 08 02 00 01 00 00 08 02 03 21 04 40 "                          \
    "01 00 00 0c 02 01 03 00 00 0c 00 02 01 02 04 05 "                                   \
    "01 00 01 0c 00 00 00 01 01 00 "
#define PREDICTED_TERMS(number)                                                          \
    "03 10 40 00 00 00 00 00 00 00 00 00 00 01 99 77 66 55 44 33 22 11 02 " number

static const struct {
    const char *flows, *edges, *meaning;
} rows[] = {
    {page_flow, page_edges, MEANING MEANING_COUNTERS},
    {page_flow, FLOW_EXAMPLE_EDGES, MEANING MEANING_COUNTERS},
    /* The file lacks the first flow graph, and its counters have another order. The
       distances show both. */
    {page_flow,
     "03 18 40 00 00 00 00 00 00 03 00 00 00 00 00 00 00 f8 ff ff ff 08 00 00 00 "
     "02 01 00 00 00 00 00 00 00 02 00 00 0f 02 "
     "88 77 66 55 44 33 22 11 03 00 7f 02 7f 06 02 ",
     MEANING MEANING_COUNTERS},
    /* The example without ranges, with them, and again: two flow graphs. */
    {FLOW_EXAMPLE FLOW_EXAMPLE_RANGES FLOW_EXAMPLE_RANGES, "", MEANING MEANING_RANGES},
    {PREDICTED, PREDICTED_TERMS("08 00 08 01"),
     "f 1122334455667799 'f.c' f 40 f.c:1:5-5\n"
     "0: 0>2/5\n"
     "1:\n"
     "2: f.c:1:5 f.c:3:8[3:8-3:10] ?1 f.c:3:8 2>3/21 2>4/40\n"
     "3: f.c:3:12[3:12-3:14] g() f.c:3:12 3>1/2 3>4/5\n"
     "4: f.c:4:12 4>1/0\n"
     "4010 +0.4\n"
     "4018 missed 0.2\n"},
    /* A switch of unsigned values, and a position in another file. */
    {FLOW_EXAMPLE_HEAD "36 00 00 00 02 61 00 62 00 00 00 07 01 0a 00 0a 00 03 "
                       "00 00 00 00 00 00 00 00 "
                       "02 02 14 09 01 00 00 00 03 00 7f 00 "
                       "03 01 80 01 03 00 01 7f 02 05 0a 02 84 01 00 01 82 01 01 00",
     "",
     MEANING_HEAD "''  7 a:10:0-10\n0:\n1:\n"
                  "2: b:30:9 a:30:0 ?3 a:29:0 "
                  "2>1/80,default,-1..-1,5..10 2>2/84 2>1/82,default\n"},
    /* Short and long halves, several lines, no column, and an indirect call. */
    {"02 00 00 00 00 01 00 00 00 88 77 66 55 44 33 22 11 "
     "32 00 00 00 01 61 00 00 00 00 01 0a 00 0a 00 03 00 00 00 00 00 00 00 00 "
     "04 00 00 14 25 00 00 14 ee 00 02 00 01 05 ff 01 03 02 07 00 00 00 00 "
     "01 00 00 00 02 00 00",
     "",
     MEANING_HEAD "''  0 a:10:0-10\n0:\n1:\n"
                  "2: a:10:20[10:18-10:25] a:10:20[10:6-10:36] a:11:5[10:3-13:7] a:11:0 "
                  "?() a:11:2\n"},
};

TEST_ROWS(meaning, rows)
{
    struct make_elf file = {.sections = {{".ccprof.str", strings},
                                         {".ccprof.unit", unit},
                                         {".ccprof.flow", rows[_i].flows},
                                         {".ccprof.edge", rows[_i].edges}}};
    struct tables *tables = open_elf(&file);
    struct flowtables flows;
    struct fault fault = {0};
    if (!flowtables_read(&flows, tables, &fault))
        ck_abort_msg("%s", fault.text);
    FILE *out = print_begin();
    for (size_t i = 0; i < flows.flows.count; i++)
        print_flow(out, &flows.flows.list[i]);
    for (size_t i = 0; i < flows.counters.count; i++) {
        const struct edgeterms_counter *counter = &flows.counters.list[i];
        fprintf(out, "%llx %c%u.%u\n", (unsigned long long)counter->address,
                counter->negative ? '-' : '+', counter->flow, counter->edge);
    }
    for (size_t i = 0; i < flows.missed.count; i++)
        fprintf(out, "%llx missed %u.%u\n",
                (unsigned long long)flows.missed.list[i].address,
                flows.missed.list[i].flow, flows.missed.list[i].edge);
    print_end(out, rows[_i].meaning);
    flowtables_free(&flows);
    tables_close(tables);
}

/* The number of a block without a branch, and of a block that does not exist. Both are
   refused. */
static const struct {
    const char *flows, *edges, *fault;
} refused_rows[] = {
    {PREDICTED, PREDICTED_TERMS("08 00 0a 01"), "no edge and no branch has this number"},
    {PREDICTED, PREDICTED_TERMS("08 00 0e 01"), "no edge and no branch has this number"},
    {FLOW_EXAMPLE_RANGES, PREDICTED_TERMS("08 00 08 01"), "no edge has this number"},
};

TEST_ROWS(refused, refused_rows)
{
    struct make_elf file = {.sections = {{".ccprof.str", strings},
                                         {".ccprof.unit", unit},
                                         {".ccprof.flow", refused_rows[_i].flows},
                                         {".ccprof.edge", refused_rows[_i].edges}}};
    struct tables *tables = open_elf(&file);
    struct flowtables flows;
    struct fault fault = {0};
    ck_assert(!flowtables_read(&flows, tables, &fault));
    ck_assert_msg(strstr(fault.text, refused_rows[_i].fault) != NULL, "%s", fault.text);
    free(fault.text);
    flowtables_free(&flows);
    tables_close(tables);
}

TEST(the_page_has_the_same_bytes)
{
    assert_page("## Example of a flow graph\n", 0, page_flow, page_edges);
    assert_page("## Example of ranges\n", 0, FLOW_EXAMPLE_RANGES, "");
}

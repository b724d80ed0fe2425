/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Flow graphs written byte by byte, and a profile's counts for them.  */

#define _GNU_SOURCE
#include "mlprof/flow/flowcounts.h"
#include "runner.h"
#include "testsuite/unit/open_elf.h"
#include "testsuite/unit/page_bytes.h"
#include "testsuite/unit/table_bytes.h"

#include <check.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct make_elf file_of(const char *flows, const char *edges)
{
    return (struct make_elf){.sections = {{".ccprof.str", strings},
                                          {".ccprof.unit", unit},
                                          {".ccprof.flow", flows},
                                          {".ccprof.edge", edges}}};
}

static void assert_position(const struct flowgraph_position *position, const char *file,
                            uint32_t line, uint32_t column)
{
    ck_assert_str_eq(position->file, file);
    ck_assert_uint_eq(position->line, line);
    ck_assert_uint_eq(position->column, column);
}

static void assert_range(const struct flowgraph *graph, uint32_t number,
                         struct flowgraph_range range)
{
    ck_assert_uint_eq(graph->ranges[number].start_line, range.start_line);
    ck_assert_uint_eq(graph->ranges[number].start_column, range.start_column);
    ck_assert_uint_eq(graph->ranges[number].end_line, range.end_line);
    ck_assert_uint_eq(graph->ranges[number].end_column, range.end_column);
}

static void assert_edge(const struct flowgraph *graph, uint32_t number, uint32_t from,
                        uint32_t to, unsigned flags)
{
    ck_assert_uint_eq(graph->edges[number].from, from);
    ck_assert_uint_eq(graph->edges[number].to, to);
    ck_assert_uint_eq(graph->edges[number].flags, flags);
}

static void assert_block(const struct flowgraph *graph, uint32_t number,
                         uint32_t positions, uint32_t calls, uint32_t edges)
{
    ck_assert_uint_eq(graph->blocks[number].positions.count, positions);
    ck_assert_uint_eq(graph->blocks[number].calls.count, calls);
    ck_assert_uint_eq(graph->blocks[number].edges.count, edges);
}

static void assert_example(const struct flowtables *flows)
{
    ck_assert_uint_eq(flows->flow_count, 1);
    const struct flowtables_flow *flow = &flows->flows[0];
    const struct flowgraph *graph = &flow->graph;
    ck_assert_str_eq(unit_source(flow->unit, flow->source)->name, "f");
    ck_assert(flow->id == 0x1122334455667788);
    ck_assert_str_eq(graph->input, "f.c");
    ck_assert_str_eq(graph->symbol, "f");
    ck_assert_uint_eq(graph->flags, 0);
    assert_position(&graph->start, "f.c", 1, 5);
    ck_assert_uint_eq(graph->end_line, 5);
    ck_assert_uint_eq(graph->end_column, 1);
    ck_assert_uint_eq(graph->block_count, 5);
    assert_block(graph, 0, 0, 0, 1);
    assert_block(graph, 1, 0, 0, 0);
    assert_block(graph, 2, 2, 0, 2);
    assert_block(graph, 3, 1, 1, 2);
    assert_block(graph, 4, 1, 0, 1);
    assert_position(&graph->positions[0], "f.c", 1, 5);
    assert_position(&graph->positions[1], "f.c", 3, 8);
    assert_position(&graph->positions[2], "f.c", 3, 12);
    assert_position(&graph->positions[3], "f.c", 4, 12);
    ck_assert_uint_eq(graph->blocks[4].positions.first, 3);
    ck_assert_int_eq(graph->blocks[2].branch, CCPROF_BRANCH_CONDITION);
    assert_position(&graph->blocks[2].branch_position, "f.c", 3, 8);
    ck_assert_int_eq(graph->blocks[3].branch, CCPROF_BRANCH_NONE);
    ck_assert_uint_eq(graph->call_count, 1);
    ck_assert_str_eq(graph->calls[0].callee, "g");
    assert_position(&graph->calls[0].position, "f.c", 3, 12);
    ck_assert_uint_eq(graph->edge_count, 6);
    assert_edge(graph, 0, 0, 2, CCPROF_EDGE_COUNTER | CCPROF_EDGE_FALLTHROUGH);
    assert_edge(graph, 1, 2, 3, CCPROF_EDGE_COUNTER | CCPROF_EDGE_TRUE);
    assert_edge(graph, 2, 2, 4, CCPROF_EDGE_FALSE);
    assert_edge(graph, 3, 3, 1, CCPROF_EDGE_FAKE);
    assert_edge(graph, 4, 3, 4, CCPROF_EDGE_COUNTER | CCPROF_EDGE_FALLTHROUGH);
    assert_edge(graph, 5, 4, 1, 0);
    ck_assert_uint_eq(flows->counter_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(flows->counters[i].address, 0x4010 + 8 * i);
        ck_assert_uint_eq(flows->counters[i].flow, 0);
    }
    ck_assert_uint_eq(flows->counters[2].edge, 4);
}

static const char page_flow[] = FLOW_EXAMPLE;
static const char page_edges[] = FLOW_EXAMPLE_TERMS;
static const char older_edges[] = FLOW_EXAMPLE_EDGES;

static void assert_example_file(const struct make_elf *file)
{
    struct tables *tables = open_elf(file);
    struct flowtables flows;
    struct fault fault = {0};
    ck_assert(flowtables_read(&flows, tables, &fault));
    assert_example(&flows);
    flowtables_free(&flows);
    tables_close(tables);
}

/* The tables of FILE, whose FLOWS are right.  */
static struct tables *read_flows(struct make_elf *file, struct flowtables *flows)
{
    struct tables *tables = open_elf(file);
    struct fault fault = {0};
    if (!flowtables_read(flows, tables, &fault))
        ck_abort_msg("%s", fault.text);
    return tables;
}

START_TEST(the_example)
{
    struct make_elf file = file_of(page_flow, page_edges);
    assert_example_file(&file);
    file.compress = true;
    assert_example_file(&file);
    file = file_of(page_flow, older_edges);
    assert_example_file(&file);
    /* With the fixed numbers turned round.  */
    file = (struct make_elf){
        .order = ELFDATA2MSB,
        .sections = {{".ccprof.str", strings},
                     {".ccprof.unit", "00 00 00 48 02 02 00 00 00 00 02 00 00 00 00 00 "
                                      "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                                      "00 00 04 00 00 00 00 00 00 00 00 00 00 00 00 00 "
                                      "00 00 00 03 00 00 00 08 00 01 0a 00 00 00 00 0a "
                                      "00 02 14 00 00 00 00 0c 00 00 00 00"},
                     {".ccprof.flow", "01 00 00 00 00 00 00 00 01 11 22 33 44 55 66 77 "
                                      "88 00 00 00 45 " FLOW_EXAMPLE_BODY},
                     {".ccprof.edge",
                      "01 00 00 00 03 "
                      "00 00 00 00 00 00 40 10 11 22 33 44 55 66 77 88 00 00 00 00 "
                      "00 00 00 00 00 00 40 18 11 22 33 44 55 66 77 88 00 00 00 01 "
                      "00 00 00 00 00 00 40 20 11 22 33 44 55 66 77 88 00 00 00 04"}}};
    assert_example_file(&file);
}
END_TEST

/* Of a shared object: the counters stand in another order, which distances tell; the
   first flow graph is not in the file.  */
START_TEST(terms_with_distances)
{
    struct make_elf file =
        file_of(page_flow, "03 18 40 00 00 00 00 00 00 03 00 00 00 00 00 00 00 "
                           "f8 ff ff ff 08 00 00 00 "
                           "02 01 00 00 00 00 00 00 00 02 00 00 0f 02 "
                           "88 77 66 55 44 33 22 11 03 00 7f 02 7f 06 02 ");
    assert_example_file(&file);
}
END_TEST

START_TEST(terms_that_subtract)
{
    struct make_elf file =
        file_of(page_flow, "03 10 40 00 00 00 00 00 00 00 00 00 00 "
                           "01 88 77 66 55 44 33 22 11 02 09 01 00 7f ");
    struct tables *tables = open_elf(&file);
    struct flowtables flows;
    struct fault fault = {0};
    ck_assert(flowtables_read(&flows, tables, &fault));
    ck_assert_uint_eq(flows.counter_count, 2);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(flows.counters[i].edge, 4);
        ck_assert_uint_eq(flows.counters[i].address, i == 0 ? 0x4018 : 0x4010);
        ck_assert_int_eq(flows.counters[i].negative, i == 0);
    }
    flowtables_free(&flows);
    tables_close(tables);
}
END_TEST

static void assert_garbled(const char *edges, const char *why)
{
    struct make_elf file = file_of(page_flow, edges);
    struct tables *tables = open_elf(&file);
    struct flowtables flows;
    struct fault fault = {0};
    ck_assert(!flowtables_read(&flows, tables, &fault));
    ck_assert_int_eq(fault.kind, FAULT_GARBLED);
    ck_assert_msg(strstr(fault.text, why) != NULL, "%s", fault.text);
    flowtables_free(&flows);
    fault_clear(&fault);
    tables_close(tables);
}

START_TEST(terms_that_are_wrong)
{
    /* Counter 2 of two; the counter before the first; edge 6 of six.  */
    assert_garbled("03 10 40 00 00 00 00 00 00 02 00 00 00 00 00 00 00 08 00 00 00 "
                   "01 88 77 66 55 44 33 22 11 01 00 02 ",
                   "no counter has this number");
    assert_garbled("03 10 40 00 00 00 00 00 00 01 00 00 00 00 00 00 00 "
                   "01 88 77 66 55 44 33 22 11 01 00 7f ",
                   "no counter has this number");
    assert_garbled("03 10 40 00 00 00 00 00 00 00 00 00 00 "
                   "01 88 77 66 55 44 33 22 11 01 0c 00 ",
                   "no edge has this number");
    /* 2^32 in one step, and in two.  */
    assert_garbled("03 10 40 00 00 00 00 00 00 00 00 00 00 "
                   "01 01 00 00 00 00 00 00 00 01 80 80 80 80 20 00 ",
                   "no number is that large");
    assert_garbled("03 10 40 00 00 00 00 00 00 00 00 00 00 "
                   "01 01 00 00 00 00 00 00 00 02 fe ff ff ff 1f 00 02 00 ",
                   "no number is that large");
}
END_TEST

START_TEST(the_page_has_the_same_bytes)
{
    assert_page("## Example of a flow graph\n", 0, page_flow, page_edges);
}
END_TEST

static void count(struct profile *profile, uint64_t address, uint64_t calls)
{
    profile_add_counter(profile, 0, address, calls);
}

START_TEST(the_counts_of_the_example)
{
    struct make_elf file = file_of(page_flow, page_edges);
    struct tables *tables = open_elf(&file);
    struct program program = {.tables = &tables, .count = 1};
    struct profile profile = {0};
    struct flowcounts counts;
    struct fault fault = {0};
    count(&profile, 0x4010, 10);
    count(&profile, 0x4018, 4);
    count(&profile, 0x4020, 3);
    count(&profile, 0x4028, 77);
    ck_assert(flowcounts_solve(&counts, &profile, &program, false, &fault));
    ck_assert_uint_eq(counts.count, 1);
    const struct flowcounts_flow *flow = &counts.flows[0];
    ck_assert_int_eq(flow->verdict, KIRCHHOFF_SOLVED);
    static const int64_t edges[] = {10, 4, 6, 1, 3, 9}, blocks[] = {10, 10, 10, 4, 9};
    for (size_t i = 0; i < 6; i++)
        ck_assert_int_eq(flow->edges[i], edges[i]);
    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(flow->blocks[i], blocks[i]);
    flowcounts_free(&counts);
    profile_free(&profile);

    /* Nothing was counted.  */
    ck_assert(flowcounts_solve(&counts, &profile, &program, false, &fault));
    ck_assert_int_eq(counts.flows[0].verdict, KIRCHHOFF_SOLVED);
    ck_assert_int_eq(counts.flows[0].blocks[4], 0);
    flowcounts_free(&counts);
    tables_close(tables);
}
END_TEST

/* The same flow in two compilations, counters of both; one of no flow.  */
START_TEST(one_flow_twice)
{
    struct make_elf file =
        file_of(FLOW_EXAMPLE FLOW_EXAMPLE, FLOW_EXAMPLE_EDGES
                "01 02 00 00 00 "
                "30 40 00 00 00 00 00 00 88 77 66 55 44 33 22 11 00 00 00 00 "
                "38 40 00 00 00 00 00 00 88 77 66 55 44 33 22 12 00 00 00 09");
    struct tables *tables = open_elf(&file);
    struct program program = {.tables = &tables, .count = 1};
    struct profile profile = {0};
    struct flowcounts counts;
    struct fault fault = {0};
    count(&profile, 0x4010, 10);
    count(&profile, 0x4018, 4);
    count(&profile, 0x4020, 4);
    count(&profile, 0x4030, 100);
    count(&profile, 0x4038, 1000);
    ck_assert(flowcounts_solve(&counts, &profile, &program, false, &fault));
    ck_assert_uint_eq(counts.count, 1);
    ck_assert_int_eq(counts.flows[0].blocks[2], 110);
    ck_assert_int_eq(counts.flows[0].blocks[4], 110);
    flowcounts_free(&counts);
    profile_free(&profile);
    tables_close(tables);
}
END_TEST

/* A switch of unsigned values, a position in another file.  */
START_TEST(cases)
{
    struct make_elf file = file_of(
        FLOW_EXAMPLE_HEAD "36 00 00 00 02 61 00 62 00 00 00 07 01 0a 00 0a 00 03 "
                          "00 00 00 00 00 00 00 00 "
                          "02 02 14 09 01 00 00 00 03 00 7f 00 "
                          "03 01 80 01 03 00 01 7f 02 05 0a 02 84 01 00 01 82 01 01 00",
        "");
    struct flowtables flows;
    struct tables *tables = read_flows(&file, &flows);
    const struct flowgraph *graph = &flows.flows[0].graph;
    ck_assert_str_eq(graph->input, "");
    ck_assert_uint_eq(graph->flags, CCPROF_FLOW_ARTIFICIAL | CCPROF_FLOW_LOCAL |
                                        CCPROF_FLOW_ADDRESS_TAKEN);
    assert_position(&graph->positions[0], "b", 30, 9);
    assert_position(&graph->positions[1], "a", 30, 0);
    ck_assert_int_eq(graph->blocks[2].branch, CCPROF_BRANCH_SWITCH_UNSIGNED);
    assert_position(&graph->blocks[2].branch_position, "a", 29, 0);
    assert_edge(graph, 0, 2, 1, CCPROF_EDGE_CASES);
    ck_assert_uint_eq(graph->edges[0].cases.count, 3);
    ck_assert(graph->cases[0].is_default);
    ck_assert(graph->cases[1].first == -1 && graph->cases[1].last == -1);
    ck_assert(graph->cases[2].first == 5 && graph->cases[2].last == 10);
    assert_edge(graph, 1, 2, 2, CCPROF_EDGE_CASES | CCPROF_EDGE_FALLTHROUGH);
    ck_assert_uint_eq(graph->edges[1].cases.count, 0);
    assert_edge(graph, 2, 2, 1, CCPROF_EDGE_FAKE | CCPROF_EDGE_CASES);
    flowtables_free(&flows);
    tables_close(tables);
}
END_TEST

/* The example without ranges, with them, and again: two flow graphs.  */
START_TEST(the_example_with_ranges)
{
    struct make_elf file =
        file_of(FLOW_EXAMPLE FLOW_EXAMPLE_RANGES FLOW_EXAMPLE_RANGES, "");
    struct flowtables flows;
    struct tables *tables = read_flows(&file, &flows);
    ck_assert_uint_eq(flows.flow_count, 2);
    const struct flowgraph *plain = &flows.flows[0].graph, *graph = &flows.flows[1].graph;
    for (uint32_t i = 0; i < 4; i++)
        assert_position(&graph->positions[i], "f.c", plain->positions[i].line,
                        plain->positions[i].column);
    ck_assert_uint_eq(graph->position_count, 4);
    assert_range(graph, 0, (struct flowgraph_range){1, 5, 1, 5});
    assert_range(graph, 1, (struct flowgraph_range){3, 8, 3, 10});
    assert_range(graph, 2, (struct flowgraph_range){3, 12, 3, 14});
    assert_range(graph, 3, (struct flowgraph_range){4, 12, 4, 12});
    assert_range(plain, 2, (struct flowgraph_range){3, 12, 3, 12});
    ck_assert_uint_eq(graph->call_count, 1);
    assert_position(&graph->calls[0].position, "f.c", 3, 12);
    assert_position(&graph->blocks[2].branch_position, "f.c", 3, 8);
    flowtables_free(&flows);
    tables_close(tables);
}
END_TEST

START_TEST(the_page_has_the_same_ranges)
{
    assert_page("## Example of ranges\n", 0, FLOW_EXAMPLE_RANGES, "");
}
END_TEST

#define RANGES_HEAD "02 00 00 00 00 01 00 00 00 88 77 66 55 44 33 22 11 "

/* Short and long halves, several lines, no column.  */
START_TEST(extents)
{
    struct make_elf file =
        file_of(RANGES_HEAD "2e 00 00 00 01 61 00 00 00 00 01 0a 00 0a 00 03 "
                            "00 00 00 00 00 00 00 00 "
                            "04 00 00 14 25 00 00 14 ee 00 02 00 01 05 ff 01 03 02 07 "
                            "00 00 00 00 00 00 00",
                "");
    struct flowtables flows;
    struct tables *tables = read_flows(&file, &flows);
    const struct flowgraph *graph = &flows.flows[0].graph;
    assert_range(graph, 0, (struct flowgraph_range){10, 18, 10, 25});
    assert_range(graph, 1, (struct flowgraph_range){10, 6, 10, 36});
    assert_position(&graph->positions[2], "a", 11, 5);
    assert_range(graph, 2, (struct flowgraph_range){10, 3, 13, 7});
    assert_position(&graph->positions[3], "a", 11, 0);
    assert_range(graph, 3, (struct flowgraph_range){11, 0, 11, 0});
    flowtables_free(&flows);
    tables_close(tables);
}
END_TEST

START_TEST(aliases)
{
    struct make_elf file =
        file_of(FLOW_EXAMPLE_HEAD
                "1b 00 00 00 03 66 00 67 00 68 00 00 01 10 00 00 00 00 00 02 02 03 "
                "02 00 00 00 00 00 00 00 00",
                "");
    struct flowtables flows;
    struct tables *tables = read_flows(&file, &flows);
    const struct flowgraph *graph = &flows.flows[0].graph;
    ck_assert_uint_eq(graph->flags, CCPROF_FLOW_ALIASES);
    ck_assert_str_eq(graph->symbol, "f");
    ck_assert_uint_eq(graph->alias_count, 2);
    ck_assert_str_eq(graph->aliases[0], "g");
    ck_assert_str_eq(graph->aliases[1], "h");
    ck_assert_uint_eq(graph->block_count, 2);
    flowtables_free(&flows);
    tables_close(tables);
}
END_TEST

#define EDGE(address, id, number)                                                        \
    "01 01 00 00 00 " address " 40 00 00 00 00 00 00 " id                                \
    " 77 66 55 44 33 22 11 " number " 00 00 00"

/* The body of a flow graph whose first statement is at 0:5, with this extent.  */
#define EXTENT(extent)                                                                   \
    "22 00 00 00 00 00 00 00 00 00 00 00 00 02 01 00 00 05 " extent                      \
    " 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"

/* What is wrong, and where.  A flow's body begins at 0x15.  */
static const struct {
    const char *flow, *edges, *message;
} damages[] = {
    {"01 01 00 00 00", "", "flow, offset 0x1: no unit at this offset"},
    {"01 00 00 00 00 04 00 00 00 ", "", "flow, offset 0x5: no source has this number"},
    {"01 00 00 00 00 00 00 00 00 ", "", "flow, offset 0x5: no source has this number"},
    {"01 00 00 00 00 01 00 00 00 11 22", "", "flow, offset 0x9: cut off"},
    {FLOW_EXAMPLE_HEAD "45 00 00 00", "", "flow, offset 0x11: longer than the section"},
    {FLOW_EXAMPLE_HEAD "00 00 00 00", "", "flow, offset 0x15: cut off"},
    {FLOW_EXAMPLE_HEAD "04 00 00 00 02 61 00 62", "", "flow, offset 0x19: cut off"},
    {FLOW_EXAMPLE_HEAD "04 00 00 00 01 61 00 02", "",
     "flow, offset 0x18: no string has this number"},
    {FLOW_EXAMPLE_HEAD "04 00 00 00 00 00 00 40", "",
     "flow, offset 0x18: an unknown flag of a function"},
    {FLOW_EXAMPLE_HEAD "0c 00 00 00 00 00 00 10 00 00 00 00 00 02 00 01", "",
     "flow, offset 0x20: no string has this number"},
    {FLOW_EXAMPLE_HEAD "0a 00 00 00 00 00 00 00 00 00 00 00 00 01", "",
     "flow, offset 0x1e: more blocks than there are bytes"},
    {FLOW_EXAMPLE_HEAD "0e 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00", "",
     "flow, offset 0x1e: a flow without entry and exit"},
    {FLOW_EXAMPLE_HEAD
     "13 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 00 "
     "00",
     "", "flow, offset 0x27: more bytes than the flow has use for"},
    /* A position on a line less than 0, and of more than 32 bits.  */
    {FLOW_EXAMPLE_HEAD
     "15 00 00 00 00 00 00 00 00 00 00 00 00 02 01 00 7f 00 00 00 00 00 "
     "00 00 00",
     "", "flow, offset 0x21: line out of range"},
    {FLOW_EXAMPLE_HEAD
     "19 00 00 00 00 00 00 00 00 00 00 00 00 02 01 00 80 80 80 80 10 00 "
     "00 00 00 00 00 00 00",
     "", "flow, offset 0x21: line out of range"},
    /* An unknown branch; edges to nowhere, to the entry, out of the exit.  */
    {FLOW_EXAMPLE_HEAD
     "12 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 04 00 00 00 00 00",
     "", "flow, offset 0x21: an unknown kind of branch"},
    {FLOW_EXAMPLE_HEAD
     "14 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 01 02 00 00 00 "
     "00 00",
     "", "flow, offset 0x23: no block has this number"},
    {FLOW_EXAMPLE_HEAD
     "14 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 "
     "00 00",
     "", "flow, offset 0x23: an edge into the entry"},
    {FLOW_EXAMPLE_HEAD
     "14 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 01 "
     "01 00",
     "", "flow, offset 0x26: an edge out of the exit"},
    {FLOW_EXAMPLE_HEAD
     "15 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 01 01 80 02 00 "
     "00 00 00",
     "", "flow, offset 0x24: an unknown flag of an edge"},
    {FLOW_EXAMPLE_HEAD
     "17 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 01 01 80 01 01 "
     "03 00 00 00 00",
     "", "flow, offset 0x27: an unknown kind of case"},
    /* Every number of things may be huge; none is believed.  */
    {FLOW_EXAMPLE_HEAD "05 00 00 00 ff ff ff ff 0f", "", "flow, offset 0x1a: cut off"},
    {FLOW_EXAMPLE_HEAD
     "13 00 00 00 00 00 00 00 00 00 00 00 00 02 ff ff ff ff 0f 00 00 00 "
     "00",
     "", "flow, offset 0x28: cut off"},
    /* Extents of 0:5: halves that nobody knows; before the first column; a range without
       one; on a line less than 0, its start and its end.  */
    {RANGES_HEAD EXTENT("f0"), "", "flow, offset 0x23: an unknown kind of extent"},
    {RANGES_HEAD EXTENT("0f"), "", "flow, offset 0x23: an unknown kind of extent"},
    {RANGES_HEAD EXTENT("60"), "", "flow, offset 0x23: column out of range"},
    {RANGES_HEAD EXTENT("50"), "", "flow, offset 0x23: a range without a column"},
    {RANGES_HEAD EXTENT("ff 00 00"), "", "flow, offset 0x25: a range without a column"},
    {RANGES_HEAD EXTENT("ff 01 01"), "", "flow, offset 0x24: line out of range"},
    {RANGES_HEAD EXTENT("ff 00 01 7f"), "", "flow, offset 0x26: line out of range"},
    {RANGES_HEAD EXTENT("ff 80 80 80 80 80 80 80 80 80 7f"), "",
     "flow, offset 0x24: line out of range"},
    {FLOW_EXAMPLE "01", "", "flow, offset 0x5b: cut off"},
    {FLOW_EXAMPLE, "01 01 00 00 00 10", "edge, offset 0x5: cut off"},
    {FLOW_EXAMPLE, "01 ff ff ff ff", "edge, offset 0x5: cut off"},
    {FLOW_EXAMPLE, EDGE("10", "88", "06"), "edge, offset 0x15: no edge has this number"},
    {FLOW_EXAMPLE, EDGE("10", "89", "06"), NULL},
};

START_TEST(damaged)
{
    struct make_elf file = file_of(damages[_i].flow, damages[_i].edges);
    struct tables *tables = open_elf(&file);
    struct flowtables flows;
    struct fault fault = {0};
    bool good = flowtables_read(&flows, tables, &fault);
    if (damages[_i].message) {
        ck_assert(!good);
        ck_assert_int_eq(fault.kind, FAULT_GARBLED);
        const char *section = strstr(fault.text, ": section .ccprof.");
        ck_assert_ptr_nonnull(section);
        ck_assert_str_eq(section + strlen(": section .ccprof."), damages[_i].message);
    } else {
        ck_assert_msg(good, "%s", fault.text);
    }
    flowtables_free(&flows);
    fault_clear(&fault);
    tables_close(tables);
}
END_TEST

START_TEST(other_versions)
{
    struct make_elf file = file_of(FLOW_EXAMPLE "03", "04");
    struct tables *tables = open_elf(&file);
    struct flowtables flows;
    struct fault fault = {0};
    ck_assert(!flowtables_read(&flows, tables, &fault));
    ck_assert_int_eq(fault.kind, FAULT_VERSION);
    ck_assert_ptr_nonnull(strstr(fault.text,
                                 ": section .ccprof.flow, offset 0x5a: tables "
                                 "of version 3; this mlprof reads version 2"));
    flowtables_free(&flows);
    fault_clear(&fault);
    tables_close(tables);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("flowtables");
    TCase *tests = tcase_create("flowtables");
    tcase_add_test(tests, the_example);
    tcase_add_test(tests, the_page_has_the_same_bytes);
    tcase_add_test(tests, terms_with_distances);
    tcase_add_test(tests, terms_that_subtract);
    tcase_add_test(tests, terms_that_are_wrong);
    tcase_add_test(tests, the_counts_of_the_example);
    tcase_add_test(tests, one_flow_twice);
    tcase_add_test(tests, cases);
    tcase_add_test(tests, the_example_with_ranges);
    tcase_add_test(tests, the_page_has_the_same_ranges);
    tcase_add_test(tests, extents);
    tcase_add_test(tests, aliases);
    tcase_add_loop_test(tests, damaged, 0, sizeof damages / sizeof *damages);
    tcase_add_test(tests, other_versions);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}

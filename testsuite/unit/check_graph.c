/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/graph.c plugin/tables/memory.c */
/* Compares the encoding of flow graphs with bytes worked out by hand from doc/tables.md.
   Aliases: count/flow-aliases. */

#include "plugin/tables/graph.h"
#include "plugin/tables/memory.h"
#include "testsuite/unit/tests.h"

#include <stdint.h>

#define MOST_EDGES 8

static struct graph graph;

static void begin(void)
{
    memset(&graph, 0, sizeof graph);
}

static void free_graph(void)
{
    distinct_free(&graph.strings);
    distinct_free(&graph.seen);
    memory_free(graph.blocks);
    memory_free(graph.aliases);
    memory_free(graph.positions);
    memory_free(graph.calls);
    memory_free(graph.edges);
    memory_free(graph.cases);
}
TEST_AROUND(begin, free_graph)

/* Checks that the graph is encoded as EXPECTED, hexadecimal digits with spaces between.
   Returns the new numbers of its edges. */
static const unsigned *assert_encoded(const char *expected)
{
    static unsigned numbers[MOST_EDGES];
    size_t size;
    for (size_t i = 0; i < MOST_EDGES; i++)
        numbers[i] = 9;
    unsigned char *bytes = graph_encode(&graph, numbers, &size);
    FILE *out = print_begin();
    for (size_t i = 0; i < size; i++)
        fprintf(out, i ? " %02x" : "%02x", bytes[i]);
    print_end(out, expected);
    memory_free(bytes);
    return numbers;
}

static void make_function(const char *input, const char *symbol, unsigned blocks)
{
    graph.input = distinct_string(&graph.strings, input);
    graph.symbol = distinct_string(&graph.strings, symbol);
    while (blocks--)
        graph_block(&graph);
}

/* A position in the compiled file. */
static struct graph_position at(unsigned line, unsigned column)
{
    return (struct graph_position){graph.input, line, column};
}

/* A position without a range. */
static void put_position(struct graph_position position)
{
    graph_position(&graph, position, (struct graph_range){0});
}

static void make_example(void)
{
    make_function("f.c", "f", 1);
    graph.start = at(1, 5);
    graph.end_line = 5;
    graph.end_column = 1;
    graph_edge(&graph, 0, 2, CCPROF_EDGE_FALLTHROUGH | CCPROF_EDGE_COUNTER);
    graph_block(&graph);
    graph_block(&graph);
    put_position(graph.start);
    put_position(at(3, 8));
    graph_branch(&graph, CCPROF_BRANCH_CONDITION, at(3, 8));
    graph_edge(&graph, 2, 3, CCPROF_EDGE_TRUE | CCPROF_EDGE_COUNTER);
    graph_edge(&graph, 2, 4, CCPROF_EDGE_FALSE);
    graph_block(&graph);
    put_position(at(3, 12));
    graph_call(&graph, distinct_string(&graph.strings, "g"), at(3, 12));
    graph_edge(&graph, 3, 1, CCPROF_EDGE_FAKE);
    graph_edge(&graph, 3, 4, CCPROF_EDGE_FALLTHROUGH | CCPROF_EDGE_COUNTER);
    graph_block(&graph);
    put_position(at(4, 12));
    graph_edge(&graph, 4, 1, 0);
}

/* If ranges are not recorded, they do not distinguish positions. */
TEST(the_example)
{
    make_example();
    for (unsigned end = 12; end < 15; end++)
        graph_position(&graph, at(4, 12), (struct graph_range){4, 12, 4, end});
    const unsigned *numbers = assert_encoded(
        "03 66 2e 63 00 66 00 67 00 01 02 00 01 01 05 05 01 05 00 00 00 01 02 05 00 "
        "00 00 00 02 00 00 05 00 02 08 00 01 00 00 08 02 03 21 04 40 01 00 00 0c 01 "
        "03 00 00 0c 00 02 01 02 04 05 01 00 01 0c 00 00 01 01 00");
    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(numbers[i], i);
}

TEST(edges_are_numbered_by_block)
{
    make_function("a", "f", 3);
    graph_edge(&graph, 2, 1, CCPROF_EDGE_FAKE);
    graph_edge(&graph, 0, 2, CCPROF_EDGE_FALLTHROUGH);
    size_t gone = graph_edge(&graph, 0, 2, 0);
    graph_edge(&graph, 0, 2, CCPROF_EDGE_FAKE);
    graph.edges[gone].left_out = 1;
    const unsigned *numbers = assert_encoded(
        "02 61 00 66 00 01 02 00 00 00 00 00 00 03 00 00 00 02 02 04 02 02 00 00 00 "
        "00 00 00 00 01 01 02");
    ck_assert_uint_eq(numbers[0], 2);
    ck_assert_uint_eq(numbers[1], 0);
    ck_assert_uint_eq(numbers[2], 9);
    ck_assert_uint_eq(numbers[3], 1);
}

/* switch (x) { case -1: case 5 ... 300: ...; default: ...; } of line 200, in a file
   included in a, and a call at no known position. */
TEST(cases_files_and_unknown_places)
{
    make_function("a", "f", 3);
    unsigned b = distinct_string(&graph.strings, "b");
    graph.flags = CCPROF_FLOW_ARTIFICIAL | CCPROF_FLOW_ADDRESS_TAKEN;
    graph.start = at(1, 0);
    graph.end_line = 2;
    put_position((struct graph_position){b, 200, 0});
    put_position((struct graph_position){0, 7, 7});
    put_position((struct graph_position){b, 200, 0});
    graph_call(&graph, 0, (struct graph_position){0, 0, 0});
    graph_branch(&graph, CCPROF_BRANCH_SWITCH_UNSIGNED, at(200, 4));
    graph_edge(&graph, 2, 1, 0);
    graph_case(&graph, CCPROF_CASE_VALUE, -1, 0);
    graph_case(&graph, CCPROF_CASE_RANGE, 5, 300);
    graph_edge(&graph, 2, 1, 0);
    graph_case(&graph, CCPROF_CASE_DEFAULT, 0, 0);
    assert_encoded(
        "03 61 00 66 00 62 00 01 02 05 01 01 00 02 00 03 00 00 00 00 00 00 00 00 "
        /* One position, b:200; an indirect call at line 0; the switch, at a:200. */
        "01 03 c7 01 00 01 00 00 b8 7e 00 03 01 c8 01 04 "
        /* Two edges with cases, both to the exit: -1 and 5 to 300; default. */
        "02 01 80 01 02 01 7f 02 05 ac 02 01 80 01 01 00");
}

/* Positions with different ranges are different positions. */
TEST(ranges)
{
    make_function("a", "f", 3);
    graph.has_ranges = 1;
    graph.start = at(10, 0);
    graph.end_line = 10;
    for (int i = 0; i < 2; i++) {
        graph_position(&graph, at(10, 20), (struct graph_range){10, 18, 10, 25});
        graph_position(&graph, at(10, 20), (struct graph_range){10, 6, 10, 36});
        put_position(at(10, 20));
        graph_position(&graph, at(11, 5), (struct graph_range){10, 3, 13, 7});
        graph_position(&graph, at(11, 7), (struct graph_range){11, 9, 11, 12});
    }
    graph_call(&graph, 0, at(11, 7));
    graph_branch(&graph, CCPROF_BRANCH_CONDITION, at(11, 7));
    assert_encoded("02 61 00 66 00 01 02 00 01 0a 00 0a 00 03 00 00 00 00 00 00 00 00 "
                   /* 10:20 with the range 18 to 25; with the range 6 to 36; without a
                      range. */
                   "05 00 00 14 25 00 00 14 ee 00 02 00 00 14 00 "
                   /* 11:5 with the range 10:3 to 13:7; 11:7 with the range 9 to 12, which
                      does not contain it. */
                   "00 01 05 ff 01 03 02 07 00 00 07 ff 00 09 00 0c "
                   /* A call and a condition at 11:7, which have no ranges. */
                   "01 00 00 00 07 01 00 00 07 00");
}

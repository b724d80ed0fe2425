/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: plugin/tables/graph.c plugin/tables/distinct.c plugin/tables/memory.c */
/* The encoding of flow graphs against bytes worked out by hand from doc/tables.md.  */

#include "plugin/tables/graph.h"
#include "plugin/tables/memory.h"
#include "testsuite/unit/tests.h"

#include <stdint.h>
#include <string.h>

#define MOST_EDGES 8

static const struct graph_range unknown_range;

static void free_graph(struct graph *graph)
{
    distinct_free(&graph->strings);
    distinct_free(&graph->seen);
    memory_free(graph->blocks);
    memory_free(graph->aliases);
    memory_free(graph->positions);
    memory_free(graph->calls);
    memory_free(graph->edges);
    memory_free(graph->cases);
}

static void assert_encoded(const struct graph *graph, const unsigned char *expected,
                           size_t size, unsigned *numbers)
{
    size_t got_size;
    unsigned char *got = graph_encode(graph, numbers, &got_size);
    ck_assert_mem_eq(got, expected, size < got_size ? size : got_size);
    ck_assert_uint_eq(got_size, size);
    memory_free(got);
}

static struct graph make_function(const char *input, const char *symbol)
{
    struct graph graph = {0};
    graph.input = distinct_string(&graph.strings, input);
    graph.symbol = distinct_string(&graph.strings, symbol);
    return graph;
}

static struct graph make_example(void)
{
    struct graph graph = make_function("f.c", "f");
    graph.start = (struct graph_position){graph.input, 1, 5};
    graph.end_line = 5;
    graph.end_column = 1;
    graph_block(&graph);
    graph_edge(&graph, 0, 2, CCPROF_EDGE_FALLTHROUGH | CCPROF_EDGE_COUNTER);
    graph_block(&graph);
    graph_block(&graph);
    graph_position(&graph, graph.start, unknown_range);
    graph_position(&graph, (struct graph_position){graph.input, 3, 8}, unknown_range);
    graph_branch(&graph, CCPROF_BRANCH_CONDITION,
                 (struct graph_position){graph.input, 3, 8});
    graph_edge(&graph, 2, 3, CCPROF_EDGE_TRUE | CCPROF_EDGE_COUNTER);
    graph_edge(&graph, 2, 4, CCPROF_EDGE_FALSE);
    graph_block(&graph);
    graph_position(&graph, (struct graph_position){graph.input, 3, 12}, unknown_range);
    graph_call(&graph, distinct_string(&graph.strings, "g"),
               (struct graph_position){graph.input, 3, 12});
    graph_edge(&graph, 3, 1, CCPROF_EDGE_FAKE);
    graph_edge(&graph, 3, 4, CCPROF_EDGE_FALLTHROUGH | CCPROF_EDGE_COUNTER);
    graph_block(&graph);
    graph_position(&graph, (struct graph_position){graph.input, 4, 12}, unknown_range);
    graph_edge(&graph, 4, 1, 0);
    return graph;
}

static const unsigned char example[] = {
    0x03, 0x66, 0x2e, 0x63, 0x00, 0x66, 0x00, 0x67, 0x00, 0x01, 0x02, 0x00, 0x01, 0x01,
    0x05, 0x05, 0x01, 0x05, 0x00, 0x00, 0x00, 0x01, 0x02, 0x05, 0x00, 0x00, 0x00, 0x00,
    0x02, 0x00, 0x00, 0x05, 0x00, 0x02, 0x08, 0x00, 0x01, 0x00, 0x00, 0x08, 0x02, 0x03,
    0x21, 0x04, 0x40, 0x01, 0x00, 0x00, 0x0c, 0x01, 0x03, 0x00, 0x00, 0x0c, 0x00, 0x02,
    0x01, 0x02, 0x04, 0x05, 0x01, 0x00, 0x01, 0x0c, 0x00, 0x00, 0x01, 0x01, 0x00,
};

TEST(the_example)
{
    unsigned numbers[MOST_EDGES];
    struct graph graph = make_example();
    ck_assert_uint_eq(sizeof example, 69);
    assert_encoded(&graph, example, sizeof example, numbers);
    for (unsigned i = 0; i < 6; i++)
        ck_assert_uint_eq(numbers[i], i);
    free_graph(&graph);
}

TEST(edges_are_numbered_by_block)
{
    static const unsigned char expected[] = {
        0x02, 0x61, 0x00, 0x66, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x03, 0x00, 0x00, 0x00, 0x02, 0x02, 0x04, 0x02, 0x02,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01, 0x01, 0x02,
    };
    unsigned numbers[MOST_EDGES] = {9, 9, 9, 9};
    struct graph graph = make_function("a", "f");
    for (int i = 0; i < 3; i++)
        graph_block(&graph);
    graph_edge(&graph, 2, 1, CCPROF_EDGE_FAKE);
    graph_edge(&graph, 0, 2, CCPROF_EDGE_FALLTHROUGH);
    size_t gone = graph_edge(&graph, 0, 2, 0);
    graph_edge(&graph, 0, 2, CCPROF_EDGE_FAKE);
    graph.edges[gone].left_out = 1;
    assert_encoded(&graph, expected, sizeof expected, numbers);
    ck_assert_uint_eq(numbers[0], 2);
    ck_assert_uint_eq(numbers[1], 0);
    ck_assert_uint_eq(numbers[2], 9);
    ck_assert_uint_eq(numbers[3], 1);
    free_graph(&graph);
}

/* switch (x) { case -1: case 5 ... 300: ...; default: ...; } of line 200, in a file
   included in a, and a call at no known position.  */
TEST(cases_files_and_unknown_places)
{
    static const unsigned char expected[] = {
        0x03,
        0x61,
        0x00,
        0x66,
        0x00,
        0x62,
        0x00,
        0x01,
        0x02,
        0x05,
        0x01,
        0x01,
        0x00,
        0x02,
        0x00,
        0x03,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        0x00,
        /* One position, b:200; a call of nobody, at line 0; the switch, in a:200.  */
        0x01,
        0x03,
        0xc7,
        0x01,
        0x00,
        0x01,
        0x00,
        0x00,
        0xb8,
        0x7e,
        0x00,
        0x03,
        0x01,
        0xc8,
        0x01,
        0x04,
        /* Two edges with cases, both to the exit: -1 and 5 to 300; default.  */
        0x02,
        0x01,
        0x80,
        0x01,
        0x02,
        0x01,
        0x7f,
        0x02,
        0x05,
        0xac,
        0x02,
        0x01,
        0x80,
        0x01,
        0x01,
        0x00,
    };
    unsigned numbers[MOST_EDGES];
    struct graph graph = make_function("a", "f");
    unsigned b = distinct_string(&graph.strings, "b");
    graph.flags = CCPROF_FLOW_ARTIFICIAL | CCPROF_FLOW_ADDRESS_TAKEN;
    graph.start = (struct graph_position){graph.input, 1, 0};
    graph.end_line = 2;
    for (int i = 0; i < 3; i++)
        graph_block(&graph);
    graph_position(&graph, (struct graph_position){b, 200, 0}, unknown_range);
    graph_position(&graph, (struct graph_position){0, 7, 7}, unknown_range);
    graph_position(&graph, (struct graph_position){b, 200, 0}, unknown_range);
    graph_call(&graph, 0, (struct graph_position){0, 0, 0});
    graph_branch(&graph, CCPROF_BRANCH_SWITCH_UNSIGNED,
                 (struct graph_position){graph.input, 200, 4});
    graph_edge(&graph, 2, 1, 0);
    graph_case(&graph, CCPROF_CASE_VALUE, -1, 0);
    graph_case(&graph, CCPROF_CASE_RANGE, 5, 300);
    graph_edge(&graph, 2, 1, 0);
    graph_case(&graph, CCPROF_CASE_DEFAULT, 0, 0);
    assert_encoded(&graph, expected, sizeof expected, numbers);
    free_graph(&graph);
}

/* What has another range is another position.  */
TEST(ranges)
{
    static const unsigned char expected[] = {
        0x02, 0x61, 0x00, 0x66, 0x00, 0x01, 0x02, 0x00, 0x01, 0x0a, 0x00, 0x0a, 0x00,
        0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        /* 10:20 from 18 to 25; from 6 to 36; alone.  */
        0x05, 0x00, 0x00, 0x14, 0x25, 0x00, 0x00, 0x14, 0xee, 0x00, 0x02, 0x00, 0x00,
        0x14, 0x00,
        /* 11:5 from 10:3 to 13:7; 11:7 from 9 to 12, which it is not in.  */
        0x00, 0x01, 0x05, 0xff, 0x01, 0x03, 0x02, 0x07, 0x00, 0x00, 0x07, 0xff, 0x00,
        0x09, 0x00, 0x0c,
        /* A call in 11:7, a condition there: they have none.  */
        0x01, 0x00, 0x00, 0x00, 0x07, 0x01, 0x00, 0x00, 0x07, 0x00};
    unsigned numbers[MOST_EDGES];
    struct graph graph = make_function("a", "f");
    struct graph_position at = {graph.input, 10, 20}, below = {graph.input, 11, 5},
                          outside = {graph.input, 11, 7};
    graph.has_ranges = 1;
    graph.start = (struct graph_position){graph.input, 10, 0};
    graph.end_line = 10;
    for (int i = 0; i < 3; i++)
        graph_block(&graph);
    for (int i = 0; i < 2; i++) {
        graph_position(&graph, at, (struct graph_range){10, 18, 10, 25});
        graph_position(&graph, at, (struct graph_range){10, 6, 10, 36});
        graph_position(&graph, at, unknown_range);
        graph_position(&graph, below, (struct graph_range){10, 3, 13, 7});
        graph_position(&graph, outside, (struct graph_range){11, 9, 11, 12});
    }
    graph_call(&graph, 0, outside);
    graph_branch(&graph, CCPROF_BRANCH_CONDITION, outside);
    assert_encoded(&graph, expected, sizeof expected, numbers);
    free_graph(&graph);
}

/* Where there are to be none, ranges do not tell positions apart.  */
TEST(without_ranges)
{
    unsigned numbers[MOST_EDGES];
    struct graph graph = make_example();
    for (unsigned end = 12; end < 15; end++)
        graph_position(&graph, (struct graph_position){graph.input, 4, 12},
                       (struct graph_range){4, 12, 4, end});
    assert_encoded(&graph, example, sizeof example, numbers);
    free_graph(&graph);
}

TEST(aliases)
{
    unsigned numbers[MOST_EDGES];
    struct graph graph = make_function("", "f");
    static const unsigned char expected[] = {
        0x04, 0x00, 'f',  0x00, 'g',  0x00, 'h',  0x00, 0x01, 0x02,
        0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x04, 0x02,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    };
    graph_alias(&graph, distinct_string(&graph.strings, "g"));
    graph_alias(&graph, distinct_string(&graph.strings, "h"));
    graph_block(&graph);
    graph_block(&graph);
    assert_encoded(&graph, expected, sizeof expected, numbers);
    free_graph(&graph);
}

TEST(cleared_it_is_as_new)
{
    unsigned numbers[MOST_EDGES];
    struct graph graph = make_example();
    graph_alias(&graph, graph.symbol);
    graph_clear(&graph);
    struct graph fresh = make_example();
    free_graph(&fresh);
    graph.input = distinct_string(&graph.strings, "f.c");
    graph.symbol = distinct_string(&graph.strings, "f");
    static const unsigned char expected[] = {
        0x02, 0x66, 0x2e, 0x63, 0x00, 0x66, 0x00, 0x01, 0x02, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    };
    graph_block(&graph);
    graph_block(&graph);
    assert_encoded(&graph, expected, sizeof expected, numbers);
    free_graph(&graph);
}

/* The values of the algorithm's authors (Fowler, Noll, Vo).  */
TEST(ids)
{
    ck_assert_uint_eq(graph_id((const unsigned char *)"", 0), 0xcbf29ce484222325u);
    ck_assert_uint_eq(graph_id((const unsigned char *)"a", 1), 0xaf63dc4c8601ec8cu);
    ck_assert_uint_eq(graph_id((const unsigned char *)"foobar", 6), 0x85944171f73967e8u);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The counts of lines, as gcov has them, of flow graphs made by hand and at random.  */

#define _GNU_SOURCE
#include "mlprof/flow/gcov-cycles.h"
#include "mlprof/flow/gcov.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/made_flow.h"
#include "testsuite/unit/random.h"

/* Of graphs made at random: their circuits are many.  */
#define BLOCKS 8

#define LOOP  "0>2=2 2>3=2 3>4=10 3>5=2 4>3=10 5>1=2"
#define ONCE  "0>2=1 2>3=1 3>1=1"
#define TWICE "0>2=2 2>3=2 3>1=2"

/* Functions, and their lines: perhaps FUNCTION/, LINE:COUNT, * if a block of the line was
   never executed, the branches.  Behind it is how many blocks each function executed; its
   last block is taken for the exit.  */
static const struct {
    struct {
        const char *edges, *lines;
        uint32_t start;
        unsigned flags;
    } functions[3];
    enum gcov_scope scope;
    const char *counts;
} rows[] = {
    /* 2 before, 3 condition, 4 body, 5 behind; twice called, 10 times round.  */
    {{{LOOP, "0 0 7 7 7 8", 1, 0}}, GCOV_OF_FILES, "7:12(10 2) 8:2; 4"},
    /* 2 calls what may throw: 3 behind it, 4 a handler that never ran, 5 the end.  */
    {{{"0>2=5 2>3=5N 2>4=0X 2>1=0K 3>5=5 4>5=0 5>1=5", "0 0 3 4 5 6", 1, 0}},
     GCOV_OF_FILES,
     "3:5(5 next 0 throws) 4:5 5:0 6:5; 3"},
    /* Two functions that start on one line, as templates do, have lines of their own; one
       that the compiler made has none.  */
    {{{ONCE, "0 0 1 2", 1, 0},
      {TWICE, "0 0 1 2", 1, 0},
      {ONCE, "0 0 1 2", 1, CCPROF_FLOW_ARTIFICIAL}},
     GCOV_OF_FILES,
     "0/1:1 0/2:1 1/1:2 1/2:2; 2 2"},
    /* So have all, if they are wanted by function.  */
    {{{ONCE, "0 0 1 2", 1, 0}, {TWICE, "0 0 1 2", 50, 0}},
     GCOV_OF_FUNCTIONS,
     "0/1:1 0/2:1 1/1:2 1/2:2; 2 2"},
    /* A line is executed that a function goes through, although no block that ends there
       is: the last block is none that ends there.  */
    {{{"0>2=3 2>3=3 3>1=3", "0 0 1 2", 1, 0}, {"0>2=0 2>3=0 3>1=0", "0 0 2 9", 50, 0}},
     GCOV_OF_FILES,
     "1:3 2:3* 9:0*; 2 0"},
};

TEST_ROWS(by_hand, rows)
{
    static struct made_flow made[3];
    const struct flowcounts_flow *flows[3];
    struct gcov gcov;
    size_t count = 0;
    for (; count < 3 && rows[_i].functions[count].edges; count++) {
        made_flow_read(&made[count], rows[_i].functions[count].edges,
                       rows[_i].functions[count].lines);
        made[count].flow.graph.start.line = rows[_i].functions[count].start;
        made[count].flow.graph.flags = rows[_i].functions[count].flags;
        flows[count] = &made[count].counts;
    }
    gcov_evaluate(&gcov, flows, count, rows[_i].scope);
    FILE *out = print_begin();
    for (size_t i = 0; i < gcov.line_count; i++) {
        const struct gcov_line *line = &gcov.lines[i];
        fputs(i ? " " : "", out);
        if (line->function != GCOV_NONE)
            fprintf(out, "%u/", line->function);
        fprintf(out, "%u:%lld%s", line->line, (long long)line->count,
                line->unexecuted_block ? "*" : "");
        for (size_t b = 0; b < line->branch_count; b++) {
            const struct gcov_branch *branch = &gcov.branches[line->first_branch + b];
            fprintf(out, "%s%lld%s%s", b ? " " : "(", (long long)branch->count,
                    branch->is_fallthrough ? " next" : "",
                    branch->is_throw ? " throws" : "");
        }
        fputs(line->branch_count ? ")" : "", out);
    }
    fputs(";", out);
    for (size_t i = 0; i < gcov.function_count; i++)
        fprintf(out, " %u", (unsigned)gcov.functions[i].blocks_executed);
    print_end(out, rows[_i].counts);
    gcov_free(&gcov);
}

/* All simple circuits, one after the other, without any haste.  */
struct search {
    const struct made_flow *made;
    const struct gcov_cycles *cycles;
    int64_t left[MADE_FLOW_EDGES];
    uint32_t path[BLOCKS + 1], start;
    bool on_path[BLOCKS];
    int64_t sum;
};

static bool is_used_up(const struct search *search, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (search->left[search->path[i]] <= 0)
            return true;
    return false;
}

static void circuits(struct search *search, uint32_t block, size_t length)
{
    size_t count;
    const struct gcov_cycles_edge *edges =
        gcov_cycles_edges(search->cycles, block, &count);
    search->on_path[block] = true;
    for (size_t i = 0; i < count; i++) {
        uint32_t to = edges[i].to;
        search->path[length] = edges[i].edge;
        if (to < search->start || to < 2 || is_used_up(search, length + 1))
            continue;
        if (to == search->start) {
            int64_t least = INT64_MAX;
            for (size_t k = 0; k <= length; k++)
                if (search->left[search->path[k]] < least)
                    least = search->left[search->path[k]];
            for (size_t k = 0; k <= length; k++)
                search->left[search->path[k]] -= least;
            search->sum += least;
        } else if (!search->on_path[to]) {
            circuits(search, to, length + 1);
        }
    }
    search->on_path[block] = false;
}

static void try_random_circuits(uint64_t seed)
{
    struct made_flow_arc arcs[MADE_FLOW_EDGES];
    size_t count = 0;
    static const uint32_t lines[BLOCKS] = {0};
    struct made_flow made;
    random_state = seed + 1;
    arcs[count++] = (struct made_flow_arc){.to = 2, .count = 3};
    for (uint32_t from = 2; from < BLOCKS; from++)
        for (uint64_t n = 1 + random_below(4); n > 0; n--)
            arcs[count++] =
                (struct made_flow_arc){.from = from,
                                       .to = (uint32_t)(1 + random_below(BLOCKS - 1)),
                                       .count = (int64_t)random_below(9)};
    made_flow(&made, arcs, count, lines, BLOCKS);
    struct gcov_cycles *cycles = gcov_cycles_new(&made.counts);
    struct search search = {.made = &made, .cycles = cycles, .sum = 3};
    uint32_t blocks[BLOCKS - 2];
    memcpy(search.left, made.edge_counts, sizeof search.left);
    for (uint32_t i = 2; i < BLOCKS; i++) {
        blocks[i - 2] = search.start = i;
        circuits(&search, i, 0);
    }
    ck_assert_int_eq(gcov_cycles_count(cycles, blocks, BLOCKS - 2), search.sum);
    ck_assert_int_eq(gcov_cycles_count(cycles, blocks, BLOCKS - 2), search.sum);
    gcov_cycles_free(cycles);
}

TEST(random_circuits)
{
    for (uint64_t seed = 0; seed < 200; seed++)
        try_random_circuits(seed);
}

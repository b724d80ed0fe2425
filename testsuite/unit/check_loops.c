/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The loops of flow graphs made by hand, and their iterations. For random graphs,
   compares the loops with sets of blocks that reach each other. */

#include "mlprof/flow/loops.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/made_flow.h"
#include "testsuite/unit/random.h"

static struct made_flow made;

/* The loops: entered/iterations, lines, and own blocks. */
static const struct {
    const char *edges, *lines, *loops;
} graphs[] = {
    /* for (...; 3; ...) 4, entered twice with ten iterations in all. First with lines for
       both, then without lines, where the test cannot be distinguished from the body.
       (Usual loops: views/by-loops.) */
    {"0>2=2 2>3=2 3>4=10 3>5=2 4>3=10 5>1=2", "0 0 6 7 8 9", "2/10 a.c:7-8 34;"},
    {"0>2=2 2>3=2 3>4=10 3>5=2 4>3=10 5>1=2", "0 0 0 0 0 0", "2/12 34;"},
    /* while (3 && 4) 5. If the second test is on another line, it may also be an `if'
       in the body. */
    {"0>2=3 2>3=3 3>4=12 3>6=1 4>5=10 4>6=2 5>3=10 6>1=3", "0 0 1 2 2 3 4",
     "3/10 a.c:2-3 345;"},
    {"0>2=3 2>3=3 3>4=12 3>6=1 4>5=10 4>6=2 5>3=10 6>1=3", "0 0 1 2 3 4 5",
     "3/12 a.c:2-4 345;"},
    /* while ((c = 3()) != 4) 5: the call ends a block, and may throw. */
    {"0>2=1 2>3=1 3>4=10 3>7=1X 3>1=0K 4>5=10 4>6=0 5>3=10 6>1=0 7>1=1",
     "0 0 1 2 2 3 4 5", "1/10 a.c:2-3 345;"},
    /* The second return of setjmp is not a loop. */
    {"0>2=1 2>3=1 3>2=4A 3>4=1 4>1=1", "0 0 1 2 3", ""},
    /* 3 and 4 lead to each other, and both are entered from outside. */
    {"0>2=3 2>3=1 2>4=2 3>4=8 4>3=7 4>1=3", "0 0 1 2 3", "3/10 a.c:2-3 34;"},
};

TEST_ROWS(by_hand, graphs)
{
    struct loops loops;
    made_flow_read(&made, graphs[_i].edges, graphs[_i].lines);
    loops_find(&loops, &made.counts);
    FILE *out = print_begin();
    for (uint32_t i = 0; i < loops.count; i++) {
        const struct loops_loop *loop = &loops.loops[i];
        fprintf(out, "%llu/%llu ", (unsigned long long)loop->entered,
                (unsigned long long)loop->iterations);
        if (loop->file)
            fprintf(out, "%s:%u-%u ", loop->file, loop->first_line, loop->last_line);
        for (uint32_t block = 0; block < made.flow.graph.blocks.count; block++)
            if (loops.of_block[block] == i)
                fprintf(out, "%x", block);
        fputs(";", out);
    }
    print_end(out, graphs[_i].loops);
    loops_free(&loops);
}

#define BLOCKS 10

static void reach(bool reached[BLOCKS][BLOCKS], const struct made_flow_arc *arcs,
                  size_t count)
{
    memset(reached, 0, BLOCKS * sizeof *reached);
    for (size_t i = 0; i < count; i++)
        reached[arcs[i].from][arcs[i].to] = true;
    for (size_t k = 0; k < BLOCKS; k++)
        for (size_t i = 0; i < BLOCKS; i++)
            for (size_t j = 0; j < BLOCKS; j++)
                reached[i][j] |= reached[i][k] && reached[k][j];
}

static uint32_t outermost(const struct loops *loops, uint32_t block)
{
    uint32_t at = loops->of_block[block];
    while (at != LOOPS_NONE && loops->loops[at].outer != LOOPS_NONE)
        at = loops->loops[at].outer;
    return at;
}

static void try_random(uint64_t seed)
{
    struct made_flow_arc arcs[MADE_FLOW_EDGES];
    bool reached[BLOCKS][BLOCKS];
    static const uint32_t lines[BLOCKS];
    size_t count = 0;
    struct loops loops;
    random_state = seed + 1;
    arcs[count++] = (struct made_flow_arc){.to = 2, .count = 3};
    for (uint32_t from = 2; from < BLOCKS; from++)
        for (uint64_t n = 1 + random_below(3); n > 0; n--)
            arcs[count++] =
                (struct made_flow_arc){.from = from,
                                       .to = (uint32_t)(1 + random_below(BLOCKS - 1)),
                                       .count = (int64_t)random_below(9)};
    made_flow(&made, arcs, count, lines, BLOCKS);
    loops_find(&loops, &made.counts);
    reach(reached, arcs, count);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t loop = outermost(&loops, i);
        ck_assert_int_eq(loop != LOOPS_NONE, reached[i][i]);
        for (uint32_t j = 0; j < i; j++)
            if (loop != LOOPS_NONE)
                ck_assert_int_eq(outermost(&loops, j) == loop,
                                 reached[i][j] && reached[j][i]);
    }
    for (uint32_t i = 0; i < loops.count; i++) {
        ck_assert(loops.loops[i].outer == LOOPS_NONE || loops.loops[i].outer < i);
        ck_assert_uint_eq(loops.loops[i].depth,
                          loops.loops[i].outer == LOOPS_NONE
                              ? 0
                              : loops.loops[loops.loops[i].outer].depth + 1);
    }
    loops_free(&loops);
}

TEST(at_random)
{
    for (uint64_t seed = 0; seed < 500; seed++)
        try_random(seed);
}

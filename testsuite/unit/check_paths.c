/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* The arrows of a call graph over random trees of frames, some of whose functions are
   hidden. Compares them with a simple model that checks each stack separately. */

#include "mlprof/arcs/paths.h"
#include "mlprof/stacks/stacks-inside.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/random.h"

#define FUNCTIONS 7
#define NODES     60

/* Rows in which each function has one copy. The copy has the number of its source and of
   its row. */
struct made {
    struct rows rows;
    struct stacks_node nodes[NODES];
    struct stacks_copy copies[FUNCTIONS];
    uint32_t of_source[FUNCTIONS];
    bool drawn[FUNCTIONS];
};

static void make(struct made *made)
{
    struct stacks *stacks = &made->rows.stacks;
    memset(made, 0, sizeof *made);
    made->rows.of_source = made->of_source;
    made->rows.source_count = FUNCTIONS;
    stacks->copies.list = made->copies;
    stacks->nodes.list = made->nodes;
    stacks->nodes.count = 1 + random_below(NODES);
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        made->copies[i].source = made->of_source[i] = i;
        made->drawn[i] = random_below(3) > 0;
    }
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        uint32_t back = 1 + random_below(random_below(3) ? 2 : NODES);
        made->nodes[i] = (struct stacks_node){
            .parent = back > i ? STACKS_NONE : i - back,
            .child = STACKS_NONE,
            .copy = random_below(FUNCTIONS),
            .count = random_below(3) ? random_below(9) : 0,
        };
        made->rows.total += made->nodes[i].count;
    }
    stacks_finish(stacks);
    packed_free(&stacks->origins);
}

struct model {
    uint64_t weight[FUNCTIONS][FUNCTIONS];
    bool direct[FUNCTIONS][FUNCTIONS];
};

/* Every pair of shown functions on the stack with no shown function between them. */
static void look_at(struct model *model, const struct made *made, const uint32_t *stack,
                    int depth, uint64_t count)
{
    bool seen[FUNCTIONS][FUNCTIONS] = {0};
    for (int to = 0; to < depth; to++) {
        int from = to - 1;
        while (from >= 0 && !made->drawn[stack[from]])
            from--;
        if (from < 0 || !made->drawn[stack[to]])
            continue;
        if (!seen[stack[from]][stack[to]])
            model->weight[stack[from]][stack[to]] += count;
        seen[stack[from]][stack[to]] = true;
        model->direct[stack[from]][stack[to]] |= from == to - 1;
    }
}

static void make_model(struct model *model, const struct made *made)
{
    memset(model, 0, sizeof *model);
    for (uint32_t i = 0; i < made->rows.stacks.nodes.count; i++) {
        uint32_t stack[NODES];
        int first = NODES;
        for (uint32_t at = i; at != STACKS_NONE; at = made->nodes[at].parent)
            stack[--first] = made->nodes[at].copy;
        if (made->nodes[i].count)
            look_at(model, made, stack + first, NODES - first, made->nodes[i].count);
    }
}

TEST(random_trees)
{
    unsigned dashed = 0, both = 0;
    for (int round = 0; round < 2000; round++) {
        struct made made;
        struct model model;
        struct paths paths;
        size_t expected = 0;
        make(&made);
        make_model(&model, &made);
        if (made.rows.total == 0)
            continue;
        paths_find(&paths, &made.rows, NULL, made.drawn);
        for (int i = 0; i < FUNCTIONS * FUNCTIONS; i++)
            expected += model.weight[i / FUNCTIONS][i % FUNCTIONS] > 0;
        ck_assert_uint_eq(paths.count, expected);
        for (size_t i = 0; i < paths.count; i++) {
            const struct paths_path *path = &paths.paths[i];
            ck_assert_uint_eq(path->weight, model.weight[path->from][path->to]);
            ck_assert(path->direct == model.direct[path->from][path->to]);
            ck_assert(i == 0 || path[-1].from < path->from ||
                      (path[-1].from == path->from && path[-1].to < path->to));
            dashed += !path->direct;
            both += path->from == path->to;
        }
        paths_free(&paths);
    }
    ck_assert_uint_gt(dashed, 100);
    ck_assert_uint_gt(both, 100);
}

TEST(nothing_measured)
{
    struct rows_edge edges[] = {{.caller = 2, .callee = 1},
                                {.caller = 0, .callee = 2},
                                {.caller = 0, .callee = 1}};
    struct rows_edges found = {.list = edges, .count = 3, .found = true};
    struct rows rows = {.count = 3, .edges = &found};
    struct paths paths;
    bool drawn[] = {true, true, true};
    paths_find(&paths, &rows, NULL, drawn);
    ck_assert_uint_eq(paths.count, 3);
    ck_assert_uint_eq(paths.paths[2].from, 2);
    ck_assert_uint_eq(paths.paths[2].to, 1);
    ck_assert(paths.paths[2].direct && paths.paths[2].weight == 0);
    paths_free(&paths);
    drawn[2] = false;
    paths_find(&paths, &rows, NULL, drawn);
    ck_assert_uint_eq(paths.count, 1);
    ck_assert_uint_eq(paths.paths[0].to, 1);
    paths_free(&paths);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the spanning tree of edges without counters, and finds the recipe of each mark
   by a greedy search. */

#include "plugin/tables/placement.h"
#include "plugin/tables/memory.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns the root of a node's tree. The trees are disjoint sets: ABOVE contains the
   parent of each node, and the root of a tree is its own parent. */
static unsigned root_of_node(unsigned *above, unsigned node)
{
    while (above[node] != node) {
        above[node] = above[above[node]];
        node = above[node];
    }
    return node;
}

/* Joins the trees of two nodes. Returns true if the trees were different. */
static bool join_trees(unsigned *above, unsigned one, unsigned other)
{
    unsigned a = root_of_node(above, one), b = root_of_node(above, other);

    above[a] = b;
    return a != b;
}

static int by_rank(const void *one, const void *other)
{
    const struct spanning_edge *a = *(struct spanning_edge *const *)one;
    const struct spanning_edge *b = *(struct spanning_edge *const *)other;

    if (a->wish != b->wish)
        return a->wish > b->wish ? -1 : 1;
    if (a->weight > b->weight || a->weight < b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void choose_role(struct spanning_edge *edge, unsigned *above)
{
    if (edge->wish != SPANNING_COUNTED && join_trees(above, edge->from, edge->to))
        edge->role = SPANNING_TREE;
    else
        edge->role =
            edge->wish == SPANNING_UNCOUNTABLE ? SPANNING_NEITHER : SPANNING_COUNTER;
}

void spanning_choose(struct spanning_edge *edges, size_t count, unsigned nodes)
{
    unsigned *above = memory_zeroed(nodes, sizeof *above);
    struct spanning_edge **ranked =
        memory_zeroed(count + 1, sizeof(struct spanning_edge *));

    for (unsigned i = 0; i < nodes; i++)
        above[i] = i;
    for (size_t i = 0; i < count; i++) {
        assert(edges[i].from < nodes && edges[i].to < nodes);
        ranked[i] = &edges[i];
    }
    qsort(ranked, count, sizeof(struct spanning_edge *), by_rank);
    join_trees(above, 1, 0);
    for (size_t i = 0; i < count; i++)
        choose_role(ranked[i], above);
    memory_free(ranked);
    memory_free(above);
}

/* Recipes. Removing an edge of the spanning tree divides the nodes into two sides.
   Control crosses from one side to the other as often as it crosses back. So the
   recipe of the edge consists of the chords that cross, with their signs (a
   fundamental cut).

   A greedy search starts with a maximum spanning tree. It processes the needed edges
   one by one, the cheapest first. If the counters that are still missing for the
   recipe are cheaper than a counter on the edge itself, they are placed. Otherwise the
   edge gets a counter, and in the tree it is replaced by the most expensive chord of
   its recipe. */

#define NONE     ((size_t)-1)
#define MAX_COST 0.9 /* maximum cost of a recipe, relative to a counter */
#define MAX_WORK 1e9 /* steps; beyond, each needed edge gets its own counter */

struct arm {
    size_t edge, next;
};

struct class
{
    size_t edge; /* the cheapest of the needed edges with the same count */
    uint64_t hash;
    double weight;
};

struct finder {
    struct recipe_edge *edges;
    size_t count;
    unsigned nodes;
    struct recipe *recipe;
    bool *in_tree;         /* per edge */
    uint64_t *hashes;      /* per edge: equal if the counts are always equal */
    size_t *first;         /* per node: number of its first arm, plus 1 */
    struct arm *arms;      /* two for each edge of the tree */
    unsigned *order;       /* the nodes, parents before children */
    unsigned *start, *end; /* per node: range of its subtree in ORDER */
    size_t *above;         /* per node: the edge to its parent */
    bool stale;
    struct recipe_term cut[RECIPE_TERMS];
};

static unsigned node_of(unsigned node)
{
    return node == 1 ? 0 : node;
}

static void choose_tree(struct finder *finder)
{
    struct spanning_edge *choices =
        memory_zeroed(finder->count + 1, sizeof(struct spanning_edge));

    for (size_t i = 0; i < finder->count; i++)
        choices[i] = (struct spanning_edge){
            .from = finder->edges[i].from,
            .to = finder->edges[i].to,
            .wish = finder->edges[i].countable ? SPANNING_ANY : SPANNING_UNCOUNTABLE,
            .weight = finder->edges[i].weight,
        };
    spanning_choose(choices, finder->count, finder->nodes);
    for (size_t i = 0; i < finder->count; i++)
        finder->in_tree[i] = choices[i].role == SPANNING_TREE;
    memory_free(choices);
}

static void add_arms(struct finder *finder)
{
    size_t number = 0;

    for (unsigned i = 0; i < finder->nodes; i++)
        finder->first[i] = 0;
    for (size_t i = 0; i < finder->count; i++) {
        if (!finder->in_tree[i])
            continue;
        const unsigned ends[] = {node_of(finder->edges[i].from),
                                 node_of(finder->edges[i].to)};
        for (int k = 0; k < 2; k++) {
            finder->arms[number] = (struct arm){i, finder->first[ends[k]]};
            finder->first[ends[k]] = ++number;
        }
    }
}

static unsigned other_end(const struct finder *finder, size_t edge, unsigned node)
{
    unsigned from = node_of(finder->edges[edge].from);

    return from == node ? node_of(finder->edges[edge].to) : from;
}

/* Appends the nodes of the root's tree to the order, depth first. FIRST of a node is
   advanced to the next arm to be visited. */
static void put_in_order(struct finder *finder, unsigned root, unsigned *number)
{
    unsigned node = root;

    finder->above[root] = NONE;
    finder->start[root] = *number;
    finder->order[(*number)++] = root;
    for (;;) {
        size_t arm = finder->first[node];
        if (arm) {
            size_t edge = finder->arms[arm - 1].edge;
            finder->first[node] = finder->arms[arm - 1].next;
            if (edge == finder->above[node])
                continue;
            node = other_end(finder, edge, node);
            finder->above[node] = edge;
            finder->start[node] = *number;
            finder->order[(*number)++] = node;
        } else {
            finder->end[node] = *number;
            if (node == root)
                return;
            node = other_end(finder, finder->above[node], node);
        }
    }
}

static void make_tree(struct finder *finder)
{
    unsigned number = 0;

    if (!finder->stale)
        return;
    add_arms(finder);
    for (unsigned i = 0; i < finder->nodes; i++)
        finder->end[i] = 0;
    for (unsigned i = 0; i < finder->nodes; i++)
        if (i != 1 && !finder->end[i])
            put_in_order(finder, i, &number);
    finder->stale = false;
}

/* Returns the end of a tree edge that is farther from the root. */
static unsigned lower_end(const struct finder *finder, size_t edge)
{
    unsigned to = node_of(finder->edges[edge].to);

    return finder->above[to] == edge ? to : node_of(finder->edges[edge].from);
}

static bool is_below(const struct finder *finder, unsigned node, unsigned top)
{
    return finder->start[node] >= finder->start[top] &&
           finder->start[node] < finder->end[top];
}

/* SplitMix64: gives the same numbers in each run. */
static uint64_t mix_bits(uint64_t number)
{
    number += 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
}

/* Assigns random counts to the chords, and computes the counts of the tree's edges
   from them. */
static void make_hashes(struct finder *finder)
{
    uint64_t *excess = memory_zeroed(finder->nodes, sizeof *excess);
    unsigned number = 0;

    for (unsigned i = 0; i < finder->nodes; i++)
        number += i != 1;
    for (size_t i = 0; i < finder->count; i++) {
        if (finder->in_tree[i])
            continue;
        finder->hashes[i] = mix_bits(i);
        excess[node_of(finder->edges[i].to)] += finder->hashes[i];
        excess[node_of(finder->edges[i].from)] -= finder->hashes[i];
    }
    while (number-- > 0) {
        unsigned node = finder->order[number];
        size_t edge = finder->above[node];
        if (edge == NONE)
            continue;
        bool leaves = node_of(finder->edges[edge].from) == node;
        finder->hashes[edge] = leaves ? excess[node] : -excess[node];
        excess[other_end(finder, edge, node)] += excess[node];
    }
    memory_free(excess);
}

static int by_hash(const void *one, const void *other)
{
    const struct class *a = one, *b = other;

    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->weight < b->weight || a->weight > b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static int by_weight(const void *one, const void *other)
{
    const struct class *a = one, *b = other;

    if (a->weight < b->weight || a->weight > b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->edge < b->edge ? -1 : a->edge > b->edge;
}

/* Returns the number of chords in the recipe of a tree edge, and stores the first
   RECIPE_TERMS of them in finder->cut. Sets *COST to the cost of the chords without a
   counter, or to a negative number if one of them cannot have a counter. Sets *SPARE
   to the chord without a counter that would replace the edge in the tree, or to NONE. */
static size_t find_cut(struct finder *finder, size_t edge, double *cost, size_t *spare)
{
    unsigned top = lower_end(finder, edge);
    bool leaves = node_of(finder->edges[edge].from) == top;
    size_t number = 0;

    *cost = 0;
    *spare = NONE;
    for (size_t i = 0; i < finder->count; i++) {
        const struct recipe_edge *chord = &finder->edges[i];
        if (finder->in_tree[i])
            continue;
        bool from = is_below(finder, node_of(chord->from), top);
        if (from == is_below(finder, node_of(chord->to), top))
            continue;
        if (number < RECIPE_TERMS)
            finder->cut[number] = (struct recipe_term){i, from == leaves};
        number++;
        if (chord->counter)
            continue;
        if (*spare == NONE ||
            (finder->edges[*spare].countable &&
             (!chord->countable || chord->weight > finder->edges[*spare].weight)))
            *spare = i;
        *cost = !chord->countable || *cost < 0 ? -1 : *cost + chord->weight;
    }
    return number;
}

static void put_term(struct finder *finder, struct recipe_term term)
{
    struct recipe *recipe = finder->recipe;

    finder->edges[term.edge].counter = true;
    recipe->terms = memory_reserve(recipe->terms, &recipe->room, recipe->count + 1,
                                   sizeof *recipe->terms);
    recipe->terms[recipe->count++] = term;
}

/* Finds the recipe for the edge of the class. */
static void find_recipe(struct finder *finder, const struct class *class)
{
    struct recipe_edge *edge = &finder->edges[class->edge];
    double cost;
    size_t spare;

    edge->first = finder->recipe->count;
    if (finder->in_tree[class->edge]) {
        make_tree(finder);
        size_t terms = find_cut(finder, class->edge, &cost, &spare);
        if (terms <= RECIPE_TERMS && cost >= 0 &&
            (spare == NONE || cost < edge->weight * MAX_COST)) {
            for (size_t i = 0; i < terms; i++)
                put_term(finder, finder->cut[i]);
            edge->terms = terms;
            return;
        }
        if (spare != NONE) {
            finder->in_tree[class->edge] = false;
            finder->in_tree[spare] = true;
            finder->stale = true;
        }
    }
    put_term(finder, (struct recipe_term){class->edge, false});
    edge->terms = 1;
}

static void start_finder(struct finder *finder)
{
    size_t edges = finder->count + 1;

    finder->in_tree = memory_zeroed(edges, sizeof *finder->in_tree);
    finder->hashes = memory_zeroed(edges, sizeof *finder->hashes);
    finder->arms = memory_zeroed(2 * edges, sizeof *finder->arms);
    finder->first = memory_zeroed(finder->nodes, sizeof *finder->first);
    finder->order = memory_zeroed(finder->nodes, sizeof *finder->order);
    finder->start = memory_zeroed(finder->nodes, sizeof *finder->start);
    finder->end = memory_zeroed(finder->nodes, sizeof *finder->end);
    finder->above = memory_zeroed(finder->nodes, sizeof *finder->above);
    finder->stale = true;
}

static void free_finder(struct finder *finder)
{
    memory_free(finder->in_tree);
    memory_free(finder->hashes);
    memory_free(finder->arms);
    memory_free(finder->first);
    memory_free(finder->order);
    memory_free(finder->start);
    memory_free(finder->end);
    memory_free(finder->above);
}

/* Fills NEEDED and returns the number of needed edges. */
static size_t find_needed_edges(const struct finder *finder, struct class *needed)
{
    size_t number = 0;

    for (size_t i = 0; i < finder->count; i++)
        if (finder->edges[i].needed)
            needed[number++] =
                (struct class){i, finder->hashes[i], finder->edges[i].weight};
    return number;
}

void recipe_find(struct recipe_edge *edges, size_t count, unsigned nodes,
                 struct recipe *recipe)
{
    struct finder finder = {
        .edges = edges, .count = count, .nodes = nodes, .recipe = recipe};
    struct class *needed = memory_zeroed(count + 1, sizeof *needed);
    struct class *classes = memory_zeroed(count + 1, sizeof *classes);
    size_t class_count = 0;

    start_finder(&finder);
    choose_tree(&finder);
    make_tree(&finder);
    make_hashes(&finder);
    size_t needed_count = find_needed_edges(&finder, needed);
    qsort(needed, needed_count, sizeof *needed, by_hash);
    for (size_t i = 0; i < needed_count; i++)
        if (i == 0 || needed[i].hash != needed[i - 1].hash)
            classes[class_count++] = needed[i];
    qsort(classes, class_count, sizeof *classes, by_weight);
    bool too_many = (double)class_count * (double)(count + nodes) > MAX_WORK;
    for (size_t i = 0; i < class_count; i++) {
        if (too_many)
            finder.in_tree[classes[i].edge] = false;
        find_recipe(&finder, &classes[i]);
    }
    for (size_t i = 1; i < needed_count; i++) {
        const struct recipe_edge *before = &edges[needed[i - 1].edge];
        if (needed[i].hash != needed[i - 1].hash)
            continue;
        edges[needed[i].edge].first = before->first;
        edges[needed[i].edge].terms = before->terms;
    }
    free_finder(&finder);
    memory_free(needed);
    memory_free(classes);
}

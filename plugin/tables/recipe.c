/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the counts of all edges outside of a spanning tree those of the tree's follow: an
   edge of it parts the tree in two, and as much as goes over to one side comes back.  A
   maximum tree leaves the edges that are taken least often.  The wanted edges then
   are looked at one by one, the cheapest first: if what its recipe still lacks is cheaper
   than a counter of its own it gets that, otherwise a counter, and in its place the edge
   that was most costly in the recipe comes into the tree.  */

#include "plugin/tables/recipe.h"
#include "plugin/tables/memory.h"
#include "plugin/tables/spanning.h"

#include <stdint.h>
#include <stdlib.h>

#define NONE      ((size_t)-1)
#define CLEARLY   0.9 /* what is cheaper is so by that */
#define MOST_WORK 1e9 /* steps; beyond each wanted edge has a counter of its own */

struct arm {
    size_t edge, next;
};

struct class
{
    size_t edge; /* wanted, of those with one count the cheapest */
    uint64_t hash;
    double weight;
};

struct finder {
    struct recipe_edge *edges;
    size_t count;
    unsigned nodes;
    struct recipe *recipe;
    bool *in_tree;         /* by edge */
    uint64_t *hashes;      /* by edge: equal if the counts always are */
    size_t *first;         /* by node: of its arms, plus 1 */
    struct arm *arms;      /* two for each edge of the tree */
    unsigned *order;       /* the nodes, each behind the one above it */
    unsigned *start, *end; /* by node: it and those below it in the order */
    size_t *above;         /* by node: the edge that leads there */
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

/* The tree of that root.  FIRST of a node becomes the arm to be looked at next.  */
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

/* Of the two ends of an edge of the tree the lower one.  */
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

/* SplitMix64: the same numbers in each run.  */
static uint64_t mix(uint64_t number)
{
    number += 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
}

/* The edges outside of the tree get random counts, and the others those that follow.  */
static void make_hashes(struct finder *finder)
{
    uint64_t *excess = memory_zeroed(finder->nodes, sizeof *excess);
    unsigned number = 0;

    for (unsigned i = 0; i < finder->nodes; i++)
        number += i != 1;
    for (size_t i = 0; i < finder->count; i++) {
        if (finder->in_tree[i])
            continue;
        finder->hashes[i] = mix(i);
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

/* How many chords the recipe of an edge of the tree has; those that find room are in the
   finder's cut.  COST is that of those that have no counter yet, negative: some can have
   none; SPARE the one of these that comes into the tree first.  */
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

/* The recipe of the class becomes that of this edge.  */
static void decide(struct finder *finder, const struct class *class)
{
    struct recipe_edge *edge = &finder->edges[class->edge];
    double cost;
    size_t spare;

    edge->first = finder->recipe->count;
    if (finder->in_tree[class->edge]) {
        make_tree(finder);
        size_t terms = find_cut(finder, class->edge, &cost, &spare);
        if (terms <= RECIPE_TERMS && cost >= 0 &&
            (spare == NONE || cost < edge->weight * CLEARLY)) {
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

static void start(struct finder *finder)
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

static void finish(struct finder *finder)
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

/* The wanted edges; gives how many.  */
static size_t find_wanted(const struct finder *finder, struct class *wanted)
{
    size_t number = 0;

    for (size_t i = 0; i < finder->count; i++)
        if (finder->edges[i].wanted)
            wanted[number++] =
                (struct class){i, finder->hashes[i], finder->edges[i].weight};
    return number;
}

void recipe_find(struct recipe_edge *edges, size_t count, unsigned nodes,
                 struct recipe *recipe)
{
    struct finder finder = {
        .edges = edges, .count = count, .nodes = nodes, .recipe = recipe};
    struct class *wanted = memory_zeroed(count + 1, sizeof *wanted);
    struct class *classes = memory_zeroed(count + 1, sizeof *classes);
    size_t class_count = 0;

    start(&finder);
    choose_tree(&finder);
    make_tree(&finder);
    make_hashes(&finder);
    size_t wanted_count = find_wanted(&finder, wanted);
    qsort(wanted, wanted_count, sizeof *wanted, by_hash);
    for (size_t i = 0; i < wanted_count; i++)
        if (i == 0 || wanted[i].hash != wanted[i - 1].hash)
            classes[class_count++] = wanted[i];
    qsort(classes, class_count, sizeof *classes, by_weight);
    bool too_many = (double)class_count * (double)(count + nodes) > MOST_WORK;
    for (size_t i = 0; i < class_count; i++) {
        if (too_many)
            finder.in_tree[classes[i].edge] = false;
        decide(&finder, &classes[i]);
    }
    for (size_t i = 1; i < wanted_count; i++) {
        const struct recipe_edge *before = &edges[wanted[i - 1].edge];
        if (wanted[i].hash != wanted[i - 1].hash)
            continue;
        edges[wanted[i].edge].first = before->first;
        edges[wanted[i].edge].terms = before->terms;
    }
    finish(&finder);
    memory_free(wanted);
    memory_free(classes);
}

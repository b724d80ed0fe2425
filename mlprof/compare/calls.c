/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds the values of each run to a tree with one level for the function and one for its
   neighbour (calls_add), and then compares the trees of both sides (calls_find). */

#include "mlprof/compare/calls.h"
#include "mlprof/arcs/arcs-neighbours.h"
#include "mlprof/base/buf.h"

#include <stdlib.h>
#include <string.h>

/* The calls that NODE of the run's stacks contributes to PLACE, a node of the
   breakdown. For counted calls NODE is STACKS_NONE. */
struct entry {
    uint32_t place, node;
    struct arcs_calls calls;
};

struct finder {
    struct breakdown *calls;
    struct runset *side;
    enum calls_view view;
    uint32_t root;
    const uint32_t *numbers; /* by row: number of its function */
    const bool *selected;    /* by function */
    struct entry *entries;
    size_t count, capacity;
};

static uint32_t put(struct finder *finder, uint32_t parent, uint32_t function,
                    enum breakdown_kind kind)
{
    return breakdown_put(finder->calls, (struct breakdown_node){parent, function, kind});
}

static uint32_t put_root(struct breakdown *calls, enum calls_view view)
{
    return breakdown_put(calls, (struct breakdown_node){BREAKDOWN_NONE, BREAKDOWN_NONE,
                                                        BREAKDOWN_ROOT + view});
}

static void add_entry(struct finder *finder, uint32_t place, uint32_t node,
                      struct arcs_calls calls)
{
    BUF_NEXT(finder->entries, finder->count, finder->capacity) =
        (struct entry){place, node, calls};
}

/* Returns the function of a row, or a placeholder function for calls from outside and
   for unknown callers. */
static uint32_t function_of(struct finder *finder, uint32_t row)
{
    const struct identity_source outside = {.name = "<outside>"},
                                 others = {.name = ARCS_OTHERS_NAME};
    return row == STACKS_NONE   ? runset_put(finder->side, &outside, NULL)
           : row == ARCS_OTHERS ? runset_put(finder->side, &others, NULL)
                                : finder->numbers[row];
}

static bool is_selected(const struct finder *finder, uint32_t row)
{
    return row != STACKS_NONE && finder->numbers[row] != BREAKDOWN_NONE &&
           finder->selected[finder->numbers[row]];
}

/* A node of the stacks contributes to up to three nodes of the breakdown: to its
   function, to the caller below this function, and to this function as a callee below
   its caller. */
enum { PLACES = 3 };

static void put_places(struct finder *finder, const struct rows *rows, uint32_t node,
                       uint32_t places[PLACES])
{
    uint32_t parent = rows->stacks.nodes.list[node].parent,
             row = rows_of_node(rows, node);
    uint32_t caller = parent == STACKS_NONE ? STACKS_NONE : rows_of_node(rows, parent);
    if (is_selected(finder, row))
        places[0] = put(finder, finder->root, finder->numbers[row], BREAKDOWN_ITSELF);
    if (is_selected(finder, row) && finder->view != CALLS_CALLEES)
        places[1] = put(finder, places[0], function_of(finder, caller), BREAKDOWN_CALLER);
    if (is_selected(finder, caller) && finder->view != CALLS_CALLERS)
        places[2] = put(
            finder, put(finder, finder->root, finder->numbers[caller], BREAKDOWN_ITSELF),
            finder->numbers[row], BREAKDOWN_CALLEE);
}

/* Finds the values of each node from the stacks, and counts each sample once. */
static void find_in_stacks(struct finder *finder, const struct rows *rows)
{
    const struct stacks *stacks = &rows->stacks;
    BUF_OWN uint32_t(*places)[PLACES] =
        buf_alloc((stacks->nodes.count + 1) * sizeof *places);
    memset(places, 0xff, (stacks->nodes.count + 1) * sizeof *places);
    for (uint32_t i = 0; i < stacks->nodes.count; i++)
        if (stacks->nodes.list[i].weight)
            put_places(finder, rows, i, places[i]);
    BUF_OWN uint32_t *active =
        buf_alloc((finder->calls->nodes.count + 1) * sizeof *active);
    struct stacks_walk walk = {0};
    while (stacks_walk_next(stacks, &walk))
        for (size_t i = 0; i < PLACES; i++) {
            uint32_t place = places[walk.node][i];
            if (place == BREAKDOWN_NONE)
                continue;
            uint64_t weight = stacks->nodes.list[walk.node].weight;
            if (walk.leave)
                active[place]--;
            else if (active[place]++ == 0)
                add_entry(finder, place, walk.node,
                          (struct arcs_calls){weight, weight, weight});
        }
}

/* Finds the values of each node from counted calls. */
static void find_in_arcs(struct finder *finder, const struct rows *rows,
                         const struct arcs *arcs)
{
    static const struct {
        enum calls_view not ;
        enum arcs_neighbours_side side;
        enum breakdown_kind kind;
    } ways[] = {{CALLS_CALLEES, ARCS_CALLERS, BREAKDOWN_CALLER},
                {CALLS_CALLERS, ARCS_CALLEES, BREAKDOWN_CALLEE}};
    struct arcs_neighbours found;
    arcs_neighbours_begin(&found, arcs);
    for (uint32_t row = 0; row < rows->count; row++) {
        uint64_t calls = rows_calls(&rows->rows[row]);
        if (rows->rows[row].branch || !is_selected(finder, row))
            continue;
        uint32_t itself =
            put(finder, finder->root, finder->numbers[row], BREAKDOWN_ITSELF);
        add_entry(finder, itself, STACKS_NONE, (struct arcs_calls){calls, calls, calls});
        for (size_t way = 0; way < 2; way++) {
            if (finder->view == ways[way].not )
                continue;
            arcs_neighbours_find(&found, arcs, row, ways[way].side);
            for (size_t i = 0; i < found.count; i++)
                add_entry(finder,
                          put(finder, itself, function_of(finder, found.list[i].row),
                              ways[way].kind),
                          STACKS_NONE, found.list[i].calls);
        }
    }
    arcs_neighbours_free(&found);
}

/* Returns for each function of SIDE whether it was requested. REQUESTED has the same
   information for each row of ROWS. The caller frees the array. */
static bool *by_function(const struct runset *side, const struct rows *rows,
                         const uint32_t *numbers, const bool *requested)
{
    bool *selected = buf_alloc(side->functions.count + 1);
    for (size_t i = 0; i < rows->count; i++)
        if (requested[i] && numbers[i] != BREAKDOWN_NONE)
            selected[numbers[i]] = true;
    return selected;
}

/* Finds the calls in REPORT for one view. */
static struct finder find(struct breakdown *calls, struct runset *side,
                          enum calls_view view, const struct report *report,
                          const bool *requested)
{
    const struct rows *rows = &report->rows;
    BUF_OWN uint32_t *numbers = breakdown_numbers(side, rows);
    BUF_OWN bool *selected = by_function(side, rows, numbers, requested);
    struct finder finder = {.calls = calls,
                            .side = side,
                            .view = view,
                            .root = put_root(calls, view),
                            .numbers = numbers,
                            .selected = selected};
    /* Add the placeholder functions to both sides, so that they can be matched. */
    function_of(&finder, STACKS_NONE);
    function_of(&finder, ARCS_OTHERS);
    if (rows->has_arcs)
        find_in_arcs(&finder, rows, &report->arcs);
    else
        find_in_stacks(&finder, rows);
    finder.selected = NULL, finder.numbers = NULL;
    return finder;
}

static uint32_t *find_path(struct breakdown *calls, struct runset *side,
                           const struct rows *rows)
{
    BUF_OWN uint32_t *numbers = breakdown_numbers(side, rows);
    return breakdown_places(calls, put_root(calls, CALLS_PATH), rows, numbers, true);
}

/* Adds bounds to a run if some of its calls are uncertain. */
static void add_bounds(struct runset_run *run, const struct finder *found)
{
    struct statistics_interval *bounds = buf_alloc((run->count + 1) * sizeof *bounds);
    for (enum calls_view view = 0; view < CALLS_PATH; view++)
        for (size_t i = 0; i < found[view].count; i++) {
            const struct entry *entry = &found[view].entries[i];
            bounds[entry->place].least += (double)entry->calls.least;
            bounds[entry->place].most += (double)entry->calls.most;
            run->bounded |= entry->calls.least != entry->calls.most;
        }
    if (run->bounded)
        run->columns[1].intervals = bounds;
    else
        free(bounds);
}

/* Adds the confidence intervals of heap estimates. PLACES has the node of the path
   for each node of the stacks; NULL: the path was not requested. */
static void add_ranges(struct breakdown *calls, const struct report *report,
                       const struct finder *found, const uint32_t *places)
{
    const struct stacks *stacks = &report->rows.stacks;
    const struct heapdata *heap = &report->profile->heap;
    struct amounts_place *list = NULL;
    size_t count = 0, capacity = 0;
    for (enum calls_view view = 0; view < CALLS_PATH; view++)
        for (size_t i = 0; i < found[view].count; i++) {
            const struct entry *entry = &found[view].entries[i];
            BUF_NEXT(list, count, capacity) =
                (struct amounts_place){entry->node, entry->place, true};
        }
    struct measured *values = measured_new(NULL, NULL, calls->nodes.count);
    amounts_find_at(values, stacks, heap, list, count);
    free(list);
    if (places) {
        struct measured *path = breakdown_amounts(calls, report, places);
        for (uint32_t i = 0; i < path->count; i++)
            measured_add(values, i, path, i);
        measured_free(path);
    }
    runset_add_ranges(&calls->stacks, values, NULL);
    measured_free(values);
}

void calls_add(struct breakdown *calls, struct runset *side, const struct report *report,
               bool *const requested[CALLS_VIEWS])
{
    struct finder found[CALLS_PATH] = {0};
    BUF_OWN uint32_t *places = NULL;
    for (enum calls_view view = 0; view < CALLS_PATH; view++)
        if (requested[view])
            found[view] = find(calls, side, view, report, requested[view]);
    if (requested[CALLS_PATH])
        places = find_path(calls, side, &report->rows);
    struct runset_run *run = breakdown_add_run(calls, report, places);
    uint64_t *values = run->columns[1].values;
    for (enum calls_view view = 0; view < CALLS_PATH; view++)
        for (size_t i = 0; i < found[view].count; i++)
            values[found[view].entries[i].place] += found[view].entries[i].calls.count;
    if (report->rows.has_arcs)
        add_bounds(run, found);
    if (run->estimated)
        add_ranges(calls, report, found, places);
    for (enum calls_view view = 0; view < CALLS_PATH; view++)
        free(found[view].entries);
}

/* Returns the mean of a node's values over the runs of a side. Samples are converted
   to seconds. */
static double mean_of(const struct runset *stacks, uint32_t node)
{
    double sum = 0;
    for (size_t i = 0; i < stacks->runs.count; i++) {
        const struct runset_run *run = &stacks->runs.list[i];
        double count = (double)runset_value(
            run, node, (struct runset_measure){run->main, RUNSET_STACK});
        sum += run->main->sampled && run->rate ? count / (double)run->rate : count;
    }
    return sum / (double)stacks->runs.count;
}

static void add_row(struct calls *calls, const struct breakdown_tree *tree, uint32_t node,
                    struct calls_row row)
{
    memcpy(&calls->match.functions[2 * calls->match.count],
           &tree->match.functions[2 * (size_t)node], 2 * sizeof *tree->match.functions);
    calls->rows[calls->match.count++] = row;
}

/* Adds the hot path below ROOT. It continues from each node to its greatest child, as
   long as the child has more than half of the node's value. */
static void add_path(struct calls *calls, const struct breakdown *const sides[2],
                     const struct breakdown_tree *tree, uint32_t root)
{
    double all[2];
    for (size_t s = 0; s < 2; s++)
        all[s] = mean_of(&sides[s]->stacks, tree->match.functions[2 * (size_t)root + s]);
    calls->path_side = all[1] >= all[0];
    BUF_OWN double *means = buf_alloc((tree->match.count + 1) * sizeof *means);
    double least = 0;
    for (size_t i = 0; i < tree->match.count; i++)
        means[i] = mean_of(&sides[calls->path_side]->stacks,
                           tree->match.functions[2 * i + calls->path_side]);
    for (uint32_t node = root, next = root; next != BREAKDOWN_NONE; node = next) {
        next = BREAKDOWN_NONE;
        /* A parent precedes its children. */
        for (uint32_t i = node + 1; i < tree->match.count; i++)
            if (tree->nodes[i].parent == node && means[i] > least &&
                tree->nodes[i].function != BREAKDOWN_NONE) {
                least = means[i];
                next = i;
            }
        if (next == BREAKDOWN_NONE)
            break;
        add_row(calls, tree, next,
                (struct calls_row){CALLS_PATH, BREAKDOWN_STACK,
                                   tree->nodes[next].function, BREAKDOWN_NONE});
        least = means[next] / 2;
    }
}

/* Adds the functions below ROOT with their callers and callees. */
static void add_view(struct calls *calls, const struct breakdown_tree *tree,
                     uint32_t root)
{
    BUF_OWN uint32_t *rows = buf_alloc((tree->match.count + 1) * sizeof *rows);
    enum calls_view view = (enum calls_view)(tree->nodes[root].kind - BREAKDOWN_ROOT);
    memset(rows, 0xff, (tree->match.count + 1) * sizeof *rows);
    for (uint32_t i = root + 1; i < tree->match.count; i++) {
        const struct breakdown_node *node = &tree->nodes[i];
        uint32_t subject =
            node->parent == BREAKDOWN_NONE ? BREAKDOWN_NONE : rows[node->parent];
        if (node->parent != root && subject == BREAKDOWN_NONE)
            continue;
        rows[i] = (uint32_t)calls->match.count;
        add_row(calls, tree, i,
                (struct calls_row){view, (enum breakdown_kind)node->kind, node->function,
                                   subject});
    }
}

void calls_find(struct calls *calls, const struct breakdown *const sides[2],
                const struct match *functions, struct runset_measure measure,
                bool of_share)
{
    const struct runset *const stacks[2] = {&sides[0]->stacks, &sides[1]->stacks};
    struct breakdown_tree tree;
    breakdown_join(&tree, sides, functions, 0);
    *calls = (struct calls){.match.sides = 2};
    calls->rows = buf_alloc((tree.match.count + 1) * sizeof *calls->rows);
    calls->match.functions =
        buf_alloc((2 * tree.match.count + 2) * sizeof *calls->match.functions);
    for (uint32_t i = 0; i < tree.match.count; i++)
        if (tree.nodes[i].kind == BREAKDOWN_ROOT + CALLS_PATH)
            add_path(calls, sides, &tree, i);
        else if (tree.nodes[i].kind >= BREAKDOWN_ROOT)
            add_view(calls, &tree, i);
    breakdown_tree_free(&tree);
    changes_find(&calls->changes, &calls->match, stacks,
                 (struct runset_measure){measure.base, RUNSET_STACK}, of_share);
    calls->changes.measure = measure;
    for (size_t i = 0; i < calls->changes.count; i++) {
        struct change *change = &calls->changes.changes[i];
        const struct calls_row *row = &calls->rows[change->row];
        for (size_t s = 0; s < 2; s++) {
            change->exists[s] =
                functions->functions[2 * (size_t)row->function + s] != MATCH_NONE;
            if (row->subject != BREAKDOWN_NONE)
                change->exists[s] &=
                    functions
                        ->functions[2 * (size_t)calls->rows[row->subject].function + s] !=
                    MATCH_NONE;
        }
    }
}

void calls_free(struct calls *calls)
{
    changes_free(&calls->changes);
    match_free(&calls->match);
    free(calls->rows);
    memset(calls, 0, sizeof *calls);
}

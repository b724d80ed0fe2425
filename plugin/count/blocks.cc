// SPDX-License-Identifier: GPL-3.0-or-later
// Splits basic blocks into blocks of a flow graph, numbers them in GCC's order, and
// estimates how often they are executed.

#include "plugin/gcc/compat.h"
#include "plugin/count/blocks.h"
#include "plugin/tables/memory.h"
#include "plugin/gcc/callsite.h"
#include "plugin/gcc/callgraph.h"
#include "cfganal.h"
#include "cfgloop.h"

// The basic blocks, and the gotos on edges, in the order in which GCC would number them.
// BEFORE and BEHIND link each of them to its neighbours. A block is identified by its
// index, a goto by the number of blocks plus the goto's number.
static struct {
    unsigned blocks, count;
    edge *gotos;
    unsigned *before, *behind;
} order;
static struct split_blocks *splits; // indexed by the block
static hash_map<edge, unsigned>
    *goto_numbers; // number of the goto's block; 0: not numbered yet

bool split_blocks_is_abnormal(edge e)
{
    return e->flags & (EDGE_ABNORMAL | EDGE_ABNORMAL_CALL);
}

static bool leads_abnormally(vec<edge, va_gc> *edges, basic_block exempt)
{
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, edges)
        if (split_blocks_is_abnormal(e) && e->src != exempt && e->dest != exempt)
            return true;
    return false;
}

bool split_blocks_is_entered_abnormally(basic_block bb)
{
    return leads_abnormally(bb->preds, ENTRY_BLOCK_PTR_FOR_FN(cfun));
}

bool split_blocks_is_left_abnormally(basic_block bb)
{
    return leads_abnormally(bb->succs, EXIT_BLOCK_PTR_FOR_FN(cfun));
}

bool split_blocks_leads_to_exit(basic_block bb)
{
    return find_edge(bb, EXIT_BLOCK_PTR_FOR_FN(cfun));
}

bool split_blocks_has_entry_edge(basic_block bb)
{
    return find_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun), bb);
}

static bool always_returns(gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

    return callee && returns_always(callee) && !stmt_can_throw_external(cfun, statement);
}

static bool is_pure(gimple *statement)
{
    tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;

    return !stmt_can_terminate_bb_p(statement) || (callee && purity_was(callee));
}

// GCC does not end a block after a call of a pure function. If the function certainly
// returns, the block goes on here too: so gcov has the same blocks.
bool split_blocks_may_not_return(gimple *statement)
{
    return returns_doubtfully(statement) &&
           !(is_pure(statement) && always_returns(statement));
}

// Code after a call that always returns is certainly executed. Code after a tail call is
// assumed to be executed too, because a counter there would prevent the tail call.
bool split_blocks_returns(gimple *statement)
{
    return tailcall_is(statement) || always_returns(statement);
}

bool split_blocks_is_receiver(const gimple *statement)
{
    const gcall *call = dyn_cast<const gcall *>(statement);

    return call && (gimple_call_builtin_p(call, BUILT_IN_SETJMP_RECEIVER) ||
                    gimple_call_flags(call) & ECF_RETURNS_TWICE ||
                    gimple_call_internal_p(call, IFN_ABNORMAL_DISPATCHER));
}

// Returns true if the labels of a basic block must be a separate block of the flow graph.
// Abnormal edges into a block become a fake edge from the entry, and exits from the
// middle of a block become a fake edge to the exit. Fake edges cannot have counters. If a
// block has both, the edge between its labels and its code can have a counter.
static bool labels_stand_apart(basic_block bb, bool is_left)
{
    gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb);

    return is_left && split_blocks_is_entered_abnormally(bb) &&
           !split_blocks_has_entry_edge(bb) && !gsi_end_p(gsi) &&
           !split_blocks_is_receiver(gsi_stmt(gsi));
}

static void number_blocks_of(basic_block bb, unsigned *number)
{
    struct split_blocks *split = &splits[bb->index];
    gimple_stmt_iterator last = gsi_last_nondebug_bb(bb);
    unsigned inner = 0;

    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
        if (!split_blocks_may_not_return(gsi_stmt(gsi)))
            continue;
        if (gsi_stmt(gsi) == gsi_stmt(last))
            split->ends_early = !split_blocks_leads_to_exit(bb);
        else
            inner++;
    }
    if (EDGE_COUNT(bb->succs) == 0)
        split->ends_early = true;
    bool is_left = inner > 0 || split->ends_early || split_blocks_leads_to_exit(bb) ||
                   split_blocks_is_left_abnormally(bb);
    split->labels = labels_stand_apart(bb, is_left);
    split->first = *number;
    split->last = split->first + split->labels + inner;
    *number = split->last + 1;
}

// Returns the last statement with a location in the last split block of BB, or NULL.
static gimple *last_with_location(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);

    while (!gsi_end_p(gsi) && RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi)))) {
        gsi_prev_nondebug(&gsi);
        if (!gsi_end_p(gsi) && split_blocks_may_not_return(gsi_stmt(gsi)))
            return NULL;
    }
    return gsi_end_p(gsi) ? NULL : gsi_stmt(gsi);
}

// Returns true if the edge needs a block for a goto of the source that is no longer in
// the code. The goto needs no block if the code before the edge ends on the line of the
// goto.
static bool has_goto(edge e)
{
    basic_block bb = e->src;
    unsigned ways = EDGE_COUNT(bb->succs) + splits[bb->index].ends_early;
    gimple *last = last_with_location(bb);

    if (split_blocks_is_abnormal(e) || ways < 2 || !last ||
        RESERVED_LOCATION_P(e->goto_locus))
        return false;
    location_t location = gimple_location(last);
    return LOCATION_FILE(e->goto_locus) != LOCATION_FILE(location) ||
           LOCATION_LINE(e->goto_locus) != LOCATION_LINE(location);
}

bool split_blocks_leads_on(edge e)
{
    unsigned next = order.behind[e->src->index];

    if (next >= order.blocks)
        return order.gotos[next - order.blocks] == e;
    return next == (unsigned)e->dest->index && !goto_numbers->get(e);
}

bool split_blocks_is_replaced(edge e)
{
    return split_blocks_is_abnormal(e) && e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) &&
           e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun);
}

// Returns true if the block or goto before the edge's destination leads to this
// destination by a different edge.
static bool has_other_way(edge e)
{
    unsigned before = order.before[e->dest->index];

    if (before >= order.blocks)
        return order.gotos[before - order.blocks]->dest == e->dest;
    edge other = find_edge(BASIC_BLOCK_FOR_FN(cfun, before), e->dest);
    return other && !(other->flags & EDGE_COMPLEX) && !goto_numbers->get(other);
}

// When GCC counts for gcov, it splits the edge by a block. Inserts the goto at the place
// of this block (GCC: tree-cfg.cc, split_edge_bb_loc).
static void order_goto(edge e)
{
    unsigned number = order.blocks + order.count;
    unsigned after = has_other_way(e) ? e->src->index : order.before[e->dest->index];

    order.gotos[order.count++] = e;
    goto_numbers->put(e, 0);
    order.before[number] = after;
    order.behind[number] = order.behind[after];
    order.before[order.behind[number]] = number;
    order.behind[after] = number;
}

static unsigned count_gotos(void)
{
    unsigned count = 0;
    basic_block bb;
    edge e;
    edge_iterator ei;

    FOR_EACH_BB_FN (bb, cfun)
        FOR_EACH_EDGE (e, ei, bb->succs)
            count += !split_blocks_is_replaced(e) && has_goto(e);
    return count;
}

static void order_blocks(void)
{
    unsigned gotos, number = 0;
    basic_block bb;
    edge e;
    edge_iterator ei;

    // has_goto needs the split blocks. split_blocks_make assigns their final numbers.
    FOR_EACH_BB_FN (bb, cfun)
        number_blocks_of(bb, &number);
    gotos = count_gotos();
    order.blocks = (unsigned)last_basic_block_for_fn(cfun);
    order.count = 0;
    order.gotos = XNEWVEC(edge, gotos + 1);
    order.before = XNEWVEC(unsigned, order.blocks + gotos);
    order.behind = XNEWVEC(unsigned, order.blocks + gotos);
    for (bb = ENTRY_BLOCK_PTR_FOR_FN(cfun); bb->next_bb; bb = bb->next_bb) {
        order.behind[bb->index] = bb->next_bb->index;
        order.before[bb->next_bb->index] = bb->index;
    }
    FOR_EACH_BB_FN (bb, cfun)
        FOR_EACH_EDGE (e, ei, bb->succs)
            if (!split_blocks_is_replaced(e) && has_goto(e))
                order_goto(e);
}

void split_blocks_make(unsigned first)
{
    splits = (struct split_blocks *)memory_zeroed(last_basic_block_for_fn(cfun),
                                                  sizeof *splits);
    goto_numbers = new hash_map<edge, unsigned>;
    order_blocks();
    for (unsigned i = order.behind[ENTRY_BLOCK]; i != EXIT_BLOCK; i = order.behind[i])
        if (i < order.blocks)
            number_blocks_of(BASIC_BLOCK_FOR_FN(cfun, i), &first);
        else
            goto_numbers->put(order.gotos[i - order.blocks], first++);
}

void split_blocks_free(void)
{
    free(order.gotos);
    free(order.before);
    free(order.behind);
    delete goto_numbers;
    memory_free(splits);
}

const struct split_blocks *split_blocks_of(basic_block bb)
{
    return &splits[bb->index];
}

unsigned split_blocks_goto_number(edge e)
{
    unsigned *number = goto_numbers->get(e);

    return number ? *number : 0;
}

void split_blocks_each(void (*block)(basic_block), void (*on_goto)(edge))
{
    for (unsigned i = order.behind[ENTRY_BLOCK]; i != EXIT_BLOCK; i = order.behind[i])
        if (i < order.blocks)
            block(BASIC_BLOCK_FOR_FN(cfun, i));
        else
            on_goto(order.gotos[i - order.blocks]);
}

#define ITERATIONS    8    // assumed iterations of a loop
#define RARE          1e-3 // weight of an edge for exceptions or to the program's end
#define MAX_FREQUENCY 1e12

static bool leaves_loop(edge e)
{
    return current_loops && e->dest->loop_father && e->src->loop_father &&
           !flow_bb_inside_loop_p(e->src->loop_father, e->dest);
}

static bool is_rare(edge e)
{
    return e->flags & (EDGE_EH | EDGE_ABNORMAL) ||
           (e->dest != EXIT_BLOCK_PTR_FOR_FN(cfun) && EDGE_COUNT(e->dest->succs) == 0);
}

static double weight_of(edge e)
{
    return is_rare(e) ? RARE : leaves_loop(e) ? 1.0 / (ITERATIONS - 1) : 1;
}

static double weight_of_all(basic_block bb)
{
    double all = 0;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->succs)
        all += weight_of(e);
    return all;
}

double estimate_share(const struct estimate *estimate, edge e)
{
    return weight_of(e) / estimate->weights[e->src->index];
}

// Returns the sum of the frequencies of the predecessors, multiplied by ITERATIONS for
// the header of a loop. If a predecessor comes later in the order, its edge leads back to
// the block, and its frequency is still 0.
static double sum_predecessors(basic_block bb, const struct estimate *estimate)
{
    double sum = 0;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (e->src != bb)
            sum += estimate->frequencies[e->src->index] * estimate_share(estimate, e);
    if (current_loops && bb->loop_father && bb->loop_father->header == bb)
        sum *= ITERATIONS;
    return MIN(sum, MAX_FREQUENCY);
}

struct estimate estimate_make(void)
{
    size_t size = last_basic_block_for_fn(cfun);
    struct estimate estimate = {
        (double *)memory_zeroed(size, sizeof *estimate.frequencies),
        (double *)memory_zeroed(size, sizeof *estimate.weights),
    };
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute(NULL, order, false);
    basic_block bb;

    FOR_BB_BETWEEN (bb, ENTRY_BLOCK_PTR_FOR_FN(cfun), EXIT_BLOCK_PTR_FOR_FN(cfun),
                    next_bb)
        estimate.weights[bb->index] = weight_of_all(bb);
    estimate.frequencies[ENTRY_BLOCK] = 1;
    for (int i = 0; i < count; i++) {
        bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        estimate.frequencies[bb->index] = sum_predecessors(bb, &estimate);
    }
    free(order);
    return estimate;
}

void estimate_free(const struct estimate *estimate)
{
    memory_free(estimate->frequencies);
    memory_free(estimate->weights);
}

struct frequencies frequencies_make(void)
{
    struct frequencies frequencies = {false, {NULL, NULL}};
    profile_count entry = ENTRY_BLOCK_PTR_FOR_FN(cfun)->count;

    frequencies.known = profile_status_for_fn(cfun) != PROFILE_ABSENT &&
                        entry.initialized_p() && entry.nonzero_p();
    if (!frequencies.known)
        frequencies.estimate = estimate_make();
    return frequencies;
}

void frequencies_free(const struct frequencies *frequencies)
{
    if (!frequencies->known)
        estimate_free(&frequencies->estimate);
}

static double scale_to_entry(profile_count count)
{
    profile_count entry = ENTRY_BLOCK_PTR_FOR_FN(cfun)->count;

    return count.initialized_p() ? count.to_sreal_scale(entry).to_double() : 0;
}

double frequencies_of_block(const struct frequencies *frequencies, basic_block bb)
{
    return frequencies->known ? scale_to_entry(bb->count)
                              : frequencies->estimate.frequencies[bb->index];
}

double frequencies_of_edge(const struct frequencies *frequencies, edge e)
{
    if (frequencies->known)
        return scale_to_entry(e->count());
    return frequencies_of_block(frequencies, e->src) *
           estimate_share(&frequencies->estimate, e);
}

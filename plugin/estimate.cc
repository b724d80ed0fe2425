// SPDX-License-Identifier: GPL-3.0-or-later

#include "compat.h"
#include "estimate.h"
#include "memory.h"

#include "cfganal.h"
#include "cfgloop.h"

#define ITERATIONS 8    // of a loop
#define RARE       1e-3 // an exception, or code that ends the program
#define MOST       1e12

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

double estimate_share(edge e)
{
    double all = 0;
    edge other;
    edge_iterator ei;

    FOR_EACH_EDGE(other, ei, e->src->succs)
    all += weight_of(other);
    return weight_of(e) / all;
}

static bool is_loop_header(basic_block bb)
{
    return current_loops && bb->loop_father && bb->loop_father->header == bb;
}

// From the blocks before it; those that come later in the order lead back to it.
static double frequency(basic_block bb, const double *frequencies)
{
    double sum = 0;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE(e, ei, bb->preds)
    if (e->src != bb)
        sum += frequencies[e->src->index] * estimate_share(e);
    if (is_loop_header(bb))
        sum *= ITERATIONS;
    return MIN(sum, MOST);
}

double *estimate_blocks(void)
{
    double *frequencies =
        (double *)memory_zeroed(last_basic_block_for_fn(cfun), sizeof *frequencies);
    int *order = XNEWVEC(int, n_basic_blocks_for_fn(cfun));
    int count = pre_and_rev_post_order_compute(NULL, order, false);

    frequencies[ENTRY_BLOCK] = 1;
    for (int i = 0; i < count; i++) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, order[i]);
        frequencies[bb->index] = frequency(bb, frequencies);
    }
    free(order);
    return frequencies;
}

// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/count/estimate.h"
#include "plugin/tables/memory.h"

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

static bool is_loop_header(basic_block bb)
{
    return current_loops && bb->loop_father && bb->loop_father->header == bb;
}

// From the blocks before it; those that come later in the order lead back to it.
static double frequency(basic_block bb, const struct estimate *estimate)
{
    double sum = 0;
    edge e;
    edge_iterator ei;

    FOR_EACH_EDGE (e, ei, bb->preds)
        if (e->src != bb)
            sum += estimate->frequencies[e->src->index] * estimate_share(estimate, e);
    if (is_loop_header(bb))
        sum *= ITERATIONS;
    return MIN(sum, MOST);
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
        estimate.frequencies[bb->index] = frequency(bb, &estimate);
    }
    free(order);
    return estimate;
}

void estimate_free(const struct estimate *estimate)
{
    memory_free(estimate->frequencies);
    memory_free(estimate->weights);
}

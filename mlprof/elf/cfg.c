/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links the instructions of a function to their successors and predecessors. The last
   part finds dominators and natural loops; jumps with unknown targets make loops
   unknown. */

#include "mlprof/elf/cfg.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

size_t cfg_at(const struct cfg *cfg, uint64_t address)
{
    const struct insns_code *code = &cfg->code;
    size_t place;
    BUF_SEARCH(place, code->count, i, code->list[i].address < address);
    return place < code->count && code->list[place].address == address ? place
                                                                       : code->count;
}

void cfg_build(struct cfg *cfg, struct insns_code code)
{
    *cfg = (struct cfg){.code = code};
    BUF_OWN uint32_t *targets = buf_alloc((code.count + 1) * sizeof *targets);
    for (size_t i = 0; i < code.count; i++)
        targets[i] = (uint32_t)(code.list[i].target && code.list[i].transfer != INSNS_CALL
                                    ? cfg_at(cfg, code.list[i].target)
                                    : cfg->code.count);
    groups_make(&cfg->jumps, code.count, targets, code.count);
}

void cfg_free(struct cfg *cfg)
{
    free(cfg->code.list);
    groups_free(&cfg->jumps);
    memset(cfg, 0, sizeof *cfg);
}

bool cfg_is_target(const struct cfg *cfg, size_t number)
{
    assert(number < cfg->code.count);
    return cfg->jumps.first[number + 1] > cfg->jumps.first[number];
}

bool cfg_falls_through(const struct cfg *cfg, size_t number)
{
    assert(number < cfg->code.count);
    enum insns_transfer transfer = cfg->code.list[number].transfer;
    return transfer == INSNS_NEXT || transfer == INSNS_BRANCH || transfer == INSNS_CALL;
}

bool cfg_predecessor(const struct cfg *cfg, struct cfg_walk *walk, size_t *number)
{
    assert(walk->number < cfg->code.count);
    if (walk->done == 0) {
        walk->done++;
        if (walk->number > 0 && cfg_falls_through(cfg, walk->number - 1)) {
            *number = walk->number - 1;
            return true;
        }
    }
    size_t next = cfg->jumps.first[walk->number] + walk->done - 1;
    if (next >= cfg->jumps.first[walk->number + 1])
        return false;
    walk->done++;
    *number = cfg->jumps.members[next];
    return true;
}

#define NONE CFG_LOOPS_NONE

/* Returns a successor of NUMBER, or NONE. If WHICH is 0, this is the next instruction.
   If WHICH is 1, it is the target of the jump. */
static uint32_t successor(const struct cfg *cfg, uint32_t number, int which)
{
    const struct insn *insn = &cfg->code.list[number];
    if (which == 0)
        return number + 1 < cfg->code.count && cfg_falls_through(cfg, number) ? number + 1
                                                                              : NONE;
    size_t to = insn->target && insn->transfer != INSNS_CALL ? cfg_at(cfg, insn->target)
                                                             : cfg->code.count;
    return to < cfg->code.count ? (uint32_t)to : NONE;
}

/* Sets VISITED for all instructions that can be reached from FIRST. STACK has room for
   all instructions. */
static void mark_reachable(const struct cfg *cfg, uint32_t first, bool *visited,
                           uint32_t *stack)
{
    size_t depth = 0;
    stack[depth++] = first;
    visited[first] = true;
    while (depth) {
        uint32_t instruction = stack[--depth];
        for (int which = 0; which < 2; which++) {
            uint32_t next = successor(cfg, instruction, which);
            if (next != NONE && !visited[next]) {
                visited[next] = true;
                stack[depth++] = next;
            }
        }
    }
}

static bool has_predecessor(const struct cfg *cfg, uint32_t number)
{
    struct cfg_walk walk = {.number = number};
    size_t from;
    return cfg_predecessor(cfg, &walk, &from);
}

/* Fills DOMINATORS for the instructions and an additional root, numbered after them,
   which represents the unknown code outside the function. The root leads to the first
   instruction and to all instructions without a predecessor. It also leads to one
   instruction of each cycle that cannot be reached from these instructions. */
static void find_dominators(const struct cfg *cfg, struct dominators *dominators)
{
    size_t count = cfg->code.count, edge_count = 0;
    BUF_OWN uint32_t *stack = buf_alloc((count + 1) * sizeof *stack);
    BUF_OWN bool *visited = buf_alloc(count + 1);
    BUF_OWN struct dominators_edge *edges = buf_alloc((3 * count + 1) * sizeof *edges);
    for (int circles = 0; circles < 2; circles++)
        for (uint32_t i = 0; i < count; i++)
            if (!visited[i] && (circles || i == 0 || !has_predecessor(cfg, i))) {
                edges[edge_count++] = (struct dominators_edge){(uint32_t)count, i};
                mark_reachable(cfg, i, visited, stack);
            }
    for (uint32_t i = 0; i < count; i++)
        for (int which = 0; which < 2; which++)
            if (successor(cfg, i, which) != NONE)
                edges[edge_count++] =
                    (struct dominators_edge){i, successor(cfg, i, which)};
    dominators_find(dominators, count + 1, edges, edge_count, (uint32_t)count);
}

static void add_to_loop(struct cfg_loop *loop, uint32_t number, uint32_t *stamp,
                        uint32_t mark)
{
    if (stamp[number] == mark)
        return;
    stamp[number] = mark;
    BUF_NEXT(loop->inside, loop->count, loop->capacity) = number;
}

/* Finds the loop with this HEAD, if there are jumps back to HEAD. */
static void find_loop(struct cfg_loops *loops, const struct cfg *cfg,
                      const struct dominators *dominators, uint32_t head, uint32_t *stamp)
{
    struct cfg_loop loop = {.head = head, .parent = NONE};
    struct cfg_walk back = {.number = head};
    size_t from;
    while (cfg_predecessor(cfg, &back, &from)) {
        if (!dominators_holds(dominators, head, (uint32_t)from))
            continue;
        add_to_loop(&loop, head, stamp, head);
        add_to_loop(&loop, (uint32_t)from, stamp, head);
    }
    for (size_t i = 1; i < loop.count; i++) {
        struct cfg_walk before = {.number = loop.inside[i]};
        while (cfg_predecessor(cfg, &before, &from))
            add_to_loop(&loop, (uint32_t)from, stamp, head);
    }
    if (!loop.count)
        return;
    BUF_NEXT(loops->loops, loops->count, loops->capacity) = loop;
}

BUF_COMPARE(by_size, struct cfg_loop,
            BUF_ORDER(a->count, b->count) ?: BUF_ORDER(a->head, b->head))

/* Nests the loops. Each head has only one loop. Therefore, if two loops overlap, the
   larger loop contains the smaller one. */
static void nest(struct cfg_loops *loops, size_t count, uint32_t *of_head)
{
    BUF_SORT(loops->loops, loops->count, by_size);
    for (size_t i = 0; i < count; i++)
        loops->inner[i] = of_head[i] = NONE;
    for (uint32_t i = 0; i < loops->count; i++)
        of_head[loops->loops[i].head] = i;
    for (uint32_t i = 0; i < loops->count; i++)
        for (size_t k = 0; k < loops->loops[i].count; k++) {
            uint32_t number = loops->loops[i].inside[k], headed = of_head[number];
            if (loops->inner[number] == NONE)
                loops->inner[number] = i;
            if (headed != NONE && headed < i && loops->loops[headed].parent == NONE)
                loops->loops[headed].parent = i;
        }
}

static bool are_jumps_known(const struct cfg *cfg)
{
    for (size_t i = 0; i < cfg->code.count; i++)
        if (cfg->code.list[i].table)
            return false;
    return true;
}

bool cfg_loops_find(struct cfg_loops *loops, const struct cfg *cfg)
{
    size_t count = cfg->code.count;
    *loops = (struct cfg_loops){0};
    if (!are_jumps_known(cfg))
        return false;
    struct dominators dominators;
    BUF_OWN uint32_t *stamp = buf_alloc((count + 1) * sizeof *stamp);
    for (size_t i = 0; i < count; i++)
        stamp[i] = NONE;
    loops->dominator = buf_alloc((count + 1) * sizeof *loops->dominator);
    loops->inner = buf_alloc((count + 1) * sizeof *loops->inner);
    find_dominators(cfg, &dominators);
    for (uint32_t i = 0; i < count; i++)
        find_loop(loops, cfg, &dominators, i, stamp);
    nest(loops, count, stamp);
    for (size_t i = 0; i < count; i++)
        loops->dominator[i] = dominators.above[i] == count ? NONE : dominators.above[i];
    dominators_free(&dominators);
    return true;
}

bool cfg_loops_is_in(const struct cfg_loops *loops, uint32_t inner, uint32_t outer)
{
    while (inner != NONE && inner != outer)
        inner = loops->loops[inner].parent;
    return inner == outer;
}

void cfg_loops_free(struct cfg_loops *loops)
{
    for (size_t i = 0; i < loops->count; i++)
        free(loops->loops[i].inside);
    free(loops->loops);
    free(loops->dominator);
    free(loops->inner);
    memset(loops, 0, sizeof *loops);
}

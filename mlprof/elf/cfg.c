/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/elf/cfg.h"
#include "mlprof/base/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int by_address(const void *key, const void *element)
{
    uint64_t address = *(const uint64_t *)key;
    const struct insn *insn = element;
    return address < insn->address ? -1 : address > insn->address;
}

size_t cfg_at(const struct cfg *cfg, uint64_t address)
{
    const struct insns_code *code = &cfg->code;
    const struct insn *found = code->count ? bsearch(&address, code->list, code->count,
                                                     sizeof *code->list, by_address)
                                           : NULL;
    return found ? (size_t)(found - code->list) : code->count;
}

/* The number of the instruction that a jump leads to; the count if it leads
   elsewhere.  */
static size_t target_of(const struct cfg *cfg, const struct insn *insn)
{
    return insn->target && insn->transfer != INSNS_CALL ? cfg_at(cfg, insn->target)
                                                        : cfg->code.count;
}

void cfg_build(struct cfg *cfg, struct insns_code code)
{
    *cfg = (struct cfg){.code = code};
    uint32_t *targets = buf_alloc((code.count + 1) * sizeof *targets);
    for (size_t i = 0; i < code.count; i++)
        targets[i] = (uint32_t)target_of(cfg, &code.list[i]);
    groups_make(&cfg->jumps, code.count, targets, code.count);
    free(targets);
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

/* A depth-first walk: each instruction is left after all that it leads to, and gets the
   next lower place.  The root stands for the unknown code outside; it leads to all that
   is entered from there.  */
struct walk {
    const struct cfg *cfg;
    uint32_t *order; /* by place: the instruction */
    /* By instruction, the root last: its place, or NONE if it was not left yet.  */
    uint32_t *place;
    bool *met, *entered;
    uint32_t left;
};

/* One of the two successors of NUMBER, or NONE.  */
static uint32_t next_of(const struct cfg *cfg, uint32_t number, int which)
{
    const struct insn *insn = &cfg->code.list[number];
    if (which == 0)
        return number + 1 < cfg->code.count && cfg_falls_through(cfg, number) ? number + 1
                                                                              : NONE;
    size_t to = insn->target && insn->transfer != INSNS_CALL ? cfg_at(cfg, insn->target)
                                                             : cfg->code.count;
    return to < cfg->code.count ? (uint32_t)to : NONE;
}

static void walk_from(struct walk *walk, uint32_t first, uint32_t *stack, uint8_t *done)
{
    size_t depth = 0;
    stack[depth++] = first;
    walk->entered[first] = walk->met[first] = true;
    while (depth) {
        uint32_t at = stack[depth - 1];
        if (done[at] == 2) {
            walk->place[at] = walk->left;
            walk->order[walk->left++] = at;
            depth--;
            continue;
        }
        uint32_t next = next_of(walk->cfg, at, done[at]++);
        if (next != NONE && !walk->met[next]) {
            walk->met[next] = true;
            stack[depth++] = next;
        }
    }
}

static bool is_led_to(const struct cfg *cfg, uint32_t number)
{
    struct cfg_walk walk = {.number = number};
    size_t from;
    return cfg_predecessor(cfg, &walk, &from);
}

/* Walks first from what nothing leads to, then from circles that nothing leads into.  */
static void walk_all(struct walk *walk)
{
    size_t count = walk->cfg->code.count;
    uint32_t *stack = buf_alloc((count + 1) * sizeof *stack);
    uint8_t *done = buf_alloc(count + 1);
    for (uint32_t i = 0; i < count; i++)
        if (!walk->met[i] && (i == 0 || !is_led_to(walk->cfg, i)))
            walk_from(walk, i, stack, done);
    for (uint32_t i = 0; i < count; i++)
        if (!walk->met[i])
            walk_from(walk, i, stack, done);
    walk->place[count] = walk->left;
    free(stack);
    free(done);
}

/* The nearest common dominator of A and B.  The root is its own dominator.  */
static uint32_t meet(const struct walk *walk, const uint32_t *dominator, uint32_t a,
                     uint32_t b)
{
    while (a != b) {
        while (walk->place[a] < walk->place[b])
            a = dominator[a];
        while (walk->place[b] < walk->place[a])
            b = dominator[b];
    }
    return a;
}

/* Cooper, Harvey, Kennedy, A Simple, Fast Dominance Algorithm, 2001.  */
static void find_dominators(const struct walk *walk, uint32_t *dominator)
{
    size_t count = walk->cfg->code.count;
    uint32_t root = (uint32_t)count;
    for (size_t i = 0; i < count; i++)
        dominator[i] = NONE;
    dominator[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t place = walk->left; place-- > 0;) {
            uint32_t at = walk->order[place], found = walk->entered[at] ? root : NONE;
            struct cfg_walk before = {.number = at};
            size_t from;
            while (cfg_predecessor(walk->cfg, &before, &from))
                if (dominator[from] != NONE)
                    found = found == NONE ? (uint32_t)from
                                          : meet(walk, dominator, (uint32_t)from, found);
            changed |= dominator[at] != found;
            dominator[at] = found;
        }
    }
}

static bool dominates(const struct walk *walk, const uint32_t *dominator, uint32_t a,
                      uint32_t b)
{
    while (walk->place[b] < walk->place[a])
        b = dominator[b];
    return a == b;
}

static void put_inside(struct cfg_loop *loop, uint32_t number, uint32_t *stamp,
                       uint32_t mark)
{
    if (stamp[number] == mark)
        return;
    stamp[number] = mark;
    BUF_NEXT(loop->inside, loop->count, loop->capacity) = number;
}

/* Finds the loop with this HEAD, if jumps lead back to it.  */
static void find_loop(struct cfg_loops *loops, const struct walk *walk, uint32_t head,
                      uint32_t *stamp)
{
    struct cfg_loop loop = {.head = head, .parent = NONE};
    struct cfg_walk back = {.number = head};
    size_t from;
    while (cfg_predecessor(walk->cfg, &back, &from)) {
        if (!dominates(walk, loops->dominator, head, (uint32_t)from))
            continue;
        put_inside(&loop, head, stamp, head);
        put_inside(&loop, (uint32_t)from, stamp, head);
    }
    for (size_t i = 1; i < loop.count; i++) {
        struct cfg_walk before = {.number = loop.inside[i]};
        while (cfg_predecessor(walk->cfg, &before, &from))
            put_inside(&loop, (uint32_t)from, stamp, head);
    }
    if (!loop.count)
        return;
    BUF_NEXT(loops->loops, loops->count, loops->capacity) = loop;
}

static int by_size(const void *one, const void *other)
{
    const struct cfg_loop *a = one, *b = other;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return (a->head > b->head) - (a->head < b->head);
}

/* Nests the loops.  A head has one loop, so the smaller of two loops that overlap is
   inside the other.  */
static void nest(struct cfg_loops *loops, size_t count, uint32_t *of_head)
{
    BUF_SORT(loops->loops, loops->count, by_size);
    for (size_t i = 0; i < count; i++)
        loops->inner[i] = of_head[i] = NONE;
    for (uint32_t i = 0; i < loops->count; i++)
        of_head[loops->loops[i].head] = i;
    for (uint32_t i = 0; i < loops->count; i++)
        for (size_t k = 0; k < loops->loops[i].count; k++) {
            uint32_t number = loops->loops[i].inside[k], own = of_head[number];
            if (loops->inner[number] == NONE)
                loops->inner[number] = i;
            if (own != NONE && own < i && loops->loops[own].parent == NONE)
                loops->loops[own].parent = i;
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
    struct walk walk = {.cfg = cfg,
                        .order = buf_alloc((count + 1) * sizeof *walk.order),
                        .place = buf_alloc((count + 1) * sizeof *walk.place),
                        .met = buf_alloc(count + 1),
                        .entered = buf_alloc(count + 1)};
    uint32_t *stamp = buf_alloc((count + 1) * sizeof *stamp);
    for (size_t i = 0; i < count; i++)
        stamp[i] = NONE;
    loops->dominator = buf_alloc((count + 1) * sizeof *loops->dominator);
    loops->inner = buf_alloc((count + 1) * sizeof *loops->inner);
    walk_all(&walk);
    find_dominators(&walk, loops->dominator);
    for (uint32_t i = 0; i < count; i++)
        find_loop(loops, &walk, i, stamp);
    nest(loops, count, stamp);
    for (size_t i = 0; i < count; i++)
        if (loops->dominator[i] == count)
            loops->dominator[i] = NONE;
    free(walk.order);
    free(walk.place);
    free(walk.met);
    free(walk.entered);
    free(stamp);
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

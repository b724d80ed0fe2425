/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the workers of each sample, and adds up the load of each row by worker. Threads
   with the same name that ran one after the other are one worker. */

#define _GNU_SOURCE
#include "mlprof/rows/spread.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/statistics.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finder {
    struct spread *spread;
    const struct rows *rows;
    struct packed pieces;            /* owner: worker, bin: innermost node */
    uint32_t number;                 /* number of pieces that were added to the rows */
    uint64_t *self, *stack;          /* by row: samples of the current worker */
    uint32_t *own_workers, *workers; /* by row: number of workers with samples */
    /* TOUCHED: the rows in which the current worker has samples. SEEN: for each row,
       the number of the last piece of PIECES that was added to it. */
    uint32_t *touched, *seen;
    size_t touched_count;
};

/* Adds a worker, and returns its number. */
static uint32_t add_worker(struct spread *spread, struct spread_worker worker)
{
    BUF_NEXT(spread->workers, spread->count, spread->capacity) = worker;
    return (uint32_t)spread->count - 1;
}

/* Compares by rank, then by number of the data file. */
static int by_rank(const void *one, const void *other, void *context)
{
    const struct origins *origins = context;
    uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return BUF_ORDER(origins->origins[a].rank, origins->origins[b].rank)
               ?: BUF_ORDER(a, b);
}

/* Returns the origins that have a rank, sorted by rank. Sets *COUNT to their number.
   The caller frees the result. */
static uint32_t *ranked_origins(const struct origins *origins, size_t *count)
{
    uint32_t *found = buf_alloc((origins->count + 1) * sizeof *found);
    struct origins context = *origins;
    *count = 0;
    for (uint32_t i = 0; i < origins->count; i++)
        if (origins->origins[i].ranked)
            found[(*count)++] = i;
    qsort_r(found, *count, sizeof *found, by_rank, &context);
    return found;
}

/* Returns the worker of each origin. A rank is a worker even if it has no samples.
   All files of one rank belong to one worker, even if they are from different hosts.
   The caller frees the result. */
static uint32_t *find_workers(struct finder *find, const struct origins *origins)
{
    uint32_t *workers = buf_alloc((origins->count + 1) * sizeof *workers);
    size_t count;
    BUF_OWN uint32_t *numbers = ranked_origins(origins, &count);
    for (size_t i = 0; i < count; i++) {
        const struct origins_origin *origin = &origins->origins[numbers[i]];
        const struct origins_origin *before =
            i ? &origins->origins[numbers[i - 1]] : NULL;
        bool same = before && before->rank == origin->rank;
        uint32_t worker =
            same ? (uint32_t)find->spread->count - 1
                 : add_worker(find->spread, (struct spread_worker){.number = origin->rank,
                                                                   .origin = numbers[i]});
        struct spread_worker *entry = &find->spread->workers[worker];
        entry->moved |= same && before->host != origin->host;
        entry->samples += origin->samples;
        entry->lost += origin->lost;
        workers[numbers[i]] = worker;
    }
    return workers;
}

static void find_ranks(struct finder *find, const struct profile *profile)
{
    const struct origins *origins = &profile->origins;
    const struct stacks *stacks = &find->rows->stacks;
    BUF_OWN uint32_t *workers = find_workers(find, origins);
    struct shares scratch = {0};
    for (uint32_t node = 0; node < stacks->nodes.count; node++) {
        struct shares_own owned = packed_of(&stacks->origins, node, &scratch);
        for (size_t i = 0; i < owned.count; i++) {
            const struct shares_entry *entry = &owned.entries[i];
            if (origins->origins[entry->bin].ranked)
                packed_add(&find->pieces, workers[entry->bin], node, entry->count);
            else
                find->spread->apart += entry->count;
        }
    }
    shares_free(&scratch);
}

/* A thread with a number. A frame that represents several threads has no number (see
   stacks_add_around). */
struct thread {
    uint64_t number;
    uint32_t copy;
};

static bool thread_of(const struct stacks *stacks, uint32_t node, struct thread *thread)
{
    thread->copy = stacks->nodes.list[node].copy;
    return stacks->nodes.list[node].parent == STACKS_NONE &&
           stacks_numbered(stacks, thread->copy, STACKS_THREAD, &thread->number);
}

BUF_COMPARE(by_number, struct thread,
            BUF_ORDER(a->number, b->number) ?: BUF_ORDER(a->copy, b->copy))

/* Returns, by copy, the worker of the thread that the copy represents, or STACKS_NONE.
   The caller frees the result. */
static uint32_t *number_threads(struct finder *find)
{
    const struct stacks *stacks = &find->rows->stacks;
    uint32_t *workers = buf_alloc((stacks->copies.count + 1) * sizeof *workers);
    BUF_OWN struct thread *threads = NULL;
    size_t count = 0, capacity = 0;
    memset(workers, 0xff, stacks->copies.count * sizeof *workers);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        struct thread thread;
        if (thread_of(stacks, i, &thread))
            BUF_NEXT(threads, count, capacity) = thread;
    }
    BUF_SORT(threads, count, by_number);
    for (size_t i = 0; i < count; i++)
        if (workers[threads[i].copy] == STACKS_NONE)
            workers[threads[i].copy] = add_worker(
                find->spread, (struct spread_worker){.number = threads[i].number});
    return workers;
}

/* Time of the first and last sample of a thread, and its name. */
struct life {
    uint32_t begin, end; /* buckets of time */
    const char *name;
};

/* Returns the life of each worker. The caller frees the result. */
static struct life *find_lives(const struct finder *find, const uint32_t *workers)
{
    const struct stacks *stacks = &find->rows->stacks;
    struct life *lives = buf_alloc((find->spread->count + 1) * sizeof *lives);
    BUF_OWN uint32_t *roots = buf_alloc((stacks->nodes.count + 1) * sizeof *roots);
    size_t next = 0;
    for (size_t i = 0; i < find->spread->count; i++)
        lives[i].begin = UINT32_MAX;
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        roots[i] =
            node->parent == STACKS_NONE ? workers[node->copy] : roots[node->parent];
        struct shares_own owned = shares_of(&stacks->times.shares, i, &next);
        if (roots[i] == STACKS_NONE)
            continue;
        struct life *life = &lives[roots[i]];
        uint64_t number;
        if (node->parent == STACKS_NONE)
            life->name = stacks_numbered(stacks, node->copy, STACKS_THREAD, &number);
        if (owned.count && owned.entries[0].bin < life->begin)
            life->begin = owned.entries[0].bin;
        if (owned.count && owned.entries[owned.count - 1].bin > life->end)
            life->end = owned.entries[owned.count - 1].bin;
    }
    return lives;
}

/* If threads with the same name ran one after the other, combines them into one
   worker, which gets the number of the first thread. The reason: only the loads of
   threads that ran at the same time are comparable. Does nothing if the running times
   of threads are unknown. */
static void join_successive(struct finder *find, uint32_t *workers)
{
    const struct stacks *stacks = &find->rows->stacks;
    struct spread *spread = find->spread;
    if (!stacks->times.width)
        return;
    BUF_OWN struct life *lives = find_lives(find, workers);
    BUF_OWN uint32_t *joined = buf_alloc((spread->count + 1) * sizeof *joined);
    uint32_t count = 0;
    for (uint32_t i = 0; i < spread->count; i++) {
        uint32_t before = 0;
        while (before < count && (lives[before].end >= lives[i].begin ||
                                  strcmp(lives[before].name, lives[i].name) != 0))
            before++;
        joined[i] = before;
        spread->joined += before < count;
        if (before == count) {
            spread->workers[count] = spread->workers[i];
            lives[count++] = lives[i];
        } else if (lives[i].begin != UINT32_MAX) {
            lives[before].end = lives[i].end;
        }
    }
    spread->count = count;
    for (size_t i = 0; i < stacks->copies.count; i++)
        if (workers[i] != STACKS_NONE)
            workers[i] = joined[workers[i]];
}

/* Finds the worker of each node. A thread is always the outermost frame. */
static void find_threads(struct finder *find)
{
    const struct stacks *stacks = &find->rows->stacks;
    BUF_OWN uint32_t *workers = number_threads(find);
    join_successive(find, workers);
    BUF_OWN uint32_t *threads = buf_alloc((stacks->nodes.count + 1) * sizeof *threads);
    for (uint32_t i = 0; i < stacks->nodes.count; i++) {
        const struct stacks_node *node = &stacks->nodes.list[i];
        threads[i] =
            node->parent == STACKS_NONE ? workers[node->copy] : threads[node->parent];
        if (threads[i] == STACKS_NONE)
            find->spread->apart += node->count;
        else if (node->count)
            packed_add(&find->pieces, threads[i], i, node->count);
    }
}

/* Adds COUNT samples to the row, unless this piece was already added to it. */
static void add_once(struct finder *find, uint32_t row, uint64_t count)
{
    if (find->seen[row] == find->number)
        return;
    find->seen[row] = find->number;
    if (find->stack[row] == 0)
        find->touched[find->touched_count++] = row;
    find->stack[row] += count;
}

/* Adds COUNT samples with the innermost node NODE to each row on its stack once.
   Frames of threads are left out, because threads are the workers. */
static void add_stack(struct finder *find, uint32_t node, uint64_t count)
{
    const struct rows *rows = find->rows;
    find->number++;
    find->self[rows_of_samples(rows, node)] += count;
    for (uint32_t frame = node; frame != STACKS_NONE;
         frame = rows->stacks.nodes.list[frame].parent) {
        if (stacks_what(&rows->stacks, frame) == STACKS_THREAD)
            continue;
        add_once(find, rows_of_node(rows, frame), count);
        uint32_t branch =
            rows->branch_of_node ? rows->branch_of_node[frame] : STACKS_NONE;
        for (; branch != STACKS_NONE; branch = rows->branch_around[branch])
            add_once(find, branch, count);
    }
}

static void add_load(struct spread_load *load, uint32_t *workers, uint32_t worker,
                     uint64_t *count)
{
    if (*count == 0)
        return;
    if ((*workers)++ == 0 || *count < load->least)
        load->least = *count;
    if (*count > load->most) {
        load->most = *count;
        load->busiest = worker;
    }
    load->total += *count;
    *count = 0;
}

static void end_worker(struct finder *find, uint32_t worker)
{
    for (size_t i = 0; i < find->touched_count; i++) {
        uint32_t row = find->touched[i];
        packed_add(&find->spread->loads, row, worker, find->self[row]);
        add_load(&find->spread->self[row], &find->own_workers[row], worker,
                 &find->self[row]);
        add_load(&find->spread->stack[row], &find->workers[row], worker,
                 &find->stack[row]);
    }
    find->touched_count = 0;
}

/* Finishes the load of a row. WORKERS is the number of workers with samples in the
   row. ROWS is the number of rows. */
static void finish_load(const struct spread *spread, struct spread_load *load,
                        uint32_t workers, size_t rows)
{
    if (workers < spread->count)
        load->least = 0;
    load->certain = statistics_is_uneven(load->most, load->total, spread->count, rows);
}

static void add_up(struct finder *find)
{
    size_t count = find->rows->count + 1;
    struct spread *spread = find->spread;
    spread->self = buf_alloc(count * sizeof *spread->self);
    spread->stack = buf_alloc(count * sizeof *spread->stack);
    find->self = buf_alloc(count * sizeof *find->self);
    find->stack = buf_alloc(count * sizeof *find->stack);
    find->own_workers = buf_alloc(count * sizeof *find->own_workers);
    find->workers = buf_alloc(count * sizeof *find->workers);
    find->touched = buf_alloc(count * sizeof *find->touched);
    find->seen = buf_alloc(count * sizeof *find->seen);
    struct shares scratch = {0};
    packed_sort(&find->pieces);
    for (uint32_t worker = 0; worker < find->pieces.owners; worker++) {
        struct shares_own pieces = packed_of(&find->pieces, worker, &scratch);
        for (size_t i = 0; i < pieces.count; i++)
            add_stack(find, pieces.entries[i].bin, pieces.entries[i].count);
        end_worker(find, worker);
    }
    shares_free(&scratch);
    packed_sort(&spread->loads);
    size_t self = 0, stack = 0;
    for (size_t i = 0; i < find->rows->count; i++) {
        self += spread->self[i].total > 0;
        stack += spread->stack[i].total > 0;
    }
    for (size_t i = 0; i < find->rows->count; i++) {
        finish_load(spread, &spread->self[i], find->own_workers[i], self);
        finish_load(spread, &spread->stack[i], find->workers[i], stack);
    }
}

void spread_find(struct spread *spread, enum spread_over over, const struct rows *rows,
                 const struct profile *profile)
{
    struct finder find = {.spread = spread, .rows = rows};
    *spread = (struct spread){.over = over};
    if (over == SPREAD_RANKS)
        find_ranks(&find, profile);
    else
        find_threads(&find);
    add_up(&find);
    packed_free(&find.pieces);
    free(find.self);
    free(find.stack);
    free(find.own_workers);
    free(find.workers);
    free(find.touched);
    free(find.seen);
}

void spread_free(struct spread *spread)
{
    free(spread->workers);
    free(spread->self);
    free(spread->stack);
    packed_free(&spread->loads);
    memset(spread, 0, sizeof *spread);
}

double spread_mean(const struct spread *spread, const struct spread_load *load)
{
    return spread->count ? (double)load->total / (double)spread->count : 0;
}

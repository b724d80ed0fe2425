/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups waits by hash of reason, object, call and owner. Names are compared by address:
   struct places keeps each text once. */

#include "mlprof/waiting/waiting.h"
#include "mlprof/waiting/chains.h"
#include "mlprof/waiting/criticalpath.h"
#include "mlprof/base/buf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const waiting_words[WAITING_WHATS] = {
    [WAITING_RUNNING] = "running",
    [WAITING_SPINNING] = "  spinning",
    [WAITING_READY] = "waiting for a processor",
    [WAITING_LOCK] = "waiting for a lock",
    [WAITING_CONDITION] = "waiting for a condition",
    [WAITING_THREAD] = "waiting for a thread",
    [WAITING_CHILD] = "waiting for a child process",
    [WAITING_DISK] = "waiting for a disk",
    [WAITING_NETWORK] = "waiting for the network",
    [WAITING_PIPE] = "waiting for a pipe or device",
    [WAITING_POLL] = "waiting in poll",
    [WAITING_SLEEP] = "sleeping",
    [WAITING_SIGNAL] = "waiting for a signal",
    [WAITING_UNKNOWN] = "unknown"};

const char *const waiting_ids[WAITING_WHATS] = {
    [WAITING_RUNNING] = "running",     [WAITING_SPINNING] = "spinning",
    [WAITING_READY] = "ready",         [WAITING_LOCK] = "lock",
    [WAITING_CONDITION] = "condition", [WAITING_THREAD] = "thread",
    [WAITING_CHILD] = "child",         [WAITING_DISK] = "disk",
    [WAITING_NETWORK] = "network",     [WAITING_PIPE] = "pipe",
    [WAITING_POLL] = "poll",           [WAITING_SLEEP] = "sleep",
    [WAITING_SIGNAL] = "signal",       [WAITING_UNKNOWN] = "unknown"};

const char *const waiting_reasons[CCPROF_WAITS] = CCPROF_WAIT_NAMES;
const char *const waiting_ends[CCPROF_WAIT_ENDS] = CCPROF_WAIT_END_NAMES;

enum waiting_what waiting_what(enum ccprof_wait_reason reason)
{
    static const enum waiting_what whats[CCPROF_WAITS] = {
        [CCPROF_WAIT_MUTEX] = WAITING_LOCK,
        [CCPROF_WAIT_RWLOCK] = WAITING_LOCK,
        [CCPROF_WAIT_SPIN] = WAITING_SPINNING,
        [CCPROF_WAIT_FILELOCK] = WAITING_LOCK,
        [CCPROF_WAIT_CONDITION] = WAITING_CONDITION,
        [CCPROF_WAIT_SEMAPHORE] = WAITING_CONDITION,
        [CCPROF_WAIT_BARRIER] = WAITING_CONDITION,
        [CCPROF_WAIT_FUTEX] = WAITING_CONDITION,
        [CCPROF_WAIT_JOIN] = WAITING_THREAD,
        [CCPROF_WAIT_OPENMP] = WAITING_THREAD,
        [CCPROF_WAIT_CHILD] = WAITING_CHILD,
        [CCPROF_WAIT_POLL] = WAITING_POLL,
        [CCPROF_WAIT_ACCEPT] = WAITING_NETWORK,
        [CCPROF_WAIT_CONNECT] = WAITING_NETWORK,
        [CCPROF_WAIT_RECEIVE] = WAITING_NETWORK,
        [CCPROF_WAIT_SEND] = WAITING_NETWORK,
        [CCPROF_WAIT_PIPE] = WAITING_PIPE,
        [CCPROF_WAIT_DEVICE] = WAITING_PIPE,
        [CCPROF_WAIT_FILE] = WAITING_DISK,
        [CCPROF_WAIT_SYNC] = WAITING_DISK,
        [CCPROF_WAIT_ASYNC] = WAITING_DISK,
        [CCPROF_WAIT_SLEEP] = WAITING_SLEEP,
        [CCPROF_WAIT_SIGNAL] = WAITING_SIGNAL,
        [CCPROF_WAIT_LOOKUP] = WAITING_NETWORK};
    return whats[reason];
}

bool waiting_is_idle(const struct waiting *waiting, const struct waitdata_wait *wait)
{
    return waiting->idle &&
           (wait->end == CCPROF_WAIT_BY_OUTSIDE || wait->end == CCPROF_WAIT_OPEN) &&
           (wait->reason == CCPROF_WAIT_POLL || wait->reason == CCPROF_WAIT_ACCEPT ||
            wait->reason == CCPROF_WAIT_RECEIVE || wait->reason == CCPROF_WAIT_SIGNAL ||
            wait->reason == CCPROF_WAIT_CONDITION ||
            wait->reason == CCPROF_WAIT_SEMAPHORE || wait->reason == CCPROF_WAIT_FUTEX);
}

static void add(const struct waiting *waiting, struct waiting_sum *sum,
                const struct waitdata_wait *wait)
{
    sum->time += wait->time;
    sum->idle += waiting_is_idle(waiting, wait) ? wait->time : 0;
    sum->count += wait->count;
    if (sum->longest < wait->longest)
        sum->longest = wait->longest;
}

/* The owners of the waits of a list, by key; PLACES has the place in the wait's own
   list. */
struct owners {
    struct index index; /* key: wait and end, thread, calls */
    BUF_VECTOR(uint32_t) places;
};

/* Groups waits while the lists are made. */
struct builder {
    struct waiting *waiting;
    const struct profile *profile;
    struct index waits, locks, steps; /* the keys of the lists */
    struct index calls;               /* key: function, file, line */
    struct owners wait_owners, lock_owners;
    BUF_VECTOR(struct chains_groups) groups; /* by number of a wait: rows of the lists */
};

static uint32_t call_number(struct builder *build, const struct places_place *place)
{
    bool fresh;
    return index_put(&build->calls, (uintptr_t)place->function, (uintptr_t)place->file,
                     place->line, &fresh);
}

/* Returns the name of what the wait was for; NULL: none. A thread that is joined has no
   name by itself: the one that ended the wait says it. */
static const char *object_of(struct places *places, const struct waitdata_wait *wait)
{
    return wait->object == WAITDATA_NONE || wait->reason == CCPROF_WAIT_JOIN
               ? NULL
               : places_object(places, wait->object);
}

/* Returns who held the lock or ended the wait, or NULL. */
static const char *other_of(const struct builder *build, const struct waitdata_wait *wait)
{
    return wait->taken_module == PROFILE_PROCESS
               ? places_process(build->waiting->places, wait->taken)
           : wait->cause == WAITDATA_NONE
               ? NULL
               : intern_text(&build->profile->names.threads,
                             waitdata_thread(build->waiting->data, wait->cause));
}

/* Adds the amounts of WAIT to OWNER of ROW, which is row NUMBER of the list of OWNERS. */
static void add_to_owner(struct builder *build, struct waiting_wait *row, uint32_t number,
                         struct owners *owners, const struct waiting_owner *owner,
                         const struct waitdata_wait *wait)
{
    bool fresh;
    uint64_t calls = index_pair(call_number(build, &owner->taken),
                                call_number(build, &owner->release));
    uint32_t key = index_put(&owners->index, index_pair(number, owner->end),
                             (uintptr_t)owner->thread, calls, &fresh);
    if (fresh) {
        BUF_PUSH(owners->places) = (uint32_t)row->owners.count;
        BUF_PUSH(row->owners) = *owner;
    }
    add(build->waiting, &row->owners.list[owners->places.list[key]].sum, wait);
}

static void put_wait(struct builder *build, const struct waitdata_wait *wait)
{
    struct waiting *waiting = build->waiting;
    struct places *places = waiting->places;
    bool fresh;
    const char *object = object_of(places, wait);
    struct waiting_wait row = {.reason = wait->reason,
                               .object = object,
                               .call = places_node(places, wait->stack)};
    struct waiting_owner owner = {.thread = other_of(build, wait),
                                  .taken =
                                      places_at(places, wait->taken_module, wait->taken),
                                  .end = wait->end};
    if (wait->cause != WAITDATA_NONE)
        owner.release = places_node(places, wait->cause);
    uint32_t number = index_put(&build->waits, wait->reason, (uintptr_t)object,
                                call_number(build, &row.call), &fresh);
    if (fresh)
        BUF_PUSH(waiting->waits) = row;
    struct waiting_wait *sum = &waiting->waits.list[number];
    add(waiting, &sum->sum, wait);
    add_to_owner(build, sum, number, &build->wait_owners, &owner, wait);
    BUF_PUSH(build->groups) = (struct chains_groups){WAITDATA_NONE, number};
    if (!object)
        return;
    number = index_put(&build->locks, wait->reason, (uintptr_t)object, 0, &fresh);
    build->groups.list[build->groups.count - 1].lock = number;
    if (fresh)
        BUF_PUSH(waiting->locks) =
            (struct waiting_wait){.reason = wait->reason, .object = object};
    sum = &waiting->locks.list[number];
    owner = (struct waiting_owner){.taken = owner.taken};
    add(waiting, &sum->sum, wait);
    add_to_owner(build, sum, number, &build->lock_owners, &owner, wait);
}

/* Idle waits are last: those of a pool of threads are the longest ones. */
BUF_COMPARE(by_time, struct waiting_wait,
            BUF_ORDER(b->sum.time - b->sum.idle, a->sum.time - a->sum.idle)
                ?: BUF_ORDER(b->sum.time, a->sum.time)
                ?: BUF_ORDER(b->sum.longest, a->sum.longest))
BUF_COMPARE(by_owner, struct waiting_owner, BUF_ORDER(b->sum.time, a->sum.time))
BUF_COMPARE(by_wall, struct waiting_thread, BUF_ORDER(b->wall, a->wall))
BUF_COMPARE(by_step, struct waiting_step, BUF_ORDER(b->time, a->time))
BUF_COMPARE(by_length, struct waiting_single,
            BUF_ORDER(a->is_idle, b->is_idle)
                ?: BUF_ORDER(b->single->time, a->single->time))

static uint64_t less(uint64_t from, uint64_t amount)
{
    return from > amount ? from - amount : 0;
}

/* Sets what each thread did, and the sums over all threads. */
static void find_threads(struct builder *build)
{
    struct waiting *waiting = build->waiting;
    const struct waitdata *data = waiting->data;
    size_t names = build->profile->names.threads.count;
    BUF_OWN uint64_t *blocked = buf_alloc((names + 1) * sizeof *blocked);
    BUF_OWN uint64_t *idle = buf_alloc((names + 1) * sizeof *idle);
    for (size_t i = 0; i < data->waits.count; i++) {
        const struct waitdata_wait *wait = &data->waits.list[i];
        uint32_t thread = waitdata_thread(data, wait->stack);
        add(waiting, &waiting->whats[waiting_what(wait->reason)], wait);
        if (wait->reason != CCPROF_WAIT_SPIN)
            *(waiting_is_idle(waiting, wait) ? &idle[thread] : &blocked[thread]) +=
                wait->time;
    }
    for (size_t i = 0; i < data->states.count; i++) {
        const struct waitdata_state *state = &data->states.list[i];
        struct waiting_thread thread = {
            .name = intern_text(&build->profile->names.threads, state->thread),
            .wall = state->wall,
            .running = state->cpu,
            .ready = state->ready,
            .blocked = blocked[state->thread],
            .idle = idle[state->thread],
            .no_ready = state->no_ready};
        thread.unknown = less(
            less(less(less(thread.wall, thread.running), thread.ready), thread.blocked),
            thread.idle);
        waiting->whats[WAITING_UNKNOWN].time += thread.unknown;
        BUF_PUSH(waiting->threads) = thread;
    }
    waiting->wall = data->sums.wall;
    waiting->whats[WAITING_RUNNING].time = data->sums.cpu;
    waiting->whats[WAITING_READY].time = data->sums.ready;
}

/* Returns the functions on the stack of NODE outside of libraries, callers first; NULL:
   none is known. The caller frees them. */
static char *stack_text(struct builder *build, uint32_t node)
{
    const struct waitdata *data = build->waiting->data;
    const struct places_place last = places_node(build->waiting->places, node);
    char *text = NULL;
    for (; node != PROFILE_NO_NODE; node = data->nodes.list[node].parent) {
        const struct places_place place = places_call(build->waiting->places, node);
        if (!place.function || place.library)
            continue;
        char *longer = text         ? buf_format("%s > %s", place.inlined, text)
                       : place.file ? buf_format("%s, %s: %" PRIu32, place.inlined,
                                                 place.file, place.line)
                                    : buf_copy(place.inlined);
        free(text);
        text = longer;
    }
    return text ? text : places_text(&last);
}

static void find_longest(struct builder *build)
{
    struct waiting *waiting = build->waiting;
    const struct waitdata *data = waiting->data;
    const struct intern *threads = &build->profile->names.threads;
    for (size_t i = 0; i < data->longest.count; i++) {
        const struct waitdata_single *single = &data->longest.list[i];
        const struct waitdata_wait *wait = &data->waits.list[single->wait];
        struct waiting_single row = {
            .single = single,
            .wait = wait,
            .is_idle = waiting_is_idle(waiting, wait),
            .object = object_of(waiting->places, wait),
            .thread = intern_text(threads, waitdata_thread(data, wait->stack)),
            .waker = other_of(build, wait),
            .taken = places_at(waiting->places, wait->taken_module, wait->taken),
            .stack = stack_text(build, wait->stack)};
        if (wait->cause != WAITDATA_NONE)
            row.cause = stack_text(build, wait->cause);
        BUF_PUSH(waiting->longest) = row;
    }
    BUF_SORT(waiting->longest.list, waiting->longest.count, by_length);
}

static void find_path(struct builder *build)
{
    struct waiting *waiting = build->waiting;
    const struct waitdata *data = waiting->data;
    struct criticalpath path = {0};
    bool fresh;
    criticalpath_find(&path, data);
    for (size_t i = 0; i < path.sums.count; i++) {
        const struct criticalpath_sum *sum = &path.sums.list[i];
        struct waiting_step step = {
            .thread = intern_text(&build->profile->names.threads, sum->thread),
            .runs = sum->wait == WAITDATA_NONE,
            .time = sum->time,
            .count = sum->count};
        if (!step.runs) {
            const struct waitdata_wait *wait = &data->waits.list[sum->wait];
            step.reason = wait->reason;
            step.call = places_node(waiting->places, wait->stack);
            step.object = object_of(waiting->places, wait);
        }
        uint32_t row = index_put(
            &build->steps, index_pair(sum->thread, step.runs ? UINT32_MAX : step.reason),
            (uintptr_t)step.object, call_number(build, &step.call), &fresh);
        if (fresh)
            BUF_PUSH(waiting->path) = step;
        else {
            waiting->path.list[row].time += step.time;
            waiting->path.list[row].count += step.count;
        }
    }
    BUF_SORT(waiting->path.list, waiting->path.count, by_step);
    waiting->path_time = path.time;
    criticalpath_free(&path);
}

/* Adds the chains to the locks, before the lists are sorted. */
static void find_chains(const struct builder *build)
{
    struct waiting *waiting = build->waiting;
    struct chains chains = {0};
    chains_find(&chains, waiting->data, build->groups.list);
    for (size_t i = 0; i < chains.links.count; i++) {
        const struct chains_link *link = &chains.links.list[i];
        const struct waiting_wait *wait = &waiting->waits.list[link->wait];
        BUF_PUSH(waiting->locks.list[link->lock].chain) = (struct waiting_link){
            link->depth, wait->reason, wait->object, wait->call, link->time};
    }
    free(chains.links.list);
}

static void sort_waits(struct waiting_wait *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        BUF_SORT(list[i].owners.list, list[i].owners.count, by_owner);
    BUF_SORT(list, count, by_time);
}

void waiting_fill(struct waiting *waiting, const struct profile *profile, bool idle,
                  const struct program *program, const struct names_style *style,
                  const struct patterns *libraries, const struct patterns *hide)
{
    struct builder build = {.waiting = waiting, .profile = profile};
    *waiting =
        (struct waiting){.data = &profile->waits,
                         .idle = idle,
                         .places = places_new(profile, program, style, libraries, hide)};
    for (size_t i = 0; i < profile->waits.waits.count; i++)
        put_wait(&build, &profile->waits.waits.list[i]);
    find_chains(&build);
    sort_waits(waiting->waits.list, waiting->waits.count);
    sort_waits(waiting->locks.list, waiting->locks.count);
    find_threads(&build);
    BUF_SORT(waiting->threads.list, waiting->threads.count, by_wall);
    find_longest(&build);
    find_path(&build);
    index_free(&build.waits);
    index_free(&build.locks);
    index_free(&build.steps);
    index_free(&build.calls);
    index_free(&build.wait_owners.index);
    index_free(&build.lock_owners.index);
    free(build.groups.list);
    free(build.wait_owners.places.list);
    free(build.lock_owners.places.list);
}

static void free_waits(struct waiting_wait *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(list[i].owners.list);
        free(list[i].chain.list);
    }
    free(list);
}

void waiting_free(struct waiting *waiting)
{
    free_waits(waiting->waits.list, waiting->waits.count);
    free_waits(waiting->locks.list, waiting->locks.count);
    for (size_t i = 0; i < waiting->longest.count; i++) {
        free(waiting->longest.list[i].stack);
        free(waiting->longest.list[i].cause);
    }
    free(waiting->longest.list);
    free(waiting->path.list);
    free(waiting->threads.list);
    places_free(waiting->places);
    memset(waiting, 0, sizeof *waiting);
}

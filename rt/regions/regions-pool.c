/* SPDX-License-Identifier: MIT */
/* Owns the data that all files regions*.c share: the state and the calling thread's
   pointer to its data, the names of regions and their numbers in the file, and the
   memory of all paths. Runs in the program's calls, and when files are written.
   Callers of the functions for names and paths must hold the lock, except where a
   comment says otherwise. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "rt/os/memory.h"
#include "rt/regions/regions-inside.h"

#define SECOND 1000000000u

struct regions ccprof_regions;

struct regions_thread ccprof_regions_none = {.frame = {{.start = 0}}};

_Thread_local struct regions_thread *ccprof_regions_self = &ccprof_regions_none;

void ccprof_regions_thread_clear(struct regions_thread *thread)
{
    thread->root.key = REGIONS_KEY_NONE;
    regions_recent_clear(&thread->root, &thread->root);
    thread->lost.key = REGIONS_KEY_NONE;
    regions_recent_clear(&thread->lost, &thread->root);
    memset(thread->jump, 0, sizeof thread->jump);
    thread->event = NULL;
    if (ccprof_regions.has_events)
        thread->event = (void *)((char *)thread + REGIONS_THREAD_SIZE);
    thread->event_end = thread->event + (thread->event ? REGIONS_EVENTS : 0);
    thread->event_seen = thread->event;
    thread->current = &thread->root;
    thread->top = thread->frame + 1;
    thread->end = thread->frame + REGIONS_FRAMES + 1;
    thread->limit = thread->end;
}

size_t ccprof_regions_thread_size(void)
{
    return REGIONS_THREAD_SIZE + (ccprof_regions.has_events ? REGIONS_EVENTS_SIZE : 0);
}

uint64_t ccprof_regions_cpu(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Names and numbers never change. Names are copied, since the module that contains a
   name may be unloaded. */
struct names {
    _Atomic unsigned count; /* number of names; the first name has number 1 */
    _Atomic unsigned regions;
    uint32_t used; /* used bytes of TEXT */
    uint32_t offset[REGIONS_NAMES];
    uint64_t key[REGIONS_ALL];
    _Atomic uint16_t
        index[REGIONS_ALL * 2]; /* hash table of keys: their numbers plus 1 */
    char text[REGIONS_TEXT];
};

static struct names *names;

bool ccprof_regions_names_make(void)
{
    if (!names)
        names = ccprof_pages_map(sizeof *names);
    return names;
}

uint64_t ccprof_regions_name(const char *name)
{
    unsigned count = atomic_load_explicit(&names->count, memory_order_relaxed);
    size_t size = strlen(name) + 1;

    for (unsigned i = 0; i < count; i++)
        if (strcmp(names->text + names->offset[i], name) == 0)
            return (uint64_t)(i + 1) << REGIONS_KEY_SHIFT;
    if (count == REGIONS_NAMES || size > REGIONS_TEXT - names->used)
        return 0;
    memcpy(names->text + names->used, name, size);
    names->offset[count] = names->used;
    names->used += (uint32_t)size;
    atomic_store_explicit(&names->count, count + 1, memory_order_release);
    return (uint64_t)(count + 1) << REGIONS_KEY_SHIFT;
}

/* The caller need not hold the lock. */
const char *ccprof_regions_label(unsigned number)
{
    return names->text + names->offset[number];
}

/* The caller need not hold the lock. */
const char *ccprof_regions_name_of(uint64_t key)
{
    return ccprof_regions_label(regions_name_number(key));
}

/* Returns the entry of the key in the hash table, or the free entry for it. At least
   half of the table is free. */
static _Atomic uint16_t *names_find(uint64_t key)
{
    unsigned index =
        (unsigned)((key ^ key >> REGIONS_KEY_SHIFT) * 0x9e3779b97f4a7c15u >> 32);

    for (;; index++) {
        _Atomic uint16_t *place = &names->index[index % (REGIONS_ALL * 2)];
        unsigned number = atomic_load_explicit(place, memory_order_acquire);
        if (number == 0 || names->key[number - 1] == key)
            return place;
    }
}

bool ccprof_regions_has_number(uint64_t key)
{
    return ccprof_regions_numbers() < REGIONS_ALL || *names_find(key) != 0;
}

int ccprof_regions_number(uint64_t key)
{
    unsigned count = atomic_load_explicit(&names->regions, memory_order_relaxed);
    _Atomic uint16_t *place = names_find(key);

    if (*place)
        return *place - 1;
    if (count == REGIONS_ALL)
        return -1;
    names->key[count] = key;
    atomic_store_explicit(place, (uint16_t)(count + 1), memory_order_release);
    atomic_store_explicit(&names->regions, count + 1, memory_order_release);
    return (int)count;
}

unsigned ccprof_regions_numbers(void)
{
    return names ? atomic_load_explicit(&names->regions, memory_order_acquire) : 0;
}

uint64_t ccprof_regions_key_of(unsigned number)
{
    return names->key[number];
}

/* The minimum number of paths, if there is no memory for more. */
#define POOL_LEAST 16

/* The paths. FIRST is the list of the process's paths in the order of their first
   calls. */
static struct {
    struct regions_node *node, *free;
    unsigned used, count;
    unsigned is_single; /* number of entries reserved for paths with one region */
    struct regions_node *first, **last; /* paths of the process */
    struct regions_node **index;
    unsigned paths;
    _Atomic bool full[2]; /* no room for paths with [0] several regions, [1] one region */
} pool;

bool ccprof_regions_pool_make(void)
{
    unsigned count = REGIONS_PATHS;

    while (!pool.node && count >= POOL_LEAST) {
        pool.node = ccprof_pages_map(count * sizeof *pool.node);
        pool.count = count;
        pool.is_single = count / (REGIONS_PATHS / REGIONS_SINGLE);
        count /= 2;
    }
    if (!pool.index)
        pool.index = ccprof_pages_map(REGIONS_INDEX * sizeof *pool.index);
    if (!pool.last)
        pool.last = &pool.first;
    return pool.node && pool.index;
}

bool ccprof_regions_is_full(bool is_single)
{
    return atomic_load_explicit(&pool.full[is_single], memory_order_relaxed);
}

struct regions_node *ccprof_regions_node_new(bool is_single)
{
    struct regions_node *node = pool.free;

    if (node) {
        pool.free = node->chain;
    } else if (pool.used < pool.count - (is_single ? 0 : pool.is_single)) {
        node = &pool.node[pool.used++];
    } else {
        atomic_store_explicit(&pool.full[is_single], true, memory_order_relaxed);
        return NULL;
    }
    /* This also touches new memory, so that no page fault occurs while a call is
       measured. */
    memset(node, 0, sizeof *node);
    node->figures.min = UINT64_MAX;
    regions_recent_clear(node, node);
    return node;
}

void ccprof_regions_node_free(struct regions_node *node)
{
    node->chain = pool.free;
    pool.free = node;
    for (unsigned is_single = 0; is_single < 2; is_single++)
        atomic_store_explicit(&pool.full[is_single], false, memory_order_relaxed);
}

uint32_t ccprof_regions_node_place(const struct regions_node *node)
{
    return (uint32_t)(node - pool.node);
}

const struct regions_node *ccprof_regions_node_at(uint32_t place)
{
    return &pool.node[place];
}

struct regions_node *ccprof_regions_paths(void)
{
    return pool.first;
}

struct regions_node *ccprof_regions_path(struct regions_node *parent, uint64_t key)
{
    struct regions_node **index = &pool.index[(key * 31 + (key >> REGIONS_KEY_SHIFT) +
                                               (parent ? parent->made : REGIONS_ABSENT)) %
                                              REGIONS_INDEX];
    struct regions_node *path;
    int region;

    for (path = *index; path; path = path->chain)
        if (path->parent == parent && path->key == key)
            return path;
    region = ccprof_regions_number(key);
    path = region < 0 ? NULL : ccprof_regions_node_new(!parent);
    if (!path)
        return NULL;
    path->key = key;
    path->parent = parent;
    path->region = (uint32_t)region;
    path->made = pool.paths++;
    path->chain = *index;
    *index = path;
    *pool.last = path;
    pool.last = &path->next;
    return path;
}

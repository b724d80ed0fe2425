/* SPDX-License-Identifier: MIT */
/* Owns the numbers and names of threads.  The thread that makes another thread calls new;
   the SIGPROF handler calls number and note; the thread calls end; next is called where
   the profile is written.

   A thread gets its place with its first sample and keeps it for good.  A name is two
   words, which only its own thread writes.  */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include "rt/table/threadnames.h"
#include "rt/os/memory.h"
#include "rt/os/sys.h"

#define THREADNAMES_WORDS (CCPROF_THREADNAMES_NAME / sizeof(uint64_t))

struct threadnames_place {
    _Atomic uint64_t name[THREADNAMES_WORDS];
    _Atomic uint32_t number; /* 0: free */
};

static struct threadnames_place *places; /* null: names are not kept */
static _Atomic uint32_t last;            /* the last number that was given */
static _Atomic bool others;              /* at least one thread found no place */

static size_t threadnames_size(void)
{
    return CCPROF_THREADNAMES_MAX * sizeof *places;
}

bool ccprof_threadnames_start(void)
{
    if (!places) {
        atomic_store(&last, CCPROF_THREADNAMES_FIRST);
        places = ccprof_pages_map(threadnames_size());
    }
    return places;
}

bool ccprof_threadnames_are_kept(void)
{
    return places;
}

void ccprof_threadnames_drop(void)
{
    if (!places)
        return;
    memset(places, 0, threadnames_size());
    atomic_store(&last, CCPROF_THREADNAMES_FIRST);
    atomic_store(&others, false);
}

uint32_t ccprof_threadnames_new(void)
{
    return places ? atomic_fetch_add(&last, 1) + 1 : 0;
}

uint32_t ccprof_threadnames_number(uint32_t number)
{
    if (number != 0)
        return number;
    return ccprof_sys_gettid() == ccprof_sys_getpid() ? CCPROF_THREADNAMES_FIRST
                                                      : ccprof_threadnames_new();
}

/* Returns the place of thread NUMBER, which is made if MAKE says so; null if there is
   none.  */
static struct threadnames_place *threadnames_place(uint32_t number, bool make)
{
    for (uint32_t i = 0; i < CCPROF_THREADNAMES_MAX; i++) {
        struct threadnames_place *place = &places[(number + i) % CCPROF_THREADNAMES_MAX];
        uint32_t there = atomic_load(&place->number);
        if (there == 0 && make &&
            atomic_compare_exchange_strong(&place->number, &there, number))
            return place;
        if (there == number || (there == 0 && !make))
            return there ? place : NULL;
    }
    return NULL;
}

static void threadnames_keep(struct threadnames_place *place)
{
    uint64_t name[THREADNAMES_WORDS] = {0};

    syscall(SYS_prctl, PR_GET_NAME, name);
    for (size_t i = 0; i < THREADNAMES_WORDS; i++)
        atomic_store_explicit(&place->name[i], name[i], memory_order_relaxed);
}

uint32_t ccprof_threadnames_note(uint32_t number)
{
    struct threadnames_place *place = threadnames_place(number, true);

    if (!place) {
        atomic_store(&others, true);
        return CCPROF_THREADNAMES_OTHERS;
    }
    threadnames_keep(place);
    return number;
}

void ccprof_threadnames_end(uint32_t number)
{
    struct threadnames_place *place =
        places && number != 0 ? threadnames_place(number, false) : NULL;
    if (place)
        threadnames_keep(place);
}

static void threadnames_read(const struct threadnames_place *place, char *name)
{
    uint64_t words[THREADNAMES_WORDS];

    for (size_t i = 0; i < THREADNAMES_WORDS; i++)
        words[i] = atomic_load_explicit(&place->name[i], memory_order_relaxed);
    memcpy(name, words, sizeof words);
    name[CCPROF_THREADNAMES_NAME - 1] = '\0';
}

uint64_t ccprof_threadnames_next(uint64_t number, char name[CCPROF_THREADNAMES_NAME])
{
    const struct threadnames_place *next = NULL;
    uint64_t best = UINT64_MAX;

    if (number == CCPROF_THREADNAMES_OTHERS && atomic_load(&others)) {
        memcpy(name, "others", sizeof "others");
        return CCPROF_THREADNAMES_OTHERS;
    }
    for (size_t i = 0; places && i < CCPROF_THREADNAMES_MAX; i++) {
        uint64_t there = atomic_load(&places[i].number);
        if (there != 0 && there >= number && there < best) {
            best = there;
            next = &places[i];
        }
    }
    if (next)
        threadnames_read(next, name);
    return best;
}

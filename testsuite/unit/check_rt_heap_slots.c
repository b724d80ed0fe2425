/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/heap/slots.c rt/heap/heap.c rt/heap/held.c rt/heap/blocks.c
   rt/heap/changes.c rt/heap/sampling.c rt/heap/stacks.c rt/heap/times.c rt/heap/tree.c
   rt/heap/walk.c rt/samples/tags.c rt/unwind/guess.c rt/unwind/guess-x86_64.c
   rt/unwind/unwind.c rt/unwind/unwind-rules.c rt/unwind/unwind-tables.c
   rt/unwind/cpu-x86_64.c rt/os/file.c rt/os/lock.c rt/os/memory.c rt/os/proc.c
   rt/os/text.c */
/* Slots and their gate: a thread that wants every slot gets them while many threads
   take slots, and no thread takes one in the meantime. */
#include "rt_tests.h"
#include "rt/heap/heap.h"
#include "rt/heap/held.h"
#include "rt/heap/reach.h"
#include "rt/heap/slots.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"

#define THREADS 4

/* Milliseconds after which a thread that may take a slot has certainly taken one, unless
   the machine is blocked. */
#define STILL 50

static struct ccprof_heap_slots room, *const slots = &room;
static _Atomic uint64_t entries, without, wrong;
static _Atomic bool is_over, is_alone, sits, leaves;
static pthread_t threads[THREADS];

/* Takes slots one after the other, like a thread that only allocates. */
static void *enter(void *unused)
{
    while (!is_over) {
        struct ccprof_heap_slot *slot = ccprof_heap_slots_take(slots);
        if (!slot) {
            without++;
            continue;
        }
        if (is_alone)
            wrong++;
        slot->changes.count++;
        entries++;
        ccprof_heap_slots_give_back(slot);
    }
    return NULL;
}

/* Waits until this many more slots have been taken. */
static void wait_for(uint64_t more)
{
    const uint64_t had = entries;
    while (entries < had + more)
        ccprof_sys_yield();
}

static void begin(void)
{
    threads_begin(threads, THREADS, enter, NULL, 0);
    wait_for(THREADS);
}

static void end(void)
{
    is_over = true;
    threads_end(threads, THREADS);
}

static bool take_all(enum ccprof_heap_slots_purpose purpose)
{
    return ccprof_heap_slots_take_all(slots, purpose);
}

static uint64_t changes(void)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < ccprof_heap_slots_count(slots); i++)
        sum += slots->slot[i].changes.count;
    return sum;
}

TEST(nobody_sits_while_one_has_all)
{
    begin();
    for (int i = 0; i < 60; i++) {
        ck_assert(take_all(i % 2 ? CCPROF_HEAP_SLOTS_FORK : CCPROF_HEAP_SLOTS_WRITE));
        is_alone = true;
        const uint64_t had = entries;
        ck_assert_uint_eq(changes(), had);
        for (int turn = 0; turn < 5; turn++)
            ccprof_sys_yield();
        ck_assert_uint_eq(entries, had);
        ck_assert_uint_eq(changes(), had);
        is_alone = false;
        ccprof_heap_slots_give_back_all(slots);
        while (i % 20 == 0 && entries == had)
            ccprof_sys_yield();
    }
    end();
    ck_assert_uint_eq(wrong, 0);
    ck_assert_uint_eq(without, 0);
}

/* Takes a slot and keeps it until `leaves' is set. */
static void *sit(void *hurries)
{
    struct ccprof_heap_slot *slot = ccprof_heap_slots_take(slots);

    ck_assert_ptr_nonnull(slot);
    sits = true;
    while (!leaves) {
        if (hurries)
            ccprof_heap_slots_hurry();
        ccprof_sys_sleep(1000000);
    }
    ccprof_heap_slots_give_back(slot);
    return NULL;
}

static pthread_t begin_to_sit(bool hurries)
{
    pthread_t sitting;

    ck_assert_int_eq(pthread_create(&sitting, NULL, sit, hurries ? &sitting : NULL), 0);
    while (!sits)
        ccprof_sys_yield();
    return sitting;
}

static void end_to_sit(pthread_t sitting)
{
    leaves = true;
    pthread_join(sitting, NULL);
}

static void *want_all(void *got)
{
    *(bool *)got = take_all(CCPROF_HEAP_SLOTS_FORK);
    return NULL;
}

/* While a thread waits for all slots, and another thread keeps its slot, the other
   threads soon stop taking slots. */
TEST(nobody_enters_while_one_waits)
{
    pthread_t wanting, sitting = begin_to_sit(false);
    bool got = false, is_still = false;

    begin();
    ck_assert_int_eq(pthread_create(&wanting, NULL, want_all, &got), 0);
    for (int i = 0; i < 20 && !is_still; i++) {
        const uint64_t had = entries;
        ccprof_sys_sleep(STILL * UINT64_C(1000000));
        is_still = entries == had;
    }
    ck_assert(is_still);
    end_to_sit(sitting);
    pthread_join(wanting, NULL);
    if (got)
        ccprof_heap_slots_give_back_all(slots);
    wait_for(100);
    end();
}

/* A thread keeps its slot for ever. The thread that wants all slots gives up, and the
   others continue. The next attempt gives up sooner. Once all slots are free, it
   succeeds. */
TEST(nobody_waits_for_ever)
{
    pthread_t sitting = begin_to_sit(false);

    begin();
    ck_assert(!take_all(CCPROF_HEAP_SLOTS_LAST));
    ck_assert(!take_all(CCPROF_HEAP_SLOTS_WRITE));
    for (int i = 0; i < 5; i++)
        ck_assert(!take_all(CCPROF_HEAP_SLOTS_FORK));
    wait_for(100);
    ck_assert_uint_eq(without, 0);
    end_to_sit(sitting);
    ck_assert(take_all(CCPROF_HEAP_SLOTS_FORK));
    ccprof_heap_slots_give_back_all(slots);
    end();
}

/* A thread with a slot calls ccprof_heap_slots_hurry, so the thread that writes gives
   up. */
TEST(who_hurries_is_not_waited_for)
{
    pthread_t sitting = begin_to_sit(true);

    ck_assert(!take_all(CCPROF_HEAP_SLOTS_WRITE));
    end_to_sit(sitting);
    ck_assert(take_all(CCPROF_HEAP_SLOTS_WRITE));
    ccprof_heap_slots_give_back_all(slots);
}

/* A handler that interrupted a thread with a slot takes all slots: the thread's own slot
   is not waited for, and the thread keeps it. */
TEST(ones_own_slot_is_left_alone)
{
    begin();
    struct ccprof_heap_slot *slot = ccprof_heap_slots_take(slots);
    ck_assert_ptr_nonnull(slot);
    ck_assert_ptr_eq(ccprof_heap_slots_own(), slot);
    bool got = false;
    for (int i = 0; i < 10 && !got; i++)
        got = take_all(CCPROF_HEAP_SLOTS_LAST);
    ck_assert(got);
    ck_assert_ptr_eq(ccprof_heap_slots_own(), slot);
    const uint64_t had = entries;
    ccprof_sys_yield();
    ck_assert_uint_eq(entries, had);
    ccprof_heap_slots_give_back_all(slots);
    ccprof_heap_slots_give_back(slot);
    ck_assert_ptr_null(ccprof_heap_slots_own());
    end();
}

/* Closes the gate as another process would. */
static void close_gate(void)
{
    atomic_store(&slots->closer, (uint32_t)getppid());
    atomic_fetch_add(&slots->gate, 1);
}

/* If another process has closed the gate, no thread waits for long, or twice. */
TEST(the_gate_of_another_process)
{
    pthread_t sitting = begin_to_sit(false);

    close_gate();
    for (int i = 0; i < 3; i++)
        ck_assert_ptr_null(ccprof_heap_slots_take(slots));
    ccprof_heap_slots_give_back_all(slots);
    struct ccprof_heap_slot *slot = ccprof_heap_slots_take(slots);
    ck_assert_ptr_nonnull(slot);
    ccprof_heap_slots_give_back(slot);
    end_to_sit(sitting);
}

void ccprof_heap_roots_exit(const uint64_t *registers)
{
    (void)registers;
}

/* At a fork, a thread of the parent may have taken a slot and not have seen yet that the
   gate is closed. The child does not wait until this thread gives the slot back. */
TEST(a_child_waits_for_no_thread_of_its_parent)
{
    ck_assert(ccprof_heap_start(0, NULL));
    ck_assert(ccprof_heap_record(false));
    ccprof_heap_slots_give_back(ccprof_heap_slots_take(&ccprof_heap->slots));
    ccprof_heap_fork_prepare();
    atomic_store(&ccprof_heap->slots.slot[0].busy, 1);
    ccprof_heap_fork_child();
    ck_assert(ccprof_heap_is_on());
    ck_assert(ccprof_heap_hold(true));
    ccprof_heap_release();
}

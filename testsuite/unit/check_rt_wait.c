/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/wait/files.c rt/wait/points.c rt/wait/slice.c
   rt/wait/threads.c rt/wait/wait.c rt/wait/write.c
   rt/wait/held.c rt/os/lock.c rt/os/memory.c rt/os/text.c rt/os/file.c rt/samples/tags.c
 */
/* Waits: sums, the longest ones, owners and wakers, how time in which a thread ran or
   waited for a processor is taken from its waits, the list of locks, and the written
   bytes. The stacks and the kernel's numbers are made up here. */

#include "rt_tests.h"
#include "random.h"

#include "rt/os/proc.h"
#include "rt/wait/wait-inside.h"

#define MS UINT64_C(1000000)

/* The stack of each call is its PC and the frame after it. */
void ccprof_stack_capture_call(struct ccprof_stack_work *work, uint64_t pc,
                               const uint64_t *registers, bool is_other)
{
    (void)registers;
    (void)is_other;
    work->stack.depth = 2;
    work->stack.address[0] = pc;
    work->stack.address[1] = 0x9000;
}

static struct ccprof_stack_work the_work;

struct ccprof_stack_work *ccprof_stack_take(struct ccprof_stacks *stacks)
{
    (void)stacks;
    return &the_work;
}

void ccprof_stack_give_back(struct ccprof_stacks *stacks, struct ccprof_stack_work *work)
{
    (void)stacks;
    (void)work;
}

bool ccprof_thread_ready(pid_t tid, uint64_t *ready)
{
    *ready = 7;
    return true;
}

/* Threads 501 to 600 are those of process 500; the others are unknown. */
pid_t ccprof_thread_process(pid_t tid)
{
    return tid > 500 && tid <= 600 ? 500 : 0;
}

bool ccprof_thread_ready_is_stopped(void)
{
    return false;
}

uint64_t ccprof_cpu_caller(uint64_t *registers)
{
    (void)registers;
    return 0x1000;
}

int ccprof_modules_find(const struct ccprof_modules *modules, uint64_t address)
{
    (void)modules;
    (void)address;
    return -1;
}

static struct ccprof_points *points;

static void setup(void)
{
    points = ccprof_points_make(4);
    ck_assert_ptr_nonnull(points);
}

static void teardown(void)
{
    ccprof_points_free(points);
}

static uint32_t stack_of(uint32_t thread, uint64_t address)
{
    const uint64_t stack[] = {address, 0x9000, CCPROF_TAGS_THREAD | thread};
    return ccprof_points_put(points, stack, 3);
}

TEST(stacks_share_their_outer_parts)
{
    const uint32_t a = stack_of(1, 0x10), b = stack_of(1, 0x20), c = stack_of(2, 0x10);
    ck_assert_uint_eq(stack_of(1, 0x10), a);
    ck_assert_uint_ne(a, b);
    ck_assert_uint_ne(a, c);
    ck_assert_uint_eq(points->point[a].caller, points->point[b].caller);
    ck_assert_uint_eq(points->point[a].thread, 1);
    ck_assert_uint_eq(points->point[c].thread, 2);
    ck_assert_uint_eq(points->points, 1 + 3 + 1 + 3);
}

TEST(a_full_tree_counts_waits_as_unrecorded)
{
    for (uint64_t i = 1; stack_of(1, i) != 0; i++) {
    }
    ck_assert_uint_eq(points->points, CCPROF_POINTS_MOST);
    ccprof_points_add(points, &(struct ccprof_wait_kind){.stack = 0}, 0, 5, 5);
    ck_assert_uint_eq(points->unrecorded, 1);
    ck_assert_uint_eq(points->sums, 0);
}

TEST(equal_waits_are_added_up)
{
    struct ccprof_wait_kind kind = {.stack = stack_of(1, 0x10), .taken = 7};
    ccprof_points_add(points, &kind, 100, 30, 20);
    ccprof_points_add(points, &kind, 200, 50, 50);
    kind.taken = 8;
    ccprof_points_add(points, &kind, 300, 10, 10);
    ck_assert_uint_eq(points->sums, 2);
    ck_assert_uint_eq(points->sum[0].count, 2);
    ck_assert_uint_eq(points->sum[0].time, 70);
    ck_assert_uint_eq(points->sum[0].longest, 50);
    ck_assert_uint_eq(points->sum[1].time, 10);
}

TEST(holders_in_ever_new_processes_leave_room)
{
    struct ccprof_wait_kind kind = {.stack = stack_of(1, 0x10)};
    for (uint32_t i = 1; i <= CCPROF_SUMS_MOST; i++) {
        kind.taken = CCPROF_POINTS_PROCESS | i;
        ccprof_points_add(points, &kind, 1, 1, 1);
    }
    ck_assert_uint_eq(points->sums, CCPROF_SUMS_MOST / 2 + 1);
    ck_assert_uint_eq(points->sum[0].count, 1);
    ck_assert_uint_eq(points->sum[CCPROF_SUMS_MOST / 2].count, CCPROF_SUMS_MOST / 2);
    ck_assert_uint_eq(points->unrecorded, 0);
}

/* Of the times 1 to 1,000 in random order, 997 to 1,000 are kept. */
TEST(the_longest_waits_are_kept)
{
    const struct ccprof_wait_kind kind = {.stack = stack_of(1, 0x10)};
    uint64_t order[1000], sum = 0;
    for (unsigned i = 0; i < 1000; i++)
        order[i] = i + 1;
    for (unsigned i = 999; i > 0; i--) {
        const unsigned other = random_below(i + 1);
        const uint64_t moved = order[i];
        order[i] = order[other];
        order[other] = moved;
    }
    for (unsigned i = 0; i < 1000; i++)
        ccprof_points_add(points, &kind, 1, order[i], order[i]);
    ck_assert_uint_eq(points->singles, 4);
    ck_assert(points->dropped);
    ck_assert_uint_eq(points->single[0].time, 997);
    for (unsigned i = 0; i < 4; i++)
        sum += points->single[i].time;
    ck_assert_uint_eq(sum, 997 + 998 + 999 + 1000);
    ck_assert_uint_eq(points->sum[0].time, 1000 * 1001 / 2);
}

/* Two waits of 6 and 2 ms lie in 10 ms, of which the thread ran 3 and was ready 3: at
   most 4 ms are left, divided as 6 to 2. */
TEST(time_of_a_processor_is_no_wait)
{
    struct wait_pending pending[2] = {
        {.kind = {.stack = stack_of(1, 0x10)}, .length = 6 * MS},
        {.kind = {.stack = stack_of(1, 0x20)}, .length = 2 * MS}};
    wait_settle_all(points, pending, 2, 10 * MS, 3 * MS, 3 * MS);
    ck_assert_uint_eq(points->sum[0].time, 3 * MS);
    ck_assert_uint_eq(points->sum[1].time, 1 * MS);
    ck_assert_uint_eq(points->single[0].time + points->single[1].time, 4 * MS);
    wait_settle_all(points, pending, 2, 100 * MS, 3 * MS, 3 * MS);
    ck_assert_uint_eq(points->sum[0].time, 9 * MS);
    ck_assert_uint_eq(points->sum[1].time, 3 * MS);
    wait_settle_all(points, pending, 2, 1 * MS, 3 * MS, 0);
    ck_assert_uint_eq(points->sum[0].time, 9 * MS);
}

/* 10 ms, of which the thread ran 3: a wait of 4 ms leaves 3 ms for the two calls around
   it, of which one is twice as long. */
TEST(calls_around_others_get_the_rest)
{
    struct wait_pending pending[3] = {
        {.kind = {.stack = stack_of(1, 0x10), .reason = CCPROF_WAIT_OPENMP},
         .length = 6 * MS},
        {.kind = {.stack = stack_of(1, 0x20)}, .length = 4 * MS},
        {.kind = {.stack = stack_of(1, 0x30), .reason = CCPROF_WAIT_LOOKUP},
         .length = 3 * MS}};
    wait_least = 1 * MS;
    wait_settle_all(points, pending, 3, 10 * MS, 3 * MS, 0);
    ck_assert_uint_eq(points->sum[0].time, 2 * MS);
    ck_assert_uint_eq(points->sum[1].time, 4 * MS);
    ck_assert_uint_eq(points->sum[2].time, 1 * MS);
    wait_settle_all(points, pending, 3, 7 * MS, 3 * MS, 0);
    ck_assert_uint_eq(points->sum[0].count, 1);
    ck_assert_uint_eq(points->sum[1].time, 8 * MS);
}

static unsigned expected;

static void expect_end(void)
{
    expected++;
}

static void start(void)
{
    ck_assert(ccprof_threadnames_start());
    ck_assert(ccprof_wait_start(100, 10000, expect_end));
    points = wait_memory->points;
}

/* Of more than 16 locks, the oldest are forgotten. A lock that another thread has taken
   is not removed from the list of this one. */
TEST(a_lock_is_held_until_it_is_removed)
{
    ccprof_held_add(1, 101);
    ck_assert(!ccprof_held_remove_last(1));
    start();
    const struct ccprof_held *held = ccprof_held;
    for (uint64_t i = 1; i <= CCPROF_HELD_MOST + 3; i++)
        ccprof_held_add(i, 100 + i);
    ck_assert_uint_eq(ccprof_held_find(held, 5), 105);
    ck_assert_uint_eq(ccprof_held_find(held, 3), 0);
    ck_assert_uint_eq(ccprof_held_find(held, 4), 104);
    ck_assert_uint_eq(ccprof_held_remove(3), 0);
    ck_assert_uint_eq(ccprof_held_remove(5), 105);
    ck_assert_uint_eq(ccprof_held_find(held, 5), 0);
    for (uint64_t i = CCPROF_HELD_MOST + 3; i >= 1; i--)
        ck_assert_uint_eq(ccprof_held_remove(i), i == 5 || i <= 3 ? 0 : 100 + i);
    ck_assert(!ccprof_held_remove_last(4));
    ccprof_held_add(7, 107);
    ck_assert(ccprof_held_remove_last(7));
}

static void sleep_ms(unsigned ms)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ms * (long)MS}, NULL);
}

/* Waits for REASON and OBJECT, 6 ms long. Another thread releases it after 3 ms if its
   CAUSE is not 0. */
static const struct ccprof_wait_sum *wait_once(enum ccprof_wait_reason reason,
                                               uint64_t object, uint32_t owner,
                                               uint64_t released, uint64_t taken)
{
    struct ccprof_wait wait;

    CCPROF_WAIT_BEGIN(&wait, reason, object);
    ck_assert_uint_ne(wait.start, 0);
    wait.owner = owner;
    sleep_ms(3);
    if (released) {
        ck_assert(ccprof_wait_has_waiters(object));
        struct ccprof_wait_wake wake;
        CCPROF_WAIT_WAKE(&wake, object);
        wake.pc = released;
        wake.taken = taken;
        ccprof_wait_woke(&wake);
    }
    sleep_ms(3);
    ccprof_wait_end(&wait, false);
    ck_assert(!ccprof_wait_has_waiters(object));
    wait_settle(wait_mine, false);
    ck_assert_uint_ne(points->sums, 0);
    return &points->sum[points->sums - 1];
}

TEST(a_condition_has_a_waker)
{
    start();
    const struct ccprof_wait_sum *sum =
        wait_once(CCPROF_WAIT_CONDITION, 0x4000, 0, 0x7000, 0);
    ck_assert_uint_eq(sum->kind.reason, CCPROF_WAIT_CONDITION);
    ck_assert_uint_eq(sum->kind.end, CCPROF_WAIT_BY_THREAD);
    ck_assert_uint_eq(points->point[sum->kind.cause].address, 0x7000);
    ck_assert_uint_eq(points->point[sum->kind.stack].address, 0x1000);
    ck_assert(sum->time >= 5 * MS && sum->count == 1);
}

TEST(nobody_in_the_program_has_ended_it)
{
    start();
    const struct ccprof_wait_sum *sum = wait_once(CCPROF_WAIT_CONDITION, 0x4000, 0, 0, 0);
    ck_assert_uint_eq(sum->kind.end, CCPROF_WAIT_BY_OUTSIDE);
    ck_assert_uint_eq(sum->kind.cause, 0);
}

/* The release of another thread than the owner is not taken for the owner's: only the
   owner's thread is known. */
TEST(a_mutex_has_an_owner)
{
    start();
    const struct ccprof_wait_sum *sum =
        wait_once(CCPROF_WAIT_MUTEX, 0x4000, 1, 0x7000, 0x6000);
    ck_assert_uint_eq(points->point[sum->kind.cause].address, 0x7000);
    ck_assert_uint_eq(sum->kind.taken, 0x6000);
    sum = wait_once(CCPROF_WAIT_MUTEX, 0x4000, 5, 0x7000, 0x6000);
    ck_assert_uint_eq(points->point[sum->kind.cause].address, CCPROF_TAGS_THREAD | 5);
    ck_assert_uint_eq(sum->kind.taken, 0);
    ck_assert_uint_eq(sum->kind.end, CCPROF_WAIT_BY_THREAD);
}

/* Waits for a mutex that the thread TID holds, and that another thread of this process
   releases, too. */
static const struct ccprof_wait_sum *wait_for_other(uint32_t tid, bool is_shared)
{
    struct ccprof_wait wait;

    CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_MUTEX, 0x4000);
    ccprof_wait_set_owner(&wait, tid, is_shared);
    sleep_ms(1);
    struct ccprof_wait_wake wake;
    CCPROF_WAIT_WAKE(&wake, 0x4000);
    wake.taken = 0x6000;
    ccprof_wait_woke(&wake);
    ccprof_wait_end(&wait, false);
    wait_settle(wait_mine, false);
    return &points->sum[points->sums - 1];
}

/* The process is known of a thread of another process, if processes share the mutex. */
TEST(another_process_has_a_mutex)
{
    start();
    const struct ccprof_wait_sum *sum = wait_for_other(501, true);
    ck_assert(ccprof_points_is_process(sum->kind.taken));
    ck_assert_uint_eq(sum->kind.taken & ~CCPROF_TAGS_KIND, 500);
    ck_assert_uint_eq(sum->kind.end, CCPROF_WAIT_BY_OUTSIDE);
    ck_assert_uint_eq(sum->kind.cause, 0);
    const uint32_t other_tids[] = {501, 601, (uint32_t)ccprof_sys_gettid()};
    for (unsigned i = 0; i < 3; i++) {
        sum = wait_for_other(other_tids[i], i > 0);
        ck_assert_uint_eq(sum->kind.end, CCPROF_WAIT_BY_THREAD);
        ck_assert_uint_eq(sum->kind.taken, 0x6000);
        ck_assert_uint_ne(sum->kind.cause, 0);
    }
}

TEST(short_waits_are_not_recorded)
{
    start();
    for (unsigned i = 0; i < 10; i++) {
        struct ccprof_wait wait;
        CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_SLEEP, 0);
        wait.start += 100 * MS; /* it ends before it began: less than nothing */
        wait.start = ccprof_sys_clock(CLOCK_MONOTONIC);
        ccprof_wait_end(&wait, false);
    }
    ck_assert_uint_eq(points->sums, 0);
}

/* A handler interrupts a wait and waits itself. */
TEST(waits_can_be_nested)
{
    struct ccprof_wait inner, outer;

    start();
    CCPROF_WAIT_BEGIN(&outer, CCPROF_WAIT_SLEEP, 0);
    const struct wait_thread *thread = &wait_memory->thread[0];
    ck_assert_ptr_eq(atomic_load(&thread->current), &outer);
    struct ccprof_wait *further_in = &inner;
    CCPROF_WAIT_BEGIN(further_in, CCPROF_WAIT_PIPE, 0);
    ck_assert_ptr_eq(atomic_load(&thread->current), further_in);
    ccprof_wait_end(further_in, false);
    ck_assert_ptr_eq(atomic_load(&thread->current),
                     (uintptr_t)&outer > (uintptr_t)further_in ? &outer : NULL);
    ccprof_wait_end(&outer, false);
    ck_assert_ptr_null(atomic_load(&thread->current));
}

static void *wait_in_thread(void *ms)
{
    struct ccprof_wait wait;

    CCPROF_WAIT_BEGIN(&wait, CCPROF_WAIT_SLEEP, 0);
    if (ms)
        sleep_ms((unsigned)(uintptr_t)ms);
    ccprof_wait_end(&wait, false);
    ccprof_wait_thread_end();
    return NULL;
}

static void run_thread(unsigned ms)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, wait_in_thread, (void *)(uintptr_t)ms),
                     0);
    pthread_join(thread, NULL);
}

/* A thread that libc has not created begins with its first wait, and its end is expected.
   Without a place, only its long waits are counted. */
TEST(threads_have_places)
{
    start();
    run_thread(3);
    ck_assert_uint_eq(expected, 1);
    ck_assert_uint_eq(points->sums, 1);
    ck_assert_uint_eq(atomic_load(&wait_memory->tid[1]), 0);
    for (uint32_t i = 1; i < WAIT_THREADS; i++)
        atomic_store(&wait_memory->tid[i], i);
    run_thread(3);
    run_thread(0);
    ck_assert_uint_eq(expected, 1);
    ck_assert_uint_eq(points->sums, 1);
    ck_assert_uint_eq(atomic_load(&wait_lost), 1);
}

TEST(files_leave_room_for_locks)
{
    uint32_t files = 0;

    start();
    for (uint64_t i = 1; i <= 2 * CCPROF_OBJECTS_MOST; i++)
        files += ccprof_objects_put(CCPROF_OBJECTS_FILE | i) != 0;
    ck_assert_uint_eq(files, CCPROF_OBJECTS_MOST / 2);
    ck_assert_uint_ne(ccprof_objects_put(0x4000), 0);
    ck_assert_uint_eq(ccprof_objects_put(0x4000), ccprof_objects_find(0x4000));
    ck_assert_uint_eq(ccprof_objects_address(ccprof_objects_find(0x4000)), 0x4000);
}

/* The child of a fork has nothing of the parent, in the same memory. */
TEST(a_child_begins_with_nothing)
{
    start();
    wait_once(CCPROF_WAIT_MUTEX, 0x4000, 1, 0x7000, 0x6000);
    ccprof_held_add(1, 101);
    ccprof_wait_fork_child();
    ck_assert_ptr_eq(wait_memory->points, points);
    ck_assert_uint_eq(points->sums, 0);
    ck_assert_uint_eq(ccprof_objects_find(0x4000), 0);
    ck_assert_uint_eq(ccprof_held_find(ccprof_held, 1), 0);
    wait_once(CCPROF_WAIT_MUTEX, 0x4000, 1, 0x7000, 0x6000);
    ck_assert_uint_eq(points->sums, 1);
}

/* Writes what no earlier slice has, and returns the sum of all wall times less the times
   of waits in *WALL, and the waits in *COUNT and *TIME. */
static void write_slice(uint64_t *wall, uint64_t *count, uint64_t *time)
{
    static char buffer[1 << 16];
    static const struct ccprof_modules none;
    struct ccprof_text text;
    unsigned long states, sums, values[4];
    int end;

    *wall = *count = *time = 0;
    ccprof_text_open(&text, buffer, sizeof buffer, NULL);
    ccprof_wait_write(&text, &none, true);
    ck_assert_int_eq(ccprof_text_end(&text), 0);
    const char *line = strstr(buffer, "states ");
    ck_assert_int_eq(sscanf(line, "states %lu%n", &states, &end), 1);
    for (line += end; states; states--, line += end) {
        ck_assert_int_eq(
            sscanf(line, " %lu %lu %lu%*[^\n]%n", values, values + 1, values + 2, &end),
            3);
        *wall += values[2];
    }
    line = strstr(buffer, "waiting ");
    ck_assert_int_eq(sscanf(line, "waiting %lu%n", &sums, &end), 1);
    for (line += end; sums; sums--, line += end) {
        ck_assert_int_eq(sscanf(line, " %*u %*s %*s %*s %*s %*s %*s %*s %lu %lu %lu%n",
                                values, values + 1, values + 2, &end),
                         3);
        *count += values[0];
        *time += values[1];
        ck_assert_uint_le(values[2], values[1]);
        ck_assert_uint_ge(values[0] * values[2], values[1]);
    }
}

/* Each slice has its own waits, also of those that have not ended. A slice that could not
   be written is in the next one. */
TEST(slices)
{
    uint64_t wall, count, time, sum = 0, walls = 0;
    struct ccprof_wait open;

    start();
    CCPROF_WAIT_BEGIN(&open, CCPROF_WAIT_SLEEP, 0);
    sleep_ms(30);
    write_slice(&wall, &count, &time);
    ck_assert_uint_eq(count, 1);
    ck_assert(time >= 15 * MS && time <= wall);
    sum += time;
    walls += wall;
    ccprof_wait_slice_done();
    for (int written = 0; written < 2; written++) {
        sleep_ms(20);
        write_slice(&wall, &count, &time);
        ck_assert_uint_eq(count, 1);
        ck_assert(time >= 10 * MS * (uint64_t)(written + 1) && time <= wall);
    }
    sum += time;
    walls += wall;
    ccprof_wait_slice_done();
    sleep_ms(10);
    ccprof_wait_end(&open, true);
    wait_once(CCPROF_WAIT_MUTEX, 0x4000, 1, 0x7000, 0x6000);
    const uint64_t begun = wait_memory->thread[0].begun;
    write_slice(&wall, &count, &time);
    ck_assert_uint_eq(count, 2);
    ck_assert(time >= 5 * MS && time <= wall);
    ccprof_wait_slice_done();
    ck_assert(sum + time >= 40 * MS && sum + time <= walls + wall);
    ck_assert_uint_le(walls + wall, ccprof_sys_clock(CLOCK_MONOTONIC) - begun);
    write_slice(&wall, &count, &time);
    ck_assert_uint_eq(count + time, 0);
}

/* The written bytes: one wait that has ended, and one that has not, with three locks
   held, for two of which others wait. Times are replaced by letters before the
   comparison: they are the machine's. */
TEST(the_lines_of_the_file)
{
    static char buffer[1 << 16], shape[1 << 16];
    struct ccprof_text text;
    struct ccprof_wait open;
    static const struct ccprof_modules none;

    start();
    sleep_ms(1);
    wait_once(CCPROF_WAIT_MUTEX, 0x4000, 1, 0x7000, 0x6000);
    for (uint64_t lock = 0x3000; lock <= 0x5000; lock += 0x1000)
        ccprof_held_add(lock, 0x6000);
    ccprof_objects_at(ccprof_objects_put(0x3000))->waiters = 1;
    ccprof_objects_at(ccprof_objects_put(0x4000))->waiters = 1;
    ccprof_objects_put(0x5000);
    CCPROF_WAIT_BEGIN(&open, CCPROF_WAIT_SLEEP, 0);
    sleep_ms(20);
    ccprof_text_open(&text, buffer, sizeof buffer, NULL);
    ccprof_wait_write(&text, &none, false);
    ck_assert_int_eq(ccprof_text_end(&text), 0);
    char *to = shape;
    for (const char *from = buffer; *from;) {
        size_t digits = strspn(from, "0123456789");
        bool is_number = digits > 4 && (from == buffer || from[-1] == ' ');
        *to++ = is_number ? 'T' : *from;
        from += is_number ? digits : 1;
    }
    *to = '\0';
    ck_assert_str_eq(shape, "waits T 0\n"
                            "states 1\n"
                            "1 0 T T 0\n"
                            "objects 1\n"
                            "- 0x4000 ?\n"
                            "stacks 4\n"
                            "0 thread 0x1\n"
                            "1 - 0x9000\n"
                            "2 - 0x7000\n"
                            "2 - 0x1000\n"
                            "waiting 2\n"
                            "3 mutex 0 - thread 2 - 0x5fff 1 T T\n"
                            "3 sleep - 0 open - - 0x0 1 T T\n"
                            "longest 0 2\n"
                            "0 T T T\n"
                            "1 T T T\n");
}

TEST_AROUND(setup, teardown)

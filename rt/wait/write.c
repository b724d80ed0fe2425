/* SPDX-License-Identifier: MIT */
/* Writes the lines of waits (mlmon.out(5), version 15) from a copy of everything, to
   which it adds the waits that threads have not settled, and those that have not ended.
   Owns memory for one thread, since the stack of a handler may be small. Called with all
   signals blocked, in one thread at a time. */

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "rt/os/memory.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/wait/wait-inside.h"

/* How long to wait for the lock, in nanoseconds. */
#define WRITE_PATIENCE 1000000000u

struct write {
    struct ccprof_text *text;
    const struct ccprof_modules *modules;
    struct ccprof_points *points; /* the copy */
    struct ccprof_pages pages;    /* for the arrays below, by number of a point */
    uint32_t *first_child, *next_sibling, *line;
    uint32_t used;  /* number of points on the stacks of waits */
    uint32_t lines; /* number of those that were written */
};

/* A copy of a thread, and its wait that has not ended. */
static struct wait_thread thread_copy;
static struct ccprof_wait open_wait;

/* The kernel's clock of the CPU time of a thread, by its number (clock_getcpuclockid(3)).
 */
static clockid_t write_cpu_clock(uint32_t tid)
{
    return (clockid_t)(~tid << 3 | 6);
}

/* Copies the wait of the thread that has not ended. Its memory is on the stack of the
   thread, and is checked: the thread may have left it meanwhile. */
static bool write_find_open(const struct wait_thread *thread, uint64_t now)
{
    struct ccprof_wait *wait = atomic_load(&thread_copy.current);

    return wait &&
           ccprof_safe_read_bytes((uintptr_t)wait, &open_wait, sizeof open_wait) ==
               sizeof open_wait &&
           open_wait.self == wait && open_wait.start >= thread_copy.begun &&
           open_wait.start <= now && (unsigned)open_wait.reason < CCPROF_WAITS &&
           atomic_load(&thread->current) == wait;
}

/* Adds the open wait to the waits of the copied thread. */
static void write_add_open(struct ccprof_points *points, const struct wait_thread *thread,
                           uint64_t now)
{
    struct wait_pending *pending = &thread_copy.pending[thread_copy.count];

    if (thread_copy.count >= WAIT_PENDING || !write_find_open(thread, now) ||
        now < open_wait.start + wait_least)
        return;
    *pending = (struct wait_pending){
        .kind = {.taken = open_wait.taken,
                 .stack = wait_capture(points, open_wait.pc, open_wait.registers,
                                       thread_copy.number),
                 .object = open_wait.object ? ccprof_objects_find(open_wait.object) : 0,
                 .held = wait_find_held(&thread_copy.held, open_wait.object),
                 .reason = (uint16_t)open_wait.reason,
                 .end = CCPROF_WAIT_OPEN},
        .start = open_wait.start,
        .length = now - open_wait.start,
        .owner = open_wait.owner};
    thread_copy.count++;
}

/* Drops the waits of the copied thread whose stacks are newer than the copy of the
 * points. */
static void write_drop_unknown(struct ccprof_points *points)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < thread_copy.count; i++)
        if (thread_copy.pending[i].kind.stack < points->known)
            thread_copy.pending[kept++] = thread_copy.pending[i];
    points->unrecorded += thread_copy.count - kept;
    thread_copy.count = kept;
}

/* Adds the waits and the state of the thread with the index I to the copy. */
static void write_add_thread(struct ccprof_points *points, uint32_t i)
{
    struct wait_thread *thread = &wait_memory->thread[i];
    const uint32_t tid = atomic_load(&wait_memory->tid[i]);
    uint64_t ready;

    if (tid == 0 || !ccprof_spin_wait(&thread->busy, WRITE_PATIENCE))
        return;
    const uint32_t count = thread->count;
    memcpy(&thread_copy, thread, sizeof thread_copy);
    thread_copy.count = count;
    ccprof_spin_release(&thread->busy);
    if (thread_copy.begun == 0)
        return;
    /* The end of a thread that libc did not create is not seen. */
    uint64_t cpu = ccprof_sys_clock(write_cpu_clock(tid)), now = thread_copy.settled;
    if (cpu >= thread_copy.cpu)
        now = ccprof_sys_clock(CLOCK_MONOTONIC);
    else
        cpu = thread_copy.cpu;
    if (!thread_copy.is_ready_known || !ccprof_thread_ready((pid_t)tid, &ready))
        ready = thread_copy.ready;
    if (ready < thread_copy.ready)
        ready = thread_copy.ready;
    write_drop_unknown(points);
    write_add_open(points, thread, now);
    for (uint32_t n = 0; n < thread_copy.count; n++)
        wait_resolve(points, &thread_copy.pending[n]);
    wait_add_rest(points, &thread_copy, now);
    wait_settle_all(points, thread_copy.pending, thread_copy.count,
                    now - thread_copy.settled, cpu - thread_copy.cpu,
                    ready - thread_copy.ready);
    wait_add_state(points, &thread_copy, now, cpu, ready);
}

/* How often to copy again if a thread has ended meanwhile. */
#define WRITE_TRIES 3

/* Returns the copy, or null. */
static struct ccprof_points *write_copy(void)
{
    struct wait_memory *memory = wait_memory;
    struct ccprof_points *points;

    for (int tries = 1;; tries++) {
        if (!ccprof_lock_wait(&memory->lock, WRITE_PATIENCE))
            return NULL;
        const uint32_t ended = atomic_load(&memory->ended);
        points = ccprof_points_copy(memory->points);
        ccprof_lock_release(&memory->lock);
        if (points)
            points->unrecorded += atomic_load(&wait_lost);
        const uint32_t used = atomic_load(&memory->used);
        for (uint32_t i = 0; points && i < used; i++)
            write_add_thread(points, i);
        if (!points || tries == WRITE_TRIES || ended == atomic_load(&memory->ended))
            return points;
        ccprof_points_free(points);
    }
}

static bool write_make_arrays(struct write *write)
{
    const uint32_t count = write->points->points;

    if (!ccprof_pages_make(&write->pages, 3 * (uint64_t)count * sizeof(uint32_t)))
        return false;
    write->first_child = (void *)write->pages.start;
    write->next_sibling = write->first_child + count;
    write->line = write->next_sibling + count;
    /* First, LINE says which points are on the stacks of waits. */
    for (uint32_t i = 0; i < write->points->sums; i++) {
        write->line[write->points->sum[i].kind.stack] = 1;
        write->line[write->points->sum[i].kind.cause] = 1;
    }
    for (uint32_t i = count - 1; i > CCPROF_POINTS_ROOT; i--) {
        const uint32_t caller = write->points->point[i].caller;
        if (!write->line[i])
            continue;
        write->line[caller] = 1;
        write->used++;
        write->next_sibling[i] = write->first_child[caller];
        write->first_child[caller] = i;
    }
    return true;
}

static void write_field_or_dash(struct write *write, bool known, uint64_t number)
{
    if (known)
        ccprof_text_field(write->text, number);
    else
        ccprof_text_string(write->text, " -");
}

static void write_place(struct write *write, uint64_t address)
{
    const bool is_process = ccprof_points_is_process(address);
    const bool is_number = is_process || ccprof_tags_is_thread(address);
    const int module = is_number ? -1 : ccprof_modules_find(write->modules, address);

    if (is_number) {
        ccprof_text_string(write->text, is_process ? "process" : "thread");
        address &= ~CCPROF_TAGS_KIND;
    } else if (module >= 0) {
        ccprof_text_decimal(write->text, (uint64_t)module);
        address -= write->modules->module[module].bias;
    } else {
        ccprof_text_char(write->text, '-');
    }
    ccprof_text_char(write->text, ' ');
    ccprof_text_hex(write->text, address);
}

static void write_count(struct write *write, const char *word, uint64_t count)
{
    ccprof_text_string(write->text, word);
    ccprof_text_field(write->text, count);
    ccprof_text_char(write->text, '\n');
}

static void write_states(struct write *write)
{
    const struct ccprof_wait_state *state = write->points->state;
    uint32_t count = 0;

    for (uint32_t i = 0; i <= CCPROF_THREADNAMES_MAX; i++)
        count += state[i].any;
    write_count(write, "states", count);
    for (uint32_t i = 0; i <= CCPROF_THREADNAMES_MAX; i++) {
        if (!state[i].any)
            continue;
        ccprof_text_decimal(write->text, i);
        ccprof_text_field(write->text, state[i].start);
        ccprof_text_field(write->text, state[i].wall);
        ccprof_text_field(write->text, state[i].cpu);
        write_field_or_dash(write, state[i].is_ready_known, state[i].ready);
        ccprof_text_char(write->text, '\n');
    }
}

/* Writes all objects: a number of the file is that of the table, since those that no wait
   has are few. */
static void write_objects(struct write *write, const uint32_t *used, uint32_t count)
{
    write_count(write, "objects", count);
    for (uint32_t i = 0; i < count; i++) {
        const struct ccprof_wait_object *object = ccprof_objects_at(used[i]);
        const uint64_t address = ccprof_objects_address(used[i]);
        const bool is_file = (address & CCPROF_TAGS_KIND) == CCPROF_OBJECTS_FILE;

        if (is_file)
            ccprof_text_string(write->text, "- 0x0");
        else
            write_place(write, address);
        ccprof_text_char(write->text, ' ');
        ccprof_text_path(write->text, is_file && *object->name ? object->name : "?");
        ccprof_text_char(write->text, '\n');
    }
}

/* Writes the points in preorder, and sets the number of each one's line. */
static void write_stacks(struct write *write)
{
    uint32_t number = write->first_child[CCPROF_POINTS_ROOT];
    uint64_t depth = 0;

    write_count(write, "stacks", write->used);
    while (number != 0 && write->text->error == 0) {
        write->line[number] = write->lines++;
        ccprof_text_decimal(write->text, depth);
        ccprof_text_char(write->text, ' ');
        write_place(write, write->points->point[number].address);
        ccprof_text_char(write->text, '\n');
        if (write->first_child[number]) {
            number = write->first_child[number];
            depth++;
            continue;
        }
        while (number != 0 && !write->next_sibling[number]) {
            number = write->points->point[number].caller;
            depth--;
        }
        if (number != 0)
            number = write->next_sibling[number];
    }
}

/* Writes the sums. NUMBERS: the number of each object in the file, by its number. */
static void write_sums(struct write *write, const uint32_t *numbers)
{
    static const char *const reasons[] = CCPROF_WAIT_NAMES;
    static const char *const ends[] = CCPROF_WAIT_END_NAMES;

    write_count(write, "waiting", write->points->sums);
    for (uint32_t i = 0; i < write->points->sums; i++) {
        const struct ccprof_wait_sum *sum = &write->points->sum[i];
        const struct ccprof_wait_kind *kind = &sum->kind;

        ccprof_text_decimal(write->text, write->line[kind->stack]);
        ccprof_text_char(write->text, ' ');
        ccprof_text_string(write->text, reasons[kind->reason]);
        write_field_or_dash(write, kind->object != 0, numbers[kind->object]);
        write_field_or_dash(write, kind->held != 0, numbers[kind->held]);
        ccprof_text_char(write->text, ' ');
        ccprof_text_string(write->text, ends[kind->end]);
        write_field_or_dash(write, kind->cause != 0, write->line[kind->cause]);
        ccprof_text_char(write->text, ' ');
        write_place(write, kind->taken -
                               (kind->taken && !ccprof_points_is_process(kind->taken)));
        ccprof_text_field(write->text, sum->count);
        ccprof_text_field(write->text, sum->time);
        ccprof_text_field(write->text, sum->longest);
        ccprof_text_char(write->text, '\n');
    }
}

static void write_singles(struct write *write)
{
    const struct ccprof_points *points = write->points;
    const uint64_t least =
        points->dropped && points->singles ? points->single[0].time + 1 : 0;
    uint32_t count = 0;

    for (uint32_t i = 0; i < points->singles; i++)
        count += points->single[i].time >= least;
    ccprof_text_string(write->text, "longest");
    ccprof_text_field(write->text, least);
    write_count(write, "", count);
    for (uint32_t i = 0; i < points->singles; i++) {
        const struct ccprof_wait_single *single = &points->single[i];
        if (single->time < least)
            continue;
        ccprof_text_decimal(write->text, single->sum);
        ccprof_text_field(write->text, single->start);
        ccprof_text_field(write->text, single->length);
        ccprof_text_field(write->text, single->time);
        ccprof_text_char(write->text, '\n');
    }
}

/* Numbers the objects of the sums: fills USED with their numbers in the table, and
   NUMBERS with those in the file. Returns how many there are. */
static uint32_t write_number_objects(const struct ccprof_points *points, uint32_t *used,
                                     uint32_t *numbers)
{
    uint32_t count = 0;

    memset(numbers, 0xff, (CCPROF_OBJECTS_MOST + 1) * sizeof *numbers);
    for (uint32_t i = 0; i < 2 * points->sums; i++) {
        const struct ccprof_wait_kind *kind = &points->sum[i / 2].kind;
        const uint32_t object = i % 2 ? kind->held : kind->object;
        if (object && numbers[object] == UINT32_MAX) {
            numbers[object] = count;
            used[count++] = object;
        }
    }
    return count;
}

static void write_all(struct write *write, uint32_t *used, uint32_t *numbers)
{
    ccprof_text_string(write->text, "waits ");
    ccprof_text_decimal(write->text, wait_least);
    ccprof_text_field(write->text, write->points->unrecorded);
    ccprof_text_char(write->text, '\n');
    write_states(write);
    write_objects(write, used, write_number_objects(write->points, used, numbers));
    write_stacks(write);
    write_sums(write, numbers);
    write_singles(write);
}

void ccprof_wait_write(struct ccprof_text *text, const struct ccprof_modules *modules,
                       bool is_slice)
{
    struct write write = {.text = text,
                          .modules = modules,
                          .points = wait_slice_of(write_copy(), is_slice)};
    struct ccprof_pages objects = {0};
    static bool is_said;

    if (write.points && write_make_arrays(&write) &&
        ccprof_pages_make(&objects, 2 * (CCPROF_OBJECTS_MOST + 1) * sizeof(uint32_t))) {
        uint32_t *used = (void *)objects.start;
        write_all(&write, used, used + CCPROF_OBJECTS_MOST + 1);
    } else if (!is_said) {
        ccprof_say("no memory: the file does not have the waits", NULL);
        is_said = true;
    }
    ccprof_pages_free(&objects);
    ccprof_pages_free(&write.pages);
    if (write.points)
        ccprof_points_free(write.points);
}

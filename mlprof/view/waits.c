/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what threads did, why they waited, and who held the locks, for -waits. */

#include "mlprof/view/waitwords.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The balance: one row for each thing that threads did. */

/* Returns the number of a row, which is a pointer to an element of WHATS. */
static enum waiting_what what_of(const struct waiting *waiting, const void *row)
{
    return (enum waiting_what)((const struct waiting_sum *)row - waiting->whats);
}

static struct waiting *waiting_of(const void *view)
{
    return (struct waiting *)report_waiting(((const struct view *)view)->report);
}

#define OF_ROW                                                                           \
    const struct waiting *waiting = waiting_of(of);                                      \
    const struct waiting_sum *sum = at;                                                  \
    const enum waiting_what what = what_of(waiting, at);                                 \
    const bool counted = sum->count > 0;                                                 \
    (void)what, (void)counted

VIEW_VALUE(state, table_text(waiting_ids[what]))
WAITWORDS_TIME(time, sum->time)
VIEW_VALUE(share,
           table_number_if(waiting->wall, (double)sum->time / (double)waiting->wall))
VIEW_CELL(share, view_percent_of(sum->time, waiting->wall))
VIEW_VALUE(idle, table_integer_if(counted, sum->idle))
VIEW_CELL(idle, sum->idle ? view_percent_of(sum->idle, waiting->wall) : buf_copy(""))
VIEW_VALUE(count, table_integer_if(counted, sum->count))
VIEW_CELL(count, counted ? text_count(sum->count) : buf_copy(""))
VIEW_VALUE(longest, table_integer_if(counted, sum->longest))
VIEW_CELL(longest, counted ? waitwords_time_cell(sum->longest) : buf_copy(""))

static const struct table_column balance_columns[] = {
    TABLE_DATA("state",
               "running, spinning (part of running), ready, lock, condition, thread, "
               "child, disk, network, pipe, poll, sleep, signal or unknown",
               state),
    {"time_ns", "all threads together", time, "time", .cell = time_cell},
    {"share", "of the time of all threads", share, "share", .cell = share_cell},
    {"idle_ns", "the part in which nothing was to do", idle, "idle", .cell = idle_cell},
    {"waits", "their number", count, "waits", .cell = count_cell},
    {"longest_ns", "the longest of them", longest, "longest", .cell = longest_cell},
    {0}};

static void put_state(const void *of, struct sheet *sheet, const void *at)
{
    sheet_put(sheet, buf_copy(waiting_words[what_of(waiting_of(of), at)]));
}

static const struct table_view balance_table = {
    .name = "wait_states", .columns = balance_columns, .names = {"threads", put_state}};

/* Without DATA, rows of 0 are left out. */
static size_t add_balance(struct table *table, const struct waiting *waiting, size_t most,
                          bool data)
{
    (void)most;
    for (size_t i = 0; i < WAITING_WHATS; i++)
        if (data || waiting->whats[i].time || i == WAITING_RUNNING ||
            i == WAITING_UNKNOWN)
            table_add(table, &waiting->whats[i]);
    return 0;
}

/* The threads. */

#undef OF_ROW
#define OF_ROW const struct waiting_thread *thread = at

#define THREAD_TIME(name) WAITWORDS_TIME(thread_##name, thread->name)

VIEW_VALUE(thread_name, table_text(thread->name))
THREAD_TIME(wall)
THREAD_TIME(running)
VIEW_VALUE(thread_ready, table_integer_if(!thread->no_ready, thread->ready))
VIEW_CELL(thread_ready,
          thread->no_ready ? buf_copy("-") : waitwords_time_cell(thread->ready))
THREAD_TIME(blocked)
THREAD_TIME(idle)
THREAD_TIME(unknown)

static const struct table_column thread_columns[] = {
    TABLE_DATA("thread", "its number and name", thread_name),
    {"wall_ns", "from its start to its end", thread_wall, "lived",
     .cell = thread_wall_cell},
    {"running_ns", "its CPU time", thread_running, "running",
     .cell = thread_running_cell},
    {"ready_ns", "waiting for a processor; null if unknown", thread_ready, "ready",
     .cell = thread_ready_cell},
    {"blocked_ns", "waiting, without idle", thread_blocked, "blocked",
     .cell = thread_blocked_cell},
    {"idle_ns", "waiting with nothing to do", thread_idle, "idle",
     .cell = thread_idle_cell},
    {"unknown_ns", "the rest", thread_unknown, "unknown", .cell = thread_unknown_cell},
    {0}};

static void put_thread(const void *of, struct sheet *sheet, const void *at)
{
    const struct waiting_thread *thread = at;
    BUF_OWN char *text = waitwords_thread("", thread->name);
    (void)of;
    sheet_put_name(sheet, text_clean(text), NULL);
}

static const struct table_view thread_table = {
    .name = "wait_threads", .columns = thread_columns, .names = {"thread", put_thread}};

static size_t add_threads(struct table *table, const struct waiting *waiting, size_t most,
                          bool data)
{
    (void)data;
    for (size_t i = 0; i < waiting->threads.count && (!most || i < most); i++)
        table_add(table, &waiting->threads.list[i]);
    return waiting->threads.count;
}

/* The waits and who ended them. */

#undef OF_ROW
#define OF_ROW                                                                           \
    const struct waitwords_row *row = at;                                                \
    const struct waiting_wait *wait = row->wait;                                         \
    const struct waiting_owner *owner = row->owner;                                      \
    const struct waiting_sum *sum = owner ? &owner->sum : &wait->sum;                    \
    (void)owner, (void)sum

VIEW_VALUE(reason, table_text(waiting_reasons[wait->reason]))
VIEW_VALUE(object, table_text(wait->object))
WAITWORDS_CALL(wait->call)
VIEW_VALUE(end, table_text(owner ? waiting_ends[owner->end] : NULL))
VIEW_VALUE(by, table_text(owner ? owner->thread : NULL))
VIEW_VALUE(taken, table_text_freed(owner ? places_text(&owner->taken) : NULL))
VIEW_VALUE(release, table_text_freed(owner ? places_text(&owner->release) : NULL))
VIEW_VALUE(waits, table_integer(sum->count))
VIEW_CELL(waits, row->release ? buf_copy("") : text_count(sum->count))
VIEW_VALUE(wait_time, table_integer(sum->time))
VIEW_CELL(wait_time, row->release ? buf_copy("") : waitwords_time_cell(sum->time))
VIEW_VALUE(wait_idle, table_integer(sum->idle))
VIEW_VALUE(wait_longest, table_integer(sum->longest))
VIEW_CELL(wait_longest, row->release ? buf_copy("") : waitwords_time_cell(sum->longest))

static const struct table_column wait_columns[] = {
    TABLE_DATA("reason", "mutex, rwlock, condition, join ...", reason),
    TABLE_DATA("object", "the variable of a lock, the path of a file", object),
    TABLE_DATA("function", "that waited", function),
    WAITWORDS_PLACE("waited"),
    TABLE_DATA("ended_by", "thread, outside, timeout or open", end),
    TABLE_DATA(
        "thread",
        "that held the lock or ended the waits: number and name; or process and PID", by),
    TABLE_DATA("taken", "the call that took the lock: FUNCTION, FILE: LINE", taken),
    TABLE_DATA("released", "the call that released the lock or woke", release),
    {"time_ns", "in which threads waited", wait_time, "time", .cell = wait_time_cell},
    TABLE_DATA("idle_ns", "the part in which nothing was to do", wait_idle),
    {"waits", "their number", waits, "waits", .cell = waits_cell},
    {"longest_ns", "the longest of them", wait_longest, "longest",
     .cell = wait_longest_cell},
    {0}};

static void put_wait(const void *of, struct sheet *sheet, const void *at)
{
    const struct waitwords_row *row = at;
    const struct waiting_wait *wait = row->wait;
    const struct waiting_owner *owner = row->owner;
    (void)of;
    if (!owner) {
        BUF_OWN char *call = places_text(&wait->call);
        waitwords_put(sheet, waitwords_wait(NULL, wait->reason, wait->object),
                      call ? buf_format("in %s", call) : NULL);
        return;
    }
    BUF_OWN char *taken = places_text(&owner->taken);
    BUF_OWN char *release = places_text(&owner->release);
    if (row->release) {
        waitwords_put_release(sheet, release);
        return;
    }
    waitwords_put(sheet, waitwords_owner(wait->reason, owner->end, owner->thread),
                  waitwords_call(wait->reason, taken, release));
}

static const struct table_view wait_table = {
    .name = "waits", .columns = wait_columns, .names = {"waited for", put_wait}};

static size_t add_waits(struct table *table, const struct waiting *waiting, size_t most,
                        bool data)
{
    return waitwords_add(table, waiting, waiting->waits.list, waiting->waits.count, most,
                         data);
}

/* The longest waits, one by one. */

/* A row of a wait; below it the row of who held the lock or ended the wait; and below
   that the row of the release, if both calls are known. */
struct longest_row {
    const struct waiting_single *wait;
    enum { LONGEST_WAIT, LONGEST_OWNER, LONGEST_RELEASE } what;
};

#undef OF_ROW
#define OF_ROW                                                                           \
    const struct longest_row *row = at;                                                  \
    const struct waiting_single *wait = row->wait;                                       \
    const bool shown = row->what == LONGEST_WAIT;                                        \
    (void)shown

VIEW_VALUE(one_start, table_integer(wait->single->start))
VIEW_CELL(one_start,
          shown ? text_commas((double)wait->single->start / 1e9, 3) : buf_copy(""))
VIEW_VALUE(one_length, table_integer(wait->single->length))
VIEW_VALUE(one_time, table_integer(wait->single->time))
VIEW_CELL(one_time, shown ? waitwords_time_cell(wait->single->time) : buf_copy(""))
VIEW_VALUE(one_reason, table_text(waiting_reasons[wait->wait->reason]))
VIEW_VALUE(one_object, table_text(wait->object))
VIEW_VALUE(one_thread, table_text(wait->thread))
VIEW_VALUE(one_stack, table_text(wait->stack))
VIEW_VALUE(one_end, table_text(waiting_ends[wait->wait->end]))
VIEW_VALUE(one_by, table_text(wait->waker))
VIEW_VALUE(one_taken, table_text_freed(places_text(&wait->taken)))
VIEW_VALUE(one_cause, table_text(wait->cause))

static const struct table_column longest_columns[] = {
    {"start_ns", "since the start of measuring", one_start, "at second",
     .cell = one_start_cell},
    TABLE_DATA("length_ns", "from its start to its end", one_length),
    {"time_ns", "without running and waiting for a processor", one_time, "time",
     .cell = one_time_cell},
    TABLE_DATA("reason", "mutex, rwlock, condition, join ...", one_reason),
    TABLE_DATA("object", "the variable of a lock, the path of a file", one_object),
    TABLE_DATA("thread", "that waited: number and name", one_thread),
    TABLE_DATA("stack", "its functions, callers first", one_stack),
    TABLE_DATA("ended_by", "thread, outside, timeout or open", one_end),
    TABLE_DATA("other_thread", "that held the lock or ended the wait; or process and PID",
               one_by),
    TABLE_DATA("taken", "the call that took the lock: FUNCTION, FILE: LINE", one_taken),
    TABLE_DATA("other_stack", "the functions at the release of the lock, or at the end",
               one_cause),
    {0}};

static void put_longest(const void *of, struct sheet *sheet, const void *at)
{
    const struct longest_row *row = at;
    const struct waiting_single *wait = row->wait;
    (void)of;
    if (row->what == LONGEST_RELEASE) {
        waitwords_put_release(sheet, wait->cause);
        return;
    }
    if (row->what == LONGEST_OWNER) {
        BUF_OWN char *taken = places_text(&wait->taken);
        waitwords_put(sheet,
                      waitwords_owner(wait->wait->reason, wait->wait->end, wait->waker),
                      waitwords_call(wait->wait->reason, taken, wait->cause));
        return;
    }
    waitwords_put(sheet, waitwords_wait(wait->thread, wait->wait->reason, wait->object),
                  wait->stack ? buf_format("in %s", wait->stack) : NULL);
}

static const struct table_view longest_table = {.name = "longest_waits",
                                                .columns = longest_columns,
                                                .names = {"waited for", put_longest}};

static size_t add_longest(struct table *table, const struct waiting *waiting, size_t most,
                          bool data)
{
    size_t count = waiting->longest.count;
    struct longest_row *rows = buf_alloc((3 * count + 1) * sizeof *rows);
    table->own = rows;
    table->release = free;
    for (size_t i = 0; i < count && (!most || i < most); i++) {
        const struct waiting_single *wait = &waiting->longest.list[i];
        struct longest_row *row = &rows[3 * i];
        row[0] = (struct longest_row){wait, LONGEST_WAIT};
        row[1] = (struct longest_row){wait, LONGEST_OWNER};
        row[2] = (struct longest_row){wait, LONGEST_RELEASE};
        table_add(table, &row[0]);
        if (!data && (wait->waker || wait->taken.function || wait->cause))
            table_add(table, &row[1]);
        if (!data && wait->taken.function && wait->cause)
            table_add(table, &row[2]);
    }
    return 0;
}

/* The view. */

enum { BALANCE, THREADS, PATH, WAITS, LONGEST };

const struct waitwords_table waits_tables[] = {
    [BALANCE] = {"", &balance_table, 0, add_balance},
    [THREADS] = {"\n", &thread_table, 10, add_threads},
    [PATH] = {"\nthe critical path: only a shorter part of it ends the program earlier\n",
              &waits_path_table, 8, waits_add_path},
    [WAITS] = {"\n", &wait_table, 10, add_waits},
    [LONGEST] = {"\nthe longest waits:\n", &longest_table, 5, add_longest},
    {0}};

WAITWORDS_FILL(fill_balance, &waits_tables[BALANCE])
WAITWORDS_FILL(fill_threads, &waits_tables[THREADS])
WAITWORDS_FILL(fill_path, &waits_tables[PATH])
WAITWORDS_FILL(fill_waits, &waits_tables[WAITS])
WAITWORDS_FILL(fill_longest, &waits_tables[LONGEST])

static void print_waits(FILE *out, const struct view *view)
{
    waitwords_print(out, view, waits_tables);
}

const struct views_entry waits_entry = {
    .name = "waits",
    .topic = TOPIC_PROCESSES,
    .use = 3,
    .help = "print why threads waited, and who held locks",
    .details =
        "First what threads did, then the waits with the most time: for what, at\n"
        "which call, and who held the lock or ended them. Last the longest waits,\n"
        "with both stacks. Run the program with CCPROF=wait=yes.",
    .kind = OUTPUTS_WAITS,
    .facts = VIEWS_WAITS,
    .data = {{&wait_table, fill_waits},
             {&balance_table, fill_balance},
             {&thread_table, fill_threads},
             {&longest_table, fill_longest},
             {&waits_path_table, fill_path}},
    .check = waitwords_check,
    .head = waitwords_head,
    .print = print_waits,
    .foot = waitwords_foot,
};

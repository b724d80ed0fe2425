/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints each lock, condition and file with its waits, and the calls that took it, for
   -locks. */

#include "mlprof/view/waitwords.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"

#include <inttypes.h>

#define OF_ROW                                                                           \
    const struct waitwords_row *row = at;                                                \
    const struct waiting_wait *lock = row->wait;                                         \
    const struct waiting_owner *owner = row->owner;                                      \
    const struct waiting_link *link = row->link;                                         \
    const struct waiting_sum *sum = owner ? &owner->sum : &lock->sum;                    \
    const struct places_place call = owner  ? owner->taken                               \
                                     : link ? link->call                                 \
                                            : (struct places_place){0};                  \
    const uint64_t of_row = link ? link->time : sum->time;                               \
    (void)lock, (void)sum, (void)call, (void)of_row

static uint64_t mean_of(const struct waiting_sum *sum)
{
    return sum->count ? sum->time / sum->count : 0;
}

VIEW_VALUE(name, table_text(lock->object))
VIEW_VALUE(kind, table_text(waiting_reasons[lock->reason]))
WAITWORDS_CALL(call)
WAITWORDS_TIME(time, of_row)
VIEW_VALUE(share,
           table_number_if(lock->sum.time, (double)of_row / (double)lock->sum.time))
VIEW_CELL(share, owner || link ? view_percent_of(of_row, lock->sum.time) : buf_copy(""))
VIEW_VALUE(waits, table_integer(sum->count))
VIEW_CELL(waits, link ? buf_copy("") : text_count(sum->count))
VIEW_VALUE(mean, table_integer(mean_of(sum)))
VIEW_CELL(mean, link ? buf_copy("") : waitwords_time_cell(mean_of(sum)))
VIEW_VALUE(longest, table_integer(sum->longest))
VIEW_CELL(longest, link ? buf_copy("") : waitwords_time_cell(sum->longest))
VIEW_VALUE(depth, table_integer(link->depth))
VIEW_VALUE(reason, table_text(waiting_reasons[link->reason]))
VIEW_VALUE(object, table_text(link->object))

static const struct table_column columns[] = {
    TABLE_DATA("lock", "the variable, or the path of a file", name),
    TABLE_DATA("kind", "mutex, rwlock, condition ...", kind),
    TABLE_DATA("taken", "the function that took it; null if unknown", function),
    WAITWORDS_PLACE("took it"),
    {"time_ns", "in which threads waited for it", time, "time", .cell = time_cell},
    {"share", "of the lock's time, while this call had taken it", share, "share",
     .cell = share_cell},
    {"waits", "their number", waits, "waits", .cell = waits_cell},
    {"mean_ns", "of a wait", mean, "mean", .cell = mean_cell},
    {"longest_ns", "the longest of them", longest, "longest", .cell = longest_cell},
    {0}};

/* A thread that waits for a lock can hold another one. */
static void put_link(struct sheet *sheet, const struct waiting_link *link)
{
    BUF_OWN char *name = waitwords_wait(NULL, link->reason, link->object);
    BUF_OWN char *call = places_text(&link->call);
    BUF_OWN char *text = buf_format("%*s%s waits: %s", 2 + 2 * (int)link->depth, "",
                                    link->depth ? "whose holder" : "holder", name);
    waitwords_put(sheet, text_clean(text), call ? buf_format("in %s", call) : NULL);
}

static void put_lock(const void *of, struct sheet *sheet, const void *at)
{
    const struct waitwords_row *row = at;
    (void)of;
    if (row->link) {
        put_link(sheet, row->link);
        return;
    }
    if (!row->owner) {
        const char *more;
        char *name = waitwords_name(row->wait->reason, row->wait->object, &more);
        if (more)
            sheet_put_place(sheet, name, buf_copy(more));
        else
            sheet_put_name(sheet, name, NULL);
        return;
    }
    const struct places_place *taken = &row->owner->taken;
    if (!taken->function) {
        sheet_put_name(sheet, buf_copy("  taken by an unknown call"), NULL);
        return;
    }
    sheet_put_name(sheet, buf_format("  taken in %s", taken->function),
                   taken->file ? buf_format("%s: %" PRIu32, taken->file, taken->line)
                               : NULL);
}

static const struct table_view locks_table = {
    .name = "locks", .columns = columns, .names = {"lock", put_lock}};

/* For data formats. */
static const struct table_column chain_columns[] = {
    TABLE_DATA("lock", "the variable, or the path of a file", name),
    TABLE_DATA("kind", "mutex or rwlock", kind),
    TABLE_DATA("depth",
               "0: the holder of the lock waited; otherwise, that of the lock above",
               depth),
    TABLE_DATA("reason", "mutex, file, sync ...", reason),
    TABLE_DATA("object", "the variable of a lock, the path of a file", object),
    TABLE_DATA("function", "that waited", function),
    WAITWORDS_PLACE("waited"),
    TABLE_DATA("time_ns", "in which threads waited for the lock meanwhile", time),
    TABLE_DATA("share", "of the lock's time", share),
    {0}};

static const struct table_view chains_table = {
    .name = "lock_chains", .columns = chain_columns, .names = {"lock", put_lock}};

static size_t add_chains(struct table *table, const struct waiting *waiting, size_t most,
                         bool data)
{
    (void)most;
    return data ? waitwords_add_links(table, waiting, waiting->locks.list,
                                      waiting->locks.count)
                : 0;
}

static size_t add_locks(struct table *table, const struct waiting *waiting, size_t most,
                        bool data)
{
    return waitwords_add(table, waiting, waiting->locks.list, waiting->locks.count, most,
                         data);
}

const struct waitwords_table locks_tables[] = {
    {"", &locks_table, 20, add_locks}, {"", &chains_table, 0, add_chains}, {0}};

WAITWORDS_FILL(fill_locks, &locks_tables[0])
WAITWORDS_FILL(fill_chains, &locks_tables[1])

static void print_locks(FILE *out, const struct view *view)
{
    if (!waitwords_print(out, view, locks_tables))
        fputs("no lock, condition or file was waited for\n", out);
}

const struct views_entry locks_entry = {
    .name = "locks",
    .topic = TOPIC_PROCESSES,
    .use = 4,
    .help = "print how long threads waited for each lock",
    .details =
        "Each lock, condition, semaphore and file that a thread waited for, by its\n"
        "variable or path, with the calls that took it. Run the program with\n"
        "CCPROF=wait=yes.",
    .kind = OUTPUTS_WAITS,
    .facts = VIEWS_WAITS,
    .data = {{&locks_table, fill_locks}, {&chains_table, fill_chains}},
    .check = waitwords_check,
    .head = waitwords_head,
    .print = print_locks,
    .foot = waitwords_foot,
};

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
    const struct waiting_sum *sum = owner ? &owner->sum : &lock->sum;                    \
    const struct places_place taken = owner ? owner->taken : (struct places_place){0};   \
    (void)lock, (void)sum, (void)taken

static uint64_t mean_of(const struct waiting_sum *sum)
{
    return sum->count ? sum->time / sum->count : 0;
}

VIEW_VALUE(name, table_text(lock->object))
VIEW_VALUE(kind, table_text(waiting_reasons[lock->reason]))
WAITWORDS_CALL(taken)
WAITWORDS_TIME(time, sum->time)
VIEW_VALUE(share,
           table_number_if(lock->sum.time, (double)sum->time / (double)lock->sum.time))
VIEW_CELL(share, owner ? view_percent_of(sum->time, lock->sum.time) : buf_copy(""))
VIEW_VALUE(waits, table_integer(sum->count))
VIEW_CELL(waits, text_count(sum->count))
WAITWORDS_TIME(mean, mean_of(sum))
WAITWORDS_TIME(longest, sum->longest)

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

static void put_lock(const void *of, struct sheet *sheet, const void *at)
{
    const struct waitwords_row *row = at;
    (void)of;
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

static size_t add_locks(struct table *table, const struct waiting *waiting, size_t most,
                        bool data)
{
    return waitwords_add(table, waiting, waiting->locks.list, waiting->locks.count, most,
                         data);
}

const struct waitwords_table locks_tables[] = {{"", &locks_table, 20, add_locks}, {0}};

WAITWORDS_FILL(fill_locks, locks_tables)

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
    .data = {{&locks_table, fill_locks}},
    .check = waitwords_check,
    .head = waitwords_head,
    .print = print_locks,
    .foot = waitwords_foot,
};

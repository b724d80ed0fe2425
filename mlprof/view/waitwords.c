/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds rows of waits and of their owners to tables, and names waits and threads. */

#include "mlprof/view/waitwords.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/text.h"

#include <stdlib.h>
#include <string.h>

/* On a terminal, a link has at least this part of its lock's time. */
#define LINK_PART 100

/* Before the name of the function that waited for a lock first (places_object). */
#define FIRST "first waited for in "

/* The rows of a table, in its member OWN. */
struct waitwords_rows {
    BUF_VECTOR(struct waitwords_row) rows;
};

static void free_rows(void *own)
{
    struct waitwords_rows *rows = own;
    free(rows->rows.list);
    free(rows);
}

/* Returns whether an owner's row says more than the row above. */
static bool is_known(const struct waiting_wait *wait, const struct waiting_owner *owner)
{
    return owner->thread || owner->taken.function || owner->release.function ||
           (wait->owners.count > 1 && owner->end != CCPROF_WAIT_BY_TIMEOUT);
}

/* The fewest columns in which the name of a function says something. */
enum { LEAST_FUNCTION = 12 };

/* Makes TABLE own ROWS, and adds them. */
static void add_rows(struct table *table, const struct waitwords_rows *rows)
{
    struct waitwords_rows *own = buf_alloc(sizeof *own);
    *own = *rows;
    table->own = own;
    table->release = free_rows;
    for (size_t i = 0; i < own->rows.count; i++)
        table_add(table, &own->rows.list[i]);
}

size_t waitwords_add(struct table *table, const struct waiting *waiting,
                     const struct waiting_wait *waits, size_t count, size_t most,
                     bool data)
{
    struct waitwords_rows rows = {0};
    for (size_t i = 0; i < count && (!most || i < most); i++) {
        const struct waiting_wait *wait = &waits[i];
        if (!data)
            BUF_PUSH(rows.rows) =
                (struct waitwords_row){.waiting = waiting, .wait = wait};
        for (size_t k = 0; k < wait->owners.count && (!most || k < most); k++) {
            const struct waiting_owner *owner = &wait->owners.list[k];
            if (data || is_known(wait, owner))
                BUF_PUSH(rows.rows) =
                    (struct waitwords_row){waiting, wait, owner, false, NULL};
            if (!data && owner->taken.function && owner->release.function)
                BUF_PUSH(rows.rows) =
                    (struct waitwords_row){waiting, wait, owner, true, NULL};
        }
        for (size_t k = 0; !data && k < wait->chain.count && (!most || k < most); k++)
            if (wait->chain.list[k].time >= wait->sum.time / LINK_PART)
                BUF_PUSH(rows.rows) = (struct waitwords_row){
                    .waiting = waiting, .wait = wait, .link = &wait->chain.list[k]};
    }
    add_rows(table, &rows);
    return count;
}

size_t waitwords_add_links(struct table *table, const struct waiting *waiting,
                           const struct waiting_wait *locks, size_t count)
{
    struct waitwords_rows rows = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < locks[i].chain.count; k++)
            BUF_PUSH(rows.rows) = (struct waitwords_row){waiting, &locks[i],
                                                         .link = &locks[i].chain.list[k]};
    add_rows(table, &rows);
    return 0;
}

void waitwords_fill(struct table *table, const struct view *view,
                    const struct waitwords_table *of)
{
    const struct waiting *waiting = report_waiting(view->report);
    if (waiting)
        of->add(table, waiting, 0, true);
}

bool waitwords_print(FILE *out, const struct view *view,
                     const struct waitwords_table *tables)
{
    bool any = false;
    for (; tables->view; tables++) {
        struct table table = {.view = tables->view, .of = view};
        const size_t top = view->style.top,
                     most = tables->most && top != TABLE_FITS ? top : tables->most;
        const size_t count =
            tables->add(&table, report_waiting(view->report), most, false);
        if (table.count) {
            fputs(tables->title, out);
            table_print(out, &table, view->style.mlton);
            any = true;
        }
        if (most && count > most)
            fprintf(out, "%zu more: -top\n", count - most);
        table_free(&table);
    }
    return any;
}

char *waitwords_name(enum ccprof_wait_reason reason, const char *object,
                     const char **more)
{
    static const char lock[] = "lock 0x";
    *more = NULL;
    if (!object)
        return buf_copy(waiting_reasons[reason]);
    size_t length = strlen(waiting_reasons[reason]);
    if (strncmp(object, waiting_reasons[reason], length) == 0 && object[length] == ':')
        return buf_copy(object); /* pipe:[123] */
    if (strncmp(object, lock, strlen(lock)) != 0)
        return buf_format("%s %s", waiting_reasons[reason], object);
    const char *address = object + strlen("lock "), *space = strchr(address, ' ');
    if (space && strncmp(space + 1, FIRST, strlen(FIRST)) == 0)
        *more = space + 1;
    return buf_format("%s %.*s", waiting_reasons[reason],
                      (int)(space ? (size_t)(space - address) : strlen(address)),
                      address);
}

char *waitwords_time_cell(uint64_t time)
{
    return text_time((double)time / 1e9);
}

char *waitwords_thread(const char *before, const char *thread)
{
    bool others = strncmp(thread, "0 ", 2) == 0;
    bool process = strncmp(thread, "process ", 8) == 0;
    return buf_format("%s%s%s", before,
                      process  ? ""
                      : others ? "other threads"
                               : "thread ",
                      others ? "" : thread);
}

char *waitwords_wait(const char *thread, enum ccprof_wait_reason reason,
                     const char *object)
{
    const char *first;
    BUF_OWN char *name = waitwords_name(reason, object, &first);
    BUF_OWN char *before = thread ? waitwords_thread("", thread) : buf_copy("");
    BUF_OWN char *whole = buf_format("%s%s%s", before, thread ? ": " : "", name);
    const size_t used = text_width(whole) + strlen(" of "), room = thread ? 58 : 54;
    if (!first || used + LEAST_FUNCTION > room)
        return text_clean(whole);
    BUF_OWN char *function = cxxname_fit(first + strlen(FIRST), room - used);
    BUF_OWN char *lock = buf_format("%s of %s", whole, function);
    return text_clean(lock);
}

char *waitwords_owner(enum ccprof_wait_reason reason, enum ccprof_wait_end end,
                      const char *thread)
{
    static const char *const ends[] = {"  ended by an unknown thread",
                                       "  ended from outside", "  timed out",
                                       "  not ended"};
    char *text =
        thread ? waitwords_thread(
                     waiting_is_for_lock(reason) ? "  held by " : "  ended by ", thread)
        : waiting_is_for_lock(reason) && end == CCPROF_WAIT_BY_THREAD
            ? buf_copy("  held by an unknown thread")
            : buf_copy(ends[end]);
    char *clean = text_clean(text);
    free(text);
    return clean;
}

char *waitwords_call(enum ccprof_wait_reason reason, const char *taken,
                     const char *release)
{
    return taken ? buf_format("taken in %s", taken)
           : release
               ? buf_format("%s %s", waiting_is_for_lock(reason) ? "released in" : "in",
                            release)
               : NULL;
}

void waitwords_put_release(struct sheet *sheet, const char *release)
{
    waitwords_put(sheet, buf_copy("    then"), buf_format("released in %s", release));
}

void waitwords_put(struct sheet *sheet, char *name, char *place)
{
    if (place)
        sheet_put_place(sheet, name, place);
    else
        sheet_put_name(sheet, name, NULL);
}

bool waitwords_check(const struct view *view, const char *option, struct fault *fault)
{
    return report_waiting(view->report) ||
           fault_set(fault, FAULT_MISMATCH, option, WAITDATA_NOT_MEASURED);
}

void waitwords_head(FILE *out, const struct view *view)
{
    const struct profile *profile = view->report->measured;
    const struct waitdata *waits = &profile->waits;
    /* Threads of several files are one if they have the same name. */
    bool merged = profile->runs.files > 1;
    BUF_OWN char *wall = text_commas((double)waits->sums.wall / 1e9, 3);
    BUF_OWN char *threads =
        text_number(merged ? profile->runs.threads : waits->states.count, "thread");
    BUF_OWN char *count = text_number(waits->sums.count, "wait");
    fprintf(out, "%s seconds of %s, %s\n", wall, threads, count);
}

void waitwords_foot(FILE *out, const struct view *view)
{
    const struct waitdata *waits = &view->report->measured->waits;
    BUF_OWN char *least = waitwords_time_cell(waits->least);
    fprintf(out, "\nwaits of less than %s were not recorded\n", least);
    if (waits->unrecorded) {
        BUF_OWN char *number = text_number(waits->unrecorded, "wait");
        fprintf(out, "no room for %s, which are part of unknown\n", number);
    }
}

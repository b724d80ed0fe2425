/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the waits, for page.c: the tables of -waits and -locks, and the longest waits
   one by one, for the tracks of threads and locks. */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/view/waitwords.h"

#include <stdlib.h>

/* The greatest numbers of rows of a table, and of waits one by one. */
#define ROWS   1000
#define SINGLE 20000

/* What a thread does in a track: an element of enum waiting_what, or this. */
#define IDLE   WAITING_WHATS
#define STATES (IDLE + 1)

/* A thread has a lane, and a wait a row in it: waits overlap only if a signal handler
   waits. */
struct lane {
    int64_t number; /* DATACOLUMNS_NONE: none */
    uint64_t until; /* end of the last wait in the first row */
};

struct wait {
    const struct waiting_single *single;
    uint32_t lane, row, path; /* PATH: number in `names' */
    int64_t by;               /* lane of the thread that ended it, or DATACOLUMNS_NONE */
};

static enum waiting_what state_of(const struct waiting *waiting,
                                  const struct waitdata_wait *wait)
{
    return waiting_is_idle(waiting, wait) ? IDLE : waiting_what(wait->reason);
}

static int64_t name_of(struct page_data *data, const struct waiting_single *wait)
{
    const char *more;
    BUF_OWN char *name = waitwords_name(wait->wait->reason, wait->object, &more);
    return datacolumns_text_of(
        &data->columns, buf_format("%s%s%s", name, more ? "  " : "", more ? more : ""));
}

PAGE_VALUE(wait_start, wait, row->single->single->start)
PAGE_VALUE(wait_end, wait, row->single->single->start + row->single->single->time)
PAGE_VALUE(wait_length, wait, row->single->single->time)
PAGE_VALUE(wait_after, wait, row->single->single->length - row->single->single->time)
PAGE_VALUE(wait_what, wait, name_of(data, row->single))
PAGE_VALUE(wait_held, wait, waiting_is_for_lock(row->single->wait->reason))
PAGE_VALUE(wait_ended, wait,
           datacolumns_text(&data->columns, waiting_ends[row->single->wait->end]))
PAGE_VALUE(wait_stack, wait, datacolumns_text(&data->columns, row->single->stack))
PAGE_VALUE(wait_cause, wait, datacolumns_text(&data->columns, row->single->cause))
/* The other process that held the lock. */
PAGE_VALUE(wait_other, wait,
           datacolumns_text(&data->columns,
                            row->single->wait->taken_module == PROFILE_PROCESS
                                ? row->single->waker
                                : NULL))
PAGE_VALUE(wait_taken, wait,
           datacolumns_text_of(&data->columns, places_text(&row->single->taken)))

static const struct datacolumns_column wait_columns[] = {
    DATACOLUMNS_MEMBER(wait, lane),   DATACOLUMNS_MEMBER(wait, row),
    DATACOLUMNS_MEMBER(wait, path),   DATACOLUMNS_MEMBER(wait, by),
    {"start", .value = wait_start},   {"end", .value = wait_end},
    {"length", .value = wait_length}, {"after", .value = wait_after},
    {"what", .value = wait_what},     {"held", .value = wait_held},
    {"ended", .value = wait_ended},   {"stack", .value = wait_stack},
    {"cause", .value = wait_cause},   {"other", .value = wait_other},
    {"taken", .value = wait_taken},   {0}};

/* Prints the states by decreasing time, and sets NUMBERS of STATES to their numbers. */
static void print_names(struct json *json, const struct waiting *waiting,
                        uint32_t *numbers)
{
    struct waiting_sum sums[STATES] = {0};
    for (size_t i = 0; i < waiting->data->waits.count; i++) {
        const struct waitdata_wait *wait = &waiting->data->waits.list[i];
        struct waiting_sum *sum = &sums[state_of(waiting, wait)];
        sum->time += wait->time;
        sum->count += wait->count;
    }
    json_open_list_field(json, "names");
    for (uint32_t rank = 0;; rank++) {
        const struct waiting_sum *most = sums;
        for (size_t i = 1; i < STATES; i++)
            if (sums[i].time > most->time)
                most = &sums[i];
        if (!most->time)
            break;
        const size_t state = (size_t)(most - sums);
        numbers[state] = rank;
        json_open(json);
        json_text_field(json, "name",
                        state == IDLE ? "idle, nothing to do" : waiting_words[state]);
        json_unsigned_field(json, "calls", most->count);
        json_unsigned_field(json, "total", most->time);
        json_close(json);
        sums[state].time = 0;
    }
    json_close_list(json);
}

/* Prints the threads of the profile with their starts and ends, and returns their lanes
   by the number of the name. The caller frees the array. */
static struct lane *print_lanes(struct page_data *data, const struct waitdata *waits)
{
    struct json *json = &data->columns.json;
    const struct intern *names = &data->view->report->measured->names.threads;
    struct lane *lanes = buf_alloc((names->count + (size_t)1) * sizeof *lanes);
    json_open_list_field(json, "lanes");
    for (uint32_t i = 0, number = 0; i < names->count; i++) {
        uint32_t state;
        lanes[i] = (struct lane){DATACOLUMNS_NONE, 0};
        if (!index_get(&waits->state_index, i, 0, 0, &state))
            continue;
        BUF_OWN char *name = waitwords_thread("", intern_text(names, i));
        const struct waitdata_state *times = &waits->states.list[state];
        lanes[i].number = number++;
        json_open(json);
        json_text_field(json, "name", name);
        json_unsigned_field(json, "from", times->start);
        json_unsigned_field(json, "to", times->start + times->wall);
        json_close(json);
    }
    json_close_list(json);
    return lanes;
}

BUF_COMPARE(by_start, struct wait,
            BUF_ORDER(a->single->single->start, b->single->single->start))

/* Prints the waits in the order of their starts. */
static void print_waits(struct page_data *data, const struct waiting *waiting)
{
    struct json *json = &data->columns.json;
    const struct waitdata *waits = waiting->data;
    uint32_t numbers[STATES] = {0};
    print_names(json, waiting, numbers);
    BUF_OWN struct lane *lanes = print_lanes(data, waits);
    const size_t most = waiting->longest.count < SINGLE ? waiting->longest.count : SINGLE;
    BUF_OWN struct wait *list = buf_alloc((most + 1) * sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < most; i++) {
        const struct waiting_single *single = &waiting->longest.list[i];
        const struct waitdata_wait *wait = single->wait;
        const int64_t lane = lanes[waitdata_thread(waits, wait->stack)].number;
        if (lane != DATACOLUMNS_NONE)
            list[count++] =
                (struct wait){single, (uint32_t)lane, 0, numbers[state_of(waiting, wait)],
                              wait->cause == WAITDATA_NONE
                                  ? DATACOLUMNS_NONE
                                  : lanes[waitdata_thread(waits, wait->cause)].number};
    }
    BUF_SORT(list, count, by_start);
    for (size_t i = 0; i < count; i++) {
        struct lane *lane = &lanes[waitdata_thread(waits, list[i].single->wait->stack)];
        const struct waitdata_single *single = list[i].single->single;
        list[i].row = single->start < lane->until;
        if (!list[i].row)
            lane->until = single->start + single->time;
    }
    json_unsigned_field(json, "kept", waiting->longest.count);
    json_unsigned_field(json, "events_least",
                        count ? waiting->longest.list[most - 1].single->time : 0);
    datacolumns_print(&data->columns, "events", data, list, count, wait_columns);
}

static void print_table(struct page_data *data, const struct waiting *waiting,
                        const struct waitwords_table *declared)
{
    struct json *json = &data->columns.json;
    struct table table = {.view = declared->view, .of = data->view};
    json_open_field(json, declared->view->name);
    json_unsigned_field(json, "count", declared->add(&table, waiting, ROWS, false));
    json_text_field(json, "head", declared->view->names.head);
    json_name(json, "columns");
    table_print_page(json, &table);
    json_open_list_field(json, "texts");
    for (size_t i = 0; i < table.count; i++) {
        BUF_OWN char *name = table_name_at(&table, table.rows[i]);
        json_text(json, name);
    }
    json_close_list(json);
    json_close(json);
    table_free(&table);
}

void page_waits_print(struct page_data *data)
{
    struct json *json = &data->columns.json;
    const struct waiting *waiting = report_waiting(data->view->report);
    const struct waitwords_table *table;
    if (!profile_is_of_waits(data->view->profile))
        return;
    json_open_field(json, "waits");
    json_open_field(json, "tables");
    for (table = waits_tables; table->view; table++)
        print_table(data, waiting, table);
    print_table(data, waiting, locks_tables);
    json_close(json);
    print_waits(data, waiting);
    json_close(json);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does what the keys of -live say. Keys that need other rows print the table again. */

#include "mlprof/base/buf.h"
#include "mlprof/commands/live-inside.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CTRL_C 3

/* The spans of time, in seconds; 0: the whole run. */
static const unsigned spans[] = {1, 5, 10, 30, SOURCE_SPAN_MOST, 0};
#define SPANS (sizeof spans / sizeof *spans)

static const enum rows_key keys[] = {ROWS_FUNCTIONS, ROWS_LINES, ROWS_THREADS,
                                     ROWS_MODULES, ROWS_FILES};
#define KEYS (sizeof keys / sizeof *keys)

/* Sorts by the next column that the table has. */
static void sort_next(struct live *live)
{
    do {
        live->options.sort = (live->options.sort + 1) % (VIEW_NAME + 1);
        if (!live_print(live))
            return;
    } while (live->options.sort != VIEW_CUR && !live->table.sorted);
    live->chosen = 0;
}

/* Makes the rows those of the next key that the profile has. */
static void rows_next(struct live *live)
{
    size_t i = 0;
    while (i < KEYS && keys[i] != live->options.rows_key)
        i++;
    do
        live->options.rows_key = keys[i = (i + 1) % KEYS];
    while (!live_print(live) && i);
    live->chosen = 0;
    live_note(live, NULL);
}

/* Returns whether the profile may have MEASURE; NULL is its main measure. */
static bool may_have(const struct live *live, const struct measure *measure)
{
    return !measure ||
           (measure_is_of_heap(measure) ? live->table.heap
                                        : (measure->kinds & live->table.kinds) != 0);
}

/* Shows the next measure that the profile has, the measures of the heap last. */
static void measure_next(struct live *live)
{
    struct views_request *heap =
        &live->options.views[options_request(&live->options, &heapview_entry) -
                             live->options.views];
    const struct measure *measure =
        heap->choice ? &measure_all[heap->choice] : live->options.measure.measure;
    const struct measure *old = measure, *shown = live->table.measure;
    bool good = false;
    do {
        measure = measure ? measure + 1 : measure_all;
        if (!measure->word)
            measure = NULL;
        if (!may_have(live, measure))
            continue;
        bool of_heap = measure_is_of_heap(measure);
        heap->choice = of_heap ? (unsigned)(measure - measure_all) : 0;
        live->options.measure =
            (struct options_measure){.measure = of_heap ? NULL : measure};
        good = live_print(live);
    } while (measure && (!good || live->table.measure == shown));
    live->chosen = 0;
    live_note(live, measure == old ? buf_copy("there is no other measure") : NULL);
}

/* Returns the number of the row at the chosen line: a row can have several lines. */
static size_t chosen_row(const struct live *live)
{
    const struct show_table *table = &live->table;
    size_t row = 0;
    for (size_t line = live->chosen; row < table->rows.count; row++) {
        if (line < table->rows.list[row].lines)
            break;
        line -= table->rows.list[row].lines;
    }
    return row;
}

static void open_row(struct live *live)
{
    size_t row = chosen_row(live);
    if (live->opened || row >= live->table.rows.count ||
        live->options.rows_key != ROWS_FUNCTIONS)
        return;
    live->opened = buf_copy(live->table.rows.list[row].pattern);
    live->back = live->chosen;
    if (live_print(live)) {
        live->chosen = 0;
        return;
    }
    free(live->opened);
    live->opened = NULL;
}

static void go_back(struct live *live)
{
    if (!live->opened)
        return;
    free(live->opened);
    live->opened = NULL;
    live->chosen = live->back;
    live_print(live);
}

/* Uses the typed pattern. If it is wrong, or no function matches it, the old one stays.
 */
static void use_typed(struct live *live)
{
    struct pattern pattern = {0};
    BUF_OWN char *old = buf_copy(live->filter);
    char *wrong = live->typed[0] ? pattern_set(&pattern, live->typed) : NULL;
    pattern_free(&pattern);
    live_note(live, wrong);
    if (wrong)
        return;
    strcpy(live->filter, live->typed);
    if (!live_print(live))
        strcpy(live->filter, old);
    live->chosen = 0;
}

static void type(struct live *live, int key)
{
    size_t length = strlen(live->typed);
    if (key == SCREEN_ENTER || key == SCREEN_ESCAPE)
        live->typing = false;
    if (key == SCREEN_ENTER)
        use_typed(live);
    /* A character of UTF-8 has several bytes. */
    while (key == SCREEN_BACK && length && (live->typed[--length] & 0xc0) == 0x80)
        continue;
    if (key == SCREEN_BACK)
        live->typed[length] = '\0';
    if (key >= ' ' && key < 256 && length + 1 < sizeof live->typed) {
        live->typed[length] = (char)key;
        live->typed[length + 1] = '\0';
    }
}

static void change_span(struct live *live, bool longer)
{
    size_t i = 0;
    while (spans[i] != live->span)
        i++;
    if (longer ? i + 1 < SPANS : i > 0) {
        live->span = spans[longer ? i + 1 : i - 1];
        live_print(live);
    }
}

/* Chooses another row. Returns false if KEY does something else. */
static bool move_row(struct live *live, int key)
{
    size_t page = screen_lines() > 3 ? screen_lines() - 2 : 1;
    size_t up = key == SCREEN_UP        ? 1
                : key == SCREEN_PAGE_UP ? page
                : key == SCREEN_HOME    ? SIZE_MAX
                                        : 0;
    size_t down = key == SCREEN_DOWN        ? 1
                  : key == SCREEN_PAGE_DOWN ? page
                  : key == SCREEN_END       ? SIZE_MAX / 2
                                            : 0;
    live->chosen = (live->chosen > up ? live->chosen - up : 0) + down;
    return up || down;
}

bool live_act(struct live *live, int key)
{
    if (key == CTRL_C || key == SCREEN_CLOSED)
        return false;
    if (live->typing) {
        type(live, key);
        return true;
    }
    if (live->helps && key != 'q') {
        live->helps = key == SCREEN_RESIZED;
        return true;
    }
    if (move_row(live, key))
        return true;
    switch (key) {
    case 'q':
        return false;
    case 's':
        sort_next(live);
        break;
    case 'm':
        measure_next(live);
        break;
    case 'b':
        if (!live->opened)
            rows_next(live);
        break;
    case '/':
        live->typing = true, strcpy(live->typed, live->filter);
        break;
    case ' ':
    case 'p':
        live->paused = !live->paused && !live->end;
        break;
    case '+':
        change_span(live, true);
        break;
    case '-':
        change_span(live, false);
        break;
    case 'h':
        live->helps = true;
        break;
    case SCREEN_ENTER:
        open_row(live);
        break;
    case SCREEN_BACK:
    case SCREEN_ESCAPE:
        go_back(live);
        break;
    case SCREEN_RESIZED:
        live_print(live);
        break;
    default:
        break;
    }
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the profile of a running process, or of the slices in a folder, on the terminal
   and updates it each second (-live). */

#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/live-inside.h"

#include <stdlib.h>

/* The time between two answers. */
#define EVERY_MS 1000

/* How long to wait for an answer; keys wait as long. */
#define ANSWER_MS 500

/* How long a note is shown. */
#define NOTE_MS 4000

/* The largest number of rows, unless -top is given. */
#define ROWS_MOST 500

/* The time that is shown at first, in seconds. */
#define SPAN 5

/* Gets new data, and shows them. */
static void update(struct live *live)
{
    struct fault fault = {0};
    enum source_outcome outcome = source_update(live->source, ANSWER_MS, &fault);
    if (outcome == SOURCE_SILENT || outcome == SOURCE_ENDED)
        live_note_fault(live, &fault);
    if (outcome == SOURCE_ENDED)
        live->end = buf_copy(live->note);
    if (outcome != SOURCE_CHANGED)
        return;
    const char *note = source_note(live->source);
    if (note)
        live_note(live, buf_copy(note));
    live_print(live);
}

static void run(struct live *live)
{
    uint64_t next = clock_ms() + EVERY_MS;
    live_print(live);
    for (;;) {
        live_draw(live);
        uint64_t now = clock_ms();
        int key = screen_key(now >= next ? 0 : (unsigned)(next - now));
        if (key != SCREEN_NOTHING && !live_act(live, key))
            return;
        if (clock_ms() < next)
            continue;
        next = clock_ms() + EVERY_MS;
        if (live->note && clock_ms() - live->noted >= NOTE_MS)
            live_note(live, NULL);
        if (!live->paused && !live->end)
            update(live);
    }
}

bool live_show(const struct options *options, struct fault *fault)
{
    struct live live = {.options = *options, .span = SPAN};
    bool good = screen_check(fault);
    progress_end();
    if (live.options.top < 0)
        live.options.top = ROWS_MOST;
    if (live.options.balance == OPTIONS_BALANCE_BRIEF)
        live.options.balance = OPTIONS_NO_BALANCE;
    const bool heap = options_facts(options) & VIEWS_HEAP;
    live.source = good ? source_open(options->live, heap, fault) : NULL;
    live.screen = live.source ? screen_open(fault) : NULL;
    good = live.screen != NULL;
    if (good)
        run(&live);
    screen_close(live.screen);
    source_close(live.source);
    show_table_free(&live.table);
    free(live.text);
    free(live.opened);
    free(live.note);
    free(live.end);
    free(live.told);
    return good;
}

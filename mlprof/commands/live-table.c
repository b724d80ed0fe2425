/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the table of -live, and draws it. The table is that of other commands: report.c
   prints it into memory, with the options that the keys have changed. */

#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/live-inside.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The words of -sort. */
static const char *const orders[] = {"self",   "total",  "calls", "percall",
                                     "bytes",  "blocks", "insns", "code",
                                     "change", "share",  "name"};

static const char help[] =
    "s            sort by the next column\n"
    "m            show the next measure that the program has\n"
    "b            rows are functions, lines, threads, modules or files\n"
    "/            keep only stacks with a matching function; empty keeps all\n"
    "+ -          show a longer or shorter time: the last 1 s to 60 s, or the\n"
    "             whole run\n"
    "p or space   pause, and continue\n"
    "Up, Down, Page Up, Page Down, Home, End\n"
    "             choose a row\n"
    "Enter        show the callers of the chosen function\n"
    "Esc          go back\n"
    "q            quit\n";

void live_note(struct live *live, char *note)
{
    free(live->note);
    live->note = note;
    live->noted = clock_ms();
}

void live_note_fault(struct live *live, struct fault *fault)
{
    const char *text = fault->text ? fault->text : "";
    const char *what = strstr(text, ": ");
    /* The header has the PID already. */
    live_note(live, buf_copy(text_begins(text, "PID ") && what ? what + 2 : text));
    fault_clear(fault);
}

/* Prints the report of OPTIONS. If there is none, returns false and sets FAULT. */
static bool print_report(struct live *live, struct options *options, struct fault *fault)
{
    struct source_data data = {0};
    struct operands operands = {0};
    struct show_table table = {0};
    struct tables *executable = NULL;
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    bool good = source_data(live->source, live->span, &data, fault);
    options->operands = data.words;
    options->operand_count = data.count;
    options->root = data.root;
    good = good && operands_complete(&operands, options, fault) &&
           (executable = report_executable(options, fault));
    terminal_page(out, screen_columns());
    good = good && report_print(out, options, executable, &table, fault);
    terminal_page(NULL, 0);
    buf_close(out);
    if (good) {
        free(live->text);
        show_table_free(&live->table);
        live->text = text;
        live->table = table;
        live->seconds = data.seconds;
    } else {
        free(text);
        show_table_free(&table);
    }
    tables_close(executable);
    operands_free(&operands);
    source_data_end(&data, fault);
    return good;
}

bool live_print(struct live *live)
{
    struct fault fault = {0};
    struct options options = live->options;
    struct patterns *focus = &options.filter.focus;
    struct views_request *callers =
        &options.views[options_request(&live->options, &callers_entry) -
                       live->options.views];
    *focus = (struct patterns){0};
    for (size_t i = 0; i < live->options.filter.focus.count; i++)
        free(patterns_add(focus, live->options.filter.focus.list[i].text));
    if (live->filter[0])
        free(patterns_add(focus, live->filter));
    if (live->opened) {
        memset(options.views, 0, sizeof options.views);
        options.rows_key = ROWS_FUNCTIONS;
        free(pattern_set(&callers->pattern, live->opened));
    }
    bool good = print_report(live, &options, &fault);
    if (live->opened)
        pattern_free(&callers->pattern);
    patterns_free(focus);
    char *message = screen_message(live->screen);
    if (!good) {
        live_note_fault(live, &fault);
    } else if (message && !live->note && (!live->told || strcmp(live->told, message))) {
        live_note(live, buf_copy(message));
        free(live->told);
        live->told = message, message = NULL;
    }
    free(message);
    return good;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

static char *make_head(const struct live *live)
{
    char *head = NULL;
    size_t size;
    FILE *out = buf_open(&head, &size);
    const struct show_table *table = &live->table;
    fputs(source_title(live->source), out);
    if (live->seconds > 0)
        fprintf(out, "  last %.0f s", live->seconds);
    else
        fputs("  whole run", out);
    if (table->samples)
        fprintf(out, "  %" PRIu64 " samples", table->samples);
    double wall = live->seconds > 0 ? live->seconds * NS_OF_SECOND : (double)table->wall;
    if (wall > 0 && !source_is_folder(live->source))
        fprintf(out, "  CPU %.0f %%", 100 * (double)table->cpu / wall);
    if (live->options.sort)
        fprintf(out, "  by %s", orders[live->options.sort]);
    if (live->filter[0])
        fprintf(out, "  /%s", live->filter);
    if (live->paused)
        fputs("  paused", out);
    buf_close(out);
    return head;
}

/* Keeps the chosen row in the ROWS that there are and in the ROOM lines for them. */
static void scroll(struct live *live, size_t rows, size_t room)
{
    if (live->chosen >= rows)
        live->chosen = rows ? rows - 1 : 0;
    if (live->chosen < live->first)
        live->first = live->chosen;
    if (live->chosen >= live->first + room)
        live->first = live->chosen - room + 1;
    if (live->first + room > rows)
        live->first = rows > room ? rows - room : 0;
}

void live_draw(struct live *live)
{
    BUF_OWN char *head = make_head(live);
    BUF_OWN char *typed =
        buf_format("keep stacks with (regular expression): %s", live->typed);
    BUF_OWN char *shown =
        text_end(typed, screen_columns() > 5 ? screen_columns() - 1 : 4);
    const char *text = live->helps ? help : live->text ? live->text : "";
    bool rows = live->table.rows.count && !live->helps;
    size_t fixed = rows ? count_lines(text, live->table.start) + 1 : 0;
    /* On a small terminal, the heads of the columns are left. */
    for (; fixed > 1 && fixed + 2 > screen_lines(); fixed--)
        text += strcspn(text, "\n") + 1;
    size_t lines = count_lines(text, strlen(text));
    scroll(live, lines > fixed ? lines - fixed : 0,
           screen_lines() > fixed ? screen_lines() - fixed : 1);
    const struct screen_page page = {
        .head = head,
        .note = live->note ? live->note : live->end,
        .text = text,
        .fixed = fixed,
        .first = live->first,
        .chosen = live->helps ? SIZE_MAX : fixed + live->chosen,
        .last = live->typing  ? shown
                : live->helps ? "Esc back  q quit"
                : live->opened
                    ? "Esc back  s sort  / filter  +- time  p pause  h help  q quit"
                    : "s sort  m measure  b by  / filter  +- time  p pause  Enter open  "
                      "h help  q quit",
        .typing = live->typing,
    };
    screen_draw(live->screen, &page);
}

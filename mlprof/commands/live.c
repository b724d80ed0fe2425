/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the profile of a running process, or of the slices in a folder, on the terminal
   and updates it each second (-live). The tables are those of the other commands: each
   time, report.c prints them into memory, with the options that the keys have changed. */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/base/terminal.h"
#include "mlprof/commands/commands.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/live/history.h"
#include "mlprof/live/screen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MS_OF_SECOND 1000
#define NS_OF_SECOND 1e9

/* The time between two answers. */
#define EVERY_MS 1000

/* How long to wait for an answer; keys wait as long. */
#define ANSWER_MS 500

/* The process samples for LEASE_S seconds after the last request to sample, which is
   repeated each RENEW_MS. So it stops by itself even if mlprof is killed, and no request
   of mlprof ends the sampling that another one has asked for. */
#define LEASE_S  15
#define RENEW_MS 5000

/* The largest number of rows, unless -top is given. */
#define ROWS_MOST 500

/* How long a note is shown. */
#define NOTE_MS 4000

/* The spans of time in seconds; 0: the whole run. */
static const unsigned spans[] = {1, 5, 10, 30, 60, 0};
#define SPANS     (sizeof spans / sizeof *spans)
#define SPAN_MOST 60

static const enum rows_key keys[] = {ROWS_FUNCTIONS, ROWS_LINES, ROWS_THREADS,
                                     ROWS_MODULES, ROWS_FILES};
#define KEYS (sizeof keys / sizeof *keys)

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

struct live {
    /* The process, or the folder. */
    struct request *request;
    pid_t pid;
    char *name, *program, *root;
    const char *folder;
    struct history history;
    bool samples; /* it is asked to sample */
    uint64_t renewed;

    struct screen *screen;
    struct options options; /* those of the command line, as the keys have changed them */
    unsigned span;          /* index in spans */
    bool paused, helps, typing;
    char typed[128], filter[128]; /* the text that is typed; the pattern in use */
    char *opened;   /* the pattern of the function whose callers are shown */
    char *note;     /* for the header; NULL: nothing */
    uint64_t noted; /* when it was set */
    char *told;     /* the last message of a report; it is shown once */
    char *end;      /* why no more answers come; NULL: they come */

    /* What is shown. */
    char *text;
    struct show_table table;
    double seconds;             /* the time of TEXT; 0: the whole run */
    size_t chosen, first, back; /* rows; BACK: the chosen one below the opened view */
};

static uint64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * MS_OF_SECOND + (uint64_t)time.tv_nsec / 1000000;
}

/* Takes TEXT as the note. */
static void set_note(struct live *live, char *text)
{
    free(live->note);
    live->note = text;
    live->noted = now_ms();
}

/* Makes the note of FAULT, and clears it. The header has the name already. */
static void note_fault(struct live *live, struct fault *fault)
{
    const char *text = fault->text ? fault->text : "";
    size_t length = strlen(live->name);
    bool named =
        strncmp(text, live->name, length) == 0 && strncmp(text + length, ": ", 2) == 0;
    set_note(live, buf_copy(named ? text + length + 2 : text));
    fault_clear(fault);
}

/* Asks for the next answer. Returns whether there is a new one. */
static bool ask(struct live *live)
{
    struct request_answer answer;
    struct fault fault = {0};
    bool renew = live->samples && now_ms() - live->renewed >= RENEW_MS;
    enum request_outcome outcome =
        request_ask(live->request, renew ? CCPROF_REQUEST_SAMPLE : CCPROF_REQUEST_REPORT,
                    renew ? LEASE_S : 0, ANSWER_MS, &answer, &fault);
    if (outcome == REQUEST_NO_SAMPLES && renew) {
        live->samples = false;
        fault_clear(&fault);
        return ask(live);
    }
    if (outcome == REQUEST_ANSWERED) {
        if (renew)
            live->renewed = now_ms();
        if (!history_add(&live->history, &answer, SPAN_MOST))
            set_note(live, buf_copy("a slice was written: the time begins anew"));
        else if (live->history.dropped && spans[live->span] > 1)
            set_note(live, buf_copy("the profile is large: old parts are dropped"));
        live->history.dropped = false;
        return true;
    }
    note_fault(live, &fault);
    if (outcome == REQUEST_LOST || outcome == REQUEST_RUN_ENDED)
        live->end = buf_copy(live->note);
    return false;
}

/* Prints the report of OPTIONS. If it cannot be printed, returns false and sets FAULT. */
static bool print_report(struct live *live, const struct options *options,
                         struct fault *fault)
{
    struct show_table table = {0};
    char *text = NULL;
    size_t size;
    struct tables *executable = report_executable(options, fault);
    FILE *out = buf_open(&text, &size);
    terminal_page(out, screen_columns());
    bool good = executable && report_print(out, options, executable, &table, fault);
    terminal_page(NULL, 0);
    buf_close(out);
    tables_close(executable);
    if (good) {
        free(live->text);
        show_table_free(&live->table);
        live->text = text;
        live->table = table;
        return true;
    }
    free(text);
    show_table_free(&table);
    return false;
}

static bool print_process(struct live *live, struct options *options, struct fault *fault)
{
    const struct history *history = &live->history;
    const struct request_answer *last = &history->list[history->count - 1];
    unsigned span = spans[live->span];
    const struct request_answer *earlier = span ? history_earlier(history, span) : NULL;
    struct asked asked = {.name = buf_copy(live->name)};
    bool good = asked_make(&asked, last, earlier, fault);
    if (good) {
        asked.words[0] = buf_copy(live->program);
        options->operands = asked.words;
        options->operand_count = 2;
        options->root = live->root;
        good = print_report(live, options, fault);
    }
    if (good)
        live->seconds = earlier ? (double)(last->time - earlier->time) / NS_OF_SECOND : 0;
    asked_end(&asked, fault);
    return good;
}

/* The slices of a folder. */
struct slices {
    BUF_VECTOR(char *) files;
    time_t newest, since;
};

static bool find_newest(void *data, const char *file, const struct profile *head)
{
    struct slices *slices = data;
    struct stat status;
    (void)head;
    if (stat(file, &status) == 0 && status.st_mtime > slices->newest)
        slices->newest = status.st_mtime;
    return true;
}

static bool add_slice(void *data, const char *file, const struct profile *head)
{
    struct slices *slices = data;
    struct stat status;
    (void)head;
    if (stat(file, &status) == 0 && status.st_mtime > slices->since)
        BUF_PUSH(slices->files) = buf_copy(file);
    return true;
}

static bool print_folder(struct live *live, struct options *options, struct fault *fault)
{
    struct slices slices = {0};
    struct operands operands = {0};
    unsigned span = spans[live->span];
    bool good = datafolder_each(live->folder, true, find_newest, &slices, fault);
    slices.since = span && slices.newest ? slices.newest - (time_t)span : -1;
    good = good && datafolder_each(live->folder, true, add_slice, &slices, fault) &&
           (slices.files.count ||
            fault_set(fault, FAULT_FILE, live->folder, "there are no slices yet"));
    options->operands = slices.files.list;
    options->operand_count = slices.files.count;
    good = good && operands_complete(&operands, options, fault) &&
           print_report(live, options, fault);
    if (good)
        live->seconds = span;
    for (size_t i = 0; i < slices.files.count; i++)
        free(slices.files.list[i]);
    free(slices.files.list);
    operands_free(&operands);
    return good;
}

/* Makes the text again. Returns whether it could be made; otherwise the old one stays,
   and the note says why. */
static bool print(struct live *live)
{
    struct fault fault = {0};
    struct options options = live->options;
    struct views_request *callers =
        &options.views[options_request(&live->options, &callers_entry) -
                       live->options.views];
    struct patterns focus = options.filter.focus;
    bool good = true;
    if (!live->folder && !live->history.count)
        return false;
    options.filter.focus = (struct patterns){0};
    for (size_t i = 0; i < focus.count; i++)
        free(patterns_add(&options.filter.focus, focus.list[i].text));
    if (live->filter[0])
        free(patterns_add(&options.filter.focus, live->filter));
    if (live->opened) {
        memset(options.views, 0, sizeof options.views);
        options.rows_key = ROWS_FUNCTIONS;
        free(pattern_set(&callers->pattern, live->opened));
    }
    good = live->folder ? print_folder(live, &options, &fault)
                        : print_process(live, &options, &fault);
    if (live->opened)
        pattern_free(&callers->pattern);
    patterns_free(&options.filter.focus);
    char *message = screen_message(live->screen);
    if (!good)
        note_fault(live, &fault);
    else if (message && !live->note && (!live->told || strcmp(live->told, message))) {
        set_note(live, buf_copy(message));
        free(live->told);
        live->told = message, message = NULL;
    }
    free(message);
    return good;
}

/* Returns the number of lines of the text above the rows. */
static size_t fixed_lines(const struct live *live)
{
    size_t lines = 0;
    if (!live->table.count || live->helps)
        return 0;
    for (const char *c = live->text; c < live->text + live->table.start; c++)
        lines += *c == '\n';
    return lines + 1;
}

static char *make_head(const struct live *live)
{
    char *head = NULL;
    size_t size;
    FILE *out = buf_open(&head, &size);
    const struct show_table *table = &live->table;
    if (live->folder)
        fprintf(out, "%s", live->folder);
    else
        fprintf(out, "%s %d", path_last(live->program), (int)live->pid);
    if (live->seconds > 0)
        fprintf(out, "  last %.0f s", live->seconds);
    else
        fputs("  whole run", out);
    if (table->samples)
        fprintf(out, "  %llu samples", (unsigned long long)table->samples);
    double wall = live->seconds > 0 ? live->seconds * NS_OF_SECOND : (double)table->wall;
    if (wall > 0 && !live->folder)
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

static void draw(struct live *live)
{
    BUF_OWN char *head = make_head(live);
    BUF_OWN char *typed =
        buf_format("keep stacks with (regular expression): %s", live->typed);
    const char *text = live->helps ? help : live->text ? live->text : "";
    size_t fixed = fixed_lines(live), lines = 0;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    size_t rows = lines > fixed ? lines - fixed : 0;
    size_t room = screen_lines() > fixed ? screen_lines() - fixed : 1;
    if (live->chosen >= rows)
        live->chosen = rows ? rows - 1 : 0;
    if (live->chosen < live->first)
        live->first = live->chosen;
    if (live->chosen >= live->first + room)
        live->first = live->chosen - room + 1;
    if (live->first + room > rows)
        live->first = rows > room ? rows - room : 0;
    const struct screen_page page = {
        .head = head,
        .note = live->note ? live->note : live->end,
        .text = text,
        .fixed = fixed,
        .first = live->first,
        .chosen = live->helps ? SIZE_MAX : fixed + live->chosen,
        .last = live->typing  ? typed
                : live->helps ? "Esc back  q quit"
                : live->opened
                    ? "Esc back  s sort  / filter  +- time  p pause  h help  q quit"
                    : "s sort  m measure  b by  / filter  +- time  p pause  Enter open  "
                      "h help  q quit",
        .typing = live->typing,
    };
    screen_draw(live->screen, &page);
}

/* Sorts by the next column that the table has. */
static void sort_next(struct live *live)
{
    do {
        live->options.sort = (live->options.sort + 1) % (VIEW_NAME + 1);
        if (!print(live))
            return;
    } while (live->options.sort != VIEW_CUR && !live->table.sorted);
    live->chosen = 0;
}

/* Makes the rows those of the next key that the profile has. */
static void key_next(struct live *live)
{
    size_t i = 0;
    while (i < KEYS && keys[i] != live->options.rows_key)
        i++;
    do
        live->options.rows_key = keys[i = (i + 1) % KEYS];
    while (!print(live) && i);
    live->chosen = 0;
    set_note(live, NULL);
}

/* Shows the next measure that the profile has, the measures of the heap last. */
static void measure_next(struct live *live)
{
    struct views_request *heap =
        &live->options.views[options_request(&live->options, &heapview_entry) -
                             live->options.views];
    const struct measure *measure =
        heap->choice ? &measure_all[heap->choice] : live->options.measure.measure;
    bool good;
    const struct measure *old = measure, *shown = live->table.measure;
    do {
        measure = measure ? measure + 1 : measure_all;
        if (!measure->word)
            measure = NULL;
        bool of_heap = measure_is_of_heap(measure);
        heap->choice = of_heap ? (unsigned)(measure - measure_all) : 0;
        live->options.measure =
            (struct options_measure){.measure = of_heap ? NULL : measure};
        good = print(live);
    } while (measure && (!good || live->table.measure == shown));
    live->chosen = 0;
    set_note(live, measure == old ? buf_copy("there is no other measure") : NULL);
}

/* Returns the number of the row at the chosen line. A row may continue on a second line
   with its position, and no column before that is a share. */
static size_t chosen_row(const struct live *live)
{
    const char *line = live->text + live->table.start;
    size_t row = 0;
    for (size_t i = 0; i <= live->chosen && *line; i++) {
        line += strcspn(line, "\n");
        line += *line == '\n';
        const char *word = line + strspn(line, " ");
        size_t length = strcspn(word, " \n");
        row += length && (word[length - 1] == '%' || strncmp(word, "- ", 2) == 0);
    }
    return row ? row - 1 : 0;
}

static void open_row(struct live *live)
{
    size_t row = live->table.count ? chosen_row(live) : 0;
    if (live->opened || live->helps || row >= live->table.count ||
        live->options.rows_key != ROWS_FUNCTIONS)
        return;
    live->opened = buf_copy(live->table.patterns[row]);
    live->back = live->chosen;
    if (print(live)) {
        live->chosen = 0;
        return;
    }
    free(live->opened);
    live->opened = NULL;
}

static void go_back(struct live *live)
{
    if (live->helps) {
        live->helps = false;
    } else if (live->opened) {
        free(live->opened);
        live->opened = NULL;
        live->chosen = live->back;
        print(live);
    }
}

/* Uses the typed pattern. If it is wrong, or no function matches it, the old one stays.
 */
static void use_typed(struct live *live)
{
    struct pattern pattern = {0};
    BUF_OWN char *old = buf_copy(live->filter);
    char *wrong = live->typed[0] ? pattern_set(&pattern, live->typed) : NULL;
    pattern_free(&pattern);
    set_note(live, wrong);
    if (wrong)
        return;
    strcpy(live->filter, live->typed);
    if (!print(live))
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
    if (key == SCREEN_BACK && length)
        live->typed[length - 1] = '\0';
    if (key >= ' ' && key < 256 && length + 1 < sizeof live->typed) {
        live->typed[length] = (char)key;
        live->typed[length + 1] = '\0';
    }
}

static void change_span(struct live *live, int by)
{
    if ((by < 0 && live->span == 0) || (by > 0 && live->span == SPANS - 1))
        return;
    live->span = (unsigned)((int)live->span + by);
    print(live);
}

static void move_rows(struct live *live, size_t rows, bool down)
{
    live->chosen = down                  ? live->chosen + rows
                   : live->chosen > rows ? live->chosen - rows
                                         : 0;
}

/* Does what KEY says. Returns false if it ends. */
static bool act(struct live *live, int key)
{
    if (key == 3 || key == SCREEN_CLOSED)
        return false;
    if (live->typing) {
        type(live, key);
        return true;
    }
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
        key_next(live);
        break;
    case '/':
        live->typing = true, strcpy(live->typed, live->filter);
        break;
    case ' ':
    case 'p':
        live->paused = !live->paused && !live->end;
        break;
    case '+':
        change_span(live, 1);
        break;
    case '-':
        change_span(live, -1);
        break;
    case 'h':
        live->helps = !live->helps;
        break;
    case SCREEN_UP:
        move_rows(live, 1, false);
        break;
    case SCREEN_DOWN:
        move_rows(live, 1, true);
        break;
    case SCREEN_PAGE_UP:
        move_rows(live, screen_lines() - 2, false);
        break;
    case SCREEN_PAGE_DOWN:
        move_rows(live, screen_lines() - 2, true);
        break;
    case SCREEN_HOME:
        live->chosen = 0;
        break;
    case SCREEN_END:
        move_rows(live, SIZE_MAX / 2, true);
        break;
    case SCREEN_ENTER:
        open_row(live);
        break;
    case SCREEN_BACK:
    case SCREEN_ESCAPE:
        go_back(live);
        break;
    case SCREEN_RESIZED:
        print(live);
        break;
    default:
        break;
    }
    return true;
}

static void run(struct live *live)
{
    uint64_t next = now_ms() + EVERY_MS;
    print(live);
    for (;;) {
        draw(live);
        uint64_t now = now_ms();
        int key = screen_key(now >= next ? 0 : (unsigned)(next - now));
        if (key != SCREEN_NOTHING && !act(live, key))
            return;
        if (now_ms() < next)
            continue;
        next = now_ms() + EVERY_MS;
        if (live->note && now_ms() - live->noted >= NOTE_MS)
            set_note(live, NULL);
        if (!live->paused && !live->end && (live->folder || ask(live)))
            print(live);
    }
}

/* Opens the process, and asks it first. */
static bool find_process(struct live *live, const char *word, struct fault *fault)
{
    struct request_answer answer;
    if (word[strspn(word, "0123456789")] == '\0')
        live->request = request_open(live->pid = (pid_t)strtol(word, NULL, 10), fault);
    else
        live->request = request_open_name(word, &live->pid, fault);
    if (!live->request)
        return false;
    live->name = buf_format("PID %d", (int)live->pid);
    live->program = request_program(live->request);
    live->root = request_root(live->request);
    enum request_outcome outcome = request_ask(
        live->request, CCPROF_REQUEST_SAMPLE, LEASE_S, 10 * MS_OF_SECOND, &answer, fault);
    live->samples = outcome == REQUEST_ANSWERED;
    live->renewed = now_ms();
    if (outcome == REQUEST_NO_SAMPLES) {
        fault_clear(fault);
        outcome = request_ask(live->request, CCPROF_REQUEST_REPORT, 0, 10 * MS_OF_SECOND,
                              &answer, fault);
    }
    return outcome == REQUEST_ANSWERED && history_add(&live->history, &answer, SPAN_MOST);
}

bool live_show(const struct options *options, struct fault *fault)
{
    struct live live = {.options = *options, .span = 1};
    const char *word = options->live;
    bool good = screen_check(fault);
    progress_end();
    if (live.options.top < 0)
        live.options.top = ROWS_MOST;
    if (live.options.balance == OPTIONS_BALANCE_BRIEF)
        live.options.balance = OPTIONS_NO_BALANCE;
    if (inputs_is_folder(word))
        live.folder = word, live.name = buf_copy(word);
    else if (good)
        good = find_process(&live, word, fault);
    live.screen = good ? screen_open(fault) : NULL;
    good = live.screen != NULL;
    if (good)
        run(&live);
    screen_close(live.screen);
    request_close(live.request);
    history_free(&live.history);
    show_table_free(&live.table);
    free(live.text);
    free(live.opened);
    free(live.note);
    free(live.end);
    free(live.told);
    free(live.name);
    free(live.program);
    free(live.root);
    return good;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the source of functions line by line, with the measurements of each line, for
   -list. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/rows/verdicts.h"
#include "mlprof/view/views.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OF_ROW                                                                           \
    const struct view *view = of;                                                        \
    const struct lines_line *row = at;                                                   \
    (void)view

VIEW_VALUE(function, view_value_name(view, view_row(view, row->row)))
VIEW_VALUE(file, view_value_file(view_row(view, row->row)))
VIEW_VALUE(line, table_integer_if(row->line, row->line))
VIEW_VALUE(samples, view_value_samples(view, true, row->cur))
VIEW_VALUE(time, view_value_time(view, true, row->cur))
VIEW_VALUE(stack_samples, view_value_samples(view, true, row->stack))
VIEW_VALUE(stack_time, view_value_time(view, true, row->stack))
VIEW_VALUE(bytes, view_value_bytes(view, true, row->cur))
VIEW_VALUE(stack_bytes, view_value_bytes(view, true, row->stack))
VIEW_VALUE(events, view_value_events(view, true, row->cur))
VIEW_VALUE(stack_events, view_value_events(view, true, row->stack))
VIEW_VALUE(executions, table_integer_if(row->counted, row->count))

static const struct table_column data_columns[] = {
    TABLE_DATA("function", "that the line is of", function),
    TABLE_DATA("file", "where the function is", file),
    TABLE_DATA("line", "null: code of other files", line),
    TABLE_DATA("samples", "in the line itself", samples),
    TABLE_DATA("time_ns", "of these samples", time),
    TABLE_DATA("stack_samples", "in it and in what it called", stack_samples),
    TABLE_DATA("stack_time_ns", "of these samples", stack_time),
    TABLE_DATA("bytes", "allocated by the line itself", bytes),
    TABLE_DATA("stack_bytes", "allocated by it and by what it called", stack_bytes),
    TABLE_DATA("executions", "how often it was executed", executions),
    TABLE_DATA("events", "instructions of the line itself, or what else -measure shows",
               events),
    TABLE_DATA("stack_events", "the same with what is inlined into it", stack_events),
    {0}};

static const struct table_view lines_table = {.name = "lines", .columns = data_columns};

static void release_lines(void *own)
{
    lines_free(own);
    free(own);
}

static void fill_lines(struct table *table, const struct view *view,
                       const struct pattern *pattern)
{
    const struct rows *rows = view->rows;
    struct lines *lines = buf_alloc(sizeof *lines);
    BUF_OWN bool *selected = view_select_rows(view, pattern);
    lines_count(lines, rows, selected);
    lines_add_counts(lines, report_flows(view->report), rows, selected);
    for (size_t i = 0; i < lines->count; i++)
        table_add(table, &lines->lines[i]);
    table->own = lines;
    table->release = release_lines;
}

/* The widths of columns. An amount is seconds, bytes or calls. */
#define PERCENT 6
#define AMOUNT  9
#define COUNT   13
#define LINE    5

/* Returns the width of amounts. Exact counts need more digits than seconds. */
static int amount_width(const struct view *view)
{
    return profile_measure(view->profile)->unit == MEASURE_COUNT ? COUNT : AMOUNT;
}

static void print_cell(FILE *out, char *cell, int width)
{
    fprintf(out, "%*s ", width, cell);
    free(cell);
}

static void print_number(FILE *out, const struct view *view, uint64_t samples)
{
    print_cell(out, samples ? view_percent(view, samples) : buf_copy("."), PERCENT);
    if (view_has_amounts(view))
        print_cell(out, samples ? view_amount_cell(view, samples) : buf_copy("."),
                   amount_width(view));
}

/* Returns TEXT without trailing blanks, and with control characters other than tabs as
   \xHH. The caller frees it. */
static char *readable(const char *text)
{
    size_t size, length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    char *shown = NULL, *line = buf_copy_prefix(text, length);
    FILE *out = buf_open(&shown, &size);
    for (char *at = line, *tab; at; at = tab) {
        tab = strchr(at, '\t');
        if (tab)
            *tab++ = '\0';
        BUF_OWN char *clean = text_clean(at);
        fprintf(out, "%s%s", clean, tab ? "\t" : "");
    }
    buf_close(out);
    free(line);
    return shown;
}

/* The columns in front of the source text. */
struct columns {
    const struct view *view;
    bool samples, stacks, counts;
};

/* Returns the columns for a function's lines. On a terminal, columns of bytes are
   omitted if no line has bytes and there are counts. */
static struct columns columns_of(FILE *out, const struct view *view,
                                 const struct lines_line *lines, size_t count)
{
    const struct measure *measure = profile_measure(view->profile);
    /* Without stacks, the total amount of a line includes only code inlined into it; in
       C++ this is mostly library code. */
    struct columns columns = {.view = view,
                              .samples = measure->stacks,
                              .stacks = view->profile->sampling.stack ||
                                        (measure->stacks && !measure->sampled),
                              .counts = report_flows(view->report)->count};
    bool whole = view->style.mlton || !terminal_columns(out) || !measure->memory ||
                 !columns.counts;
    for (size_t i = 0; i < count; i++)
        whole = whole || lines[i].cur || lines[i].stack;
    columns.samples = columns.samples && whole;
    columns.stacks = columns.stacks && whole;
    return columns;
}

/* Returns the width of the columns in front of the source text. */
static size_t columns_before(const struct columns *columns)
{
    size_t number =
        PERCENT + 1 +
        (view_has_amounts(columns->view) ? (size_t)amount_width(columns->view) + 1 : 0);
    return number * ((columns->samples ? 1U : 0U) + (columns->stacks ? 1U : 0U)) +
           (columns->counts ? COUNT + 1 : 0) + LINE + 2;
}

/* Returns the width that is available for the text of a line; 0: unlimited. */
static size_t room_of(FILE *out, const struct columns *columns)
{
    size_t line = columns->view->style.mlton ? 0 : terminal_columns(out);
    size_t before = columns_before(columns);
    return !line ? 0 : line > before ? line - before : 1;
}

/* Returns how many bytes of TEXT fit into ROOM columns. If ROOM is 0, all fit. */
static size_t fitting(const char *text, size_t room)
{
    size_t length = strlen(text), column = 0, end = 0;
    for (; room && end < length; end++) {
        column += ((unsigned char)text[end] & 0xc0) != 0x80;
        if (column > room)
            return end;
    }
    return length;
}

/* Prints a line: its measurements SAMPLES and its source TEXT. Each of the two may be
   NULL. LINE 0 represents code in other files or at an unknown position. */
static void print_line(FILE *out, const struct columns *columns,
                       const struct lines_line *samples, uint32_t line, const char *text)
{
    if (columns->samples)
        print_number(out, columns->view, samples ? samples->cur : 0);
    if (columns->stacks)
        print_number(out, columns->view, samples ? samples->stack : 0);
    if (columns->counts)
        print_cell(out,
                   samples && samples->counted ? text_commas((double)samples->count, 0)
                                               : buf_copy("."),
                   COUNT);
    if (line == 0)
        fputs("    ?  elsewhere or not known", out);
    else
        fprintf(out, "%*" PRIu32, LINE, line);
    BUF_OWN char *shown = readable(text ? text : "");
    if (*shown)
        fprintf(out, "  %.*s", (int)fitting(shown, room_of(out, columns)), shown);
    putc('\n', out);
}

/* Prints below LINE of the function ROW the outcomes of the decisions in this line,
   with their positions. *AT is the index of the first of DECISIONS that was not
   printed or skipped yet. */
static void print_outcomes(FILE *out, const struct columns *columns,
                           const struct decisions *decisions, size_t *at,
                           const struct rows_row *row, uint32_t line)
{
    size_t before = columns_before(columns) - LINE - 3;
    for (; *at < decisions->count; ++*at) {
        const struct decision *decision = &decisions->list[*at];
        if (decision->function > row ||
            (decision->function == row && decision->line > line))
            return;
        if (decision->function < row || decision->line < line || !decision->file ||
            strcmp(decision->file, row->source.file) != 0)
            continue;
        for (size_t i = 0; i < decision->outcome_count; i++) {
            const struct decisions_outcome *outcome =
                &decisions->outcomes[decision->first_outcome + i];
            BUF_OWN char *count = text_commas((double)outcome->count, 0);
            BUF_OWN char *nth = decisions_nth_text(decision);
            fprintf(out, "%*s %*s  %" PRIu32 ":%" PRIu32 "%s %s\n", (int)before, count,
                    LINE, "", line, decision->column, nth, outcome->label);
        }
    }
}

/* The loops of the verdicts in the order of the listing, and the next one. */
struct listed_loops {
    uint32_t *order; /* numbers of loops by row and line of the head */
    size_t count, at;
};

/* A loop, for sorting. */
struct ordered {
    uint32_t row, line, column, number;
};

BUF_COMPARE(by_place, struct ordered, BUF_ORDER(a->row, b->row) ?:
            BUF_ORDER(a->line, b->line) ?: BUF_ORDER(a->column, b->column) ?:
            BUF_ORDER(a->number, b->number))

/* Returns the loops on the stacks of samples. The caller frees ORDER. */
static struct listed_loops order_loops(const struct verdicts *verdicts)
{
    struct listed_loops loops = {.order =
                                     buf_alloc((verdicts->count + 1) * sizeof(uint32_t))};
    BUF_OWN struct ordered *ordered = buf_alloc((verdicts->count + 1) * sizeof *ordered);
    for (uint32_t i = 0; i < verdicts->count; i++) {
        const struct verdicts_loop *loop = &verdicts->loops[i];
        ordered[loops.count++] = (struct ordered){loop->row, loop->line, loop->column, i};
    }
    BUF_SORT(ordered, loops.count, by_place);
    for (size_t i = 0; i < loops.count; i++)
        loops.order[i] = ordered[i].number;
    return loops;
}

/* Prints what GCC did with some copies of LOOP, with the samples of these copies. If
   SEVERAL verdicts exist, names a function with such a copy. */
static void print_verdict(FILE *out, const struct columns *columns,
                          const struct verdicts_loop *loop,
                          const struct verdicts_verdict *verdict, bool several)
{
    const struct view *view = columns->view;
    size_t before = columns_before(columns);
    if (columns->samples) {
        print_number(out, view, verdict->cur);
        before -= PERCENT + 1 + (view_has_amounts(view) ? AMOUNT + 1 : 0);
    }
    BUF_OWN char *column = loop->column ? buf_format(":%" PRIu32, loop->column) : NULL;
    BUF_OWN char *name = several && verdict->into != STACKS_NONE
                             ? view_name(view, &view->rows->rows[verdict->into])
                             : NULL;
    BUF_OWN char *more = verdict->copies > 1
                             ? buf_format(" and %" PRIu32 " more", verdict->copies - 1)
                             : NULL;
    BUF_OWN char *text = buf_format(
        "%" PRIu32 "%s %s%s%s%s%s", loop->line, column ? column : "", verdict->text,
        name ? " (in " : "", name ? name : "", name && more ? more : "", name ? ")" : "");
    fprintf(out, "%*s%.*s\n", (int)before, "", (int)fitting(text, room_of(out, columns)),
            text);
}

/* Prints below LINE of the function ROW what GCC did with the loops in this line. */
static void print_verdicts(FILE *out, const struct columns *columns,
                           struct listed_loops *loops, const struct rows_row *row,
                           uint32_t line)
{
    const struct verdicts *verdicts = report_verdicts(columns->view->report);
    uint32_t number = (uint32_t)(row - columns->view->rows->rows);
    for (; loops->at < loops->count; loops->at++) {
        const struct verdicts_loop *loop = &verdicts->loops[loops->order[loops->at]];
        if (loop->row > number || (loop->row == number && loop->line > line))
            return;
        if (loop->row < number || loop->line < line || !loop->file ||
            strcmp(loop->file, row->source.file) != 0)
            continue;
        for (size_t i = 0; i < loop->count; i++) {
            const struct verdicts_verdict *verdict =
                &verdicts->list.list[loop->first + i];
            if (verdict->text)
                print_verdict(out, columns, loop, verdict, loop->count > 1);
        }
    }
}

static void print_heads(FILE *out, const struct columns *columns)
{
    const struct view *view = columns->view;
    if (columns->samples)
        fprintf(out, "%*s ", PERCENT, view_self_head(view));
    if (columns->samples && view_has_amounts(view))
        fprintf(out, "%*s ", amount_width(view), view_amount_head(view));
    if (columns->stacks)
        fprintf(out, "%*s ", PERCENT, view_total_head(view));
    if (columns->stacks && view_has_amounts(view))
        fprintf(out, "%*s ", amount_width(view), view_amount_head(view));
    if (columns->counts)
        fprintf(out, "%*s ", COUNT, "count");
    fputs(" line\n", out);
}

/* A row, its COUNT lines that have measurements, and END, its last line in the tables. */
struct excerpt {
    const struct rows_row *row;
    const struct lines_line *lines;
    size_t count;
    uint32_t end;
    const struct source_files_text *text;
    /* The decisions of all functions, and the index of the first that was not printed
       yet. Empty if branches are not shown. */
    const struct decisions *decisions;
    size_t *decision;
    struct listed_loops *loops;
};

static void print_lines(FILE *out, const struct columns *columns,
                        const struct excerpt *excerpt)
{
    const struct lines_line *samples = excerpt->lines;
    size_t count = excerpt->count, at = count && samples->line == 0;
    uint32_t first = at < count ? samples[at].line : 1;
    uint32_t last = at < count ? samples[count - 1].line : 0;
    if (excerpt->text->text) {
        uint32_t start = excerpt->row->source.line;
        first = start && start < first ? start : first;
        last = excerpt->end > last ? excerpt->end : last;
    }
    size_t room = room_of(out, columns);
    struct indentation indentation = {0};
    if (room && excerpt->text->text)
        indentation = source_files_indentation(excerpt->text, first, last, room);
    for (uint64_t line = first; line <= last; line++) {
        bool measured = at < count && samples[at].line == line;
        BUF_OWN char *text =
            source_files_indented(&indentation, excerpt->text, (uint32_t)line);
        if (measured || text)
            print_line(out, columns, measured ? &samples[at] : NULL, (uint32_t)line,
                       text);
        else if (at < count)
            line = samples[at].line - 1;
        else
            break;
        at += measured;
        print_outcomes(out, columns, excerpt->decisions, excerpt->decision, excerpt->row,
                       (uint32_t)line);
        print_verdicts(out, columns, excerpt->loops, excerpt->row, (uint32_t)line);
    }
    if (count && samples->line == 0)
        print_line(out, columns, samples, 0, NULL);
}

/* Prints a message for a function whose lines all have no bytes. A line has bytes
   only if it allocates, or if code inlined into it allocates. Branches need no
   message, because their outcomes are listed in the lines of their functions. */
static void print_without_lines(FILE *out, const struct view *view,
                                const struct rows_row *row)
{
    if (!profile_measure(view->profile)->memory || row->branch)
        return;
    BUF_OWN char *name = view_name(view, row);
    fprintf(out,
            "\n%s: nothing is allocated in its lines; -by path\n"
            "shows what others allocate for them\n",
            name);
}

/* A pattern selects only functions whose file is known. */
static bool is_selected(const struct view *view, const struct pattern *pattern,
                        const struct rows_row *row)
{
    return row->source.file && view_matches(view, pattern, row);
}

/* Prints the lines of each selected function whose total share reaches the threshold.
   The lines are those from the start of the function to its last line in the tables.
   If the source file is not available, prints only lines with measurements. */
static void print_listing(FILE *out, const struct view *view)
{
    const struct rows *rows = view->rows;
    BUF_OWN bool *listed = buf_alloc((rows->count + 1) * sizeof *listed);
    BUF_OWN uint32_t *ends = buf_alloc((rows->count + 1) * sizeof *ends);
    struct lines lines;
    struct source_files files;
    struct decisions decisions = {0};
    size_t decision = 0;
    struct listed_loops loops = order_loops(report_verdicts(view->report));
    for (size_t i = 0; i < rows->count; i++)
        listed[i] = view->selected[i] && view_reaches(view, rows_total(&rows->rows[i]));
    source_files_open(&files, view->program, view->sources);
    if (view->style.assembly) {
        assembly_print(out, view, listed, &files);
        memset(listed, 0, rows->count * sizeof *listed);
    }
    lines_count(&lines, rows, listed);
    lines_add_counts(&lines, report_flows(view->report), rows, listed);
    if (view->style.branches)
        decisions_find(&decisions, report_flows(view->report), rows, listed);
    lines_ends(view->program, rows, listed, ends);
    for (size_t first = 0, next; first < lines.count; first = next) {
        uint32_t row = lines.lines[first].row;
        for (next = first; next < lines.count && lines.lines[next].row == row;)
            next++;
        const struct excerpt excerpt = {
            .row = &rows->rows[row],
            .lines = &lines.lines[first],
            .count = next - first,
            .end = ends[row],
            .text = source_files_get(&files, rows->rows[row].source.file),
            .decisions = &decisions,
            .decision = &decision,
            .loops = &loops};
        const struct columns columns =
            columns_of(out, view, excerpt.lines, excerpt.count);
        putc('\n', out);
        view_title(out, view, "", excerpt.row, true);
        print_heads(out, &columns);
        print_lines(out, &columns, &excerpt);
        listed[row] = false;
    }
    for (size_t i = 0; i < rows->count; i++)
        if (listed[i])
            print_without_lines(out, view, &rows->rows[i]);
    source_files_free(&files);
    decisions_free(&decisions);
    lines_free(&lines);
    free(loops.order);
}

const struct views_entry listing_entry = {
    .name = "list",
    .topic = TOPIC_USED,
    .use = 2,
    .help = "list the source of matching functions",
    .details =
        "Prints the source line by line, with the values measured in each line.\n" //
    VIEWS_PATTERN_DETAILS,
    .takes = VIEWS_PATTERN,
    .kind = OUTPUTS_LINES,
    .facts = VIEWS_LISTS | VIEWS_BLOCKS,
    .data = {{&lines_table, fill_lines}},
    .selects = is_selected,
    .affects = OUTPUTS_COMPARISON,
    .timed = true,
    .print = print_listing,
};

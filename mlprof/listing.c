/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/listing.h"
#include "mlprof/buf.h"
#include "mlprof/content.h"
#include "mlprof/lines.h"
#include "mlprof/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TAB 8

/* The text of a function's file; NULL: not there.  */
struct source_text {
    char *text;
    size_t size;
    size_t at; /* where line LINE begins */
    uint32_t line;
};

/* Where the file is: by the folder of its compilation.  */
static char *full_path(const struct stacks_source *source)
{
    const char *folder = source->directory;
    if (source->file[0] == '/' || !folder || !folder[0])
        return buf_copy(source->file);
    return buf_format("%s/%s", folder, source->file);
}

/* Only of a regular file: a name in a damaged table may be one of a device.  */
static char *read_regular(const char *path, size_t *size, struct fault *fault)
{
    struct stat status;
    if (stat(path, &status) < 0)
        fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    else if (!S_ISREG(status.st_mode))
        fault_set(fault, FAULT_FILE, path, "not a regular file");
    else
        return content_read(path, NULL, size, fault);
    return NULL;
}

static void warn_of_missing(const char *path, const struct fault *why)
{
    struct fault warning = {0};
    fault_set(&warning, FAULT_FILE, path, "%s; its lines are listed without text",
              why->text + strlen(path) + 2);
    fault_print(&warning);
    fault_clear(&warning);
}

static struct source_text open_text(const struct stacks_source *source)
{
    struct source_text text = {.line = 1};
    struct fault fault = {0};
    char *path = full_path(source);
    text.text = read_regular(path, &text.size, &fault);
    if (!text.text)
        warn_of_missing(path, &fault);
    fault_clear(&fault);
    free(path);
    return text;
}

/* Moves to LINE, which is not before the one that it is at; false if there is none.  */
static bool move_to(struct source_text *text, uint32_t line)
{
    while (text->text && text->line < line) {
        const char *from = text->text + text->at;
        const char *newline = memchr(from, '\n', text->size - text->at);
        if (!newline)
            return false;
        text->at = (size_t)(newline + 1 - text->text);
        text->line++;
    }
    return text->text && text->at < text->size;
}

/* A copy of the line with tabs as blanks.  */
static char *copy_line(const struct source_text *text)
{
    const char *from = text->text + text->at;
    size_t length = strcspn(from, "\r\n");
    char *line = buf_alloc(length * TAB + 1), *to = line;
    for (size_t i = 0; i < length; i++) {
        if (from[i] != '\t')
            *to++ = from[i];
        else
            do
                *to++ = ' ';
            while ((to - line) % TAB);
    }
    char *clean = text_clean(line);
    free(line);
    return clean;
}

static void print_cell(FILE *out, char *cell, int width)
{
    fprintf(out, "%*s ", width, cell);
    free(cell);
}

static void print_number(FILE *out, const struct view *view, uint64_t samples)
{
    print_cell(out, samples ? view_percent(view, samples) : buf_copy("."), 6);
    if (view->style.raw)
        print_cell(out, samples ? view_raw(view, samples) : buf_copy("."), 9);
}

/* LINE of the file; SAMPLES of it may be NULL.  */
static void print_line(FILE *out, const struct view *view,
                       const struct lines_line *samples, struct source_text *text,
                       uint32_t line)
{
    print_number(out, view, samples ? samples->cur : 0);
    if (view->profile->stack)
        print_number(out, view, samples ? samples->stack : 0);
    if (line == 0) {
        fputs("    ?  elsewhere or not known\n", out);
        return;
    }
    fprintf(out, "%5" PRIu32, line);
    if (move_to(text, line)) {
        char *content = copy_line(text);
        fprintf(out, "%s%s", content[0] ? "  " : "", content);
        free(content);
    }
    putc('\n', out);
}

static void print_heads(FILE *out, const struct view *view)
{
    fputs("   cur ", out);
    if (view->style.raw)
        fputs("      raw ", out);
    if (view->profile->stack)
        fputs(" stack ", out);
    if (view->profile->stack && view->style.raw)
        fputs("      raw ", out);
    fputs(" line\n", out);
}

/* A row's lines with samples, and the last one that the tables know of it.  */
struct part {
    const struct rows_row *row;
    const struct lines_line *lines;
    size_t count;
    uint32_t end;
};

static void print_lines(FILE *out, const struct view *view, const struct part *part)
{
    const struct lines_line *samples = part->lines;
    size_t count = part->count, at = count && samples->line == 0;
    struct source_text text = open_text(&part->row->source);
    uint32_t first = at < count ? samples[at].line : 1;
    uint32_t last = at < count ? samples[count - 1].line : 0;
    if (text.text) {
        uint32_t start = part->row->source.line;
        first = start && start < first ? start : first;
        last = part->end > last ? part->end : last;
    }
    for (uint64_t line = first; line <= last; line++) {
        bool measured = at < count && samples[at].line == line;
        if (measured || move_to(&text, (uint32_t)line))
            print_line(out, view, measured ? &samples[at] : NULL, &text, (uint32_t)line);
        else if (at < count)
            line = samples[at].line - 1;
        else
            break;
        at += measured;
    }
    if (count && samples->line == 0)
        print_line(out, view, samples, &text, 0);
    free(text.text);
}

static void print_part(FILE *out, const struct view *view, const struct part *part)
{
    struct view with_line = *view;
    with_line.style.show_line = true;
    char *label = view_label(&with_line, part->row);
    fprintf(out, "\n%s\n", label);
    free(label);
    print_heads(out, view);
    print_lines(out, view, part);
}

/* Marks the rows; returns how many match.  */
static size_t find_rows(const struct view *view, const struct pattern *pattern,
                        bool *wanted)
{
    const struct rows *rows = view->rows;
    size_t matched = 0;
    for (size_t i = 0; i < rows->count; i++) {
        bool matches =
            rows->rows[i].source.file && pattern_matches(pattern, view, &rows->rows[i]);
        matched += matches;
        wanted[i] = matches && view_reaches(view, rows->rows[i].stack);
    }
    return matched;
}

size_t listing_print(FILE *out, const struct view *view, const struct pattern *pattern)
{
    const struct rows *rows = view->rows;
    bool *wanted = buf_alloc((rows->count + 1) * sizeof *wanted);
    uint32_t *ends = buf_alloc((rows->count + 1) * sizeof *ends);
    struct lines lines;
    size_t matched = find_rows(view, pattern, wanted);
    lines_count(&lines, rows, wanted);
    lines_ends(view->program, rows, wanted, ends);
    for (size_t first = 0, next; first < lines.count; first = next) {
        uint32_t row = lines.lines[first].row;
        for (next = first; next < lines.count && lines.lines[next].row == row;)
            next++;
        const struct part part = {.row = &rows->rows[row],
                                  .lines = &lines.lines[first],
                                  .count = next - first,
                                  .end = ends[row]};
        print_part(out, view, &part);
    }
    lines_free(&lines);
    free(ends);
    free(wanted);
    return matched;
}

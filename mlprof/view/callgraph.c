/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the call graph as text for graphviz. If the file is a picture, runs dot to
   draw it, and adds a script for zooming and moving. */

#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mlprof/view/callgraph.h"
#include "mlprof/arcs/paths.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/cxxname.h"
#include "mlprof/base/files.h"
#include "mlprof/base/encoding.h"
#include "mlprof/view/rows-table.h"

/* The maximum width of names, in columns. C++ names can be wider than a picture. */
#define NAME_MOST 60

#define FONT "Helvetica,Arial,sans-serif"

/* Sizes in points. As in pprof's graphs, the font size of a box grows with the square
   root of its cost, up to 24, and a line becomes up to 5 points thicker. No font is
   smaller than the font of the labels of lines. */
#define FONT_LEAST 11
#define FONT_MORE  13
#define FONT_LINE  11
#define LINE_MORE  5

/* The margin around the text of a box, in inches. The heads of thick arrows extend
   into it. */
#define MARGIN "0.11,0.1"

/* Dot centres a label on its line, regardless of the line's width. No-break spaces on
   both sides keep the text away from the line. */
#define SPACE       "\302\240"
#define SPACE_WIDTH 3.0

/* Prints TEXT inside a string of dot's language, as valid UTF-8. If a file contains
   other bytes, dot reads it as Latin-1. */
static void print_quoted(FILE *out, const char *text)
{
    BUF_OWN char *valid = utf8_valid(text);
    for (const char *at = valid; *at; at++) {
        if (*at == '"' || *at == '\\')
            putc('\\', out);
        putc(*at, out);
    }
}

/* Prints a line of a label; frees TEXT, which may be NULL. */
static void print_line(FILE *out, char *text)
{
    if (text) {
        print_quoted(out, text);
        fputs("\\n", out);
    }
    free(text);
}

/* The numbers in boxes, which are columns of a table. */
struct boxes {
    struct rows rows; /* a copy in which functions include their branches */
    struct table table;
    const struct table_column **shown;
    size_t count;
};

static void print_label(FILE *out, const struct view *view, const struct boxes *boxes,
                        const struct rows_row *row)
{
    BUF_OWN char *name = view_name(view, row);
    print_line(out, cxxname_fit(name, NAME_MOST));
    print_line(out, view->style.show_line ? view_position(row) : NULL);
    if (rows_total(row) == 0)
        return;
    for (size_t i = 0; i < boxes->count; i++) {
        BUF_OWN char *cell = table_cell_at(&boxes->table, boxes->shown[i], row);
        fprintf(out, "%s%s", i ? " " : "", cell);
    }
    fputs("\\n", out);
}

/* Prints a tooltip: the whole name and the position. */
static void print_tip(FILE *out, const struct view *view, const struct rows_row *row)
{
    struct view with_line = *view;
    with_line.style.show_line = true;
    BUF_OWN char *label = view_label(&with_line, row);
    print_quoted(out, label);
}

/* Returns the font size for a box, which grows with the square root of CUR and is
   rounded up. MOST is the largest CUR. */
static int font_size(uint64_t cur, uint64_t most)
{
    int more = 0;
    while (more < FONT_MORE && (double)more * more * (double)most <
                                   (double)FONT_MORE * FONT_MORE * (double)cur)
        more++;
    return FONT_LEAST + more;
}

static void print_node(FILE *out, const struct view *view, const struct boxes *boxes,
                       const struct callgraph_style *style, uint32_t number,
                       uint64_t most)
{
    const struct rows_row *row = &boxes->rows.rows[number];
    uint64_t total = view->rows->stack ? rows_total(row) : 0;
    fprintf(out, "n%" PRIu32 " [shape = \"box\", label = \"", number);
    print_label(out, view, boxes, row);
    if (style->gray)
        fprintf(out, "\", color = \"gray%d\"",
                100 - (int)(rows_percent(total, view->rows->total) + 0.5));
    else
        fputs("\", color = \"black\"", out);
    if (rows_total(row))
        fprintf(out, ", fontsize = \"%d\"", font_size(rows_self(row), most));
    fputs(", tooltip = \"", out);
    print_tip(out, view, row);
    fputs("\"]\n", out);
}

static void print_spaces(FILE *out, double line_width)
{
    for (double left = line_width / 2 + 2; left > 0; left -= SPACE_WIDTH)
        fputs(SPACE, out);
}

/* Prints the attributes of an edge with a weight. */
static void print_weight(FILE *out, const struct view *view,
                         const struct paths_path *path)
{
    double share = rows_percent(path->weight, view->rows->total);
    BUF_OWN char *percent = view_percent(view, path->weight);
    BUF_OWN char *raw = view->style.raw ? view_raw(view, path->weight) : NULL;
    double width = 1 + LINE_MORE * share / 100;
    fputs("label = \"", out);
    print_spaces(out, width);
    fprintf(out, "%s%s%s%s", path->estimated ? "~" : "", percent, raw ? " " : "",
            raw ? raw : "");
    print_spaces(out, width);
    fprintf(out, "\", penwidth = \"%.2f\", weight = \"%d\", tooltip = \"", width,
            1 + (int)share);
    print_tip(out, view, &view->rows->rows[path->from]);
    fputs(" -> ", out);
    print_tip(out, view, &view->rows->rows[path->to]);
    putc('"', out);
}

static void print_edge(FILE *out, const struct view *view, const struct paths_path *path)
{
    fprintf(out, "n%" PRIu32 " -> n%" PRIu32, path->from, path->to);
    if (path->weight || !path->direct) {
        fputs(" [", out);
        if (!path->direct)
            fprintf(out, "style = \"dashed\"%s", path->weight ? ", " : "");
        if (path->weight)
            print_weight(out, view, path);
        putc(']', out);
    }
    putc('\n', out);
}

/* Prints the beginning of the graph: the title, the meaning of the numbers, and the
   fonts. */
static void print_head(FILE *out, const struct view *view, const struct boxes *boxes,
                       const char *title)
{
    fputs("digraph \"", out);
    print_quoted(out, title);
    fputs("\" {\nlabel = \"", out);
    print_quoted(out, title);
    fputs("\\n", out);
    if (view->rows->total) {
        fputs("boxes:", out);
        for (size_t i = 0; i < boxes->count; i++)
            fprintf(out, " %s", table_head(&boxes->table, boxes->shown[i]));
        fprintf(out, "; arrows: %s%s\\n",
                view->rows->has_arcs ? "calls" : view_total_head(view),
                view->style.raw ? " raw" : "");
    }
    fputs("\"\nlabelloc = \"t\"\nfontname = \"" FONT "\"\n"
          "node [fontname = \"" FONT "\", margin = \"" MARGIN "\"]\n",
          out);
    fprintf(out, "edge [fontname = \"" FONT "\", fontsize = \"%d\"]\n", FONT_LINE);
}

/* Returns for each row whether it has a box. A row has a box if it reaches the
   threshold, if -keep selects it, and if it is among the first -top rows. The
   threshold applies to the total share, so that complete paths to costly functions are
   drawn. In MLton's layout the threshold applies to the self share. Branches have
   boxes only if calls were measured but nothing else. The caller frees the array. */
static bool *find_drawn(const struct view *view)
{
    const struct rows *rows = view->rows;
    bool *drawn = buf_alloc((rows->count + 1) * sizeof *drawn);
    size_t count;
    for (size_t i = 0; i < rows->count; i++) {
        const struct rows_row *row = &rows->rows[i];
        uint64_t self = rows_whole(row), total = rows_total(row);
        bool by_total = !view->style.mlton && total > self;
        drawn[i] = !(row->branch && profile_measure(view->profile)->stacks) &&
                   view_reaches(view, by_total ? total : self) && view_keeps(view, row);
    }
    BUF_OWN const struct rows_row **found = view_by_stack(view, drawn, &count);
    for (size_t i = view_top(view, count); i < count; i++)
        drawn[found[i] - rows->rows] = false;
    return drawn;
}

/* Boxes stand for whole functions. */
static void open_boxes(struct boxes *boxes, const struct view *view)
{
    struct rows *rows = &boxes->rows;
    *rows = *view->rows;
    rows->rows = buf_alloc((rows->count + 1) * sizeof *rows->rows);
    rows->measured =
        view->rows->measured ? measured_with_branches(view->rows->measured) : NULL;
    for (size_t i = 0; i < rows->count; i++) {
        rows->rows[i] = view->rows->rows[i];
        rows->rows[i].measured = rows->measured;
    }
    rows_table_make(&boxes->table, view, rows, true);
    boxes->shown = table_shown(&boxes->table, &boxes->count);
}

static void close_boxes(struct boxes *boxes)
{
    table_free(&boxes->table);
    free(boxes->shown);
    free(boxes->rows.rows);
    measured_free(boxes->rows.measured);
}

void callgraph_print(FILE *out, const struct view *view,
                     const struct callgraph_style *style)
{
    const struct rows *rows = view->rows;
    struct paths paths;
    struct boxes boxes;
    BUF_OWN bool *drawn = find_drawn(view);
    uint64_t most = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (rows_whole(&rows->rows[i]) > most)
            most = rows_whole(&rows->rows[i]);
    open_boxes(&boxes, view);
    print_head(out, view, &boxes, style->title);
    for (uint32_t i = 0; i < rows->count; i++)
        if (drawn[i])
            print_node(out, view, &boxes, style, i, most);
    paths_find(&paths, rows, &view->report->arcs, drawn);
    for (size_t i = 0; i < paths.count; i++)
        print_edge(out, view, &paths.paths[i]);
    fputs("}\n", out);
    paths_free(&paths);
    close_boxes(&boxes);
}

extern char **environ;

/* The script. The wheel zooms, dragging moves the picture, and keys do both. The
   script must not contain "]]>". */
extern const char callgraph_script[];
EMBED("callgraph_script", "mlprof/view/callgraph.js");

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

bool callgraph_is_svg(const char *path)
{
    return ends_with(path, ".svg");
}

bool callgraph_refuse_format(const char *path, bool drawn, struct fault *fault)
{
    static const char *const ends[] = {".png",  ".jpg", ".jpeg", ".gif",
                                       ".webp", ".pdf", ".ps",   ".eps"};
    size_t i = 0, count = sizeof ends / sizeof *ends;
    while (i < count && !ends_with(path, ends[i]))
        i++;
    if (i == count)
        return false;
    const char *format = ends[i] + 1;
    BUF_OWN char *name = buf_copy_prefix(path, strlen(path) - strlen(ends[i]));
    if (drawn)
        fault_set(fault, FAULT_FORMAT, path,
                  "no picture of this format is written: name it %s.svg, or %s.dot and "
                  "then: dot -T%s %s.dot -o %s",
                  name, name, format, name, path);
    else
        fault_set(fault, FAULT_FORMAT, path,
                  "no picture of this format is written: name it %s.svg", name);
    return true;
}

/* Runs dot, which reads GRAPH and writes SVG. Returns 0, an errno value, or -1 if dot
   failed. */
static int run_dot(FILE *graph, FILE *svg)
{
    char name[] = "dot", format[] = "-Tsvg";
    char *const arguments[] = {name, format, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    if (posix_spawn_file_actions_init(&actions))
        return ENOMEM;
    int error = posix_spawn_file_actions_adddup2(&actions, fileno(graph), STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(svg), STDOUT_FILENO);
    if (!error)
        error = posix_spawnp(&child, name, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return error;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -1;
}

/* Prints the lines from TEXT to END that are labels of arrows. If LABELS is false,
   prints all other lines instead. Dot writes each element on its own line. */
static void print_lines(FILE *out, const char *text, const char *end, bool labels)
{
    bool inside_edge = false;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *next = newline ? newline + 1 : end;
        if (strncmp(text, "<g id=\"", 7) == 0 && strncmp(text, "<g id=\"a_", 9) != 0)
            inside_edge = memmem(text, (size_t)(next - text), "class=\"edge\"", 12);
        bool is_label = inside_edge && strncmp(text, "<text ", 6) == 0;
        if (is_label == labels)
            fwrite(text, 1, (size_t)(next - text), out);
        text = next;
    }
}

/* Prints the picture with the arrows' labels last and outlined in white, so that no
   arrow crosses a label. */
static void print_labels_last(FILE *out, const char *text, const char *end)
{
    const char *last = end; /* the end of the graph's group, which contains the labels */
    for (const char *at = text; (at = strstr(at, "</g>")) && at < end; at++)
        last = at;
    print_lines(out, text, last, false);
    fputs("<g class=\"labels\" pointer-events=\"none\" stroke=\"#ffffff\" "
          "stroke-width=\"3\" paint-order=\"stroke\">\n",
          out);
    print_lines(out, text, last, true);
    fputs("</g>\n", out);
    fwrite(last, 1, (size_t)(end - last), out);
}

/* Prints the picture that dot has drawn, with the script added. Returns false if SVG
   is not an SVG file. */
static bool print_svg(FILE *out, FILE *svg)
{
    static const char end[] = "</svg>";
    long size = fseek(svg, 0, SEEK_END) == 0 ? ftell(svg) : -1;
    if (size < 0)
        return false;
    char *text = buf_alloc((size_t)size + 1), *last = NULL;
    rewind(svg);
    text[fread(text, 1, (size_t)size, svg)] = '\0';
    for (char *at = text; (at = strstr(at, end)); at++)
        last = at;
    if (last) {
        print_labels_last(out, text, last);
        fprintf(out, "<script><![CDATA[\n%s]]></script>\n%s\n", callgraph_script, end);
    }
    free(text);
    return last != NULL;
}

static bool draw(FILE *out, const char *text, size_t size, FILE *graph, FILE *svg,
                 const char *path, struct fault *fault)
{
    if (fwrite(text, 1, size, graph) != size || fflush(graph))
        return fault_set(fault, FAULT_FILE, path, "temporary file: %s", strerror(errno));
    rewind(graph);
    int error = run_dot(graph, svg);
    if (error == ENOENT)
        return fault_set(fault, FAULT_FILE, path,
                         "dot of graphviz, which draws it, is not installed; a name that "
                         "does not end in .svg gets the graph as text");
    if (error > 0)
        return fault_set(fault, FAULT_FILE, path, "dot: %s", strerror(error));
    if (error < 0 || !print_svg(out, svg))
        return fault_set(fault, FAULT_FILE, path, "dot of graphviz has not drawn it");
    return true;
}

bool callgraph_draw(FILE *out, const char *text, size_t size, const char *path,
                    struct fault *fault)
{
    FILE *graph = tmpfile(), *svg = tmpfile();
    bool good;
    if (graph && svg)
        good = draw(out, text, size, graph, svg, path, fault);
    else
        good = fault_set(fault, FAULT_FILE, path, "temporary file: %s", strerror(errno));
    if (graph)
        fclose(graph);
    if (svg)
        fclose(svg);
    return good;
}

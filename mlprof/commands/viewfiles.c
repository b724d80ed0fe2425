/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the files that the options request: call graph, flame graph, page and export
   formats. Ensures that at most one of them is standard output. */

#include "mlprof/base/buf.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/files.h"
#include "mlprof/base/text.h"
#include "mlprof/commands/commands.h"
#include "mlprof/export/export.h"
#include "mlprof/view/callgraph.h"
#include "mlprof/view/heapwords.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Prints the call graph in dot's language. If nothing was measured, the graph has all
   functions. */
static void write_dot(FILE *out, const struct options *options, const struct view *view,
                      const char *title)
{
    const struct callgraph_style style = {.title = title, .gray = options->gray};
    struct view whole = *view;
    if (view->rows->total == 0)
        whole.rows = report_catalog(view->report, &whole.kept);
    callgraph_print(out, &whole, &style);
}

static bool write_graph(FILE *out, const struct options *options, const struct view *view,
                        const char *title, struct fault *fault)
{
    if (!callgraph_is_svg(options->call_graph)) {
        write_dot(out, options, view, title);
        return true;
    }
    BUF_OWN char *text = NULL;
    size_t size;
    FILE *dot = buf_open(&text, &size);
    write_dot(dot, options, view, title);
    buf_close(dot);
    progress_set("mlprof: dot is drawing %s; -thresh leaves out small functions",
                 options->call_graph);
    return callgraph_draw(out, text, size, options->call_graph, fault);
}

static bool write_flame(FILE *out, const struct options *options, const struct view *view,
                        const char *title, struct fault *fault)
{
    (void)options;
    (void)fault;
    flame_print(out, view, title);
    return true;
}

typedef bool writer(FILE *out, const struct options *options, const struct view *view,
                    const char *title, struct fault *fault);

/* Returns the requested title, by default the executable's name and USUAL, followed by
   the part of the profile that is shown. The caller frees it. */
static char *title_of(const struct options *options, const struct view *view,
                      const char *usual)
{
    const struct measure *shown = profile_measure(view->profile);
    char *title = options->callgraph_title ? buf_copy(options->callgraph_title)
                  : !shown->kinds ? buf_format("%s %s, bytes %s", options->operands[0],
                                               usual, shown->what)
                                  : buf_format("%s %s", options->operands[0], usual);
    char *part = view_part(view);
    if (!part)
        return title;
    char *both = buf_format("%s, %s", title, part);
    free(title);
    free(part);
    return both;
}

/* The files to write. Files are written only after the contents of all files are
   complete. */
struct outputs {
    struct output {
        const char *path;
        char *invented; /* PATH if mlprof invented it; freed by viewfiles_write */
        char *text;
        size_t size;
    } * all;
    size_t count, capacity;
};

static void add_output(struct outputs *outputs, const char *path, char *text, size_t size)
{
    BUF_NEXT(outputs->all, outputs->count, outputs->capacity) =
        (struct output){path, NULL, text, size};
}

/* Adds the file at PATH to OUTPUTS. Does nothing if PATH is NULL. USUAL is the
   second part of the default title. */
static bool write_file(struct outputs *outputs, const char *path, writer *write,
                       const char *usual, const struct options *options,
                       const struct view *view, struct fault *fault)
{
    if (!path)
        return true;
    progress_set("mlprof: writing %s", path);
    BUF_OWN char *title = title_of(options, view, usual);
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    bool good = write(out, options, view, title, fault);
    buf_close(out);
    add_output(outputs, path, text, size);
    return good;
}

/* An export_sink. */
static void add_one_of(void *outputs, char *path, char *text, size_t size)
{
    struct outputs *all = outputs;
    add_output(all, path, text, size);
    all->all[all->count - 1].invented = path;
}

/* Sets the fault of INPUT if the format cannot show anything of the profile. */
static void write_export(struct outputs *outputs, const struct export_format *format,
                         const char *path, const struct export_input *input)
{
    progress_set("mlprof: writing %s", path);
    if (format->write_files) {
        format->write_files(path, input, add_one_of, outputs);
        return;
    }
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    format->write(out, input);
    buf_close(out);
    if (!input->fault->kind)
        text = export_compress(path, text, &size, format->compressed);
    add_output(outputs, path, text, size);
}

/* Returns the index of the view for data formats: the last requested view that has
   data, by default the table. */
static size_t data_view(const struct options *options)
{
    size_t last = 0;
    for (size_t i = 0; i < views_count; i++)
        if (views_all[i]->data[0].fill &&
            (views_is_requested(&options->views[i]) ||
             views_all[i] == (options->rows_key ? &groups_entry : &functions_entry)))
            last = i;
    return last;
}

static bool write_exports(struct outputs *outputs, const struct options *options,
                          const struct view *view, struct fault *fault)
{
    size_t number = data_view(options);
    const struct pattern *pattern = &options->views[number].pattern;
    const struct export_input input = {.view = view,
                                       .table = &views_all[number]->data[0],
                                       .requested = pattern->text ? pattern : NULL,
                                       .program = options->operands[0],
                                       .maker = "ccprof " CCPROF_VERSION,
                                       .title = options->callgraph_title,
                                       .labels = options->labels,
                                       .fault = fault};
    for (size_t i = 0; !fault->kind && i < export_format_count; i++)
        if (options->exports.paths[i])
            write_export(outputs, export_formats[i], options->exports.paths[i], &input);
    return !fault->kind;
}

/* Returns the path of the file NUMBER that options can request: the export formats, and
   OTHERS more. NULL: it is not requested. */
enum { OTHERS = 3 };
static const char *path_of(const struct options *options, size_t number)
{
    const char *const others[OTHERS] = {options->call_graph, options->flame,
                                        options->gate_junit};
    return number < export_format_count ? options->exports.paths[number]
                                        : others[number - export_format_count];
}

/* Returns how many of the files are standard output. */
static size_t output_count(const struct options *options)
{
    size_t count = 0;
    for (size_t i = 0; i < export_format_count + OTHERS; i++)
        count += path_of(options, i) && save_is_output(path_of(options, i));
    return count;
}

bool viewfiles_take_output(const struct options *options)
{
    for (size_t i = 0; i < export_format_count; i++)
        if (options->exports.paths[i] && export_formats[i]->kind & OUTPUTS_FEEDBACK)
            return true;
    return output_count(options) > 0;
}

bool viewfiles_check(const struct options *options, struct fault *fault)
{
    const char *graph = options->call_graph, *flame = options->flame;
    if (output_count(options) > 1)
        return fault_set(fault, FAULT_MISMATCH, "standard output",
                         "only one file can be written there");
    return !(graph && callgraph_refuse_format(graph, true, fault)) &&
           !(flame && callgraph_refuse_format(flame, false, fault));
}

bool viewfiles_write(const struct options *options, const struct view *view,
                     struct fault *fault)
{
    struct outputs outputs = {0};
    bool good = write_file(&outputs, options->call_graph, write_graph, "call-stack graph",
                           options, view, fault) &&
                write_file(&outputs, options->flame, write_flame, "flame graph", options,
                           view, fault) &&
                write_exports(&outputs, options, view, fault);
    for (size_t i = 0; i < outputs.count; i++) {
        const struct output *output = &outputs.all[i];
        good =
            good && (output->invented
                         ? save_made_up(output->path, output->text, output->size, fault)
                         : save_file(output->path, output->text, output->size, fault));
        free(output->text);
        free(output->invented);
    }
    free(outputs.all);
    return good;
}

bool viewfiles_alone(const struct options *options)
{
    const char *between = "written: ";
    if (viewfiles_take_output(options))
        return true;
    if (!options->files_alone)
        return false;
    for (size_t i = 0; i < export_format_count + OTHERS; i++) {
        if (!path_of(options, i))
            continue;
        BUF_OWN char *clean = text_clean(path_of(options, i));
        printf("%s%s", between, clean);
        between = ", ";
    }
    putchar('\n');
    return true;
}

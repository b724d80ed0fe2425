/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/viewfiles.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/gzip.h"
#include "mlprof/base/progress.h"
#include "mlprof/view/flame.h"
#include "mlprof/view/gcov-json.h"
#include "mlprof/view/graph.h"
#include "mlprof/view/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The graph as text.  If nothing was measured it shows all functions.  */
static void write_dot(FILE *out, const struct options *options, const struct view *view,
                      const char *title)
{
    const struct graph_style style = {.title = title, .gray = options->gray};
    struct view whole = *view;
    if (view->rows->total == 0)
        whole.rows = view->catalog;
    graph_print(out, &whole, &style);
}

static bool write_graph(FILE *out, const struct options *options, const struct view *view,
                        const char *title, struct fault *fault)
{
    if (!picture_is_wanted(options->call_graph)) {
        write_dot(out, options, view, title);
        return true;
    }
    char *text = NULL;
    size_t size;
    FILE *dot = buf_open(&text, &size);
    write_dot(dot, options, view, title);
    buf_close(dot);
    progress_tell("mlprof: dot is drawing %s; -thresh leaves out what is small",
                  options->call_graph);
    bool good = picture_print(out, text, size, options->call_graph, fault);
    free(text);
    return good;
}

static bool write_flame(FILE *out, const struct options *options, const struct view *view,
                        const char *title, struct fault *fault)
{
    (void)options;
    (void)fault;
    flame_print(out, view, title);
    return true;
}

#define MAKER "ccprof " CCPROF_VERSION

static bool write_gcov(FILE *out, const struct options *options, const struct view *view,
                       const char *title, struct fault *fault)
{
    (void)title;
    (void)fault;
    const char *program = options->operands[0];
    if (!gzip_is_wanted(options->gcov)) {
        gcov_json_print(out, view->flows, program, MAKER);
        return true;
    }
    char *text = NULL;
    size_t size;
    FILE *json = buf_open(&text, &size);
    gcov_json_print(json, view->flows, program, MAKER);
    buf_close(json);
    char *compressed = gzip_compress(text, size, &size);
    fwrite(compressed, 1, size, out);
    free(compressed);
    free(text);
    return true;
}

typedef bool writer(FILE *out, const struct options *options, const struct view *view,
                    const char *title, struct fault *fault);

static bool save(const char *path, const char *text, size_t size, struct fault *fault)
{
    FILE *out = fopen(path, "we");
    if (!out)
        return fault_set(fault, FAULT_FILE, path, "%s", strerror(errno));
    bool good = fwrite(text, 1, size, out) == size && fflush(out) == 0;
    int error = errno;
    if (fclose(out) == 0 && good)
        return true;
    return fault_set(fault, FAULT_FILE, path, "%s", strerror(good ? errno : error));
}

/* Writes the file at PATH, none if that is NULL, with its usual title after the
   executable's name.  The file is not touched until its content is there.  */
static bool write_file(const char *path, writer *write, const char *usual,
                       const struct options *options, const struct view *view,
                       struct fault *fault)
{
    if (!path)
        return true;
    char *title = options->graph_title ? buf_copy(options->graph_title)
                                       : buf_format("%s %s", options->operands[0], usual);
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    bool good = write(out, options, view, title, fault);
    buf_close(out);
    good = good && save(path, text, size, fault);
    free(text);
    free(title);
    return good;
}

bool viewfiles_check(const struct options *options, struct fault *fault)
{
    const char *graph = options->call_graph, *flame = options->flame;
    return !(graph && picture_is_foreign(graph, true, fault)) &&
           !(flame && picture_is_foreign(flame, false, fault));
}

bool viewfiles_write(const struct options *options, const struct view *view,
                     struct fault *fault)
{
    return write_file(options->call_graph, write_graph, "call-stack graph", options, view,
                      fault) &&
           write_file(options->flame, write_flame, "flame graph", options, view, fault) &&
           write_file(options->gcov, write_gcov, "", options, view, fault);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

#define _GNU_SOURCE
#include "mlprof/view/picture.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The script: the wheel zooms, dragging moves, keys do both.  It holds no "]]>".  */
extern const char picture_script[];
EMBED("picture_script", "mlprof/view/graph.js");

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

bool picture_is_wanted(const char *path)
{
    return ends_with(path, ".svg");
}

bool picture_is_foreign(const char *path, bool drawn, struct fault *fault)
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

/* Runs dot, which reads GRAPH and writes SVG.  Returns 0, an error number, or -1 if dot
   failed.  */
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

/* Whether a line of dot's picture is the label of an arrow: a text in a group of the
   class edge.  */
static bool is_label(const char *line, bool inside_edge)
{
    return inside_edge && strncmp(line, "<text ", 6) == 0;
}

/* Prints the lines from TEXT to END that are labels of arrows, if LABELS, otherwise all
   others.  Dot writes each element on a line of its own.  */
static void print_lines(FILE *out, const char *text, const char *end, bool labels)
{
    bool inside_edge = false;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *next = newline ? newline + 1 : end;
        if (strncmp(text, "<g id=\"", 7) == 0 && strncmp(text, "<g id=\"a_", 9) != 0)
            inside_edge = memmem(text, (size_t)(next - text), "class=\"edge\"", 12);
        if (is_label(text, inside_edge) == labels)
            fwrite(text, 1, (size_t)(next - text), out);
        text = next;
    }
}

/* Prints the picture with the labels of arrows last, and outlined in white, so that no
   arrow goes through them.  */
static void print_labels_last(FILE *out, const char *text, const char *end)
{
    const char *last = end; /* the end of the graph's group, which labels belong to */
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

/* Prints the picture that dot has made, with the script in it; false if it is none.  */
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
        fprintf(out, "<script><![CDATA[\n%s]]></script>\n%s\n", picture_script, end);
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

bool picture_print(FILE *out, const char *text, size_t size, const char *path,
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

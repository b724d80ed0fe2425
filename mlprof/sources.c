/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/sources.h"
#include "mlprof/buf.h"
#include "mlprof/content.h"
#include "mlprof/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TAB 8

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

static void warn(const char *path, const char *what, const char *more)
{
    struct fault warning = {0};
    fault_set(&warning, FAULT_FILE, path, "%s%s", what, more);
    fault_print(&warning);
    fault_clear(&warning);
}

static void find_lines(struct sources_text *text)
{
    for (size_t at = 0; at < text->size;) {
        text->starts = buf_grow(text->starts, &text->capacity, text->line_count + 1,
                                sizeof *text->starts);
        text->starts[text->line_count++] = at;
        const char *newline = memchr(text->text + at, '\n', text->size - at);
        at = newline ? (size_t)(newline + 1 - text->text) : text->size;
    }
}

static void read_text(struct sources_text *text, const char *path)
{
    struct fault fault = {0};
    text->text = read_regular(path, &text->size, &fault);
    if (text->text)
        find_lines(text);
    else
        warn(path, fault.text + strlen(path) + 2, "; its lines are listed without text");
    fault_clear(&fault);
}

static bool is_later(const struct timespec *one, const struct timespec *other)
{
    if (one->tv_sec != other->tv_sec)
        return one->tv_sec > other->tv_sec;
    return one->tv_nsec > other->tv_nsec;
}

static void check_age(struct sources_text *text, const char *path, const char *built)
{
    struct stat here, there;
    if (text->stale || !text->text || stat(path, &here) < 0 || stat(built, &there) < 0 ||
        !is_later(&here.st_mtim, &there.st_mtim))
        return;
    text->stale = true;
    char *what = buf_format("changed after %s was built; its lines may not be those "
                            "that were measured",
                            built);
    warn(path, what, "");
    free(what);
}

const struct sources_text *sources_get(struct sources *sources,
                                       const struct stacks_source *source,
                                       const char *built)
{
    char *path = full_path(source);
    uint32_t number = intern_put(&sources->paths, path);
    if (number == sources->count) {
        sources->texts = buf_grow(sources->texts, &sources->capacity, sources->count + 1,
                                  sizeof *sources->texts);
        sources->texts[sources->count] = (struct sources_text){0};
        read_text(&sources->texts[sources->count++], path);
    }
    check_age(&sources->texts[number], path, built);
    free(path);
    return &sources->texts[number];
}

char *sources_line(const struct sources_text *text, uint32_t line)
{
    if (line == 0 || line > text->line_count)
        return NULL;
    const char *from = text->text + text->starts[line - 1];
    size_t length = strcspn(from, "\r\n");
    char *copy = buf_alloc(length * TAB + 1), *to = copy;
    for (size_t i = 0; i < length; i++) {
        if (from[i] != '\t')
            *to++ = from[i];
        else
            do
                *to++ = ' ';
            while ((to - copy) % TAB);
    }
    char *clean = text_clean(copy);
    free(copy);
    return clean;
}

void sources_free(struct sources *sources)
{
    for (size_t i = 0; i < sources->count; i++) {
        free(sources->texts[i].text);
        free(sources->texts[i].starts);
    }
    free(sources->texts);
    intern_free(&sources->paths);
    memset(sources, 0, sizeof *sources);
}

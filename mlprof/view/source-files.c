/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a source file at the places of base/path.c, compares its hash, and keeps its
   lines. Prints each warning about a file once. */

#include "mlprof/view/source-files.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/path.h"
#include "mlprof/base/sourcefile.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"

#include <md5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Columns of a tab, and of a narrow tab. */
#define TAB    8
#define NARROW 4

/* The maximum size of a file: the plugin does not hash larger files, and they are too
   long to read. The maximum size of all files together prevents many large files from
   filling the memory. */
#define MEGABYTE  (1 << 20)
#define FILE_MOST (64 * MEGABYTE)
#define ALL_MOST  (1024 * MEGABYTE)

static void add_compiled(struct source_files *files, const char *path,
                         const unsigned char *hash)
{
    uint32_t number = intern_put(&files->compiled_paths, path);
    while (files->compiled.count <= number)
        BUF_PUSH(files->compiled) = (struct source_files_compiled){0};
    struct source_files_compiled *compiled = &files->compiled.list[number];
    if (!compiled->known)
        memcpy(compiled->hash, hash, CCPROF_HASH_SIZE);
    else if (memcmp(compiled->hash, hash, CCPROF_HASH_SIZE) != 0)
        compiled->several = true;
    compiled->known = true;
}

void source_files_add(struct source_files *files, const struct program *program)
{
    for (size_t i = 0; i < program->count; i++) {
        struct tables *tables = program->tables[i];
        for (uint32_t k = 0; tables && k < tables_unit_count(tables); k++) {
            const struct unit *unit = tables_unit(tables, k);
            for (uint32_t file = 1; file <= unit->file_count; file++) {
                const unsigned char *hash = unit_hash(unit, file);
                if (!hash)
                    continue;
                add_compiled(files, unit_file(unit, file), hash);
            }
        }
    }
}

void source_files_open(struct source_files *files, const struct program *program,
                       const struct source_paths *where)
{
    memset(files, 0, sizeof *files);
    files->where = where;
    source_files_add(files, program);
}

static void warn(const char *path, const char *what, const char *more)
{
    struct fault warning = {0};
    fault_set(&warning, FAULT_FILE, path, "%s%s", what, more);
    fault_warn(&warning);
}

static void find_lines(struct source_files_text *text)
{
    for (size_t offset = 0; text->text && offset < text->size;) {
        BUF_NEXT(text->starts, text->line_count, text->capacity) = offset;
        const char *newline = memchr(text->text + offset, '\n', text->size - offset);
        offset = newline ? (size_t)(newline + 1 - text->text) : text->size;
    }
}

/* Warns that a file cannot be read. PATH is its path at compile time, and FAULT says
   why it cannot be read there. */
static void warn_of_missing(const struct source_files *files, const char *path,
                            const struct fault *fault)
{
    BUF_OWN char *elsewhere = source_paths_searched(files->where, path);
    BUF_OWN char *more = buf_format("%s; its lines are listed without text%s", elsewhere,
                                    *elsewhere ? "" : " (-source-dir, -source-map)");
    warn(path, fault->text + strlen(path) + 2, more);
}

/* Warns about a file that exists, but may differ from the compiled file. */
static void warn_of_other(const char *place, bool compiled_is_known, bool is_shown)
{
    warn(place,
         compiled_is_known ? "changed since it was compiled; "
                           : "the tables do not identify the compiled file; ",
         is_shown ? "its lines may not be those that were measured"
                  : "its lines are listed without text (-source-text any)");
}

/* Returns whether TEXT has the hash of the compiled file. */
static bool is_same(const struct source_files_compiled *compiled, const char *text,
                    size_t size)
{
    unsigned char hash[MD5_DIGEST_LENGTH];
    MD5_CTX context;
    if (!compiled || compiled->several)
        return false;
    MD5Init(&context);
    MD5Update(&context, (const uint8_t *)text, size);
    MD5Final(hash, &context);
    return memcmp(hash, compiled->hash, sizeof hash) == 0;
}

/* A file that may be the compiled one. */
struct candidate {
    const char *place;
    char *text; /* NULL: must not be shown */
    size_t size;
    bool is_same;
};

/* Reads the open FILE unless it is too large, and closes it. If the file is not read,
   returns NULL and sets FAULT. */
static char *read_bounded(struct source_files *files, const struct regular *file,
                          const char *place, size_t *size, struct fault *fault)
{
    uint64_t left = ALL_MOST - files->read;
    if (file->size <= FILE_MOST && file->size <= left) {
        files->read += file->size;
        return content_read_regular(file, place, NULL, size, fault);
    }
    close(file->descriptor);
    if (file->size > FILE_MOST)
        fault_set(fault, FAULT_FILE, place, "larger than %d MB, and not read",
                  FILE_MOST / MEGABYTE);
    else
        fault_set(fault, FAULT_FILE, place, "not read: all that are would be %d MB",
                  ALL_MOST / MEGABYTE);
    return NULL;
}

/* Fills CANDIDATE with the file at PLACE. If the file cannot be read, returns false
   and sets FAULT.

   A file that differs from COMPILED is shown only if the user allows it. The reason:
   the author of the tables may have named a secret file that the user of mlprof can
   read, and printing the file would reveal it. */
static bool look(struct source_files *files, struct candidate *candidate,
                 const struct source_files_compiled *compiled, const char *place,
                 struct fault *fault)
{
    struct regular file;
    enum regular_state state = regular_open(place, &file);
    *candidate = (struct candidate){.place = place};
    if (state != REGULAR_IS)
        return fault_set(fault, FAULT_FILE, place, "%s", regular_describe(state));
    bool allowed = source_paths_allow(files->where, file.descriptor);
    if (!compiled && !allowed) {
        close(file.descriptor);
        return true;
    }
    candidate->text = read_bounded(files, &file, place, &candidate->size, fault);
    if (!candidate->text)
        return false;
    candidate->is_same = is_same(compiled, candidate->text, candidate->size);
    if (!candidate->is_same && !allowed) {
        free(candidate->text);
        candidate->text = NULL;
    }
    return true;
}

static bool is_better(const struct candidate *one, const struct candidate *other)
{
    if (one->is_same != other->is_same)
        return one->is_same;
    return !other->place || (one->text && !other->text);
}

/* Returns whether the source was compiled from standard input, and warns about it. */
static bool is_standard_input(const char *path)
{
    if (strcmp(path_last(path), CCPROF_STDIN) != 0)
        return false;
    warn(path_last(path), "compiled from standard input; ",
         "its lines are listed without text");
    return true;
}

/* Reads into TEXT the file that was compiled at PATH. Takes the first place where the
   file has the compiled content. If there is no such place, takes the first place
   where the file may be shown. */
static void find_text(struct source_files *files, struct source_files_text *text,
                      const char *path)
{
    uint32_t number = intern_put(&files->compiled_paths, path);
    bool known = number < files->compiled.count && files->compiled.list[number].known;
    const struct source_files_compiled *compiled =
        known ? &files->compiled.list[number] : NULL;
    struct source_paths_list list;
    struct candidate best = {0};
    struct fault missing = {0};
    if (is_standard_input(path))
        return;
    const char *recorded = sourcefile_recorded(path);
    progress_set("mlprof: reading %s", recorded);
    source_paths_list(&list, files->where, recorded);
    for (size_t i = 0; !best.is_same && i < list.count; i++) {
        struct candidate here;
        struct fault fault = {0};
        if (look(files, &here, compiled, list.places[i], &fault) &&
            is_better(&here, &best)) {
            free(best.text);
            best = here;
        } else {
            free(here.text);
        }
        if (strcmp(list.places[i], recorded) != 0 || missing.text)
            fault_clear(&fault);
        else
            missing = fault;
    }
    if (!best.place)
        warn_of_missing(files, recorded, &missing);
    else if (!best.is_same)
        warn_of_other(best.place, compiled, best.text);
    text->text = best.text;
    text->size = best.size;
    text->withheld = best.place && !best.text ? buf_copy(best.place) : NULL;
    find_lines(text);
    fault_clear(&missing);
    source_paths_list_free(&list);
}

const struct source_files_text *source_files_get(struct source_files *files,
                                                 const char *path)
{
    uint32_t number = intern_put(&files->paths, path);
    if (number == files->count) {
        struct source_files_text *text =
            &BUF_NEXT(files->texts, files->count, files->capacity);
        *text = (struct source_files_text){0};
        find_text(files, text, path);
    }
    return &files->texts[number];
}

char *source_files_line(const struct source_files_text *text, uint32_t line)
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

void source_files_free(struct source_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->texts[i].text);
        free(files->texts[i].starts);
        free(files->texts[i].withheld);
    }
    free(files->texts);
    intern_free(&files->paths);
    intern_free(&files->compiled_paths);
    free(files->compiled.list);
    memset(files, 0, sizeof *files);
}

/* The minimum number of leading blanks that count as indentation. A single blank only
   aligns the text. */
#define BLANKS_LEAST 2

static size_t blanks(const char *line)
{
    return strspn(line, " ");
}

/* Returns the width of an indentation of COLUMNS if tabs are narrow. */
static size_t narrowed(size_t columns)
{
    return columns / TAB * NARROW + columns % TAB;
}

/* Facts about a range of lines. */
struct lines {
    size_t common;     /* common indentation; SIZE_MAX: no line has text */
    size_t width;      /* of the widest line */
    bool tabs, spaces; /* a line begins with a tab, with blanks */
};

struct indentation source_files_indentation(const struct source_files_text *text,
                                            uint32_t first, uint32_t last, size_t room)
{
    struct lines lines = {.common = SIZE_MAX};
    for (uint64_t line = first; line <= last && line <= text->line_count; line++) {
        BUF_OWN char *expanded = source_files_line(text, (uint32_t)line);
        if (!expanded)
            continue;
        size_t columns = blanks(expanded), width = text_width(expanded);
        const char *raw = text->text + text->starts[line - 1];
        if (columns < strlen(expanded)) {
            lines.common = columns < lines.common ? columns : lines.common;
            lines.width = width > lines.width ? width : lines.width;
            lines.tabs |= raw[0] == '\t';
            lines.spaces |= raw[0] == ' ' && columns >= BLANKS_LEAST;
        }
    }
    if (lines.common == SIZE_MAX)
        return (struct indentation){0};
    return (struct indentation){.common = lines.common,
                                .narrow = lines.tabs && !lines.spaces &&
                                          lines.width - lines.common > room};
}

char *source_files_indented(const struct indentation *indentation,
                            const struct source_files_text *text, uint32_t line)
{
    char *expanded = source_files_line(text, line);
    if (!expanded)
        return NULL;
    size_t columns = blanks(expanded), common = indentation->common;
    size_t width = indentation->narrow ? narrowed(columns) : columns;
    if (indentation->narrow)
        common = narrowed(common);
    size_t kept = width > common ? width - common : 0;
    memmove(expanded, expanded + (columns - kept),
            strlen(expanded) - (columns - kept) + 1);
    return expanded;
}

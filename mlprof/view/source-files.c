/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/view/source-files.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/content.h"
#include "mlprof/base/progress.h"
#include "mlprof/base/text.h"

#include <errno.h>
#include <md5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define TAB 8

/* Where the file is: by the folder of its compilation.  */
static char *full_path(const char *folder, const char *file)
{
    if (file[0] == '/' || !folder || !folder[0])
        return buf_copy(file);
    return buf_format("%s/%s", folder, file);
}

static void add_compiled(struct source_files *files, const char *path,
                         const unsigned char *hash)
{
    uint32_t number = intern_put(&files->compiled_paths, path);
    if (number == files->compiled_count) {
        files->compiled = buf_grow(files->compiled, &files->compiled_capacity,
                                   number + (size_t)1, sizeof *files->compiled);
        files->compiled[files->compiled_count++] = (struct source_files_compiled){0};
    }
    struct source_files_compiled *compiled = &files->compiled[number];
    if (!compiled->hash)
        compiled->hash = hash;
    else if (memcmp(compiled->hash, hash, CCPROF_HASH_SIZE) != 0)
        compiled->several = true;
}

static void add_unit(struct source_files *files, const struct unit *unit)
{
    for (uint32_t i = 1; i <= unit->file_count; i++) {
        const unsigned char *hash = unit_hash(unit, i);
        if (!hash)
            continue;
        char *path = full_path(unit->directory, unit_file(unit, i));
        add_compiled(files, path, hash);
        free(path);
    }
}

void source_files_open(struct source_files *files, const struct program *program,
                       const struct source_paths *where)
{
    memset(files, 0, sizeof *files);
    files->where = where;
    for (size_t i = 0; i < program->count; i++) {
        struct tables *tables = program->tables[i];
        for (uint32_t k = 0; tables && k < tables_unit_count(tables); k++)
            add_unit(files, tables_unit(tables, k));
    }
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
    fault_tell(&warning);
}

static void find_lines(struct source_files_text *text)
{
    for (size_t at = 0; at < text->size;) {
        text->starts = buf_grow(text->starts, &text->capacity, text->line_count + 1,
                                sizeof *text->starts);
        text->starts[text->line_count++] = at;
        const char *newline = memchr(text->text + at, '\n', text->size - at);
        at = newline ? (size_t)(newline + 1 - text->text) : text->size;
    }
}

/* FAULT is what is wrong at PATH, where the file was when it was compiled.  */
static void warn_of_missing(const struct source_files *files, const char *path,
                            const struct fault *fault)
{
    char *elsewhere = source_paths_tell(files->where, path);
    char *more = buf_format("%s; its lines are listed without text%s", elsewhere,
                            *elsewhere ? "" : " (-source-dir, -source-map)");
    warn(path, fault->text + strlen(path) + 2, more);
    free(more);
    free(elsewhere);
}

/* Whether TEXT is not what was compiled at PATH, as far as that is known.  */
static bool has_changed(struct source_files *files, const struct source_files_text *text,
                        const char *path)
{
    unsigned char hash[MD5_DIGEST_LENGTH];
    MD5_CTX context;
    uint32_t number = intern_put(&files->compiled_paths, path);
    if (number >= files->compiled_count)
        return false;
    MD5Init(&context);
    MD5Update(&context, (const uint8_t *)text->text, text->size);
    MD5Final(hash, &context);
    const struct source_files_compiled *compiled = &files->compiled[number];
    return compiled->several || memcmp(hash, compiled->hash, sizeof hash) != 0;
}

/* Reads the file that was compiled at PATH into TEXT: the first of its places with what
   was compiled, otherwise the first that is there.  */
static void find_text(struct source_files *files, struct source_files_text *text,
                      const char *path)
{
    struct source_paths_list list;
    struct fault missing = {0};
    const char *changed = NULL; /* where TEXT is from if it is not what was compiled */
    bool found = false;
    progress_tell("mlprof: reading %s", path);
    source_paths_list(&list, files->where, path);
    for (size_t i = 0; !found && i < list.count; i++) {
        struct source_files_text here = {0};
        struct fault fault = {0};
        here.text = read_regular(list.places[i], &here.size, &fault);
        found = here.text && !has_changed(files, &here, path);
        if (found || (here.text && !text->text)) {
            free(text->text);
            *text = here;
            here.text = NULL;
            changed = found ? NULL : list.places[i];
        }
        free(here.text);
        if (strcmp(list.places[i], path) != 0 || missing.text)
            fault_clear(&fault);
        else
            missing = fault;
    }
    if (!text->text)
        warn_of_missing(files, path, &missing);
    else if (changed)
        warn(changed,
             "changed since it was compiled; its lines may not be those that were "
             "measured",
             "");
    find_lines(text);
    fault_clear(&missing);
    source_paths_list_free(&list);
}

const struct source_files_text *source_files_get(struct source_files *files,
                                                 const struct identity_source *source)
{
    char *path = full_path(source->directory, source->file);
    uint32_t number = intern_put(&files->paths, path);
    if (number == files->count) {
        files->texts = buf_grow(files->texts, &files->capacity, files->count + 1,
                                sizeof *files->texts);
        struct source_files_text *text = &files->texts[files->count++];
        *text = (struct source_files_text){0};
        find_text(files, text, path);
    }
    free(path);
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
    }
    free(files->texts);
    intern_free(&files->paths);
    intern_free(&files->compiled_paths);
    free(files->compiled);
    memset(files, 0, sizeof *files);
}

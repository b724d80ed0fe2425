/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/view/source-files.h"

#include <stdlib.h>

int64_t page_files_put(struct page_files *files, const char *directory, const char *name)
{
    bool fresh;
    if (!name)
        return DATACOLUMNS_NONE;
    uint32_t known =
        index_put(&files->names, (uintptr_t)directory, (uintptr_t)name, 0, &fresh);
    if (!fresh)
        return files->of_name[known];
    char *path = path_straight(directory, name);
    uint32_t number = intern_put(&files->paths, path);
    free(path);
    files->of_name = buf_grow(files->of_name, &files->name_capacity, ++files->name_count,
                              sizeof *files->of_name);
    files->of_name[known] = number;
    if (number == files->count) {
        files->files = buf_grow(files->files, &files->capacity, ++files->count,
                                sizeof *files->files);
        files->files[number] = (struct page_file){directory, name};
    }
    return number;
}

/* Returns the paths at which the file compiled at PATH is searched, separated by
   commas.  The caller frees the text.  */
static char *places_of(const struct source_paths *paths, const char *path)
{
    struct source_paths_list list;
    char *text = NULL;
    size_t size;
    FILE *out = buf_open(&text, &size);
    source_paths_list(&list, paths, path);
    for (size_t i = 0; i < list.count; i++)
        fprintf(out, "%s%s", i ? ", " : "", list.places[i]);
    source_paths_list_free(&list);
    buf_close(out);
    return text;
}

static const struct source_files_text *text_of(struct source_files *texts,
                                               const struct page_file *file)
{
    const struct identity_source source = {.file = file->name,
                                           .directory = file->directory};
    return source_files_get(texts, &source);
}

/* Returns for each file whether OUTER contains its path.  The caller frees the array.  */
static bool *known_files(const struct page_files *files, struct page_files *outer)
{
    bool *known = buf_alloc((files->count + 1) * sizeof *known);
    uint32_t count = outer ? outer->paths.count : 0;
    for (uint32_t i = 0; outer && i < files->count; i++)
        known[i] = intern_put(&outer->paths, intern_text(&files->paths, i)) < count;
    return known;
}

void page_files_print(struct page_files *files, struct json *json,
                      const struct view *view, struct page_files *outer)
{
    struct source_files texts;
    bool *known = known_files(files, outer);
    source_files_open(&texts, view->program, view->sources);
    json_open_field(json, "files");
    json_open_list_field(json, "path");
    for (uint32_t i = 0; i < files->count; i++)
        json_text(json, intern_text(&files->paths, i));
    json_close_list(json);
    json_open_list_field(json, "text");
    for (size_t i = 0; i < files->count; i++) {
        if (known[i]) {
            json_null(json);
            continue;
        }
        const struct source_files_text *file = text_of(&texts, &files->files[i]);
        BUF_OWN char *text = file->text ? buf_copy_prefix(file->text, file->size) : NULL;
        json_text(json, text);
    }
    json_close_list(json);
    json_open_list_field(json, "looked");
    for (uint32_t i = 0; i < files->count; i++) {
        BUF_OWN char *places =
            known[i] || text_of(&texts, &files->files[i])->text
                ? NULL
                : places_of(view->sources, intern_text(&files->paths, i));
        json_text(json, places);
    }
    json_close_list(json);
    json_open_list_field(json, "withheld");
    for (uint32_t i = 0; i < files->count; i++)
        json_text(json, known[i] ? NULL : text_of(&texts, &files->files[i])->withheld);
    json_close_list(json);
    json_close(json);
    source_files_free(&texts);
    free(known);
}

void page_files_free(struct page_files *files)
{
    index_free(&files->names);
    free(files->of_name);
    free(files->files);
    intern_free(&files->paths);
}

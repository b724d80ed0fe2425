/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the source files, for page.c: each file once, with its text, or with the paths
   that were searched. */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/view/source-files.h"

#include <stdlib.h>

int64_t page_file(struct page_data *data, const char *path)
{
    return path ? (int64_t)intern_put(&data->files, path) : DATACOLUMNS_NONE;
}

/* Returns the paths at which the file compiled at PATH is searched, separated by
   commas. The caller frees the text. */
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

/* Returns for each file whether OUTER contains its path. The caller frees the array. */
static bool *known_files(const struct intern *files, struct intern *outer)
{
    bool *known = buf_alloc((files->count + 1) * sizeof *known);
    size_t count = outer ? outer->count : 0;
    for (uint32_t i = 0; outer && i < files->count; i++)
        known[i] = intern_put(outer, intern_text(files, i)) < count;
    return known;
}

void page_files_print(struct page_data *data, struct intern *outer)
{
    const struct view *view = data->view;
    const struct intern *files = &data->files;
    struct json *json = &data->columns.json;
    struct source_files texts;
    BUF_OWN bool *known = known_files(files, outer);
    source_files_open(&texts, view->program, view->sources);
    json_open_field(json, "files");
    datacolumns_print_texts(json, "path", files);
    json_open_list_field(json, "text");
    for (uint32_t i = 0; i < files->count; i++) {
        if (known[i]) {
            json_null(json);
            continue;
        }
        const struct source_files_text *file =
            source_files_get(&texts, intern_text(files, i));
        BUF_OWN char *text = file->text ? buf_copy_prefix(file->text, file->size) : NULL;
        json_text(json, text);
    }
    json_close_list(json);
    json_open_list_field(json, "looked");
    for (uint32_t i = 0; i < files->count; i++) {
        const char *path = intern_text(files, i);
        BUF_OWN char *places = known[i] || source_files_get(&texts, path)->text
                                   ? NULL
                                   : places_of(view->sources, path);
        json_text(json, places);
    }
    json_close_list(json);
    json_open_list_field(json, "withheld");
    for (uint32_t i = 0; i < files->count; i++)
        json_text(json, known[i]
                            ? NULL
                            : source_files_get(&texts, intern_text(files, i))->withheld);
    json_close_list(json);
    json_close(json);
    source_files_free(&texts);
}

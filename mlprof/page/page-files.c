/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the source files, for page.c: each file once, with its text, or with the paths
   that were searched. */

#include "mlprof/base/buf.h"
#include "mlprof/page/page-inside.h"
#include "mlprof/view/source-files.h"

#include <stdlib.h>

int64_t page_files_put(struct page_files *files, const char *path)
{
    return path ? (int64_t)intern_put(&files->paths, path) : DATACOLUMNS_NONE;
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
static bool *known_files(const struct page_files *files, struct page_files *outer)
{
    bool *known = buf_alloc((files->paths.count + 1) * sizeof *known);
    uint32_t count = outer ? outer->paths.count : 0;
    for (uint32_t i = 0; outer && i < files->paths.count; i++)
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
    for (uint32_t i = 0; i < files->paths.count; i++)
        json_text(json, intern_text(&files->paths, i));
    json_close_list(json);
    json_open_list_field(json, "text");
    for (uint32_t i = 0; i < files->paths.count; i++) {
        if (known[i]) {
            json_null(json);
            continue;
        }
        const struct source_files_text *file =
            source_files_get(&texts, intern_text(&files->paths, i));
        BUF_OWN char *text = file->text ? buf_copy_prefix(file->text, file->size) : NULL;
        json_text(json, text);
    }
    json_close_list(json);
    json_open_list_field(json, "looked");
    for (uint32_t i = 0; i < files->paths.count; i++) {
        BUF_OWN char *places =
            known[i] || source_files_get(&texts, intern_text(&files->paths, i))->text
                ? NULL
                : places_of(view->sources, intern_text(&files->paths, i));
        json_text(json, places);
    }
    json_close_list(json);
    json_open_list_field(json, "withheld");
    for (uint32_t i = 0; i < files->paths.count; i++)
        json_text(
            json,
            known[i] ? NULL
                     : source_files_get(&texts, intern_text(&files->paths, i))->withheld);
    json_close_list(json);
    json_close(json);
    source_files_free(&texts);
    free(known);
}

void page_files_free(struct page_files *files)
{
    intern_free(&files->paths);
}

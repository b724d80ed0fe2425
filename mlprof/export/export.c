/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of formats. A new format is added to this list and to export.h. */

#include "mlprof/export/export.h"
#include "mlprof/base/files.h"

#include <stdlib.h>
#include <string.h>

/* Formats that are used often come first. */
const struct export_format *const export_formats[] = {
    &html_format,   &data_json_format, &data_csv_format, &pprof_format,     &otlp_format,
    &folded_format, &callgrind_format, &lcov_format,     &cobertura_format, &dhat_format,
    &gcda_format,   &afdo_format,      &perfetto_format,
};

const size_t export_format_count = sizeof export_formats / sizeof *export_formats;
_Static_assert(sizeof export_formats / sizeof *export_formats <= EXPORT_MOST,
               "EXPORT_MOST is less than the number of formats");

char *export_compress(const char *path, char *text, size_t *size, bool always)
{
    if (!always && !gzip_is_wanted(path))
        return text;
    char *compressed = gzip_compress(text, *size, size);
    free(text);
    return compressed;
}

bool export_save(const char *path, char *text, size_t size, struct fault *fault)
{
    text = export_compress(path, text, &size, false);
    bool good = save_file(path, text, size, fault);
    free(text);
    return good;
}

const char *export_path(const struct export_files *files, const char *name)
{
    for (size_t i = 0; i < export_format_count; i++)
        if (strcmp(export_formats[i]->name, name) == 0)
            return files->paths[i];
    return NULL;
}

bool export_is_requested(const struct export_files *files)
{
    for (size_t i = 0; i < export_format_count; i++)
        if (files->paths[i])
            return true;
    return false;
}

bool export_needs(const struct export_files *files, enum export_needs need)
{
    for (size_t i = 0; i < export_format_count; i++)
        if (files->paths[i] && export_formats[i]->needs & need)
            return true;
    return false;
}

bool export_needs_alone(const struct export_files *files, enum export_needs need)
{
    bool any = false;
    for (size_t i = 0; i < export_format_count; i++) {
        if (files->paths[i] && !(export_formats[i]->needs & need))
            return false;
        any |= files->paths[i] != NULL;
    }
    return any;
}

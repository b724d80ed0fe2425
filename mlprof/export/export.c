/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/export/export.h"
#include "mlprof/base/gzip.h"
#include "mlprof/base/save.h"
#include "mlprof/export/callgrind.h"
#include "mlprof/export/cobertura.h"
#include "mlprof/export/data.h"
#include "mlprof/export/dhat.h"
#include "mlprof/export/firefox.h"
#include "mlprof/export/folded.h"
#include "mlprof/export/gcov-json.h"
#include "mlprof/export/google-pprof.h"
#include "mlprof/export/html.h"
#include "mlprof/export/lcov.h"
#include "mlprof/export/pprof.h"
#include "mlprof/export/speedscope.h"

#include <stdlib.h>
#include <string.h>

/* In the order of their use, in which -help has them.  */
/* Options with an effect on what is beside the figures.  */
#define TITLE  "graph-title "
#define TEXTS  "source-dir source-map source-text "
#define TABLES "branch by paths subtract "
#define BUILDS "merge-builds "

const struct export_format export_formats[] = {
    {.name = "html",
     .help = "write a page for a browser, to look around in",
     .goes_by = VIEWS_BY_COPIES TABLES TEXTS TITLE,
     .beside = "compare growth",
     .goes_by_beside = TEXTS TITLE,
     .needs = EXPORT_GROUPED | EXPORT_ADDRESSES | EXPORT_ORIGINS,
     .write = html_write},
    {.name = "json",
     .help = "write all tables as JSON",
     .goes_by = VIEWS_BY_COPIES TABLES BUILDS,
     .beside = "compare growth gate",
     .write = data_write_json},
    {.name = "csv",
     .help = "write the table as comma-separated values",
     .goes_by = VIEWS_BY_COPIES TABLES BUILDS,
     .beside = "compare growth gate",
     .of_table = true,
     .write = data_write_csv},
    {.name = "pprof",
     .help = "write the profile for pprof, compressed",
     .goes_by = VIEWS_BY_SAMPLES BUILDS,
     .needs = EXPORT_ADDRESSES | EXPORT_ORIGINS,
     .compressed = true,
     .write = pprof_write},
    {.name = "firefox",
     .help = "write the profile for the Firefox Profiler",
     .goes_by = VIEWS_BY_COPIES TEXTS TITLE,
     .needs = EXPORT_ADDRESSES,
     .write = firefox_write},
    {.name = "speedscope",
     .help = "write the stacks for speedscope",
     .goes_by = VIEWS_BY_COPIES TITLE BUILDS,
     .write = speedscope_write},
    {.name = "folded",
     .help = "write the stacks, one a line, for flame graphs",
     .goes_by = VIEWS_BY_COPIES BUILDS,
     .write = folded_write},
    {.name = "callgrind",
     .help = "write calls, lines and jumps for KCachegrind",
     .goes_by = VIEWS_BY_COPIES,
     .write = callgrind_write},
    {.name = "google-pprof",
     .help = "write the samples for google-pprof of gperftools",
     .goes_by = VIEWS_BY_COPIES,
     .write = google_pprof_write},
    {.name = "lcov",
     .help = "write coverage as lcov's tracefile",
     .goes_by = VIEWS_BY_DATA,
     .needs = EXPORT_BLOCKS,
     .write = lcov_write},
    {.name = "cobertura",
     .help = "write coverage as XML, for GitLab and Jenkins",
     .goes_by = VIEWS_BY_DATA,
     .needs = EXPORT_BLOCKS,
     .write = cobertura_write},
    {.name = "gcov",
     .help = "write how often lines ran, as gcov's JSON",
     .goes_by = VIEWS_BY_DATA "gcov-version",
     .needs = EXPORT_BLOCKS,
     .write = gcov_json_write},
    {.name = "dhat",
     .help = "write what was allocated for DHAT's viewer",
     .goes_by = VIEWS_BY_STACKS,
     .write = dhat_write},
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
        if (strcmp(export_formats[i].name, name) == 0)
            return files->paths[i];
    return NULL;
}

bool export_is_wanted(const struct export_files *files)
{
    for (size_t i = 0; i < export_format_count; i++)
        if (files->paths[i])
            return true;
    return false;
}

bool export_needs(const struct export_files *files, enum export_needs need)
{
    for (size_t i = 0; i < export_format_count; i++)
        if (files->paths[i] && export_formats[i].needs & need)
            return true;
    return false;
}

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
const struct export_format export_formats[] = {
    {"html", "write a page for a browser, to look around in",
     EXPORT_STACKS | EXPORT_TABLES | EXPORT_TEXTS | EXPORT_TITLE | EXPORT_COMPARED,
     EXPORT_GROUPED | EXPORT_ADDRESSES | EXPORT_ORIGINS, false, html_write},
    {"json", "write all tables as JSON",
     EXPORT_TABLES | EXPORT_COMPARED | EXPORT_GATED | EXPORT_BUILDS, 0, false,
     data_write_json},
    {"csv", "write the table as comma-separated values",
     EXPORT_TABLES | EXPORT_PRINTED | EXPORT_COMPARED | EXPORT_GATED | EXPORT_BUILDS, 0,
     false, data_write_csv},
    {"pprof", "write the profile for pprof, compressed", EXPORT_FRAMES | EXPORT_BUILDS,
     EXPORT_ADDRESSES | EXPORT_ORIGINS, true, pprof_write},
    {"firefox", "write the profile for the Firefox Profiler",
     EXPORT_STACKS | EXPORT_TEXTS | EXPORT_TITLE, EXPORT_ADDRESSES, false, firefox_write},
    {"speedscope", "write the stacks for speedscope",
     EXPORT_STACKS | EXPORT_TITLE | EXPORT_BUILDS, 0, false, speedscope_write},
    {"folded", "write the stacks, one a line, for flame graphs",
     EXPORT_STACKS | EXPORT_BUILDS, 0, false, folded_write},
    {"callgrind", "write calls, lines and jumps for KCachegrind", EXPORT_STACKS, 0, false,
     callgrind_write},
    {"google-pprof", "write the samples for google-pprof of gperftools", EXPORT_STACKS, 0,
     false, google_pprof_write},
    {"lcov", "write coverage as lcov's tracefile", EXPORT_COVERAGE, EXPORT_BLOCKS, false,
     lcov_write},
    {"cobertura", "write coverage as XML, for GitLab and Jenkins", EXPORT_COVERAGE,
     EXPORT_BLOCKS, false, cobertura_write},
    {"gcov", "write how often lines ran, as gcov's JSON",
     EXPORT_COVERAGE | EXPORT_VERSIONS, EXPORT_BLOCKS, false, gcov_json_write},
    {"dhat", "write what was allocated for DHAT's viewer", EXPORT_ALLOCATED, 0, false,
     dhat_write},
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

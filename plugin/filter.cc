// SPDX-License-Identifier: GPL-3.0-or-later

#include "filter.h"
#include "memory.h"

#include <regex.h>

struct pattern {
    regex_t regexp;
    bool include;
};

static struct pattern *patterns;
static size_t count, room;

// Of the program's calls to its profiler (rt/ccprof.h) nobody wants to hear.
static const char own[] = "(^|/)ccprof\\.(h|f90)$";

void filter_start(void)
{
    filter_add(own, false);
}

const char *filter_add(const char *regexp, bool include)
{
    static char message[256];

    patterns =
        (struct pattern *)memory_reserve(patterns, &room, count + 1, sizeof *patterns);
    struct pattern *pattern = &patterns[count];
    int error = regcomp(&pattern->regexp, regexp, REG_EXTENDED | REG_NOSUB);
    if (error) {
        regerror(error, &pattern->regexp, message, sizeof message);
        return message;
    }
    pattern->include = include;
    count++;
    return NULL;
}

bool filter_wants(const char *file)
{
    for (size_t i = count; file && i > 0; i--)
        if (!regexec(&patterns[i - 1].regexp, file, 0, NULL, 0))
            return patterns[i - 1].include;
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the beginning of a file to decide what a word of the command line names. */

#include "mlprof/options/inputs.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/path.h"
#include "mlprof/elf/elffile.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool begins_with(const char *path, const char *start)
{
    struct fault fault = {0};
    size_t size, length = strlen(start);
    BUF_OWN char *text = content_read_found(path, NULL, length, &size, &fault);
    bool does = text && size == length && memcmp(text, start, length) == 0;
    fault_clear(&fault);
    return does;
}

bool inputs_is_executable(const char *path)
{
    return begins_with(path, "\177ELF");
}

bool inputs_is_data(const char *path)
{
    return begins_with(path, "ccprof mlmon ");
}

bool inputs_is_budget(const char *path)
{
    return begins_with(path, "ccprof budget ");
}

bool inputs_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool same_file(const char *one, const char *other)
{
    BUF_OWN char *a = realpath(one, NULL), *b = realpath(other, NULL);
    return a && b && strcmp(a, b) == 0;
}

bool inputs_is_measured(const char *program, const char *build_id,
                        const struct profile_module *measured)
{
    if (!build_id && !measured->build_id)
        return same_file(program, measured->path);
    return elffile_same_build_id(build_id, measured->build_id);
}

/* Returns whether the file at PATH, which may be missing, is the measured program. */
static bool is_program(const char *path, const struct profile_module *measured)
{
    struct elffile *file = elffile_try(path);
    bool good = file && inputs_is_measured(path, file->build_id, measured);
    elffile_close(file);
    return good;
}

char *inputs_find_program(const char *data, const struct profile_module *measured)
{
    BUF_OWN char *path = path_of_program(measured->path);
    const char *name = path_last(path);
    BUF_OWN char *here = buf_format("./%s", name);
    BUF_OWN char *beside =
        buf_format("%.*s%s", (int)(path_last(data) - data), data, name);
    char *places[] = {path, here, beside};
    char *program = NULL;
    for (size_t i = 0; !program && i < sizeof places / sizeof *places; i++)
        if (is_program(places[i], measured))
            program = buf_copy(places[i]);
    return program;
}

/* GCC's files store the number of runs in 32 bits. */
#define WEIGHT_MOST UINT32_MAX

/* Returns PATH without `./' at the beginning, repeated slashes and slashes at the end.
   The caller frees it. */
static char *plain(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 1 + strspn(path + 1, "/");
    char *text = buf_copy(path), *to = text;
    for (const char *cursor = text; *cursor; cursor++)
        if (*cursor != '/' || cursor[1] != '/')
            *to++ = *cursor;
    if (to > text + 1 && to[-1] == '/')
        to--;
    *to = '\0';
    return text;
}

char *weights_put(struct weights *weights, const char *word)
{
    const char *equals = strrchr(word, '=');
    if (!equals || equals == word)
        return buf_copy(equals ? "nothing before `='" : "it has no `='");
    char *end;
    uint64_t weight = strtoull(equals + 1, &end, 10);
    if (!isdigit((unsigned char)equals[1]) || *end || weight < 1 || weight > WEIGHT_MOST)
        return buf_format("the weight is a whole number from 1 to %llu",
                          (unsigned long long)WEIGHT_MOST);
    BUF_OWN char *pattern = buf_copy_prefix(word, (size_t)(equals - word));
    BUF_NEXT(weights->weights, weights->count, weights->capacity) =
        (struct weights_weight){.pattern = plain(pattern), .weight = weight};
    return NULL;
}

static bool is_one(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || fnmatch(pattern, name, FNM_PATHNAME) == 0;
}

/* Returns whether the pattern matches PATH or a folder that contains it. Modifies
   PATH temporarily. */
static bool is_around(const char *pattern, char *path)
{
    bool matches = is_one(pattern, path);
    for (char *cursor = path + 1; *path && !matches && (cursor = strchr(cursor, '/'));
         cursor++) {
        *cursor = '\0';
        matches = is_one(pattern, path);
        *cursor = '/';
    }
    return matches;
}

uint64_t weights_of(const struct weights *weights, const char *path, bool *used)
{
    BUF_OWN char *name = plain(path);
    uint64_t weight = 1;
    for (size_t i = 0; i < weights->count; i++) {
        if (!is_around(weights->weights[i].pattern, name))
            continue;
        weight = weights->weights[i].weight;
        used[i] = true;
    }
    return weight;
}

bool weights_check(const struct weights *weights, const bool *used, struct fault *fault)
{
    for (size_t i = 0; i < weights->count; i++) {
        const struct weights_weight *one = &weights->weights[i];
        if (used[i])
            continue;
        BUF_OWN char *option =
            buf_format("-weight %s=%llu", one->pattern, (unsigned long long)one->weight);
        return fault_set(fault, FAULT_MISMATCH, option, "no data file has such a name");
    }
    return true;
}

void weights_free(struct weights *weights)
{
    for (size_t i = 0; i < weights->count; i++)
        free(weights->weights[i].pattern);
    free(weights->weights);
    memset(weights, 0, sizeof *weights);
}

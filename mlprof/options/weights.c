/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/options/weights.h"
#include "mlprof/base/buf.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/* The number of runs has 32 bits in GCC's files.  */
#define WEIGHT_MOST UINT32_MAX

/* PATH without what does not change the file that it names: `./' before it, slashes
   twice and at its end; to be freed.  */
static char *plain(const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 1 + strspn(path + 1, "/");
    char *text = buf_copy(path), *to = text;
    for (const char *at = text; *at; at++)
        if (*at != '/' || at[1] != '/')
            *to++ = *at;
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
    const char *digits = equals + 1;
    uint64_t weight = 0;
    for (const char *at = digits; isdigit((unsigned char)*at); at++)
        if (weight <= WEIGHT_MOST)
            weight = 10 * weight + (uint64_t)(*at - '0');
    if (!*digits || digits[strspn(digits, "0123456789")] || weight < 1 ||
        weight > WEIGHT_MOST)
        return buf_format("the weight is a whole number from 1 to %llu",
                          (unsigned long long)WEIGHT_MOST);
    BUF_OWN char *pattern = buf_copy_prefix(word, (size_t)(equals - word));
    weights->weights = buf_grow(weights->weights, &weights->capacity, weights->count + 1,
                                sizeof *weights->weights);
    weights->weights[weights->count++] =
        (struct weights_weight){.pattern = plain(pattern), .weight = weight};
    return NULL;
}

static bool is_one(const char *pattern, const char *name)
{
    return strcmp(pattern, name) == 0 || fnmatch(pattern, name, FNM_PATHNAME) == 0;
}

/* Whether the pattern is PATH, or a folder around it.  PATH is the same afterwards.  */
static bool is_around(const char *pattern, char *path)
{
    bool around = is_one(pattern, path);
    for (char *at = path + 1; *path && !around && (at = strchr(at, '/')); at++) {
        *at = '\0';
        around = is_one(pattern, path);
        *at = '/';
    }
    return around;
}

uint64_t weights_of(const struct weights *weights, const char *path, bool *used)
{
    char *name = plain(path);
    uint64_t weight = 1;
    for (size_t i = 0; i < weights->count; i++) {
        if (!is_around(weights->weights[i].pattern, name))
            continue;
        weight = weights->weights[i].weight;
        used[i] = true;
    }
    free(name);
    return weight;
}

bool weights_check(const struct weights *weights, const bool *used, struct fault *fault)
{
    for (size_t i = 0; i < weights->count; i++) {
        const struct weights_weight *one = &weights->weights[i];
        if (used[i])
            continue;
        char *option =
            buf_format("-weight %s=%llu", one->pattern, (unsigned long long)one->weight);
        fault_set(fault, FAULT_MISMATCH, option, "no data file has such a name");
        free(option);
        return false;
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

/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/datafiles.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/content.h"
#include "mlprof/base/progress.h"
#include "mlprof/profile/mlmon.h"
#include "mlprof/program/program.h"

#include <stdlib.h>
#include <string.h>

/* What the data files are added up to.  */
struct sum {
    const struct options *options;
    const struct tables *executable;
    struct profile *profile;
    struct fault *fault;
    size_t files;     /* begun */
    bool told_stacks; /* that only some have stacks */
    bool told_times;  /* that times are left out */
};

/* Files with stacks and files without: what all have is shown.  */
static void warn_of_mixed_stacks(struct sum *sum, const struct profile *profile,
                                 const char *path)
{
    struct fault warning = {0};
    bool before = sum->profile->stack, here = profile->stack;
    if (sum->told_stacks || before == here || !sum->profile->samples || !profile->samples)
        return;
    sum->told_stacks = true;
    fault_set(
        &warning, FAULT_MISMATCH, path,
        "measured %s stacks, the data before it %s stacks: what only stacks tell, the "
        "column stack for example, is left out",
        here ? "with" : "without", before ? "with" : "without");
    progress_clear();
    fault_print(&warning);
    fault_clear(&warning);
}

/* Times of samples are those of one run: of several they are not told.  */
static void warn_of_times(struct sum *sum, bool had, const char *path)
{
    struct fault warning = {0};
    if (sum->told_times || !had || sum->profile->times.width)
        return;
    sum->told_times = true;
    fault_set(&warning, FAULT_MISMATCH, path,
              "added to the data before it: when samples were taken is told of one file "
              "alone, and left out");
    progress_clear();
    fault_print(&warning);
    fault_clear(&warning);
}

/* Which samples are of which rank takes memory for each of them.  */
static bool wants_origins(const struct options *options)
{
    return options->by == ROWS_RANKS || options->imbalance == SPREAD_RANKS ||
           export_needs(&options->exports, EXPORT_ORIGINS);
}

static bool add_file(struct sum *sum, const char *path, struct fault *fault)
{
    struct profile profile = {0};
    progress_tell("mlprof: reading %s, file %zu", path, ++sum->files);
    bool good = mlmon_read(&profile, path, fault) &&
                program_check(sum->executable, &profile, path, fault);
    if (good && wants_origins(sum->options))
        profile_keep_origins(&profile);
    if (good) {
        warn_of_mixed_stacks(sum, &profile, path);
        bool had = sum->profile->times.width || profile.times.width;
        good = profile_fold(sum->profile, &profile, path, fault);
        warn_of_times(sum, good && had, path);
    }
    profile_free(&profile);
    return good;
}

/* Adds a file to DATA, a sum, or with -tolerant says why not.  */
static bool try_file(void *data, const char *path)
{
    struct sum *sum = data;
    if (add_file(sum, path, sum->fault))
        return true;
    if (!sum->options->tolerant)
        return false;
    progress_clear();
    fault_print(sum->fault);
    fault_clear(sum->fault);
    return true;
}

/* What stands between the names in a list.  */
static const char blanks[] = " \t\r\n\v\f";

bool datafiles_each(const char *path, bool (*use)(void *data, const char *file),
                    void *data, struct fault *fault)
{
    size_t size;
    char *rest, *text = content_read(path, NULL, &size, fault);
    if (!text)
        return false;
    bool good = true;
    for (char *word = strtok_r(text, blanks, &rest); good && word;
         word = strtok_r(NULL, blanks, &rest))
        good = use(data, word);
    free(text);
    return good;
}

bool datafiles_read(struct profile *profile, const struct options *options,
                    const struct tables *executable, struct fault *fault)
{
    struct sum sum = {
        .options = options, .executable = executable, .profile = profile, .fault = fault};
    for (size_t i = 1; i < options->operand_count; i++)
        if (!try_file(&sum, options->operands[i]))
            return false;
    for (size_t i = 0; i < options->lists.count; i++)
        if (!datafiles_each(options->lists.word[i], try_file, &sum, fault))
            return false;
    shares_sort(&profile->origins.shares);
    return true;
}

char *datafiles_first(const char *path, struct fault *fault)
{
    size_t size;
    char *text = content_read(path, NULL, &size, fault);
    if (!text)
        return NULL;
    const char *start = text + strspn(text, blanks);
    char *first = buf_copy_prefix(start, strcspn(start, blanks));
    free(text);
    if (*first)
        return first;
    free(first);
    fault_set(fault, FAULT_FILE, path, "lists no data file");
    return NULL;
}

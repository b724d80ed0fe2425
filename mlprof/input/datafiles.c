/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up the data files of the command line, and checks that they belong to one
   program. The warnings about mixed builds, jobs and times are here. */

#include "mlprof/input/datafiles.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/index.h"
#include "mlprof/base/path.h"
#include "mlprof/base/terminal.h"
#include "mlprof/base/text.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/flow/arccounts.h"
#include "mlprof/options/inputs.h"
#include "mlprof/profile/mlmon.h"
#include "mlprof/program/program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The builds named on the command line, with -merge-builds. All zero at first. */
struct builds {
    struct elffile **files;
    size_t count, capacity;
};

/* BUILDS are the builds named on the command line. Returns the path of the build with
   which the data was measured, or NULL if it was measured with none of them. */
static const char *named_build(const struct builds *builds,
                               const struct profile_module *measured)
{
    for (size_t i = 0; i < builds->count; i++)
        if (inputs_is_measured(builds->files[i]->path, builds->files[i]->build_id,
                               measured))
            return builds->files[i]->path;
    return NULL;
}

/* Returns whether MEASURED, module 0 of a data file, is one of BUILDS or has the file
   name of the executable at PATH. */
static bool builds_has(const struct builds *builds, const char *path,
                       const struct profile_module *measured)
{
    return program_same_name(path, measured->path) || named_build(builds, measured);
}

/* Called if DATA, which was read from FILE, belongs to another build than the
   executable at PATH. Sets the path of DATA's module 0 to the present path of that
   build. If the build is not found, returns false and sets FAULT. */
static bool builds_find(const struct builds *builds, const char *path,
                        struct profile *data, const char *file, struct fault *fault)
{
    struct profile_module *measured = &data->modules.list[0];
    const char *name = named_build(builds, measured);
    char *found = name ? buf_copy(name) : inputs_find_program(file, measured);
    if (!found)
        return fault_set(fault, FAULT_MISMATCH, file,
                         "measured with a build of %s that was not found (build-id %s): "
                         "name it after %s",
                         measured->path, measured->build_id ? measured->build_id : "none",
                         path);
    free(measured->path);
    measured->path = found;
    return true;
}

/* The state while data files are added up. */
struct sum {
    const struct options *options;
    const struct tables *executable;
    struct profile *profile;
    struct fault *fault;
    struct builds builds; /* the named builds, with -merge-builds */
    struct arcruns runs;  /* filled if an export needs it */
    bool *weighted;       /* by weight: it applied to a file; NULL: no weights */
    size_t files;         /* number of files started */
    bool several;         /* the command line names several data files */
    bool unfinished;      /* an unfinished file was skipped */
    bool warned_stacks;   /* warned that only some files have stacks */
    bool warned_times;    /* warned that times are omitted */
};

/* Warns if some files have stacks and others do not, because then no stacks are shown. */
static void warn_of_mixed_stacks(struct sum *sum, const struct profile *profile,
                                 const char *path)
{
    bool before = sum->profile->sampling.stack, here = profile->sampling.stack;
    if (sum->warned_stacks || before == here || !sum->profile->sampling.samples ||
        !profile->sampling.samples)
        return;
    sum->warned_stacks = true;
    fault_message(
        "%s: measured %s stacks, the data before it %s stacks: figures that need "
        "stacks are left out, for example the column total",
        path, here ? "with" : "without", before ? "with" : "without");
}

/* Warns if times of samples are omitted because there are several files. HAD_TIMES
   says whether the files read so far, including the file at PATH, had times. */
static void warn_of_times(struct sum *sum, bool had_times, const char *path)
{
    if (sum->warned_times || !had_times || sum->profile->times.width)
        return;
    sum->warned_times = true;
    fault_message(
        "%s: added to the data before it: the times of samples can be shown for "
        "one file only, and are left out",
        path);
}

/* Called if the data file at PATH belongs to another program. A program renames such
   a file before it writes its own. If the file was renamed, adds its name to FAULT. */
static void name_renamed(const struct sum *sum, const char *path, struct fault *fault)
{
    const char *program = tables_path(sum->executable);
    BUF_OWN char *renamed = buf_format("%s.%s", path, path_last(program));
    struct profile head = {0};
    struct fault none = {0};
    if (mlmon_read_program(&head, renamed, &none) &&
        inputs_is_measured(program, tables_build_id(sum->executable),
                           &head.modules.list[0])) {
        BUF_OWN char *hint = buf_format("its data are in %s", renamed);
        fault_add(fault, hint);
    }
    profile_free(&head);
    fault_clear(&none);
}

/* Checks that PROFILE, which was read from the file at PATH, belongs to the program
   or, with -merge-builds, to another build of the program. Sets the path of module 0
   to the present path of the build, because builds without a build ID are identified
   by their paths. */
static bool check_program(struct sum *sum, struct profile *profile, const char *path,
                          struct fault *fault)
{
    struct profile_module *measured = &profile->modules.list[0];
    const char *program = tables_path(sum->executable);
    if (!sum->options->merge_builds || !builds_has(&sum->builds, program, measured)) {
        bool good = program_check(sum->executable, profile, path, fault);
        if (!good)
            name_renamed(sum, path, fault);
        return good;
    }
    if (!inputs_is_measured(program, tables_build_id(sum->executable), measured))
        return builds_find(&sum->builds, program, profile, path, fault);
    free(measured->path);
    measured->path = buf_copy(program);
    return true;
}

/* PROFILE is one run. Records information about the run that is lost in the sum, such
   as its rank, and multiplies PROFILE by WEIGHT. */
static void note_run(struct sum *sum, struct profile *profile, uint64_t weight)
{
    const struct tables *executable = sum->executable;
    bool same = !sum->options->merge_builds ||
                inputs_is_measured(tables_path(executable), tables_build_id(executable),
                                   &profile->modules.list[0]);
    if (sum->options->rows_key == ROWS_PROCESSES ||
        stacks_filter_has_processes(&sum->options->filter))
        profile_put_process(profile);
    if (sum->options->rows_key == ROWS_RANKS ||
        options_load(sum->options) == SPREAD_RANKS ||
        export_needs(&sum->options->exports, EXPORT_ORIGINS))
        profile_keep_origins(profile);
    if (export_needs(&sum->options->exports, EXPORT_RUNS))
        arcruns_note(&sum->runs, profile, same ? executable : NULL);
    if (weight > 1)
        profile_multiply(profile, weight);
}

/* The process that was measured has the root folder ROOT, as in a container. Changes the
   paths of shared objects to those that mlprof can open. */
static void find_modules(struct profile *profile, const char *root)
{
    for (size_t i = 1; i < profile->modules.count; i++) {
        char **path = &profile->modules.list[i].path;
        char *below = buf_format("%s%s", root, *path);
        bool is = (*path)[0] == '/' && access(below, F_OK) == 0;
        free(is ? *path : below);
        *path = is ? below : *path;
    }
}

/* Adds the file at PATH. READER is a function of mlmon.h that reads it. */
static bool add_file(struct sum *sum, const char *path,
                     bool (*reader)(struct profile *, const char *, struct fault *),
                     struct fault *fault)
{
    struct profile profile = {0};
    uint64_t weight = weights_of(&sum->options->weights, path, sum->weighted);
    progress_set("mlprof: reading %s, file %zu", path, ++sum->files);
    bool good =
        reader(&profile, path, fault) && check_program(sum, &profile, path, fault);
    if (good && sum->options->root)
        find_modules(&profile, sum->options->root);
    if (good) {
        note_run(sum, &profile, weight);
        warn_of_mixed_stacks(sum, &profile, path);
        bool had_times = sum->profile->times.width || profile.times.width;
        good = profile_fold(sum->profile, &profile, path, fault);
        warn_of_times(sum, good && had_times, path);
    }
    profile_free(&profile);
    return good;
}

/* Returns GOOD. With -tolerant, prints the fault instead and returns true. */
static bool tolerate(struct sum *sum, bool good)
{
    if (good)
        return true;
    if (!sum->options->tolerant)
        return false;
    fault_warn(sum->fault);
    return true;
}

/* Counts the files of a folder: the files added to the sum, and the files skipped
   because they belong to other programs. */
struct collected {
    struct sum *sum;
    size_t added, left;
};

/* The files of other programs in all folders with files of the program. */
static struct {
    char *folder; /* one of the folders */
    size_t folders, files;
    struct intern programs; /* build IDs or paths of the other programs */
} others;

/* Adds a file to DATA, a struct collected, if it was measured with the program. A
   callback of datafolder_each. */
static bool add_collected(void *data, const char *file, const struct profile *head)
{
    struct collected *collected = data;
    struct sum *sum = collected->sum;
    const struct profile_module *measured = &head->modules.list[0];
    const char *program = tables_path(sum->executable);
    if (inputs_is_measured(program, tables_build_id(sum->executable), measured) ||
        (sum->options->merge_builds && builds_has(&sum->builds, program, measured))) {
        bool good = add_file(sum, file, mlmon_read_found, sum->fault);
        if (!good && datafolder_is_gone(file)) {
            fault_clear(sum->fault);
            return true;
        }
        collected->added++;
        return tolerate(sum, good);
    }
    intern_put(&others.programs,
               measured->build_id ? measured->build_id : measured->path);
    collected->left++;
    return true;
}

void datafiles_warn_of_others(void)
{
    if (!others.folders)
        return;
    BUF_OWN char *files = text_number(others.files, "file");
    BUF_OWN char *programs = text_number(others.programs.count, "other program");
    BUF_OWN char *folders = text_number(others.folders, "folder");
    bool one = others.folders == 1;
    fault_message("%s: %s of %s, or of other builds, left out: mlprof %s lists them",
                  one ? others.folder : folders, files, programs,
                  one ? others.folder : "FOLDER");
    intern_free(&others.programs);
    free(others.folder);
}

static bool add_folder(struct sum *sum, const char *path)
{
    struct collected collected = {.sum = sum};
    const char *program = tables_path(sum->executable);
    bool good = datafolder_each(path, sum->options->tolerant, add_collected, &collected,
                                sum->fault);
    if (good && collected.added && collected.left) {
        if (others.folders++ == 0)
            others.folder = buf_copy(path);
        others.files += collected.left;
    } else if (good && collected.left)
        good = fault_set(sum->fault, FAULT_MISMATCH, path,
                         "there are no data of %s, or none of this build of it: mlprof "
                         "%s lists the programs",
                         program, path);
    else if (good && !collected.added)
        good = fault_set(sum->fault, FAULT_FILE, path, "there are no data files in it");
    return good;
}

static bool add(struct sum *sum, const char *path)
{
    return inputs_is_folder(path) ? add_folder(sum, path)
                                  : add_file(sum, path, mlmon_read, sum->fault);
}

/* Skips an unfinished file if several files are named, for example by `mlmon.out.*'.
   Such a file remains if a process is killed while it writes. It may be truncated,
   and another file may have the same content. Returns whether the file was skipped. */
static bool leave_unfinished(struct sum *sum, const char *path)
{
    if (!sum->several || !datafolder_is_unfinished(path) || inputs_is_folder(path))
        return false;
    sum->unfinished = true;
    fault_message("%s: was not finished, and left out", path);
    return true;
}

/* Adds a file or a folder to DATA, a struct sum. With -tolerant, faults are printed
   and the file or folder is skipped. */
static bool try_file(void *data, const char *path)
{
    struct sum *sum = data;
    return leave_unfinished(sum, path) || tolerate(sum, add(sum, path));
}

/* Returns whether an operand names another build, for -merge-builds. */
static bool is_build(const struct options *options, size_t operand)
{
    return options->merge_builds && inputs_is_executable(options->operands[operand]);
}

/* Characters that separate the names in a list. */
static const char blanks[] = " \t\r\n\v\f";

bool datafiles_each(const char *path, bool (*use)(void *data, const char *file),
                    void *data, struct fault *fault)
{
    size_t size;
    BUF_OWN char *text = content_read(path, NULL, &size, fault);
    char *rest;
    if (!text)
        return false;
    bool good = true;
    for (char *word = strtok_r(text, blanks, &rest); good && word;
         word = strtok_r(NULL, blanks, &rest))
        good = use(data, word);
    return good;
}

/* Opens the named builds. Makes the program module 0, even if the first data file
   belongs to another build. */
static bool begin_builds(struct sum *sum)
{
    const struct options *options = sum->options;
    struct builds *builds = &sum->builds;
    sum->profile->merges_builds = true;
    profile_add_module(sum->profile, tables_path(sum->executable),
                       tables_build_id(sum->executable));
    for (size_t i = 1; i < options->operand_count; i++) {
        if (!is_build(options, i))
            continue;
        struct elffile *file = elffile_open(options->operands[i], sum->fault);
        if (!file)
            return false;
        BUF_NEXT(builds->files, builds->count, builds->capacity) = file;
    }
    return true;
}

/* Warns if the files are of MPI jobs of different sizes. A run with fewer processes
   does not remove the files of an older run. */
static void warn_of_jobs(const struct profile *profile)
{
    uint64_t least, most = origins_size(&profile->origins, &least);
    if (least == most)
        return;
    fault_message("data files: of jobs of %" PRIu64 " and of %" PRIu64
                  " ranks, which are added up: are there any of an older run?",
                  least, most);
}

static bool read_all(struct sum *sum)
{
    const struct options *options = sum->options;
    if (options->merge_builds && !begin_builds(sum))
        return false;
    sum->several = options->operand_count > 2 || options->lists.count;
    for (size_t i = 1; i < options->operand_count; i++)
        if (!is_build(options, i) && !try_file(sum, options->operands[i]))
            return false;
    for (size_t i = 0; i < options->lists.count; i++)
        if (!datafiles_each(options->lists.word[i], try_file, sum, sum->fault))
            return false;
    if (!sum->files && sum->unfinished)
        return fault_set(sum->fault, FAULT_FILE, "data files",
                         "none was finished: to read one, name only that file");
    return sum->files || !sum->builds.count ||
           fault_set(sum->fault, FAULT_FILE, "-merge-builds", "no data files are named");
}

bool datafiles_read(struct profile *profile, const struct options *options,
                    const struct tables *executable, struct fault *fault)
{
    struct sum sum = {
        .options = options, .executable = executable, .profile = profile, .fault = fault};
    sum.weighted = buf_alloc((options->weights.count + 1) * sizeof *sum.weighted);
    bool good = read_all(&sum) && weights_check(&options->weights, sum.weighted, fault);
    free(sum.weighted);
    for (size_t i = 0; i < sum.builds.count; i++)
        elffile_close(sum.builds.files[i]);
    free(sum.builds.files);
    arcruns_free(&sum.runs);
    if (good) {
        datafiles_warn_of_others();
        warn_of_jobs(profile);
        packed_sort(&profile->origins.shares);
    }
    return good;
}

bool datafiles_read_run(struct profile *profile, const char *path,
                        const struct options *options, const struct tables *executable,
                        struct fault *fault)
{
    struct sum sum = {
        .options = options, .executable = executable, .profile = profile, .fault = fault};
    bool good = add(&sum, path);
    arcruns_free(&sum.runs);
    packed_sort(&profile->origins.shares);
    return good;
}

char *datafiles_first(const char *path, struct fault *fault)
{
    size_t size;
    BUF_OWN char *text = content_read(path, NULL, &size, fault);
    if (!text)
        return NULL;
    const char *start = text + strspn(text, blanks);
    size_t length = strcspn(start, blanks);
    if (length)
        return buf_copy_prefix(start, length);
    fault_set(fault, FAULT_FILE, path, "lists no data file");
    return NULL;
}

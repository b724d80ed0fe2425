/* SPDX-License-Identifier: MIT */
/* Writes the lines of mlmon.out(5). Called when files are written: in any thread, also
   in handlers of fatal signals. */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>

#include "rt/output/mlmon.h"
#include "rt/format.h"
#include "rt/os/notes.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/samples/tags.h"
#include "rt/samples/samples.h"
#include "rt/regions/regions.h"
#include "rt/count/counts.h"
#include "rt/count/targets.h"
#include "rt/heap/heap.h"
#include "rt/wait/wait.h"
#include "rt/output/datafile.h"
#include "rt/output/filelabels.h"

/* Number of attempts to write a file if the program closes its descriptor. */
#define MLMON_TRIES 3

/* A pass over all points. The first pass counts the points, and the second pass
   writes them. */
struct mlmon_pass {
    const struct ccprof_mlmon *mlmon;
    ccprof_visit *visit;
    bool belongs;     /* the file contains the current tree */
    unsigned dataset; /* 1: the root represents a data set and is not written */
    /* Points below this depth are below one of parallelism, which a file without waits
       does not have. */
    unsigned parallelism;
    uint64_t points;
    uint64_t samples;
    bool kernel; /* some samples are kernel time */
    struct ccprof_text *text;
};

static int mlmon_count(void *context, unsigned depth, uint64_t address, uint64_t count)
{
    struct mlmon_pass *pass = context;
    (void)depth;
    if (ccprof_tags_is_label(address))
        ccprof_filelabels_record(address);
    pass->kernel |= ccprof_tags_is_kernel(address);
    pass->points++;
    pass->samples += count;
    return 0;
}

/* Writes the word for the module of a point. Returns the number to subtract from the
   point's address. */
static uint64_t mlmon_module_of(const struct ccprof_mlmon *mlmon,
                                struct ccprof_text *text, uint64_t address)
{
    int module = ccprof_modules_find(mlmon->modules, address);

    if (module >= 0) {
        ccprof_text_decimal(text, (uint64_t)module);
        return mlmon->modules->module[module].bias;
    }
    if (ccprof_tags_is_kernel(address)) {
        ccprof_text_decimal(text, atomic_load(&mlmon->modules->count));
        return CCPROF_TAGS_KERNEL;
    }
    if (ccprof_tags_is_label(address)) {
        ccprof_text_string(text, "label");
        return address - ccprof_filelabels_number(address);
    }
    if (ccprof_tags_is_thread(address)) {
        ccprof_text_string(text, "thread");
        return CCPROF_TAGS_THREAD;
    }
    if (ccprof_tags_is_parallelism(address)) {
        ccprof_text_string(text, "parallelism");
        return CCPROF_TAGS_PARALLELISM;
    }
    if (ccprof_times_is_bucket(address)) {
        ccprof_text_string(text, "time");
        return address - ccprof_times_bucket(&mlmon->times, address);
    }
    ccprof_text_char(text, '-');
    return 0;
}

static int mlmon_point(void *context, unsigned depth, uint64_t address, uint64_t count)
{
    struct mlmon_pass *pass = context;
    struct ccprof_text *text = pass->text;
    uint64_t bias;

    ccprof_text_decimal(text, depth);
    ccprof_text_char(text, ' ');
    bias = mlmon_module_of(pass->mlmon, text, address);
    ccprof_text_char(text, ' ');
    ccprof_text_hex(text, address - bias);
    ccprof_text_field(text, count);
    ccprof_text_char(text, '\n');
    pass->points++;
    return text->error;
}

/* Calls the pass's visitor for a point that belongs to the file. Used as a
   ccprof_visit. */
static int mlmon_visit_point(void *context, unsigned depth, uint64_t address,
                             uint64_t count)
{
    struct mlmon_pass *pass = context;

    if (depth == 0) {
        uint64_t dataset = ccprof_tags_dataset(address);
        pass->dataset = dataset != 0;
        pass->belongs = !pass->mlmon->is_dataset || pass->mlmon->dataset == dataset;
        pass->parallelism = UINT_MAX;
        if (pass->dataset)
            return 0;
    }
    if (depth <= pass->parallelism)
        pass->parallelism = UINT_MAX;
    if (ccprof_tags_is_parallelism(address) && !pass->mlmon->has_waits) {
        pass->parallelism = depth;
        return 0;
    }
    depth -= pass->dataset + (depth > pass->parallelism);
    return pass->belongs ? pass->visit(pass, depth, address, count) : 0;
}

/* Visits all points. Samples in an unreadable part of the overflow log are not
   visited, and the file reports them as lost. */
static void mlmon_visit_all(struct mlmon_pass *pass)
{
    if (ccprof_tree_each(pass->mlmon->table, mlmon_visit_point, pass) == 0)
        ccprof_overflow_each(pass->mlmon->overflow, mlmon_visit_point, pass);
}

static int mlmon_counter(void *context, int module, uint64_t address, uint64_t count)
{
    const struct mlmon_pass *pass = context;
    struct ccprof_text *text = pass->text;

    ccprof_text_decimal(text, (uint64_t)module);
    ccprof_text_char(text, ' ');
    ccprof_text_hex(text, address - pass->mlmon->modules->module[module].bias);
    ccprof_text_field(text, count);
    ccprof_text_char(text, '\n');
    return text->error;
}

/* Writes the counters of the run, of a data set or of a slice. */
static void mlmon_counters(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    struct mlmon_pass pass = {.mlmon = mlmon, .text = text};

    ccprof_text_string(text, "counters\n");
    if (mlmon->is_dataset || mlmon->slice)
        ccprof_counts_dataset_each(mlmon_counter, &pass);
    else
        ccprof_counts_each(mlmon_counter, &pass);
}

static void mlmon_write_place(const struct mlmon_pass *pass, uint64_t address)
{
    uint64_t bias = mlmon_module_of(pass->mlmon, pass->text, address);

    ccprof_text_char(pass->text, ' ');
    ccprof_text_hex(pass->text, address - bias);
    ccprof_text_char(pass->text, ' ');
}

static int mlmon_target(void *context, uint64_t site, uint64_t target, uint64_t count)
{
    const struct mlmon_pass *pass = context;

    mlmon_write_place(pass, site);
    mlmon_write_place(pass, target);
    ccprof_text_decimal(pass->text, count);
    ccprof_text_char(pass->text, '\n');
    return pass->text->error;
}

static int mlmon_first_target(void *context, uint64_t site, uint64_t target)
{
    const struct mlmon_pass *pass = context;

    mlmon_write_place(pass, site);
    mlmon_write_place(pass, target);
    ccprof_text_string(pass->text, "rest\n");
    return pass->text->error;
}

static void mlmon_targets(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    struct mlmon_pass pass = {.mlmon = mlmon, .text = text};

    if (!mlmon->is_dataset)
        ccprof_targets_gather();
    if (mlmon->is_dataset || (!ccprof_targets_any() && !mlmon->has_first_targets))
        return;
    ccprof_text_string(text, "targets\n");
    if (ccprof_targets_each(mlmon_target, &pass, mlmon->slice) == 0 &&
        mlmon->has_first_targets)
        ccprof_targets_each_first(mlmon_first_target, &pass);
}

static bool mlmon_is_timed(const struct ccprof_mlmon *mlmon)
{
    return mlmon->kinds & CCPROF_KIND_TIME;
}

static void mlmon_kind(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    static const struct {
        unsigned kind;
        const char *name;
    } kinds[] = {{CCPROF_KIND_TIME, "time"},
                 {CCPROF_KIND_COUNT, "count"},
                 {CCPROF_KIND_ALLOC, "alloc"},
                 {CCPROF_KIND_REGION, "region"},
                 {CCPROF_KIND_INSTRUCTIONS, "instructions"}};
    const char *before = "kind ";

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!(mlmon->kinds & kinds[i].kind))
            continue;
        ccprof_text_string(text, before);
        ccprof_text_string(text, kinds[i].name);
        before = ",";
    }
    ccprof_text_char(text, '\n');
}

static void mlmon_number(struct ccprof_text *text, const char *word, uint64_t number)
{
    ccprof_text_string(text, word);
    ccprof_text_field(text, number);
    ccprof_text_char(text, '\n');
}

static void mlmon_word(struct ccprof_text *text, const char *word, const char *value)
{
    ccprof_text_string(text, word);
    ccprof_text_char(text, ' ');
    ccprof_text_string(text, value);
    ccprof_text_char(text, '\n');
}

static void mlmon_module(struct ccprof_text *text, unsigned number,
                         const struct ccprof_module *module)
{
    ccprof_text_string(text, "module ");
    ccprof_text_decimal(text, number);
    ccprof_text_char(text, ' ');
    if (module->id_size)
        ccprof_text_bytes(text, module->id, module->id_size);
    else
        ccprof_text_char(text, '-');
    ccprof_text_char(text, ' ');
    ccprof_text_hex(text, module->bias);
    ccprof_text_char(text, ' ');
    ccprof_text_path(text, module->path);
    ccprof_text_char(text, '\n');
}

/* Writes the location of an address range of ccprof's own code. */
static void mlmon_own(const struct ccprof_mlmon *mlmon, struct ccprof_text *text,
                      const struct ccprof_own_code *code)
{
    uint64_t start = code->start, end = code->end;
    int module = start < end ? ccprof_modules_find(mlmon->modules, start) : -1;

    if (module < 0)
        return;
    uint64_t bias = mlmon->modules->module[module].bias;
    ccprof_text_string(text, "own ");
    ccprof_text_decimal(text, (uint64_t)module);
    ccprof_text_char(text, ' ');
    ccprof_text_hex(text, start - bias);
    ccprof_text_char(text, ' ');
    ccprof_text_hex(text, end - bias);
    ccprof_text_char(text, '\n');
}

static void mlmon_threads(struct ccprof_text *text)
{
    char name[CCPROF_THREADNAMES_NAME];
    uint64_t number = ccprof_threadnames_next(0, name);

    while (number != UINT64_MAX) {
        ccprof_text_string(text, "thread ");
        ccprof_text_decimal(text, number);
        ccprof_text_char(text, ' ');
        ccprof_text_path(text, *name ? name : "?");
        ccprof_text_char(text, '\n');
        number = ccprof_threadnames_next(number + 1, name);
    }
}

/* Returns whether the file lists threads. A file lists threads only if samples,
   region calls or blocks are stored per thread. */
static bool mlmon_has_threads(const struct ccprof_mlmon *mlmon)
{
    return (mlmon_is_timed(mlmon) || mlmon->regions || mlmon->heap || mlmon->has_waits) &&
           ccprof_threadnames_are_kept();
}

static bool mlmon_has_times(const struct ccprof_mlmon *mlmon)
{
    return mlmon_is_timed(mlmon) && mlmon->times.width;
}

static bool mlmon_is_known(const char *text)
{
    return text && *text;
}

/* Returns the lowest format version that includes all lines of the file. */
static uint64_t mlmon_version(const struct ccprof_mlmon *mlmon)
{
    if (mlmon->has_waits)
        return CCPROF_MLMON_WAITS;
    if (mlmon->is_answer)
        return CCPROF_MLMON_ANSWER;
    if (mlmon->heap)
        return CCPROF_MLMON_LIFETIMES;
    if (mlmon_is_known(mlmon->process) || mlmon->guesses || mlmon->messages ||
        mlmon->excess)
        return CCPROF_MLMON_PROCESS;
    if (mlmon->kinds & CCPROF_KIND_INSTRUCTIONS)
        return CCPROF_MLMON_INSTRUCTIONS;
    if (mlmon->has_first_targets && !mlmon->is_dataset)
        return CCPROF_MLMON_RESTS;
    if (mlmon_is_known(mlmon->host) || mlmon_is_known(mlmon->rank))
        return CCPROF_MLMON_ORIGIN;
    if (mlmon->regions || mlmon->kinds == CCPROF_KIND_REGION)
        return CCPROF_MLMON_REGIONS;
    if (mlmon_has_times(mlmon))
        return CCPROF_MLMON_TIMES;
    return mlmon_has_threads(mlmon) ? CCPROF_MLMON_THREADS : CCPROF_MLMON_VERSION;
}

static void mlmon_times(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    ccprof_text_string(text, "times ");
    ccprof_text_decimal(text, mlmon->times.width);
    ccprof_text_field(text, mlmon->times.span);
    ccprof_text_char(text, '\n');
}

static void mlmon_origin(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    if (mlmon_is_known(mlmon->host)) {
        ccprof_text_string(text, "host ");
        ccprof_text_path(text, mlmon->host);
        ccprof_text_char(text, '\n');
    }
    if (!mlmon_is_known(mlmon->rank))
        return;
    ccprof_text_string(text, "rank ");
    ccprof_text_string(text, mlmon->rank);
    ccprof_text_char(text, ' ');
    ccprof_text_string(text, mlmon_is_known(mlmon->ranks) ? mlmon->ranks : "-");
    ccprof_text_char(text, '\n');
}

static void mlmon_process(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    if (!mlmon_is_known(mlmon->process))
        return;
    ccprof_text_string(text, "process ");
    ccprof_text_decimal(text, (uint64_t)ccprof_sys_getpid());
    ccprof_text_char(text, ' ');
    ccprof_text_path(text, mlmon->process);
    ccprof_text_char(text, '\n');
    if (!mlmon_is_known(mlmon->title))
        return;
    ccprof_text_string(text, "title ");
    ccprof_text_path(text, mlmon->title);
    ccprof_text_char(text, '\n');
}

static void mlmon_answer(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    ccprof_text_string(text, "answer");
    ccprof_text_field(text, mlmon->epoch);
    ccprof_text_field(text, mlmon->files);
    ccprof_text_string(text, mlmon->open ? " open\n" : " closed\n");
}

static void mlmon_head(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    mlmon_number(text, CCPROF_MLMON_MAGIC, mlmon_version(mlmon));
    mlmon_kind(mlmon, text);
    if (mlmon_is_known(mlmon->command)) {
        ccprof_text_string(text, "command ");
        ccprof_text_path(text, mlmon->command);
        ccprof_text_char(text, '\n');
    }
    mlmon_origin(mlmon, text);
    mlmon_process(mlmon, text);
    if (mlmon->is_answer)
        mlmon_answer(mlmon, text);
    if (mlmon_is_timed(mlmon)) {
        mlmon_word(text, "engine", mlmon->engine);
        mlmon_word(text, "clock", mlmon->clock);
        mlmon_number(text, "rate", mlmon->rate);
        mlmon_word(text, "stack", mlmon->stack ? "yes" : "no");
    }
    mlmon_number(text, "cpu", mlmon->cpu);
    mlmon_number(text, "wall", mlmon->wall);
    mlmon_number(text, "threads", mlmon->threads);
    mlmon_number(text, "waits", mlmon->waits);
}

static void mlmon_moved(struct ccprof_text *text, bool minus, uint64_t number)
{
    ccprof_text_string(text, minus ? "elsewhere -" : "elsewhere ");
    ccprof_text_decimal(text, number);
    ccprof_text_char(text, '\n');
}

static void mlmon_refused(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    static const char *const names[] = CCPROF_REFUSED_NAMES;

    if (!mlmon->refused)
        return;
    ccprof_text_string(text, "refused");
    for (unsigned i = 0; i < CCPROF_REFUSED_COUNT; i++)
        if (mlmon->refused & 1u << i) {
            ccprof_text_char(text, ' ');
            ccprof_text_string(text, names[i]);
        }
    ccprof_text_char(text, '\n');
}

/* Writes a line for each of the messages. */
static void mlmon_messages(struct ccprof_text *text, size_t size)
{
    const char *kept = ccprof_say_kept();

    for (size_t i = 0; i < size; i++) {
        if (i == 0 || kept[i - 1] == '\n')
            ccprof_text_string(text, "message ");
        ccprof_text_string(text, kept[i] == '\\' ? "\\" : "");
        ccprof_text_char(text, kept[i]);
    }
    if (size != 0)
        ccprof_text_char(text, '\n');
}

/* Writes the numbers of samples. COUNTED is the number of samples that can be
   written, and ALL the number of samples taken. The samples of a data set are marked
   as moved, and the run's own file adds up all moved samples. */
static void mlmon_samples(const struct ccprof_mlmon *mlmon, struct ccprof_text *text,
                          uint64_t all, uint64_t counted)
{
    if (mlmon->is_dataset) {
        mlmon_number(text, "samples", counted);
        mlmon_number(text, "lost", 0);
        mlmon_moved(text, counted != 0, counted);
        return;
    }
    mlmon_number(text, "samples", all > counted ? all : counted);
    mlmon_number(text, "lost", all > counted ? all - counted : 0);
    mlmon_moved(text, false, mlmon->moved);
    if (mlmon->interrupted)
        mlmon_number(text, "interrupted", mlmon->interrupted);
    if (mlmon->late)
        mlmon_number(text, "late", mlmon->late);
    if (mlmon->excess) {
        ccprof_text_string(text, "weights ");
        ccprof_text_decimal(text, mlmon->heaviest);
        ccprof_text_field(text, mlmon->excess);
        ccprof_text_char(text, '\n');
    }
    mlmon_refused(mlmon, text);
}

static void mlmon_counted(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    if (mlmon->uncounted)
        mlmon_number(text, "uncounted", mlmon->uncounted);
    if (ccprof_counts_are_switched())
        ccprof_text_string(text, "switched\n");
    mlmon_counters(mlmon, text);
}

static int mlmon_put(const struct ccprof_mlmon *mlmon, struct ccprof_text *text)
{
    struct mlmon_pass counted = {.mlmon = mlmon, .visit = mlmon_count};
    struct mlmon_pass written = {.mlmon = mlmon, .visit = mlmon_point, .text = text};
    uint64_t samples =
        mlmon->slice ? mlmon->samples : atomic_load(&mlmon->table->samples);
    unsigned modules = atomic_load(&mlmon->modules->count);

    ccprof_filelabels_clear();
    if (mlmon_is_timed(mlmon)) {
        ccprof_tree_build(mlmon->table);
        mlmon_visit_all(&counted);
    }
    mlmon_head(mlmon, text);
    if (mlmon_is_timed(mlmon))
        mlmon_samples(mlmon, text, samples, counted.samples);
    mlmon_messages(text, mlmon->messages);
    for (unsigned i = 0; i < modules; i++)
        mlmon_module(text, i, &mlmon->modules->module[i]);
    if (counted.kernel)
        mlmon_module(text, modules, &(struct ccprof_module){.path = CCPROF_KERNEL});
    struct ccprof_own_code code;
    for (unsigned i = 0; mlmon_is_timed(mlmon) && ccprof_own_get(i, &code); i++)
        mlmon_own(mlmon, text, &code);
    ccprof_filelabels_write(text);
    if (mlmon_has_threads(mlmon))
        mlmon_threads(text);
    if (mlmon_has_times(mlmon))
        mlmon_times(mlmon, text);
    if (mlmon_is_timed(mlmon)) {
        mlmon_number(text, "counts", counted.points);
        mlmon_visit_all(&written);
    }
    if (mlmon->kinds & CCPROF_KINDS_COUNTED) {
        mlmon_counted(mlmon, text);
        mlmon_targets(mlmon, text);
    }
    if (mlmon->regions)
        ccprof_regions_write(text, mlmon->modules, mlmon->slice);
    if (mlmon->heap)
        ccprof_heap_write(text, mlmon->modules, mlmon->ended, mlmon->heap_slice);
    if (mlmon->has_waits)
        ccprof_wait_write(text, mlmon->modules, mlmon->slice);
    ccprof_text_string(text, "end\n");
    if (ccprof_text_flush(text) == 0 && written.points != counted.points)
        return EIO;
    return text->error;
}

/* Renames the file TEMPORARY to PATH. TEMPORARY is null for a pipe. */
static int mlmon_rename(const struct ccprof_mlmon *mlmon, const char *temporary,
                        const char *path, char *buffer)
{
    if (!temporary)
        return 0;
    if (mlmon->is_own)
        return ccprof_datafile_place(temporary, path, &mlmon->modules->module[0], buffer);
    return ccprof_sys_rename(temporary, path) == 0 ? 0 : errno;
}

int ccprof_mlmon_write_open(const struct ccprof_mlmon *mlmon,
                            const struct ccprof_file *file, char *buffer, size_t size)
{
    struct ccprof_text text;

    ccprof_text_open(&text, buffer, size, file);
    return mlmon_put(mlmon, &text);
}

/* Makes one attempt to write the file. */
static int mlmon_try(const struct ccprof_mlmon *mlmon, const char *path, char *buffer,
                     size_t size, const char **wrong)
{
    struct ccprof_file file;
    const char *temporary;
    int error;

    if (!ccprof_datafile_open(&file, path, &temporary, wrong))
        return errno;
    error = ccprof_mlmon_write_open(mlmon, &file, buffer, size);
    /* Some file systems report a full disk only when the file is closed. */
    if (ccprof_file_close(&file) != 0 && !error)
        error = errno;
    if (!error)
        error = mlmon_rename(mlmon, temporary, path, buffer);
    if (error && temporary)
        ccprof_sys_unlink(temporary);
    return error;
}

/* Makes several attempts: another thread of the program may close all descriptors
   during the first attempt. */
int ccprof_mlmon_write(const struct ccprof_mlmon *mlmon, const char *path, char *buffer,
                       size_t size, const char **wrong)
{
    int error = EBADF;

    for (int try = 0; error == EBADF && try < MLMON_TRIES; try++)
        error = mlmon_try(mlmon, path, buffer, size, wrong);
    return error;
}

/* SPDX-License-Identifier: MIT */
/* Holds the run and writes its files. Owns the time of the next checkpoint. When the
   run ends, any thread calls end, also in handlers of fatal signals. copy and dataset
   are called by the program (ccprof.h). Checkpoints (in the SIGPROF handler), the
   signal of the setting write, and exec write the data so far. */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "rt/process/write.h"
#include "rt/format.h"
#include "rt/os/libc.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/unwind/unwind.h"
#include "rt/samples/tags.h"
#include "rt/samples/times.h"
#include "rt/samples/samples.h"
#include "rt/regions/regions.h"
#include "rt/sampler/sampler.h"
#include "rt/count/counts.h"
#include "rt/count/targets.h"
#include "rt/heap/heap.h"
#include "rt/wait/wait.h"
#include "rt/output/datafile.h"
#include "rt/output/mlmon.h"
#include "rt/output/output.h"
#include "rt/output/slice.h"
#include "rt/process/children.h"
#include "rt/process/gate.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"

#define SECOND      1000000000
#define MILLISECOND 1000000

/* Samples are considered missing if there are fewer than WRITE_DUE tenths of the number
   of samples due, minus WRITE_CHANCE. Such a difference is not due to chance. */
#define WRITE_DUE    9
#define WRITE_CHANCE 5

/* How long to wait for another thread that writes, in nanoseconds. */
#define WRITE_PATIENCE 10000000000u

/* How long to wait for another thread that attaches modules, in nanoseconds. */
#define WRITE_ATTACHING 1000000000u

/* Returns the name of the machine if the settings allow it in the file, otherwise "". */
static const char *write_host_name(void)
{
    enum ccprof_settings_host host = ccprof_run.settings.host;
    bool shown = host == CCPROF_SETTINGS_HOST ||
                 (host == CCPROF_SETTINGS_HOST_OF_RANKS && *ccprof_output_rank());

    return shown ? ccprof_output_host() : "";
}

/* Fills in the data that all files of the run have in common. */
static void write_common(struct ccprof_mlmon *mlmon)
{
    struct ccprof_run *run = &ccprof_run;
    struct ccprof_memory *memory = run->memory;

    unsigned kinds =
        (run->samples ? CCPROF_KIND_TIME : 0) | (run->kinds & CCPROF_KINDS_COUNTED);

    *mlmon = (struct ccprof_mlmon){
        .kinds = kinds ? kinds : CCPROF_KIND_REGION,
        .command =
            run->settings.command == CCPROF_SETTINGS_NO_COMMAND ? NULL : ccprof_command(),
        .host = write_host_name(),
        .rank = ccprof_output_rank(),
        .ranks = ccprof_output_ranks(),
        .process = ccprof_process_name(),
        .title = run->settings.command == CCPROF_SETTINGS_COMMAND ? ccprof_process_title()
                                                                  : NULL,
        .engine = run->samples ? ccprof_sampler_engine() : NULL,
        .clock = run->settings.clock == CCPROF_SETTINGS_WALL ? "wall" : "cpu",
        .rate = run->settings.rate,
        .stack = ccprof_run_has_stacks(),
        .guesses = atomic_load(&ccprof_unwind_guesses),
        .has_first_targets =
            (run->kinds & CCPROF_KIND_COUNT) && ccprof_targets_any_first(),
        .table = &memory->table,
        .overflow = &memory->overflow,
        .modules = &memory->modules};
}

static uint64_t write_threads(unsigned kinds)
{
    if (kinds & CCPROF_KIND_TIME)
        return ccprof_sampler_threads();
    return kinds & CCPROF_KINDS_COUNTED ? ccprof_counts_threads()
                                        : ccprof_regions_threads();
}

static void write_totals(struct ccprof_mlmon *mlmon)
{
    ccprof_gate_measured(&mlmon->cpu, &mlmon->wall, &mlmon->waits);
    mlmon->threads = write_threads(mlmon->kinds);
    mlmon->interrupted = ccprof_sampler_interrupted();
    mlmon->late = ccprof_sampler_late();
    mlmon->heaviest = atomic_load(&ccprof_run.memory->table.heaviest);
    mlmon->excess = atomic_load(&ccprof_run.memory->table.excess);
    mlmon->moved = ccprof_run.moved;
    mlmon->uncounted = ccprof_run.uncounted;
    ccprof_slice_totals(mlmon);
}

/* Limits the size of the folder of slices, and keeps the file WRITTEN. Returns
   whether files were removed. */
static bool write_limit_folder(const char *written)
{
    const struct ccprof_settings *settings = &ccprof_run.settings;

    return settings->slice && settings->keep &&
           ccprof_slice_limit_folder(ccprof_output_folder(), written, settings->keep);
}

static void write_report_error(const struct ccprof_mlmon *mlmon, const char *wrong,
                               int error)
{
    const char *hint = "";

    if (error == CCPROF_DATAFILE_REFUSED)
        ccprof_say(wrong, ": neither a file nor a pipe of this user: nothing is written",
                   NULL);
    else {
        if (error == EISDIR && mlmon->is_own)
            hint = "; with a slash after the name, processes write files into it";
        ccprof_say(wrong, ": ", ccprof_say_error(error), hint, NULL);
    }
}

/* Fills in what is known when the tables are frozen. */
static void write_frozen(struct ccprof_mlmon *mlmon)
{
    mlmon->messages = mlmon->is_dataset ? 0 : strlen(ccprof_say_kept());
    mlmon->regions = !mlmon->is_dataset && ccprof_regions_any();
    mlmon->heap = !mlmon->is_dataset && ccprof_heap_is_on();
    mlmon->has_waits = !mlmon->is_dataset && ccprof_wait_is_on();
    if (mlmon->heap && ccprof_run.settings.slice)
        mlmon->heap_slice = ccprof_slice_heap(mlmon->slice);
    mlmon->times = ccprof_times_axis(ccprof_sys_clock(CLOCK_MONOTONIC));
}

/* Writes a file. The tables are frozen. PATH is null for the run's own file. */
static int write_file(struct ccprof_mlmon *mlmon, const char *path)
{
    struct ccprof_memory *memory = ccprof_run.memory;
    const char *wrong;
    int error, made = path ? 0 : ccprof_output_make_folder();

    mlmon->is_own = !path;
    write_frozen(mlmon);
    if (!path)
        path = ccprof_output_path();
    error =
        ccprof_mlmon_write(mlmon, path, memory->buffer, sizeof memory->buffer, &wrong);
    if ((error == ENOSPC || error == EDQUOT) && mlmon->is_own && write_limit_folder(""))
        error = ccprof_mlmon_write(mlmon, path, memory->buffer, sizeof memory->buffer,
                                   &wrong);
    /* The error of creating the folder is more helpful than ENOENT. */
    if (error == ENOENT && made)
        error = made;
    if (error && mlmon->is_own && ccprof_run.settings.slice &&
        !ccprof_slice_is_new_error(error))
        return error;
    if (error)
        write_report_error(mlmon, wrong, error);
    else if (mlmon->is_own)
        ccprof_run.has_file = true;
    else
        ccprof_datafile_wrote(path, ccprof_output_path());
    return error;
}

static void write_report_number(uint64_t number, const char *what)
{
    char digits[24];
    struct ccprof_text text;

    if (number == 0)
        return;
    ccprof_text_open(&text, digits, sizeof digits, NULL);
    ccprof_text_decimal(&text, number);
    ccprof_text_end(&text);
    ccprof_say_missing(digits, what, NULL);
}

/* Returns whether there are far fewer samples than due in CPU nanoseconds. For
   clock=wall the number of samples due is not known, so the result is true. */
static bool write_samples_are_missing(uint64_t cpu)
{
    const struct ccprof_run *run = &ccprof_run;
    uint64_t due = cpu / MILLISECOND * run->settings.rate / 1000;
    uint64_t are = atomic_load(&run->memory->table.samples) + run->moved;

    return run->settings.clock == CCPROF_SETTINGS_WALL || cpu == 0 ||
           10 * (are + WRITE_CHANCE) < WRITE_DUE * due;
}

/* Checks whether samples are missing because a seccomp filter forbids the system calls
   that the sampler needs. The calls are tried only if samples are missing, since some
   filters kill the process. */
static void write_refused(struct ccprof_mlmon *mlmon)
{
    static const char *const names[] = CCPROF_REFUSED_NAMES;
    bool wall = ccprof_run.settings.clock == CCPROF_SETTINGS_WALL;
    char calls[100];
    struct ccprof_text text;

    if (!ccprof_run.samples || !write_samples_are_missing(mlmon->cpu))
        return;
    mlmon->refused = ccprof_sampler_refused(wall);
    if (!mlmon->refused)
        return;
    ccprof_text_open(&text, calls, sizeof calls, NULL);
    for (unsigned i = 0; i < CCPROF_REFUSED_COUNT; i++)
        if (mlmon->refused & 1u << i) {
            ccprof_text_string(&text, text.used ? ", " : "");
            ccprof_text_string(&text, names[i]);
        }
    ccprof_text_end(&text);
    ccprof_say("samples are missing: the process may not call ", calls, " (seccomp?)",
               NULL);
}

/* Fills in MLMON for a file at the end of the process. */
static void write_last(struct ccprof_mlmon *mlmon)
{
    write_common(mlmon);
    mlmon->ended = true;
    write_totals(mlmon);
    write_refused(mlmon);
    mlmon->cpu = ccprof_children_cpu(mlmon->cpu);
}

/* Gives the CPU time of a forked child to the parent if the child's file would contain
   nothing else. Returns whether no file is needed. */
static bool write_to_parent(void)
{
    const struct ccprof_run *run = &ccprof_run;
    uint64_t cpu, wall, waits;

    if (!run->is_child || run->has_file || !run->samples || run->settings.slice ||
        (run->kinds & CCPROF_KINDS_COUNTED) || ccprof_regions_any() ||
        ccprof_heap_is_on() || ccprof_wait_is_on() || *ccprof_say_kept() ||
        ccprof_sampler_interrupted() || atomic_load(&run->memory->table.samples) != 0 ||
        run->moved != 0)
        return false;
    ccprof_gate_measured(&cpu, &wall, &waits);
    return !write_samples_are_missing(cpu) && ccprof_children_give(cpu);
}

/* Reports data that no file contains. */
static void write_report_missing(void)
{
    if (ccprof_run.memory->modules.full)
        ccprof_say_missing("too many modules: the time in some is unknown", NULL);
    write_report_number(ccprof_regions_lost(),
                        " calls of regions were lost: there was no room");
    write_report_number(
        ccprof_sampler_unarmed(),
        " threads were not sampled from their start: there was no timer for them "
        "(ulimit -i)");
}

void ccprof_write_end(bool orderly)
{
    struct ccprof_memory *memory = ccprof_run.memory;
    struct ccprof_mlmon mlmon;

    ccprof_children_close();
    if (ccprof_run.asked || write_to_parent())
        return;
    write_last(&mlmon);
    ccprof_samples_freeze(&memory->table);
    ccprof_overflow_freeze(&memory->overflow);
    if (orderly)
        ccprof_modules_refresh(&memory->modules);
    ccprof_modules_freeze(&memory->modules);
    write_report_missing();
    write_file(&mlmon, NULL);
    ccprof_heap_end();
    ccprof_overflow_close(&memory->overflow);
    write_limit_folder(ccprof_output_name());
}

/* Updates the list of modules. Otherwise a module that is being loaded might be
   missing in the file. */
static void write_update_modules(void)
{
    if (!ccprof_spin_wait(&ccprof_run.attaching, WRITE_ATTACHING))
        return;
    ccprof_modules_refresh(&ccprof_run.memory->modules);
    ccprof_spin_release(&ccprof_run.attaching);
}

/* Holds the run. If another thread holds it, waits for a limited time. */
static int write_hold(struct ccprof_blocked *blocked)
{
    uint64_t until = ccprof_sys_clock(CLOCK_MONOTONIC) + WRITE_PATIENCE;

    for (;;) {
        ccprof_blocked_begin(blocked);
        int error = ccprof_run_hold();
        if (error == 0) {
            ccprof_blocked_write(blocked);
            return 0;
        }
        ccprof_blocked_end(blocked);
        if (error != EAGAIN || ccprof_sys_clock(CLOCK_MONOTONIC) >= until)
            return error;
        ccprof_heap_hurry();
        ccprof_sys_sleep(MILLISECOND);
    }
}

/* Releases the run. A SIGPROF that arrived in this thread meanwhile also represents
   samples that must count as lost, so it is handled before the release. */
static void write_release(const struct ccprof_blocked *blocked)
{
    ccprof_sys_signals prof = CCPROF_SYS_SIGNAL(SIGPROF);
    if (!(blocked->mask & prof))
        ccprof_sys_mask(SIG_UNBLOCK, prof, NULL);
    ccprof_run_release();
    ccprof_blocked_end(blocked);
}

/* Removes the data set's samples, which are now in a file of their own, from the run. */
static void write_remove_dataset(uint64_t dataset)
{
    struct ccprof_memory *memory = ccprof_run.memory;
    uint64_t taken = ccprof_tree_take(&memory->table, dataset);

    taken += ccprof_overflow_take(&memory->overflow, dataset);
    atomic_fetch_sub(&memory->table.samples, taken);
    ccprof_run.moved += taken;
}

/* Removes the slice's data from the run, and begins the next slice. */
static void write_next_slice(const struct ccprof_mlmon *mlmon)
{
    struct ccprof_memory *memory = ccprof_run.memory;
    uint64_t taken = ccprof_tree_take(&memory->table, CCPROF_DATASETS_ALL);

    taken += ccprof_overflow_take(&memory->overflow, CCPROF_DATASETS_ALL);
    atomic_fetch_sub(&memory->table.samples, mlmon->samples);
    if (mlmon->samples > taken)
        atomic_fetch_sub(&memory->table.lost, mlmon->samples - taken);
    ccprof_run.moved = 0;
    ccprof_targets_slice_done();
    ccprof_regions_slice_done();
    if (ccprof_times_are_kept())
        ccprof_times_restart(ccprof_sys_clock(CLOCK_MONOTONIC));
    if (mlmon->has_waits)
        ccprof_wait_slice_done();
    ccprof_slice_done(mlmon);
}

/* Writes into the open FILE if it is not null, otherwise as write_file does. */
static int write_held(struct ccprof_mlmon *mlmon, const char *path,
                      const struct ccprof_file *file)
{
    struct ccprof_memory *memory = ccprof_run.memory;
    bool modules = ccprof_modules_freeze(&memory->modules);
    int error;

    if (modules)
        ccprof_modules_add_mapped(&memory->modules, memory->buffer);
    ccprof_samples_freeze(&memory->table);
    ccprof_overflow_freeze(&memory->overflow);
    mlmon->samples = atomic_load(&memory->table.samples);
    if (mlmon->is_dataset || mlmon->slice)
        ccprof_counts_dataset_begin(mlmon->dataset);
    if (file) {
        write_frozen(mlmon);
        error =
            ccprof_mlmon_write_open(mlmon, file, memory->buffer, sizeof memory->buffer);
    } else {
        error = write_file(mlmon, path);
    }
    if (!error && mlmon->is_dataset)
        write_remove_dataset(mlmon->dataset);
    if (!error && mlmon->slice)
        write_next_slice(mlmon);
    ccprof_run.files += !error && (mlmon->is_dataset || mlmon->slice);
    if (mlmon->is_dataset || mlmon->slice)
        ccprof_counts_dataset_end(mlmon->dataset, !error);
    ccprof_tree_forget(&memory->table);
    ccprof_samples_thaw(&memory->table);
    ccprof_overflow_thaw(&memory->overflow);
    if (modules)
        ccprof_modules_thaw(&memory->modules);
    return error;
}

void ccprof_write_for_now(void)
{
    struct ccprof_mlmon mlmon;

    ccprof_children_close();
    if (ccprof_run.asked)
        return;
    write_last(&mlmon);
    write_report_missing();
    write_held(&mlmon, NULL, NULL);
    write_limit_folder(ccprof_output_name());
}

/* Writes a file while the run continues. With the setting slice, the run's own file
   (PATH is null) is a slice. */
static int write_now(bool is_dataset, uint64_t dataset, const char *path)
{
    struct ccprof_mlmon mlmon;
    struct ccprof_blocked blocked;
    char written[NAME_MAX + 1] = "";
    int error;

    error = write_hold(&blocked);
    if (error)
        return error;
    ccprof_run.uncounted = ccprof_handler_gather_unregistered();
    write_common(&mlmon);
    mlmon.is_dataset = is_dataset;
    mlmon.slice = !path && ccprof_run.settings.slice != 0;
    mlmon.dataset = mlmon.slice ? CCPROF_DATASETS_ALL : dataset;
    if (!is_dataset) {
        write_totals(&mlmon);
        mlmon.cpu = ccprof_children_cpu(mlmon.cpu);
    }
    error = write_held(&mlmon, path, NULL);
    if (!error && mlmon.slice) {
        strncpy(written, ccprof_output_name(), NAME_MAX);
        ccprof_output_next();
    }
    write_release(&blocked);
    if (!error && mlmon.slice)
        write_limit_folder(written);
    return error;
}

int ccprof_write_answer(const struct ccprof_file *file)
{
    struct ccprof_mlmon mlmon;
    struct ccprof_blocked blocked;
    int error;

    if (ccprof_modules_are_busy(&ccprof_run.memory->modules))
        return EAGAIN;
    ccprof_blocked_begin(&blocked);
    error = ccprof_run_hold();
    if (error) {
        ccprof_blocked_end(&blocked);
        return error;
    }
    ccprof_blocked_write(&blocked);
    ccprof_run.uncounted = ccprof_handler_gather_unregistered();
    write_common(&mlmon);
    write_totals(&mlmon);
    mlmon.cpu = ccprof_children_cpu(mlmon.cpu);
    mlmon.is_answer = true;
    mlmon.epoch = ccprof_slice_epoch();
    mlmon.files = ccprof_run.files;
    mlmon.open = ccprof_gate_is_open();
    error = write_held(&mlmon, NULL, file);
    write_release(&blocked);
    return error;
}

static int write_for_program(bool is_dataset, uint64_t dataset, const char *path)
{
    int saved = errno, error;

    if (ccprof_strict)
        return EPERM;
    if (!ccprof_run_exists())
        return 0;
    write_update_modules();
    error = write_now(is_dataset, dataset, path);
    errno = saved;
    return error;
}

void ccprof_write_so_far(void)
{
    if (ccprof_run_exists() && !ccprof_run.asked)
        write_now(false, 0, NULL);
}

void ccprof_write_soon(void)
{
    if (!ccprof_heap_postpone(ccprof_write_soon))
        ccprof_write_so_far();
}

int ccprof_write_copy(const char *path)
{
    return write_for_program(false, 0, path);
}

int ccprof_write_dataset(uint64_t dataset, const char *path)
{
    return write_for_program(true, dataset, path);
}

/* Maximum nanoseconds between two checkpoints; 0: no checkpoints. */
static uint64_t checkpoint_longest;
static uint64_t checkpoint_first;    /* nanoseconds until the first checkpoint */
static bool checkpoint_is_slice;     /* checkpoints are slices; empty ones are skipped */
static uint64_t checkpoint_interval; /* nanoseconds until the next checkpoint */
static _Atomic uint64_t checkpoint_due; /* time of CLOCK_MONOTONIC; 0: being written */

static void checkpoint_schedule(uint64_t interval)
{
    checkpoint_interval = interval < checkpoint_longest ? interval : checkpoint_longest;
    atomic_store(&checkpoint_due,
                 ccprof_sys_clock(CLOCK_MONOTONIC) + checkpoint_interval);
}

/* Writes a checkpoint if one is due. Skips a slice without samples if the run takes
   samples. A child that shares its parent's memory (vfork) writes nothing. */
static void checkpoint_pass(void)
{
    uint64_t due = atomic_load(&checkpoint_due);
    if (due == 0 || ccprof_sys_clock(CLOCK_MONOTONIC) < due ||
        atomic_load(&ccprof_run.owner) != ccprof_sys_getpid() ||
        !atomic_compare_exchange_strong(&checkpoint_due, &due, 0))
        return;
    if (!checkpoint_is_slice || !ccprof_run.samples ||
        atomic_load(&ccprof_run.memory->table.samples) != 0)
        ccprof_write_soon();
    checkpoint_schedule(2 * checkpoint_interval);
}

void ccprof_checkpoint_start(unsigned seconds, bool is_slice)
{
    checkpoint_longest = (uint64_t)seconds * SECOND;
    checkpoint_is_slice = is_slice;
    checkpoint_first = is_slice ? checkpoint_longest : SECOND;
    if (!seconds)
        return;
    checkpoint_schedule(checkpoint_first);
    ccprof_handler_set_after(checkpoint_pass);
}

/* Schedules the first checkpoint anew, since another thread of the parent may have
   been writing a checkpoint at the fork. */
void ccprof_checkpoint_child(void)
{
    if (checkpoint_longest)
        checkpoint_schedule(checkpoint_first);
}

/* The handler of the signal of the setting write. A child that shares its parent's
   memory (vfork) writes nothing. */
static void write_at_signal(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    (void)number;
    (void)info;
    (void)context;
    if (atomic_load(&ccprof_run.owner) == ccprof_sys_getpid())
        ccprof_write_soon();
    errno = saved;
}

void ccprof_write_install_signal(int number)
{
    if (!ccprof_signals_take(number, write_at_signal))
        ccprof_say("SIG", sigabbrev_np(number),
                   " is in use: it does not write the profile", NULL);
}

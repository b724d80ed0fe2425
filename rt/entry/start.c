/* SPDX-License-Identifier: MIT */
/* Starts the runtime and its parts, in the necessary order. The stub (attach.c) calls
   ccprof_rt_attach from a constructor of each profiled executable or shared object, in
   the thread that loads it. */

#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/os/memory.h"
#include "rt/os/notes.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/unwind/sharedword.h"
#include "rt/samples/tags.h"
#include "rt/regions/regions.h"
#include "rt/sampler/threads.h"
#include "rt/count/counts.h"
#include "rt/heap/heap.h"
#include "rt/wait/wait.h"
#include "rt/symbolize/chain.h"
#include "rt/symbolize/trace.h"
#include "rt/output/output.h"
#include "rt/process/children.h"
#include "rt/process/exit.h"
#include "rt/process/gate.h"
#include "rt/process/request.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"
#include "rt/process/write.h"
#include "rt/entry/dormant.h"
#include "rt/entry/hooks.h"
#include "rt/entry/thread-create.h"

__attribute__((visibility("default"))) void
ccprof_rt_attach(const struct ccprof_attach *attach, const struct ccprof_api **api);

/* What pthread_atfork calls, which is no function of the shared libc. */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void),
                      void *handle);

/* How long a thread waits while another thread attaches modules, in nanoseconds. */
#define START_PATIENCE 10000000000u

static bool has_settings, started;

/* Sampling is impossible, and this has been reported. */
static bool has_no_samples;

static void start_complain(const char *item, const char *right)
{
    ccprof_say(CCPROF_SETTINGS_VARIABLE ": ", item, " is not understood; use: ", right,
               NULL);
}

static void start_help(const char *line)
{
    ccprof_say(CCPROF_SETTINGS_VARIABLE ": ", line, NULL);
}

static bool start_handler(void)
{
    if (ccprof_handler_install())
        return true;
    has_no_samples = true;
    ccprof_say_missing("SIGPROF is in use: ", ccprof_run_without_samples(), NULL);
    return false;
}

/* Returns whether the user has named an output file. If so, even a test program of a
   configure script is profiled. A folder as output does not count, since it collects
   the files of all programs of a build or test suite. */
static bool start_has_output_file(const struct ccprof_settings *settings)
{
    return settings->output_is_set && !ccprof_output_is_folder(settings->output);
}

/* Checks the setting slice. This setting needs an output folder, since each slice is
   a file. It cannot be combined with the setting events, since a recorded call of a
   region cannot be divided among several files. */
static void start_slices(struct ccprof_settings *settings)
{
    if (!settings->slice || settings->off)
        return;
    if (!settings->output_is_set || !ccprof_output_is_folder(settings->output)) {
        ccprof_say(CCPROF_SETTINGS_VARIABLE
                   ": slice=SECONDS needs a folder, output=FOLDER/: there is one file",
                   NULL);
        settings->slice = 0;
    } else if (settings->events) {
        ccprof_say(CCPROF_SETTINGS_VARIABLE ": events=N has no effect with slice=SECONDS",
                   NULL);
        settings->events = 0;
    }
}

/* Detects valgrind and adapts the runtime, since valgrind reports errors in the whole
   process, including the runtime. Valgrind preloads its own objects, so its name is
   in LD_PRELOAD, even in statically linked programs. */
static void start_in_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    if (!preloaded || !strstr(preloaded, "/vgpreload_"))
        return;
    ccprof_safe_read_use_kernel();
    ccprof_exit_without_stacks();
}

/* Returns the user's settings; null if there are none. */
static const char *start_text(void)
{
    const char *text = getenv(CCPROF_SETTINGS_VARIABLE);
    return text && *text ? text : NULL;
}

/* Returns whether the user has said whether to start. */
static bool start_is_set(const char *text)
{
    const char *item = text ? strstr(text, "start=") : NULL;

    while (item && item != text && item[-1] != ',')
        item = strstr(item + 1, "start=");
    return item != NULL;
}

/* KINDS: those of the first module. */
static void start_settings(unsigned kinds)
{
    const char *text = start_text();

    ccprof_settings_read(&ccprof_run.settings, text, start_complain);
    if ((kinds & CCPROF_KIND_DORMANT) && !start_is_set(text))
        ccprof_run.settings.start = false;
    if (ccprof_run.settings.help)
        ccprof_settings_help(start_help);
    start_slices(&ccprof_run.settings);
    if (!start_has_output_file(&ccprof_run.settings) &&
        ccprof_program_is_conftest(ccprof_program()))
        ccprof_run.settings.off = true;
}

/* Prepares call chains, which only need the tables. */
static void start_chain(void)
{
    if (!ccprof_run.settings.chain)
        return;
    ccprof_exit_install_chain();
    ccprof_thread_create_install();
}

/* Regions that begin before this call are not measured. */
static void start_regions(void)
{
    ccprof_regions_start(&ccprof_api, &ccprof_run.settings,
                         ccprof_thread_create_expect_end);
    if (ccprof_gate_is_open())
        ccprof_regions_open();
}

/* Returns the seconds between checkpoints. MPI ranks have checkpoints by default,
   since a launcher kills the remaining processes when one ends early. */
static unsigned start_every(void)
{
    unsigned every = ccprof_run.settings.every;

    if (every != CCPROF_SETTINGS_EVERY_UNSET)
        return every;
    return *ccprof_output_rank() ? CCPROF_SETTINGS_EVERY_OF_RANKS : 0;
}

/* Returns whether a run without samples needs a timer for checkpoints. Prints
   messages only if the user has asked for checkpoints. */
static bool start_pulse(void)
{
    const struct ccprof_settings *settings = &ccprof_run.settings;
    bool is_requested =
        settings->slice ||
        (settings->every != CCPROF_SETTINGS_EVERY_UNSET && settings->every);

    if (!settings->samples) {
        if (is_requested && !settings->slice)
            ccprof_say(CCPROF_SETTINGS_VARIABLE
                       ": every=SECONDS has no effect with samples=no: no timer runs",
                       NULL);
        return false;
    }
    if (has_no_samples || (!is_requested && !start_every()))
        return false;
    if (ccprof_handler_install())
        return true;
    if (is_requested)
        ccprof_say("SIGPROF is in use: " CCPROF_RUN_NO_PULSE, NULL);
    return false;
}

static void start_refuse_heap(const char *why)
{
    ccprof_say(CCPROF_SETTINGS_VARIABLE ": heap: ", why, ": the heap is not measured",
               NULL);
}

/* Checks the setting heap before a program with these KINDS is measured: the stacks of
   allocations need the labels of the kind time-label. */
static void start_check_heap(struct ccprof_settings *settings, unsigned kinds)
{
    if (!settings->heap || (kinds & CCPROF_KIND_TIME))
        return;
    start_refuse_heap("the program is not compiled with profile=time-label");
    settings->heap = 0;
}

static void start_heap(void)
{
    const struct ccprof_settings *settings = &ccprof_run.settings;
    const bool exact = settings->heap == CCPROF_SETTINGS_HEAP_EXACT;
    const bool later = settings->heap == CCPROF_SETTINGS_HEAP_LATER ||
                       settings->heap == CCPROF_SETTINGS_HEAP_EXACT_LATER;
    const uint64_t size = settings->heap == CCPROF_SETTINGS_HEAP_LATER
                              ? CCPROF_SETTINGS_HEAP_SIZE
                          : exact || later ? 0
                                           : settings->heap;

    if (settings->mmap && !settings->heap)
        ccprof_say(CCPROF_SETTINGS_VARIABLE ": mmap=SIZE has no effect without heap",
                   NULL);
    if (settings->reachable && !exact) {
        ccprof_run.settings.reachable = false;
        ccprof_say(CCPROF_SETTINGS_VARIABLE
                   ": reachable=yes has no effect without heap=exact",
                   NULL);
    }
    if (!settings->heap)
        return;
    const char *why = ccprof_hooks_start_heap(size, settings->mmap);
    if (why) {
        start_refuse_heap(why);
        return;
    }
    __register_atfork(ccprof_heap_fork_prepare, ccprof_heap_fork_parent,
                      ccprof_heap_fork_child, NULL);
    if (!later)
        ccprof_heap_record(false);
}

/* Says why waits are not measured. */
static void start_refuse_wait(const char *why)
{
    ccprof_say_missing(CCPROF_SETTINGS_VARIABLE ": wait: ", why,
                       ": waiting is not measured", NULL);
    ccprof_run.settings.wait = 0;
}

/* Starts to measure waits, before slots are changed. */
static void start_wait(void)
{
    const struct ccprof_settings *settings = &ccprof_run.settings;

    if (!settings->wait)
        return;
    if (!ccprof_hooks_start_wait())
        start_refuse_wait("a program that is linked with -static is not seen waiting");
    else if (!(ccprof_run.kinds & CCPROF_KIND_TIME))
        start_refuse_wait("the program is not compiled with profile=time-label");
    else if (settings->clock == CCPROF_SETTINGS_WALL)
        start_refuse_wait("the signals of clock=wall interrupt what waits");
    else if (!ccprof_threadnames_are_kept() ||
             !ccprof_wait_start(settings->wait, settings->shortest * UINT64_C(1000),
                                ccprof_thread_create_expect_end))
        start_refuse_wait("there is no memory");
}

/* Handlers of pthread_atfork, which run in the thread that calls fork. This thread is
   the only one in the child. The child gets its own run and, if it is sampled, its own
   file. Children of vfork and posix_spawn are not profiled. */
static void fork_prepare(void)
{
    int saved = errno;
    if (!ccprof_run_exists())
        return;
    ccprof_threads_fork_begin();
    if (ccprof_run.samples && !ccprof_run.settings.slice)
        ccprof_children_prepare();
    errno = saved;
}

static void fork_parent(void)
{
    int saved = errno;
    if (!ccprof_run_exists())
        return;
    ccprof_threads_fork_end(false);
    errno = saved;
}

static void fork_child(void)
{
    struct ccprof_blocked blocked;
    int saved = errno;
    ccprof_spin_release(&ccprof_run.attaching);
    ccprof_request_drop();
    if (!ccprof_run_exists()) {
        atomic_store(&ccprof_run.owner, ccprof_sys_getpid());
        return;
    }
    ccprof_threads_fork_end(true);
    ccprof_checkpoint_child();
    ccprof_children_drop();
    /* A signal that writes a file finds no waits of the parent. */
    ccprof_blocked_begin(&blocked);
    ccprof_run_start_child();
    ccprof_wait_fork_child();
    ccprof_blocked_end(&blocked);
    errno = saved;
}

/* Called several times, if the run begins later, at a request. */
static void start_forks(void)
{
    static bool done;

    if (!done)
        __register_atfork(fork_prepare, fork_parent, fork_child, NULL);
    done = true;
}

/* Makes the run write its file at the end. */
static void start_file(void)
{
    if (ccprof_run.settings.slice)
        ccprof_checkpoint_start(ccprof_run.settings.slice, true);
    else
        ccprof_checkpoint_start(start_every(), false);
    if (ccprof_run.settings.signals)
        ccprof_exit_install_signals();
}

/* Starts the run. SAMPLES: CPU time or wall clock time is measured, too. Returns
   whether there is a run. */
static bool start_run(bool samples)
{
    ccprof_output_read_launcher();
    bool pulse = !samples && start_pulse();
    bool runs =
        ccprof_run_start(samples || pulse ? ccprof_handler_is_installed : NULL, samples);

    has_no_samples = has_no_samples || (samples && !ccprof_run.samples);
    if (!runs)
        return false;
    if (ccprof_run.settings.toggle)
        ccprof_gate_install_signal(ccprof_run.settings.toggle);
    if (ccprof_run.settings.write)
        ccprof_write_install_signal(ccprof_run.settings.write);
    ccprof_request_install(NULL);
    start_file();
    ccprof_exit_install();
    start_forks();
    ccprof_thread_create_install();
    start_regions();
    start_heap();
    start_wait();
    return true;
}

/* Starts to sample in a run that has only counted so far. If timers for checkpoints
   already run, they use CPU time, so clock=wall is not possible. */
static void start_samples(void)
{
    if (!ccprof_run_exists() || ccprof_run.samples)
        return;
    if (ccprof_run.signal_is_ours && ccprof_run.settings.clock == CCPROF_SETTINGS_WALL) {
        has_no_samples = true;
        ccprof_say("clock=wall: objects loaded after the start are not sampled, since "
                   "timers of CPU time already run for every=SECONDS",
                   NULL);
        return;
    }
    if (!start_handler())
        return;
    ccprof_run_sample(ccprof_handler_is_installed);
    has_no_samples = !ccprof_run.samples;
}

struct start_kinds {
    uintptr_t address; /* address in the module */
    unsigned any, all; /* the bits of any note, and those of all notes */
};

static bool start_add_kind(const void *content, void *context)
{
    const struct ccprof_kind_note *note = content;
    struct start_kinds *search = context;

    if (note->version == CCPROF_ATTACH_VERSION)
        search->any |= note->kind, search->all &= note->kind;
    return true;
}

static int start_visit_module(struct dl_phdr_info *info, size_t size, void *context)
{
    struct start_kinds *search = context;

    (void)size;
    if (!ccprof_notes_holds(info, search->address))
        return 0;
    ccprof_notes_each(info, CCPROF_NOTE_KIND, sizeof(struct ccprof_kind_note),
                      start_add_kind, search);
    return 1;
}

/* Returns the kinds (enum ccprof_kind) for which the objects of ATTACH's module were
   compiled. The module has a note for each kind, in the order in which the objects
   were linked. It is dormant if all of its objects are. */
static unsigned start_kinds_of(const struct ccprof_attach *attach)
{
    struct start_kinds search = {(uintptr_t)attach, attach->kind, attach->kind};

    dl_iterate_phdr(start_visit_module, &search);
    return (search.any & ~CCPROF_KIND_DORMANT) | (search.all & CCPROF_KIND_DORMANT);
}

static bool start_is_supported(const struct ccprof_attach *attach)
{
    const unsigned known =
        CCPROF_KINDS_MEASURED | CCPROF_KINDS_LABELLED | CCPROF_KIND_DORMANT;
    return attach->version == CCPROF_ATTACH_VERSION && (attach->kind & ~known) == 0;
}

static void start_measuring(unsigned kinds)
{
    if (!started)
        start_check_heap(&ccprof_run.settings, kinds);
    bool other = (kinds & (CCPROF_KINDS_COUNTED | CCPROF_KIND_REGION)) ||
                 !ccprof_run.settings.samples || ccprof_run.settings.heap;
    bool samples =
        (kinds & CCPROF_KINDS_SAMPLED) && !has_no_samples && ccprof_run.settings.samples;

    ccprof_run.kinds |= kinds & ~CCPROF_KIND_DORMANT;
    if (!started) {
        samples = samples && start_handler();
        started = (samples || other) && start_run(samples);
    } else if (samples) {
        start_samples();
    }
}

/* The functions of ccprof.h that make a run ordinary, while the process is dormant. */
static struct ccprof_api usual;

/* Ends the dormant state: from now on the user measures. Async-signal-safe. */
static void start_claim(void)
{
    ccprof_dormant_end();
    ccprof_api.start = usual.start;
    ccprof_api.write = usual.write;
    ccprof_api.data_write = usual.data_write;
    if (!ccprof_run_exists())
        return;
    has_settings = started = true;
    start_file();
}

/* Reads the user's settings, before the first run. */
static void start_prepare(unsigned kinds)
{
    if (has_settings)
        return;
    has_settings = true;
    ccprof_say_start(start_text() != NULL);
    ccprof_handler_set_fatal(ccprof_exit_signal);
    start_settings(kinds);
    start_in_valgrind();
    if (!ccprof_run.settings.off)
        start_chain();
    if (ccprof_run.settings.trace && !ccprof_run.settings.off)
        ccprof_trace_install(ccprof_run.settings.trace);
}

/* How long such a call waits for a thread that attaches modules, in nanoseconds: it may
   be in a signal handler that has interrupted this thread. */
#define START_CALL_PATIENCE 100000000u

/* The program calls a function of ccprof.h in a dormant process. Async-signal-safe. */
static void start_by_program(void)
{
    int saved = errno;
    struct ccprof_blocked blocked;

    if (ccprof_program_is_conftest(ccprof_program()))
        return;
    ccprof_blocked_begin(&blocked);
    if (ccprof_spin_wait(&ccprof_run.attaching, START_CALL_PATIENCE)) {
        if (ccprof_dormant_is() && ccprof_dormant_wake() == 0)
            start_claim();
        ccprof_spin_release(&ccprof_run.attaching);
    }
    ccprof_blocked_end(&blocked);
    errno = saved;
}

static void start_api_start(void)
{
    start_by_program();
    if (ccprof_run_exists())
        usual.start();
}

static int start_api_write(const char *file)
{
    start_by_program();
    return usual.write(file);
}

static int start_api_data_write(struct ccprof_data *data, const char *file)
{
    start_by_program();
    return usual.data_write(data, file);
}

static void start_dormant(const struct ccprof_attach *attach, unsigned kinds)
{
    if (!ccprof_dormant_is()) {
        usual = ccprof_api;
        ccprof_api.start = start_api_start;
        ccprof_api.write = start_api_write;
        ccprof_api.data_write = start_api_data_write;
        start_in_valgrind();
        start_forks();
        ccprof_exit_install();
    }
    ccprof_run.kinds |= kinds & ~CCPROF_KIND_DORMANT;
    ccprof_own_add(attach);
    ccprof_dormant_begin();
    if (ccprof_run_attach())
        ccprof_hooks_set();
    if (ccprof_chain_is_used())
        ccprof_chain_attach(attach, NULL);
}

static void start_attach(const struct ccprof_attach *attach,
                         const struct ccprof_api **api)
{
    unsigned kinds = start_kinds_of(attach);

    if ((kinds & CCPROF_KIND_DORMANT) && !has_settings &&
        (ccprof_dormant_is() || !start_text())) {
        start_dormant(attach, kinds);
        *api = &ccprof_api;
        return;
    }
    if (ccprof_dormant_is()) {
        start_claim();
        if (ccprof_run_exists())
            ccprof_gate_open();
        kinds |= ccprof_run.kinds;
    }
    start_prepare(kinds);
    if (ccprof_run.settings.off)
        return;
    ccprof_own_add(attach);
    if (kinds & CCPROF_KINDS_MEASURED)
        start_measuring(kinds);
    if (ccprof_run_attach()) {
        if (kinds & CCPROF_KIND_FIELD)
            ccprof_field_attach(attach);
        if (kinds & CCPROF_KIND_ALLOC)
            ccprof_path_attach(attach);
        ccprof_counts_attach(attach, &ccprof_run.memory->modules);
        ccprof_thread_create_adopt();
        ccprof_hooks_set();
    } else if (ccprof_run.settings.chain) {
        ccprof_hooks_set();
    }
    ccprof_chain_attach(attach, ccprof_run.memory ? &ccprof_run.memory->modules : NULL);
    *api = &ccprof_api;
}

void ccprof_rt_attach(const struct ccprof_attach *attach, const struct ccprof_api **api)
{
    int saved = errno;

    if (getauxval(AT_SECURE))
        return;
    /* Several threads may load objects at the same time. In the child of a fork, the
       flag may be held by a thread that exists only in the parent. */
    if (!ccprof_spin_wait(&ccprof_run.attaching, START_PATIENCE)) {
        ccprof_say_missing(
            "a part of the program runs unprofiled: another thread is starting", NULL);
        return;
    }
    if (!start_is_supported(attach)) {
        if (!has_settings)
            ccprof_say_start(start_text() != NULL);
        ccprof_say_missing(CCPROF_RT_SONAME
                           " is too old for a part of the program, which runs unprofiled",
                           NULL);
    } else {
        start_attach(attach, api);
    }
    ccprof_spin_release(&ccprof_run.attaching);
    errno = saved;
}

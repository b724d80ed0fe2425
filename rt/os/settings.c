/* SPDX-License-Identifier: MIT */
/* Parses the variable.  Called once, by the constructor.  */

#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "rt/os/settings.h"
#include "rt/format.h"

const char *const ccprof_settings_help[] = {
    "off            do not profile",
    "output=FILE    write FILE instead of " CCPROF_MLMON_DEFAULT
    "; %p in it: process, %e: program, %h: host, %r: rank, %%",
    "output=FOLDER/ write into the folder, each process a file of its own",
    "rate=HZ        samples in a second of the clock, 1 to 10000; 100",
    "stack=no       take the program counter alone, not its callers; yes",
    "threads=yes    tell samples apart by thread; no",
    "times=yes      tell when samples were taken, by thread; times=MS: in buckets of so "
    "many milliseconds at first; no",
    "clock=wall     time on the clock, waiting included, not CPU time; cpu",
    "regions=no     do not measure regions; regions=cpu: their CPU time, too; yes",
    "pause=MS       a region is cold again after so many milliseconds; 10",
    "events=N       keep the longest calls of regions one by one, N at most, by thread; "
    "no",
    "engine=NAME    task-clock or thread-timer: what samples CPU time, or the next that "
    "works; task-clock",
    "samples=no     take no samples, with no timer: only counts and regions; yes",
    "start=no       take no samples until the program or a signal starts it; yes",
    "toggle=SIGNAL  a signal that stops sampling and starts it again, USR2 for example",
    "write=SIGNAL   a signal at which the profile is written and the program goes on",
    "every=SECONDS  write the profile from time to time, so that what is killed leaves "
    "it; "
    "no, and 60 for processes of MPI",
    "slice=SECONDS  with output=FOLDER/: write what was measured since the last time "
    "into "
    "a file of its own; no",
    "keep=SIZE      with slice: the most that is left in the folder, as 500K, 64M or 2G; "
    "the oldest files go; 64M",
    "chain=yes      print the chain of calls where SIGSEGV, SIGBUS, SIGFPE, SIGILL, "
    "SIGTRAP or SIGABRT ends the program; no",
    "trace=LINES    print what calls the program enters and leaves, as many lines at "
    "most; "
    "10000",
    "command=yes    tell in the file with which arguments the program was started, which "
    "may "
    "hold secrets; name; command=no: not even its name",
    "host=yes       tell the machine's name in the file, which is told of processes of "
    "MPI; "
    "host=no: of none",
    "signals=no     leave signals that end the program alone; yes",
    "help           this list",
    NULL};

/* VALUE is what follows the equals sign, null if there is none.  These return
   null, or what would be right.  */

static const char *set_off(struct ccprof_settings *settings, const char *value)
{
    settings->off = true;
    return value ? "off" : NULL;
}

static const char *set_help(struct ccprof_settings *settings, const char *value)
{
    settings->help = true;
    return value ? "help" : NULL;
}

/* Each percent sign has one of the letters behind it, or another one.  */
static bool settings_is_pattern(const char *value)
{
    for (; *value; value++)
        if (*value == '%' && (*++value == '\0' || !strchr("pehr%", *value)))
            return false;
    return true;
}

static const char *set_output(struct ccprof_settings *settings, const char *value)
{
    if (!value || !*value || strlen(value) >= sizeof settings->output)
        return "output=FILE";
    if (!settings_is_pattern(value))
        return "output=FILE with %p (process), %e (program), %h (host), %r (rank) or %%";
    strcpy(settings->output, value);
    settings->output_is_set = true;
    return NULL;
}

static bool settings_is_no(const char *value)
{
    return value && strcmp(value, "no") == 0;
}

/* A number from 1 to MOST; 0 if it is none.  */
static unsigned settings_number(const char *value, unsigned most)
{
    unsigned number = 0;

    for (; value && *value; value++) {
        if (*value < '0' || *value > '9')
            return 0;
        number = number * 10 + (unsigned)(*value - '0');
        if (number > most)
            return 0;
    }
    return number;
}

static const char *set_rate(struct ccprof_settings *settings, const char *value)
{
    unsigned rate = settings_number(value, CCPROF_SETTINGS_RATE_MAX);

    if (rate == 0)
        return "rate=HZ with HZ from 1 to 10000";
    settings->rate = rate;
    return NULL;
}

static const char *set_trace(struct ccprof_settings *settings, const char *value)
{
    unsigned lines =
        value ? settings_number(value, CCPROF_SETTINGS_TRACE_MAX) : CCPROF_SETTINGS_TRACE;

    if (lines == 0)
        return "trace, or trace=LINES with LINES from 1 to 100000000";
    settings->trace = lines;
    return NULL;
}

static bool settings_is_yes_or_no(const char *value)
{
    return settings_is_no(value) || (value && strcmp(value, "yes") == 0);
}

static const char *set_stack(struct ccprof_settings *settings, const char *value)
{
    if (!settings_is_yes_or_no(value))
        return "stack=yes or stack=no";
    settings->stack = *value == 'y';
    return NULL;
}

static const char *set_threads(struct ccprof_settings *settings, const char *value)
{
    if (!settings_is_yes_or_no(value))
        return "threads=yes or threads=no";
    settings->threads = *value == 'y';
    return NULL;
}

/* A track for each thread is what times are for.  */
static const char *set_times(struct ccprof_settings *settings, const char *value)
{
    unsigned width = settings_number(value, CCPROF_SETTINGS_TIMES_MAX);

    if (settings_is_no(value)) {
        settings->times = 0;
        return NULL;
    }
    if (value && strcmp(value, "yes") == 0)
        width = CCPROF_SETTINGS_TIMES;
    if (width == 0)
        return "times=yes, times=no, or times=MS with milliseconds from 1 to 60000";
    settings->times = width;
    settings->threads = true;
    return NULL;
}

static const char *set_signals(struct ccprof_settings *settings, const char *value)
{
    if (!settings_is_yes_or_no(value))
        return "signals=yes or signals=no";
    settings->signals = *value == 'y';
    return NULL;
}

static const char *set_command(struct ccprof_settings *settings, const char *value)
{
    if (value && strcmp(value, "name") == 0)
        settings->command = CCPROF_SETTINGS_NAME_ALONE;
    else if (settings_is_yes_or_no(value))
        settings->command =
            *value == 'y' ? CCPROF_SETTINGS_COMMAND : CCPROF_SETTINGS_NO_COMMAND;
    else
        return "command=name, command=yes or command=no";
    return NULL;
}

static const char *set_chain(struct ccprof_settings *settings, const char *value)
{
    if (!settings_is_yes_or_no(value))
        return "chain=yes or chain=no";
    settings->chain = *value == 'y';
    return NULL;
}

static const char *set_samples(struct ccprof_settings *settings, const char *value)
{
    if (!settings_is_yes_or_no(value))
        return "samples=yes or samples=no";
    settings->samples = *value == 'y';
    return NULL;
}

static const char *set_start(struct ccprof_settings *settings, const char *value)
{
    if (!settings_is_yes_or_no(value))
        return "start=yes or start=no";
    settings->start = *value == 'y';
    return NULL;
}

/* Neither our own signal nor those that tell of errors, nor those that cannot be
   caught.  */
static bool settings_may_be_taken(int number)
{
    static const int not [] = {SIGPROF, SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,
                               SIGILL,  SIGFPE,  SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        if (not [i] == number)
            return false;
    return true;
}

/* The signal's number, 0 if there is none of that name that may be taken.  */
static int settings_signal(const char *value)
{
    if (value && strncmp(value, "SIG", 3) == 0)
        value += 3;
    for (int number = 1; value && number < SIGRTMIN; number++) {
        const char *name = sigabbrev_np(number);
        if (name && strcmp(value, name) == 0 && settings_may_be_taken(number))
            return number;
    }
    return 0;
}

static const char *set_toggle(struct ccprof_settings *settings, const char *value)
{
    int number = settings_signal(value);
    if (number == 0)
        return "toggle=SIGNAL with a signal as USR1, USR2 or WINCH";
    settings->toggle = number;
    return NULL;
}

static const char *set_write(struct ccprof_settings *settings, const char *value)
{
    int number = settings_signal(value);
    if (number == 0)
        return "write=SIGNAL with a signal as USR1, USR2 or WINCH";
    settings->write = number;
    return NULL;
}

static const char *set_engine(struct ccprof_settings *settings, const char *value)
{
    static const char *const names[] = {[CCPROF_SETTINGS_TASK_CLOCK] = "task-clock",
                                        [CCPROF_SETTINGS_THREAD_TIMER] = "thread-timer"};

    for (unsigned i = 0; value && i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            settings->engine = (enum ccprof_settings_engine)i;
            return NULL;
        }
    }
    return "engine=task-clock or engine=thread-timer";
}

static const char *set_regions(struct ccprof_settings *settings, const char *value)
{
    static const char *const names[] = {[CCPROF_SETTINGS_NO_REGIONS] = "no",
                                        [CCPROF_SETTINGS_REGIONS] = "yes",
                                        [CCPROF_SETTINGS_REGIONS_CPU] = "cpu"};

    for (unsigned i = 0; value && i < sizeof names / sizeof *names; i++) {
        if (strcmp(value, names[i]) == 0) {
            settings->regions = (enum ccprof_settings_regions)i;
            return NULL;
        }
    }
    return "regions=yes, regions=no or regions=cpu";
}

static const char *set_every(struct ccprof_settings *settings, const char *value)
{
    unsigned every = settings_number(value, CCPROF_SETTINGS_EVERY_MAX);

    if (every == 0 && !settings_is_no(value))
        return "every=SECONDS, from 1 to 86400, or every=no";
    settings->every = every;
    return NULL;
}

static const char *set_slice(struct ccprof_settings *settings, const char *value)
{
    unsigned slice = settings_number(value, CCPROF_SETTINGS_SLICE_MAX);

    if (slice == 0 && !settings_is_no(value))
        return "slice=SECONDS, from 1 to 86400, or slice=no";
    settings->slice = slice;
    return NULL;
}

/* A number with K, M or G behind it, in bytes; 0 if it is none.  */
static uint64_t settings_size(const char *value)
{
    static const char units[] = "KMG";
    size_t length = value ? strlen(value) : 0;
    const char *unit = length > 1 ? strchr(units, value[length - 1]) : NULL;
    char digits[8];

    if (!unit || length > sizeof digits)
        return 0;
    memcpy(digits, value, length - 1);
    digits[length - 1] = '\0';
    return (uint64_t)settings_number(digits, CCPROF_SETTINGS_KEEP_MAX)
           << 10 * (unit - units + 1);
}

static const char *set_keep(struct ccprof_settings *settings, const char *value)
{
    uint64_t keep = settings_size(value);

    if (keep == 0 && !settings_is_no(value))
        return "keep=SIZE with K, M or G behind a number, as keep=64M, or keep=no";
    settings->keep = keep;
    return NULL;
}

static const char *set_pause(struct ccprof_settings *settings, const char *value)
{
    unsigned pause = settings_number(value, CCPROF_SETTINGS_PAUSE_MAX);

    if (pause == 0)
        return "pause=MS with milliseconds from 1 to 3600000";
    settings->pause = pause;
    return NULL;
}

/* A track for each thread is what they are for, too.  */
static const char *set_events(struct ccprof_settings *settings, const char *value)
{
    unsigned events = settings_number(value, CCPROF_SETTINGS_EVENTS_MAX);

    if (settings_is_no(value)) {
        settings->events = 0;
        return NULL;
    }
    if (events == 0)
        return "events=no, or events=N with N from 1 to 10000000";
    settings->events = events;
    settings->threads = true;
    return NULL;
}

static const char *set_clock(struct ccprof_settings *settings, const char *value)
{
    if (!value || (strcmp(value, "cpu") != 0 && strcmp(value, "wall") != 0))
        return "clock=cpu or clock=wall";
    settings->clock = *value == 'w' ? CCPROF_SETTINGS_WALL : CCPROF_SETTINGS_CPU;
    return NULL;
}

static const char *set_host(struct ccprof_settings *settings, const char *value)
{
    if (!settings_is_yes_or_no(value))
        return "host=yes or host=no";
    settings->host = *value == 'y' ? CCPROF_SETTINGS_HOST : CCPROF_SETTINGS_NO_HOST;
    return NULL;
}

static const struct {
    const char *name;
    const char *(*set)(struct ccprof_settings *settings, const char *value);
} items[] = {
    {"off", set_off},         {"output", set_output},   {"rate", set_rate},
    {"stack", set_stack},     {"signals", set_signals}, {"help", set_help},
    {"engine", set_engine},   {"clock", set_clock},     {"start", set_start},
    {"toggle", set_toggle},   {"chain", set_chain},     {"trace", set_trace},
    {"write", set_write},     {"threads", set_threads}, {"times", set_times},
    {"regions", set_regions}, {"pause", set_pause},     {"command", set_command},
    {"events", set_events},   {"samples", set_samples}, {"host", set_host},
    {"every", set_every},     {"slice", set_slice},     {"keep", set_keep},
};

/* ITEM is NUL-terminated and may be changed; returns null, or what is right.  */
static const char *settings_item(struct ccprof_settings *settings, char *item)
{
    char *equals = strchr(item, '=');
    size_t length = equals ? (size_t)(equals - item) : strlen(item);

    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (strlen(items[i].name) == length && memcmp(items[i].name, item, length) == 0)
            return items[i].set(settings, equals ? equals + 1 : NULL);
    return "off, output=FILE, rate=HZ, stack=no, threads=yes, times=yes, clock=wall, "
           "regions=no, pause=MS, events=N, engine=NAME, samples=no, start=no, "
           "toggle=SIGNAL, "
           "write=SIGNAL, "
           "chain=yes, trace=LINES, "
           "signals=no, command=yes, host=yes, every=SECONDS, slice=SECONDS, keep=SIZE, "
           "help";
}

void ccprof_settings_read(struct ccprof_settings *settings, const char *text,
                          void (*complain)(const char *, const char *))
{
    settings->off = false;
    settings->help = false;
    settings->command = CCPROF_SETTINGS_NAME_ALONE;
    settings->every = CCPROF_SETTINGS_EVERY_UNSET;
    settings->slice = 0;
    settings->keep = CCPROF_SETTINGS_KEEP;
    settings->host = CCPROF_SETTINGS_HOST_OF_RANKS;
    settings->signals = true;
    settings->stack = true;
    settings->threads = false;
    settings->times = 0;
    settings->samples = true;
    settings->start = true;
    settings->chain = false;
    settings->trace = 0;
    settings->toggle = 0;
    settings->write = 0;
    settings->output_is_set = false;
    settings->rate = CCPROF_SETTINGS_RATE;
    settings->engine = CCPROF_SETTINGS_TASK_CLOCK;
    settings->clock = CCPROF_SETTINGS_CPU;
    settings->regions = CCPROF_SETTINGS_REGIONS;
    settings->pause = CCPROF_SETTINGS_PAUSE;
    settings->events = 0;
    strcpy(settings->output, CCPROF_MLMON_DEFAULT);

    while (text && *text) {
        char item[PATH_MAX + sizeof "output="];
        const char *end = strchr(text, ',');
        size_t length = end ? (size_t)(end - text) : strlen(text);
        const char *right = NULL;

        if (length >= sizeof item)
            length = sizeof item - 1;
        memcpy(item, text, length);
        item[length] = '\0';
        if (length != 0)
            right = settings_item(settings, item);
        if (right && complain)
            complain(item, right);
        text = end ? end + 1 : NULL;
    }
}

/* SPDX-License-Identifier: MIT */
/* Reads the settings of CCPROF for the constructor (rt/entry/start.c), before any
   handler is installed.

   Owns the table of the settings. The parser, the defaults, the output of CCPROF=help
   and the messages about wrong settings use this table and its order. */

#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "rt/os/settings.h"
#include "rt/format.h"
#include "rt/os/text.h"

/* The form of the value that may follow the name of a setting. */
enum kind {
    FLAG,    /* no value: the field becomes true */
    CHOICE,  /* one of WORDS */
    NUMBER,  /* one of WORDS, or a number from 1 to MOST */
    SIZE,    /* one of WORDS, or a number from 1 to MOST and K, M or G */
    SIGNAL,  /* name of a signal, with or without SIG */
    PATTERN, /* file name with placeholders: a percent sign and a letter */
};

#define FIELD(field)                                                                     \
    offsetof(struct ccprof_settings, field), sizeof((struct ccprof_settings *)0)->field

/* clang-format off */
#define YES_NO {{"yes", true}, {"no", false}}
#define NO     {{"no", 0}}
/* clang-format on */

#define DIGITS_OF(number) DIGITS(number)
#define DIGITS(number)    #number

/* clang-format off */
/* The table contains its texts, so that the loader has nothing to relocate in it. */
static const struct setting {
    char name[10];
    enum kind kind;
    unsigned short offset, size; /* of the field in struct ccprof_settings */
    unsigned most;
    unsigned default_value; /* the default */
    unsigned bare_value; /* the value if only the name is given; 0: a value is required */
    bool by_thread;      /* any value except 0 also sets threads=yes */
    struct {
        char word[13];
        unsigned value;
    } words[5];     /* unused entries at the end are empty */
    char form[8];   /* placeholder in lists for a value that is not in WORDS; empty: no
                       such value */
    char unit[13];  /* unit of MOST; empty: FORM is the unit */
    char shown[5];  /* value shown in lists; empty: FORM */
    char help[160]; /* text of the help, without the default at its end */
} table[] = {
    {"off", FLAG, FIELD(off),
     .help = "do not profile"},
    {"output", PATTERN, FIELD(output), .form = "FILE",
     .help = "write FILE instead of " CCPROF_MLMON_DEFAULT "; %p is the process, %e "
             "the program, %h the host, %r the rank, %% a percent sign"},
    {"output", PATTERN, FIELD(output), .form = "FOLDER/",
     .help = "write into this folder, one file for each process"},
    {"rate", NUMBER, FIELD(rate), .most = CCPROF_RATE_MOST, .default_value = 100,
     .form = "HZ",
     .help = "samples per second of CPU time or, with clock=wall, of real time; 1 to "
             DIGITS_OF(CCPROF_RATE_MOST)},
    {"stack", CHOICE, FIELD(stack), .words = YES_NO, .default_value = true, .shown = "no",
     .help = "sample only the program counter, not its callers"},
    {"threads", CHOICE, FIELD(threads), .words = YES_NO, .default_value = false,
     .shown = "yes",
     .help = "record the thread of each sample"},
    {"times", NUMBER, FIELD(times),
     .words = {{"yes", CCPROF_TIMES_WIDTH_USUAL}, {"no", 0}},
     .most = CCPROF_TIMES_WIDTH_MOST, .default_value = 0, .by_thread = true, .form = "MS",
     .unit = "milliseconds", .shown = "yes",
     .help = "record when samples were taken, by thread; times=MS: start with buckets "
             "of MS milliseconds"},
    {"clock", CHOICE, FIELD(clock),
     .words = {{"cpu", CCPROF_SETTINGS_CPU}, {"wall", CCPROF_SETTINGS_WALL}},
     .default_value = CCPROF_SETTINGS_CPU, .shown = "wall",
     .help = "sample real time, waiting included, instead of CPU time"},
    {"regions", CHOICE, FIELD(regions),
     .words = {{"yes", CCPROF_SETTINGS_REGIONS},
               {"no", CCPROF_SETTINGS_NO_REGIONS},
               {"cpu", CCPROF_SETTINGS_REGIONS_CPU}},
     .default_value = CCPROF_SETTINGS_REGIONS, .shown = "no",
     .help = "do not measure regions; regions=cpu: also measure their CPU time"},
    {"pause", NUMBER, FIELD(pause), .most = 3600000, .default_value = 10, .form = "MS",
     .unit = "milliseconds",
     .help = "a region counts as cold after a pause of MS milliseconds"},
    {"events", NUMBER, FIELD(events), .words = NO, .most = 10000000, .default_value = 0,
     .by_thread = true, .form = "N",
     .help = "keep the N longest calls of regions one by one, by thread"},
    {"heap", SIZE, FIELD(heap),
     .words = {{"exact", CCPROF_SETTINGS_HEAP_EXACT},
               {"later", CCPROF_SETTINGS_HEAP_LATER},
               {"exact-later", CCPROF_SETTINGS_HEAP_EXACT_LATER},
               {"no", 0}},
     .most = 1000000, .default_value = 0, .bare_value = CCPROF_SETTINGS_HEAP_SIZE,
     .form = "SIZE",
     .help = "sample allocations, frees and memory in use, with stacks: one block in "
             "SIZE bytes; heap=exact: every block; heap=later: when asked"},
    {"mmap", SIZE, FIELD(mmap), .words = NO, .most = 1000000, .default_value = 0,
     .bare_value = 1 << 20, .form = "SIZE",
     .help = "with heap: also count anonymous mappings of at least SIZE bytes"},
    {"reachable", CHOICE, FIELD(reachable), .words = YES_NO, .default_value = false,
     .shown = "yes",
     .help = "with heap=exact: find out at exit which blocks the program can still "
             "reach"},
    {"wait", NUMBER, FIELD(wait), .words = {{"yes", CCPROF_SETTINGS_WAITS}, {"no", 0}},
     .most = 1000000, .default_value = 0, .by_thread = true, .form = "N",
     .unit = "waits", .shown = "yes",
     .help = "measure for what threads wait: locks, conditions, files, ...; wait=N: "
             "keep the N longest waits one by one"},
    {"shortest", NUMBER, FIELD(shortest), .most = 1000000, .default_value = 10,
     .form = "US", .unit = "microseconds",
     .help = "with wait: do not record waits of less than US microseconds"},
    {"engine", CHOICE, FIELD(engine),
     .words = {{"task-clock", CCPROF_SETTINGS_TASK_CLOCK},
               {"thread-timer", CCPROF_SETTINGS_THREAD_TIMER}},
     .default_value = CCPROF_SETTINGS_TASK_CLOCK, .shown = "NAME",
     .help = "sample CPU time with task-clock or thread-timer; if NAME does not work, "
             "with the next one that does"},
    {"samples", CHOICE, FIELD(samples), .words = YES_NO, .default_value = true,
     .shown = "no",
     .help = "take no samples of time, run no timer: measure only counts, regions and "
             "heap"},
    {"start", CHOICE, FIELD(start), .words = YES_NO, .default_value = true, .shown = "no",
     .help = "take no samples and count nothing until the program, a signal or mlprof "
             "-pid starts sampling"},
    {"ask", CHOICE, FIELD(ask), .words = YES_NO, .default_value = true, .shown = "no",
     .help = "do not answer mlprof -pid"},
    {"toggle", SIGNAL, FIELD(toggle), .form = "SIGNAL",
     .help = "this signal stops sampling and starts it again; USR2, for example"},
    {"write", SIGNAL, FIELD(write), .form = "SIGNAL",
     .help = "this signal writes the profile, and the program continues"},
    {"every", NUMBER, FIELD(every), .words = NO, .most = 86400,
     .default_value = CCPROF_SETTINGS_EVERY_UNSET, .form = "SECONDS",
     .help = "write the profile at this interval, so that a killed program leaves one; "
             "default: no; " DIGITS_OF(CCPROF_SETTINGS_EVERY_OF_RANKS) " for MPI "
             "processes"},
    {"slice", NUMBER, FIELD(slice), .words = NO, .most = 86400, .default_value = 0,
     .form = "SECONDS",
     .help = "with output=FOLDER/: write the data since the last slice into a new file "
             "at this interval"},
    {"keep", SIZE, FIELD(keep), .words = NO, .most = 1000000, .default_value = 64 << 20,
     .form = "SIZE",
     .help = "with slice: remove the oldest files if the folder has more bytes than "
             "SIZE, such as 500K, 64M or 2G"},
    {"chain", CHOICE, FIELD(chain), .words = YES_NO, .default_value = false,
     .shown = "yes",
     .help = "print the open calls if SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP or "
             "SIGABRT ends the program"},
    {"trace", NUMBER, FIELD(trace), .most = 100000000, .default_value = 0,
     .bare_value = 10000, .form = "LINES",
     .help = "print each entry and exit of functions compiled with trace, at most "
             "LINES lines"},
    {"command", CHOICE, FIELD(command),
     .words = {{"name", CCPROF_SETTINGS_NAME_ALONE},
               {"yes", CCPROF_SETTINGS_COMMAND},
               {"no", CCPROF_SETTINGS_NO_COMMAND}},
     .default_value = CCPROF_SETTINGS_NAME_ALONE, .shown = "yes",
     .help = "record the program's arguments, which may hold secrets; command=no: not "
             "even its name"},
    {"host", CHOICE, FIELD(host),
     .words = {{"yes", CCPROF_SETTINGS_HOST}, {"no", CCPROF_SETTINGS_NO_HOST}},
     .default_value = CCPROF_SETTINGS_HOST_OF_RANKS, .shown = "yes",
     .help = "record the machine's name; host=no: never; default: only for MPI "
             "processes"},
    {"signals", CHOICE, FIELD(signals), .words = YES_NO, .default_value = true,
     .shown = "no",
     .help = "do not write the profile if a signal ends the program"},
    {"help", FLAG, FIELD(help),
     .help = "print this list"},
};
/* clang-format on */

enum { SETTINGS = sizeof table / sizeof *table };

/* K is 1,024 bytes. Each further unit is 1,024 times the previous one. */
static const char units[] = "KMG";

/* Returns VALUE as a number, or 0 if VALUE is not a number from 1 to MOST. */
static unsigned settings_number(const char *value, unsigned most)
{
    unsigned number = 0;

    for (; *value; value++) {
        if (*value < '0' || *value > '9')
            return 0;
        number = number * 10 + (unsigned)(*value - '0');
        if (number > most)
            return 0;
    }
    return number;
}

/* VALUE is a number from 1 to MOST, and a unit. Returns its meaning in bytes, or 0 if
   VALUE is wrong. */
static uint64_t settings_size(const char *value, unsigned most)
{
    size_t length = strlen(value);
    const char *unit = length > 1 ? strchr(units, value[length - 1]) : NULL;
    char digits[8];

    if (!unit || length > sizeof digits)
        return 0;
    memcpy(digits, value, length - 1);
    digits[length - 1] = '\0';
    return (uint64_t)settings_number(digits, most) << 10 * (unit - units + 1);
}

/* Returns whether the user may choose this signal. SIGPROF is already in use.
   Signals that mean errors and signals that cannot be caught are refused. */
static bool settings_is_signal_allowed(int number)
{
    static const int refused[] = {SIGPROF, SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,
                                  SIGILL,  SIGFPE,  SIGABRT, SIGTRAP, SIGSYS};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (refused[i] == number)
            return false;
    return true;
}

/* Returns the number of the signal called VALUE, or 0 if the signal does not exist or
   may not be chosen. */
static unsigned settings_signal(const char *value)
{
    if (strncmp(value, "SIG", 3) == 0)
        value += 3;
    for (int number = 1; number < SIGRTMIN; number++) {
        const char *name = sigabbrev_np(number);
        if (name && strcmp(value, name) == 0 && settings_is_signal_allowed(number))
            return (unsigned)number;
    }
    return 0;
}

/* Returns whether each percent sign is followed by a letter with a meaning or by a
   second percent sign. */
static bool settings_is_pattern(const char *value)
{
    for (; *value; value++)
        if (*value == '%' && (*++value == '\0' || !strchr("pehr%", *value)))
            return false;
    return true;
}

/* Stores NUMBER in the setting's field, which may be narrower. All processors that
   ccprof supports are little-endian, so the first bytes of NUMBER are its lower ones. */
static void settings_store(struct ccprof_settings *settings,
                           const struct setting *setting, uint64_t number)
{
    memcpy((char *)settings + setting->offset, &number, setting->size);
}

static bool settings_store_pattern(struct ccprof_settings *settings, const char *value)
{
    if (!value || !*value || strlen(value) >= sizeof settings->output ||
        !settings_is_pattern(value))
        return false;
    strcpy(settings->output, value);
    settings->output_is_set = true;
    return true;
}

/* Stores VALUE, the text after the equals sign; null if there is no equals sign.
   Returns false if VALUE is wrong. If VALUE is wrong, a flag is set all the same, and
   any other setting is unchanged. */
static bool settings_set(struct ccprof_settings *settings, const struct setting *setting,
                         const char *value)
{
    uint64_t number = 0;
    bool is_valid = false;

    if (setting->kind == FLAG) {
        settings_store(settings, setting, true);
        return !value;
    }
    if (setting->kind == PATTERN)
        return settings_store_pattern(settings, value);

    for (unsigned i = 0; value && !is_valid && *setting->words[i].word; i++) {
        is_valid = strcmp(setting->words[i].word, value) == 0;
        number = setting->words[i].value;
    }
    if (!is_valid) {
        number = !value                    ? setting->bare_value
                 : setting->kind == NUMBER ? settings_number(value, setting->most)
                 : setting->kind == SIZE   ? settings_size(value, setting->most)
                 : setting->kind == SIGNAL ? settings_signal(value)
                                           : 0;
        is_valid = number != 0;
    }
    if (!is_valid)
        return false;
    settings_store(settings, setting, number);
    if (setting->by_thread && number != 0)
        settings->threads = true;
    return true;
}

/* Appends BEFORE and NAME=VALUE, or only BEFORE and NAME if VALUE is empty. */
static void settings_put(struct ccprof_text *text, const char *before, const char *name,
                         const char *value)
{
    ccprof_text_string(text, before);
    ccprof_text_string(text, name);
    if (*value) {
        ccprof_text_char(text, '=');
        ccprof_text_string(text, value);
    }
}

/* Appends BEFORE and the setting in the form used in lists. */
static void settings_put_shown(struct ccprof_text *text, const char *before,
                               const struct setting *setting)
{
    settings_put(text, before, setting->name,
                 *setting->shown ? setting->shown : setting->form);
}

/* Appends the permitted values of a setting. VALUE is the wrong value, or null. */
static void settings_put_permitted(struct ccprof_text *text,
                                   const struct setting *setting, const char *value)
{
    const char *before = "";

    if (setting->bare_value || setting->kind == FLAG) {
        settings_put(text, before, setting->name, "");
        before = ", or ";
    }
    for (unsigned i = 0; *setting->words[i].word; i++) {
        bool is_last = setting->kind == CHOICE && !*setting->words[i + 1].word;
        settings_put(text,
                     i == 0    ? before
                     : is_last ? " or "
                               : ", ",
                     setting->name, setting->words[i].word);
        before = ", or ";
    }
    if (!*setting->form)
        return;

    settings_put(text, before, setting->name, setting->form);
    if (setting->kind == SIGNAL)
        ccprof_text_string(text, " with a signal such as USR1, USR2 or WINCH");
    if (setting->kind == PATTERN && value && !settings_is_pattern(value))
        ccprof_text_string(
            text, " with %p (process), %e (program), %h (host), %r (rank) or %%");
    if (setting->kind == NUMBER) {
        ccprof_text_string(text, " with ");
        ccprof_text_string(text, *setting->unit ? setting->unit : setting->form);
    }
    if (setting->kind == SIZE)
        ccprof_text_string(text, " with K, M or G after a number");
    if (setting->most) {
        ccprof_text_string(text, " from 1 to ");
        ccprof_text_decimal(text, setting->most);
    }
}

/* Appends the default. A setting whose default is "no" may be given without a value:
   then appends the value that it gets in this case. Appends nothing if there is no
   default, or if the help text already states it. */
static void settings_put_default_value(struct ccprof_text *text,
                                       const struct setting *setting)
{
    uint64_t number = setting->bare_value ? setting->bare_value : setting->default_value;
    const char *unit = NULL, *word = NULL;

    for (unsigned i = 0; *setting->words[i].word && !word; i++)
        if (setting->words[i].value == number)
            word = setting->words[i].word;
    if (!word && (!setting->most || number == CCPROF_SETTINGS_EVERY_UNSET))
        return;
    ccprof_text_string(text, setting->bare_value ? "; without a value: " : "; default: ");
    if (word) {
        ccprof_text_string(text, word);
        return;
    }
    for (; setting->kind == SIZE && number % 1024 == 0; number /= 1024)
        unit = unit ? unit + 1 : units;
    ccprof_text_decimal(text, number);
    if (unit)
        ccprof_text_char(text, *unit);
}

void ccprof_settings_help(void (*say)(const char *line))
{
    char line[200];

    for (unsigned i = 0; i < SETTINGS; i++) {
        struct ccprof_text text;

        ccprof_text_open(&text, line, sizeof line, NULL);
        settings_put_shown(&text, "", &table[i]);
        do
            ccprof_text_char(&text, ' ');
        while (text.used < sizeof "every=SECONDS ");
        ccprof_text_string(&text, table[i].help);
        settings_put_default_value(&text, &table[i]);
        ccprof_text_end(&text);
        say(line);
    }
}

/* Stores the value of ITEM, which is NAME=VALUE or NAME. If ITEM is wrong, appends
   the permitted values to RIGHT; otherwise RIGHT stays empty. */
static void settings_item(struct ccprof_settings *settings, const char *item,
                          struct ccprof_text *right)
{
    const char *equals = strchr(item, '=');
    const char *value = equals ? equals + 1 : NULL;
    size_t length = equals ? (size_t)(equals - item) : strlen(item);

    for (unsigned i = 0; i < SETTINGS; i++) {
        if (strlen(table[i].name) == length && memcmp(table[i].name, item, length) == 0) {
            if (!settings_set(settings, &table[i], value))
                settings_put_permitted(right, &table[i], value);
            return;
        }
    }
    for (unsigned i = 0; i < SETTINGS; i++)
        settings_put_shown(right, i ? ", " : "", &table[i]);
}

/* Needs 5 KB of stack. */
static __attribute__((noinline)) void
settings_items(struct ccprof_settings *settings, const char *text,
               void (*complain)(const char *, const char *))
{
    while (text && *text) {
        char item[PATH_MAX + sizeof "output="], buffer[500];
        const char *end = strchr(text, ',');
        size_t length = end ? (size_t)(end - text) : strlen(text);
        struct ccprof_text right;

        if (length >= sizeof item)
            length = sizeof item - 1;
        memcpy(item, text, length);
        item[length] = '\0';
        ccprof_text_open(&right, buffer, sizeof buffer, NULL);
        if (length != 0)
            settings_item(settings, item, &right);
        if (right.used != 0 && complain) {
            ccprof_text_end(&right);
            complain(item, buffer);
        }
        text = end ? end + 1 : NULL;
    }
}

void ccprof_settings_read(struct ccprof_settings *settings, const char *text,
                          void (*complain)(const char *, const char *))
{
    memset(settings, 0, offsetof(struct ccprof_settings, output));
    for (unsigned i = 0; i < SETTINGS; i++)
        if (table[i].kind != PATTERN)
            settings_store(settings, &table[i], table[i].default_value);
    strcpy(settings->output, CCPROF_MLMON_DEFAULT);
    if (text)
        settings_items(settings, text, complain);
}

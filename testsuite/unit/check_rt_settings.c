/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/settings.c rt/os/text.c rt/os/file.c rt/os/lock.c */
/* The environment variable CCPROF: the fields that each text sets, and the items that are
   refused. */

#include "rt_tests.h"
#include "rt/os/settings.h"

#define DEFAULTS                                                                         \
    "off=0 help=0 command=name host=ranks signals=1 stack=1 threads=0 times=0 "          \
    "samples=1 start=1 trace=0 chain=0 toggle=0 write=0 every=4294967295 slice=0 "       \
    "keep=67108864 rate=100 engine=task-clock clock=cpu regions=yes pause=10 "           \
    "events=0 heap=0 mmap=0 shortest=10 is_set=0 output=mlmon.out"

/* The text of CCPROF, then the fields that differ from the defaults, and each refused
   item after an exclamation mark. Signal 12 is USR2, 28 is WINCH; heap=1 is exact,
   every=4294967295 is unset. */
static const struct {
    const char *text, *due;
} rows[] = {
    {NULL, ""},
    {"off=1", "off=1 !off=1"},
    {"help", "help=1"},
    {"rate=1,output=/x/y,signals=no", "signals=0 rate=1 is_set=1 output=/x/y"},
    {"rate=5,rate=6x,rate=", "rate=5 !rate=6x !rate="},
    {"output=%h/%e.%p%r%%", "is_set=1 output=%h/%e.%p%r%%"},
    {"output=,rate=7", "rate=7 !output="},
    {"stack=no,samples=no,start=no", "stack=0 samples=0 start=0"},
    {"signals=no,signals=yes,stack=no,stack=yes,samples=no,samples=yes,start=no,start="
     "yes",
     ""},
    {"regions=cpu,pause=1", "regions=cpu pause=1"},
    {"pause=3600000,regions=no", "regions=no pause=3600000"},
    {"shortest=1", "shortest=1"},
    {"shortest=1000000,shortest=0,shortest=1000001,shortest",
     "shortest=1000000 !shortest=0 !shortest=1000001 !shortest"},
    {"events=10000000", "threads=1 events=10000000"},
    {"events=1,threads=no,events=no", ""},
    {"times=yes", "threads=1 times=10"},
    {"times=60000,threads=no", "times=60000"},
    {"times=yes,times=no,threads=no,every=5,every=no,host=no", "host=no every=0"},
    {"host=yes,every=86400,every=86401", "host=yes every=86400 !every=86401"},
    {"heap,mmap", "heap=524288 mmap=1048576"},
    {"heap=16K,mmap=4K", "heap=16384 mmap=4096"},
    {"heap=1M,heap=exact,mmap=4K,mmap=no", "heap=1"},
    {"slice=86400,keep=1000000G", "slice=86400 keep=1073741824000000"},
    {"slice=86400,slice=no,keep=2G,keep=no,command=yes,command=name", "keep=0"},
    {"command=yes,threads=yes,command=no,threads=no", "command=no"},
    {"trace", "trace=10000"},
    {"trace=7,chain=yes", "trace=7 chain=1"},
    {"write=USR2,toggle=SIGWINCH", "toggle=28 write=12"},
    {"clock=wall,engine=thread-timer,clock=cpu", "engine=thread-timer"},
};

/* Each item is refused and changes nothing. */
#define WRONG                                                                            \
    "rate=0,rate=10001,rate=4294967396,rate=,rate,rate=-5,rate= 5,outputs=x,out=y,"      \
    "Output=z,output=%d,output=x%,output,signals=maybe,=,stack,stack=,pause=3600001,"    \
    "events=yes,events=10000001,every=0,every,heap=512,heap=,slice=86401,slice=1m,"      \
    "keep=0M,keep,keep=64,keep=M,keep=1000001K,keep=000000001M,keep=-1M,keep=1k,"        \
    "times=60001,times=2s,trace=0,trace=7x,trace=99999999999,write,write=,write=12,"     \
    "write=PROF,toggle=SEGV,write=usr2,engine=wall-timer,clock=CPU,clock=walls,mmap="    \
    "4096"

static const char *const commands[] = {[CCPROF_SETTINGS_NAME_ALONE] = "name",
                                       [CCPROF_SETTINGS_COMMAND] = "yes",
                                       [CCPROF_SETTINGS_NO_COMMAND] = "no"};
static const char *const hosts[] = {[CCPROF_SETTINGS_HOST_OF_RANKS] = "ranks",
                                    [CCPROF_SETTINGS_HOST] = "yes",
                                    [CCPROF_SETTINGS_NO_HOST] = "no"};
static const char *const engines[] = {[CCPROF_SETTINGS_TASK_CLOCK] = "task-clock",
                                      [CCPROF_SETTINGS_THREAD_TIMER] = "thread-timer"};
static const char *const clocks[] = {
    [CCPROF_SETTINGS_CPU] = "cpu", [CCPROF_SETTINGS_WALL] = "wall"};
static const char *const regions[] = {[CCPROF_SETTINGS_NO_REGIONS] = "no",
                                      [CCPROF_SETTINGS_REGIONS] = "yes",
                                      [CCPROF_SETTINGS_REGIONS_CPU] = "cpu"};

/* Returns all fields as text. The caller frees it. */
static char *show(const struct ccprof_settings *s)
{
    char *text;
    ck_assert_int_gt(
        asprintf(&text,
                 "off=%d help=%d command=%s host=%s signals=%d stack=%d threads=%d "
                 "times=%u samples=%d start=%d trace=%u chain=%d toggle=%d write=%d "
                 "every=%u slice=%u "
                 "keep=%llu rate=%u engine=%s clock=%s regions=%s pause=%u events=%u "
                 "heap=%llu mmap=%llu shortest=%u is_set=%d output=%s",
                 s->off, s->help, commands[s->command], hosts[s->host], s->signals,
                 s->stack, s->threads, s->times, s->samples, s->start, s->trace, s->chain,
                 s->toggle, s->write, s->every, s->slice, (unsigned long long)s->keep,
                 s->rate, engines[s->engine], clocks[s->clock], regions[s->regions],
                 s->pause, s->events, (unsigned long long)s->heap,
                 (unsigned long long)s->mmap, s->shortest, s->output_is_set, s->output),
        0);
    return text;
}

static char refused[3 * PATH_MAX];

static void refuse(const char *item, const char *right)
{
    ck_assert_str_ne(right, "");
    ck_assert_uint_lt(strlen(refused) + strlen(item) + 3, sizeof refused);
    strcat(strcat(refused, *refused ? " !" : "!"), item);
}

/* Reads TEXT into a struct whose bytes are all ones. Compares the refused items and the
   fields that differ from the defaults with DUE. */
static void assert_read(const char *text, const char *due)
{
    struct ccprof_settings settings;
    char got[1000] = "", defaults[] = DEFAULTS, *cursor, *before;

    memset(&settings, 0xff, sizeof settings);
    *refused = '\0';
    ccprof_settings_read(&settings, text, refuse);
    char *all = show(&settings), *word = strtok_r(all, " ", &cursor);
    for (char *old = strtok_r(defaults, " ", &before); old;
         old = strtok_r(NULL, " ", &before)) {
        if (strcmp(old, word) != 0)
            strcat(strcat(got, *got ? " " : ""), word);
        word = strtok_r(NULL, " ", &cursor);
    }
    strcat(strcat(got, *got && *refused ? " " : ""), refused);
    ck_assert_str_eq(got, due);
    free(all);
}

TEST_ROWS(test_rows, rows)
{
    assert_read(rows[_i].text, rows[_i].due);
}

TEST(test_wrong)
{
    char items[] = WRONG, *cursor;
    for (char *item = strtok_r(items, ",", &cursor); item;
         item = strtok_r(NULL, ",", &cursor)) {
        char due[100] = "!";
        assert_read(item, strcat(due, item));
    }
}

/* A file name is either stored completely or refused, whatever its length. */
TEST_TIMES(test_long, 2)
{
    struct ccprof_settings settings;
    char text[3 * PATH_MAX] = "output=";
    size_t length = PATH_MAX - 1 + (size_t)_i;

    memset(text + 7, 'x', length);
    strcpy(text + 7 + length, ",rate=9");
    ccprof_settings_read(&settings, text, refuse);
    ck_assert_uint_eq(settings.rate, 9);
    ck_assert_uint_eq(strlen(settings.output), length < PATH_MAX ? length : 9);
    ck_assert_int_eq(*refused, length < PATH_MAX ? '\0' : '!');
    ccprof_settings_read(&settings, text, NULL);
}

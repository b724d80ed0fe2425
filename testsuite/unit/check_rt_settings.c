/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/os/settings.c rt/os/text.c */
/* The environment variable CCPROF: what is set, and what is complained of.  */

#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "rt/os/settings.h"
#include "runner.h"

static char complaints[10000];

static void complain(const char *item, const char *right)
{
    ck_assert_ptr_nonnull(right);
    ck_assert_uint_lt(strlen(complaints) + strlen(item) + 2, sizeof complaints);
    strcat(strcat(complaints, item), ";");
}

static const struct {
    const char *text;
    const char *output;
    unsigned rate;
    bool off, signals, help;
    const char *complaints;
} cases[] = {
    {NULL, "mlmon.out", 100, false, true, false, ""},
    {"", "mlmon.out", 100, false, true, false, ""},
    {",,", "mlmon.out", 100, false, true, false, ""},
    {"off", "mlmon.out", 100, true, true, false, ""},
    {"help", "mlmon.out", 100, false, true, true, ""},
    {"output=a b=c", "a b=c", 100, false, true, false, ""},
    {"rate=1,output=/x/y,signals=no", "/x/y", 1, false, false, false, ""},
    {"signals=no,signals=yes,rate=10000", "mlmon.out", 10000, false, true, false, ""},
    {"rate=0", "mlmon.out", 100, false, true, false, "rate=0;"},
    {"rate=10001", "mlmon.out", 100, false, true, false, "rate=10001;"},
    {"rate=4294967396", "mlmon.out", 100, false, true, false, "rate=4294967396;"},
    {"rate=", "mlmon.out", 100, false, true, false, "rate=;"},
    {"rate", "mlmon.out", 100, false, true, false, "rate;"},
    {"rate=-5", "mlmon.out", 100, false, true, false, "rate=-5;"},
    {"rate= 5", "mlmon.out", 100, false, true, false, "rate= 5;"},
    {"rate=5x,off", "mlmon.out", 100, true, true, false, "rate=5x;"},
    {"off=1", "mlmon.out", 100, true, true, false, "off=1;"},
    {"output=,rate=7", "mlmon.out", 7, false, true, false, "output=;"},
    {"outputs=x,out=y,Output=z", "mlmon.out", 100, false, true, false,
     "outputs=x;out=y;Output=z;"},
    {"output=%h/%e.%p%%", "%h/%e.%p%%", 100, false, true, false, ""},
    {"output=%d", "mlmon.out", 100, false, true, false, "output=%d;"},
    {"output=x%", "mlmon.out", 100, false, true, false, "output=x%;"},
    {"output=%%%", "mlmon.out", 100, false, true, false, "output=%%%;"},
    {"signals=maybe", "mlmon.out", 100, false, true, false, "signals=maybe;"},
    {"=", "mlmon.out", 100, false, true, false, "=;"},
};

START_TEST(test_cases)
{
    struct ccprof_settings settings;

    memset(&settings, 0xff, sizeof settings);
    complaints[0] = '\0';
    ccprof_settings_read(&settings, cases[_i].text, complain);
    ck_assert_str_eq(settings.output, cases[_i].output);
    ck_assert_uint_eq(settings.rate, cases[_i].rate);
    ck_assert_int_eq(settings.signals, cases[_i].signals);
    ck_assert_int_eq(settings.help, cases[_i].help);
    ck_assert_str_eq(complaints, cases[_i].complaints);
    if (*cases[_i].complaints == '\0')
        ck_assert_int_eq(settings.off, cases[_i].off);
}
END_TEST

START_TEST(test_stack)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert(settings.stack);
    ccprof_settings_read(&settings, "stack=no,rate=5", complain);
    ck_assert(!settings.stack);
    ccprof_settings_read(&settings, "stack=no,stack=yes", complain);
    ck_assert(settings.stack);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "stack,stack=,stack=5", complain);
    ck_assert(settings.stack);
    ck_assert_str_eq(complaints, "stack;stack=;stack=5;");
}
END_TEST

START_TEST(test_regions)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert_int_eq(settings.regions, CCPROF_SETTINGS_REGIONS);
    ck_assert_uint_eq(settings.pause, 10);
    ccprof_settings_read(&settings, "regions=cpu,pause=1", complain);
    ck_assert_int_eq(settings.regions, CCPROF_SETTINGS_REGIONS_CPU);
    ck_assert_uint_eq(settings.pause, 1);
    ccprof_settings_read(&settings, "pause=3600000,regions=no", complain);
    ck_assert_int_eq(settings.regions, CCPROF_SETTINGS_NO_REGIONS);
    ck_assert_uint_eq(settings.pause, 3600000);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "regions=,regions,pause=0,pause=3600001", complain);
    ck_assert_int_eq(settings.regions, CCPROF_SETTINGS_REGIONS);
    ck_assert_uint_eq(settings.pause, 10);
    ck_assert_str_eq(complaints, "regions=;regions;pause=0;pause=3600001;");
}
END_TEST

START_TEST(test_events)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert_uint_eq(settings.events, 0);
    ck_assert(!settings.threads);
    ccprof_settings_read(&settings, "events=10000000", complain);
    ck_assert_uint_eq(settings.events, 10000000);
    ck_assert(settings.threads);
    ccprof_settings_read(&settings, "events=1,events=no", complain);
    ck_assert_uint_eq(settings.events, 0);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "events,events=,events=0,events=yes,events=10000001",
                         complain);
    ck_assert_uint_eq(settings.events, 0);
    ck_assert(!settings.threads);
    ck_assert_str_eq(complaints, "events;events=;events=0;events=yes;events=10000001;");
}
END_TEST

START_TEST(test_samples)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert(settings.samples);
    ccprof_settings_read(&settings, "samples=no", complain);
    ck_assert(!settings.samples);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "samples=no,samples=yes,samples,samples=0", complain);
    ck_assert(settings.samples);
    ck_assert_str_eq(complaints, "samples;samples=0;");
}
END_TEST

START_TEST(test_every)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5,host=yes", complain);
    ck_assert_uint_eq(settings.every, CCPROF_SETTINGS_EVERY_UNSET);
    ccprof_settings_read(&settings, "every=5,host=yes", complain);
    ck_assert_uint_eq(settings.every, 5);
    ccprof_settings_read(&settings, "every=5,every=no", complain);
    ck_assert_uint_eq(settings.every, 0);
    ccprof_settings_read(&settings, "every=86400,every=86401,every=0,every", complain);
    ck_assert_uint_eq(settings.every, 86400);
    ck_assert_str_eq(complaints, "every=86401;every=0;every;");
}
END_TEST

START_TEST(test_heap)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert_uint_eq(settings.heap, 0);
    ccprof_settings_read(&settings, "heap", complain);
    ck_assert_uint_eq(settings.heap, 512 << 10);
    ccprof_settings_read(&settings, "heap=16K", complain);
    ck_assert_uint_eq(settings.heap, 16 << 10);
    ccprof_settings_read(&settings, "heap=1M,heap=exact", complain);
    ck_assert_uint_eq(settings.heap, CCPROF_SETTINGS_HEAP_EXACT);
    ccprof_settings_read(&settings, "heap=1M,heap=no", complain);
    ck_assert_uint_eq(settings.heap, 0);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "heap=512,heap=,heap=yes", complain);
    ck_assert_uint_eq(settings.heap, 0);
    ck_assert_str_eq(complaints, "heap=512;heap=;heap=yes;");
    ck_assert_uint_eq(settings.mmap, 0);
    ccprof_settings_read(&settings, "heap,mmap", complain);
    ck_assert_uint_eq(settings.mmap, 1 << 20);
    ccprof_settings_read(&settings, "heap,mmap=4K", complain);
    ck_assert_uint_eq(settings.mmap, 4 << 10);
}
END_TEST

START_TEST(test_slice)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert_uint_eq(settings.slice, 0);
    ck_assert_uint_eq(settings.keep, 64 << 20);
    ccprof_settings_read(&settings, "slice=60,keep=500K", complain);
    ck_assert_uint_eq(settings.slice, 60);
    ck_assert_uint_eq(settings.keep, 500 << 10);
    ccprof_settings_read(&settings, "slice=86400,slice=no,keep=2G,keep=no", complain);
    ck_assert_uint_eq(settings.slice, 0);
    ck_assert_uint_eq(settings.keep, 0);
    ccprof_settings_read(&settings, "keep=1000000G", complain);
    ck_assert_uint_eq(settings.keep, (uint64_t)1000000 << 30);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "slice=0,slice,slice=86401,slice=1m", complain);
    ccprof_settings_read(&settings, "keep=0M,keep,keep=64,keep=M,keep=1000001K",
                         complain);
    ccprof_settings_read(&settings, "keep=000000001M,keep=-1M,keep=1k", complain);
    ck_assert_uint_eq(settings.keep, 64 << 20);
    ck_assert_str_eq(complaints, "slice=0;slice;slice=86401;slice=1m;"
                                 "keep=0M;keep;keep=64;keep=M;keep=1000001K;"
                                 "keep=000000001M;keep=-1M;keep=1k;");
}
END_TEST

START_TEST(test_host)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert_int_eq(settings.host, CCPROF_SETTINGS_HOST_OF_RANKS);
    ccprof_settings_read(&settings, "host=no", complain);
    ck_assert_int_eq(settings.host, CCPROF_SETTINGS_NO_HOST);
    ccprof_settings_read(&settings, "host=no,host=yes,host,host=it", complain);
    ck_assert_int_eq(settings.host, CCPROF_SETTINGS_HOST);
    ck_assert_str_eq(complaints, "host;host=it;");
}
END_TEST

START_TEST(test_command)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert_int_eq(settings.command, CCPROF_SETTINGS_NAME_ALONE);
    ccprof_settings_read(&settings, "command=no,rate=5", complain);
    ck_assert_int_eq(settings.command, CCPROF_SETTINGS_NO_COMMAND);
    ccprof_settings_read(&settings, "command=no,command=yes", complain);
    ck_assert_int_eq(settings.command, CCPROF_SETTINGS_COMMAND);
    ccprof_settings_read(&settings, "command=yes,command=name", complain);
    ck_assert_int_eq(settings.command, CCPROF_SETTINGS_NAME_ALONE);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "command,command=,command=on", complain);
    ck_assert_int_eq(settings.command, CCPROF_SETTINGS_NAME_ALONE);
    ck_assert_str_eq(complaints, "command;command=;command=on;");
}
END_TEST

START_TEST(test_threads)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert(!settings.threads);
    ccprof_settings_read(&settings, "threads=yes,rate=5", complain);
    ck_assert(settings.threads);
    ccprof_settings_read(&settings, "threads=yes,threads=no", complain);
    ck_assert(!settings.threads);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "threads,threads=,threads=true", complain);
    ck_assert(!settings.threads);
    ck_assert_str_eq(complaints, "threads;threads=;threads=true;");
}
END_TEST

/* They are told by thread, unless that is refused.  */
START_TEST(test_times)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert_uint_eq(settings.times, 0);
    ccprof_settings_read(&settings, "times=yes", complain);
    ck_assert_uint_eq(settings.times, 10);
    ck_assert(settings.threads);
    ccprof_settings_read(&settings, "times=60000,threads=no", complain);
    ck_assert_uint_eq(settings.times, 60000);
    ck_assert(!settings.threads);
    ccprof_settings_read(&settings, "times=5,times=no", complain);
    ck_assert_uint_eq(settings.times, 0);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "times,times=,times=0,times=60001,times=2s",
                         complain);
    ck_assert_uint_eq(settings.times, 0);
    ck_assert(!settings.threads);
    ck_assert_str_eq(complaints, "times;times=;times=0;times=60001;times=2s;");
}
END_TEST

/* Without a value it has a limit, too.  */
START_TEST(test_trace)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "rate=5", complain);
    ck_assert_uint_eq(settings.trace, 0);
    ccprof_settings_read(&settings, "trace", complain);
    ck_assert_uint_eq(settings.trace, 10000);
    ccprof_settings_read(&settings, "trace=7", complain);
    ck_assert_uint_eq(settings.trace, 7);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(&settings, "trace=,trace=0,trace=7x,trace=99999999999",
                         complain);
    ck_assert_uint_eq(settings.trace, 0);
    ck_assert_str_eq(complaints, "trace=;trace=0;trace=7x;trace=99999999999;");
}
END_TEST

/* Signals are named, with or without SIG, and may be neither of errors nor our own.  */
START_TEST(test_signals)
{
    struct ccprof_settings settings;

    complaints[0] = '\0';
    ccprof_settings_read(&settings, "output=x", complain);
    ck_assert(settings.output_is_set);
    ck_assert_int_eq(settings.write, 0);
    ccprof_settings_read(&settings, "write=USR2,toggle=SIGWINCH", complain);
    ck_assert(!settings.output_is_set);
    ck_assert_int_eq(settings.write, SIGUSR2);
    ck_assert_int_eq(settings.toggle, SIGWINCH);
    ck_assert_str_eq(complaints, "");
    ccprof_settings_read(
        &settings, "write,write=,write=12,write=PROF,toggle=SEGV,write=usr2", complain);
    ck_assert_int_eq(settings.write, 0);
    ck_assert_str_eq(complaints,
                     "write;write=;write=12;write=PROF;toggle=SEGV;write=usr2;");
}
END_TEST

static const struct {
    const char *text;
    enum ccprof_settings_engine engine;
    enum ccprof_settings_clock clock;
    const char *complaints;
} clocks[] = {
    {NULL, CCPROF_SETTINGS_TASK_CLOCK, CCPROF_SETTINGS_CPU, ""},
    {"engine=task-clock,clock=wall", CCPROF_SETTINGS_TASK_CLOCK, CCPROF_SETTINGS_WALL,
     ""},
    {"clock=wall,engine=thread-timer,clock=cpu", CCPROF_SETTINGS_THREAD_TIMER,
     CCPROF_SETTINGS_CPU, ""},
    {"engine=wall-timer,engine=,engine,engine=task", CCPROF_SETTINGS_TASK_CLOCK,
     CCPROF_SETTINGS_CPU, "engine=wall-timer;engine=;engine;engine=task;"},
    {"clock,clock=,clock=CPU,clock=walls", CCPROF_SETTINGS_TASK_CLOCK,
     CCPROF_SETTINGS_CPU, "clock;clock=;clock=CPU;clock=walls;"},
};

START_TEST(test_clocks)
{
    struct ccprof_settings settings;

    memset(&settings, 0xff, sizeof settings);
    complaints[0] = '\0';
    ccprof_settings_read(&settings, clocks[_i].text, complain);
    ck_assert_int_eq(settings.engine, clocks[_i].engine);
    ck_assert_int_eq(settings.clock, clocks[_i].clock);
    ck_assert_str_eq(complaints, clocks[_i].complaints);
}
END_TEST

/* A file name of any length is taken whole or refused.  */
START_TEST(test_long)
{
    struct ccprof_settings settings;
    char text[3 * PATH_MAX];
    size_t length = PATH_MAX - 20 + (size_t)_i;

    strcpy(text, "output=");
    memset(text + 7, 'x', length);
    strcpy(text + 7 + length, ",rate=9");
    complaints[0] = '\0';
    ccprof_settings_read(&settings, text, complain);
    ck_assert_uint_eq(settings.rate, 9);
    if (length < PATH_MAX) {
        ck_assert_uint_eq(strlen(settings.output), length);
        ck_assert_str_eq(complaints, "");
    } else {
        ck_assert_str_eq(settings.output, "mlmon.out");
        ck_assert_str_ne(complaints, "");
    }
    ccprof_settings_read(&settings, text, NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rt settings");
    TCase *tests = tcase_create("settings");
    tcase_add_loop_test(tests, test_cases, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, test_stack);
    tcase_add_test(tests, test_regions);
    tcase_add_test(tests, test_events);
    tcase_add_test(tests, test_samples);
    tcase_add_test(tests, test_command);
    tcase_add_test(tests, test_host);
    tcase_add_test(tests, test_every);
    tcase_add_test(tests, test_heap);
    tcase_add_test(tests, test_slice);
    tcase_add_test(tests, test_threads);
    tcase_add_test(tests, test_times);
    tcase_add_test(tests, test_trace);
    tcase_add_test(tests, test_signals);
    tcase_add_loop_test(tests, test_clocks, 0, sizeof clocks / sizeof *clocks);
    tcase_add_loop_test(tests, test_long, 0, 40);
    suite_add_tcase(suite, tests);
    return runner_run(suite);
}

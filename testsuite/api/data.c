/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data WHAT [idle]: data sets and labels. Compiled as C and as C++, with the plugin and
   without. */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ccprof.h"
#include "data.h"

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            printf("line %d: %s\n", __LINE__, #condition);                               \
            exit(1);                                                                     \
        }                                                                                \
    } while (0)

/* What a call returns that makes no sense: in a program that is not profiled, or where
   that is switched off, nothing. */
static int wrong;

static void do_red(void *seconds)
{
    red(*(double *)seconds);
}

static void do_green(void *seconds)
{
    green(*(double *)seconds);
}

/* A data set that is written twice, freed with a rest, and its place used again. */
static void again(void)
{
    double seconds = 0.2;
    struct ccprof_data *dataset = ccprof_data_new();
    CHECK(ccprof_with_data(dataset, do_red, &seconds) == 0);
    CHECK(ccprof_data_write(dataset, "one.out") == 0);
    seconds = 0.3;
    CHECK(ccprof_with_data(dataset, do_green, &seconds) == 0);
    CHECK(ccprof_data_write(dataset, "two.out") == 0);
    CHECK(ccprof_data_write(dataset, "three.out") == 0);
    seconds = 0.1;
    CHECK(ccprof_with_data(dataset, do_red, &seconds) == 0);
    CHECK(ccprof_data_free(dataset) == 0);
    dataset = ccprof_data_new();
    CHECK(ccprof_with_data(dataset, do_green, &seconds) == 0);
    /* It cannot be written there, and is not lost. */
    CHECK(ccprof_data_write(dataset, "nowhere/four.out") == (wrong ? ENOENT : 0));
    CHECK(ccprof_data_write(NULL, "four.out") == 0);
    blue(0.2);
}

/* One in the other, each restored; the inner one is red, the outer one green. */
static void inner(void *data)
{
    struct ccprof_data **datasets = (struct ccprof_data **)data;
    double seconds = 0.2;
    green(0.1);
    CHECK(ccprof_with_data(datasets[1], do_red, &seconds) == 0);
    green(0.1);
    CHECK(ccprof_data_free(datasets[0]) == wrong);
    {
        CCPROF_DATA(datasets[1]);
        CCPROF_DATA(NULL);
        blue(0.1);
    }
    {
        CCPROF_DATA(datasets[1]);
        red(0.1);
    }
    green(0.1);
}

static void nested(void)
{
    struct ccprof_data *datasets[] = {ccprof_data_new(), ccprof_data_new()};
    CHECK(ccprof_data_equals(datasets[0], datasets[0]));
    CHECK(!wrong || !ccprof_data_equals(datasets[0], datasets[1]));
    CHECK(ccprof_with_data(datasets[0], inner, datasets) == 0);
    blue(0.2);
    CHECK(ccprof_data_write(datasets[0], "one.out") == 0);
    CHECK(ccprof_data_write(datasets[1], "two.out") == 0);
    CHECK(ccprof_data_free(datasets[0]) == 0 && ccprof_data_free(datasets[1]) == 0);
}

static jmp_buf away;

static void jump(void *unused)
{
    (void)unused;
    red(0.2);
    longjmp(away, 1);
}

/* longjmp leaves the data set current, until the stretch around it ends. */
static void jumper(void *data)
{
    if (setjmp(away) == 0)
        ccprof_with_data((struct ccprof_data *)data, jump, NULL);
    red(0.2);
}

static void jumps(void)
{
    struct ccprof_data *outer = ccprof_data_new(), *dataset = ccprof_data_new();
    {
        CCPROF_DATA(outer);
        jumper(dataset);
    }
    blue(0.2);
    CHECK(ccprof_data_write(dataset, "one.out") == 0);
    CHECK(ccprof_data_write(outer, "two.out") == 0);
}

static void misuse(void)
{
    struct ccprof_data *dataset = ccprof_data_new();
    double none = 0.0;
    CHECK(ccprof_data_free(dataset) == 0);
    CHECK(ccprof_data_free(dataset) == wrong);
    CHECK(ccprof_data_free(dataset) == wrong);
    CHECK(ccprof_data_write(dataset, "one.out") == wrong);
    CHECK(ccprof_with_data(dataset, do_red, &none) == wrong);
    CHECK(ccprof_data_free(NULL) == 0);
    CHECK(ccprof_data_free((struct ccprof_data *)&none) == wrong);
    CHECK(ccprof_with_data((struct ccprof_data *)-1, do_red, &none) == wrong);
    CHECK(ccprof_write(NULL) == wrong);
    CHECK(ccprof_data_write(NULL, NULL) == wrong);
    CHECK(ccprof_label_end() == wrong);
    CHECK(ccprof_label_begin("") == wrong);
    CHECK(ccprof_label_begin(NULL) == wrong);
    /* Its place is used again, and yet it is not the same. */
    CHECK(ccprof_data_new() != dataset || !wrong);
    CHECK(ccprof_data_free(dataset) == wrong);
    /* More than there is room for: all others go to the first one. */
    for (int i = 0; i < 3000; i++)
        dataset = ccprof_data_new();
    CHECK(dataset == NULL);
    CHECK(ccprof_with_data(dataset, do_red, &none) == 0);
}

static void *thread(void *data)
{
    /* In use as long as this thread lives. */
    CHECK(ccprof_data_free((struct ccprof_data *)data) == wrong);
    red(0.2);
    {
        CCPROF_DATA(NULL);
        blue(0.1);
    }
    return NULL;
}

static void join(void *data)
{
    pthread_t threads[2];
    CHECK(pthread_create(&threads[0], NULL, thread, data) == 0);
    CHECK(pthread_create(&threads[1], NULL, thread, data) == 0);
    CHECK(pthread_join(threads[0], NULL) == 0 && pthread_join(threads[1], NULL) == 0);
}

static void threads(void)
{
    struct ccprof_data *dataset = ccprof_data_new();
    CHECK(ccprof_with_data(dataset, join, dataset) == 0);
    green(0.2);
    CHECK(ccprof_data_write(dataset, "one.out") == 0);
    CHECK(ccprof_data_free(dataset) == 0);
}

/* The child has its parent's data sets, and nothing in them. */
static void forks(void)
{
    struct ccprof_data *dataset = ccprof_data_new();
    CCPROF_DATA(dataset);
    red(0.2);
    CHECK(ccprof_data_write(dataset, "one.out") == 0);
    red(0.2);
    pid_t child = fork();
    if (child == 0) {
        green(0.2);
        CHECK(ccprof_data_write(dataset, "two.out") == 0);
        blue(0.1);
        exit(0);
    }
    waitpid(child, NULL, 0);
    printf("child %d\n", (int)child);
}

/* A copy in the middle, of a data set that was written and of one that was not. */
static void copies(void)
{
    double seconds = 0.2;
    struct ccprof_data *one = ccprof_data_new(), *two = ccprof_data_new();
    CHECK(ccprof_with_data(one, do_red, &seconds) == 0);
    CHECK(ccprof_with_data(two, do_green, &seconds) == 0);
    CHECK(ccprof_data_write(one, "one.out") == 0);
    CHECK(ccprof_write("copy.out") == 0);
    blue(0.2);
}

/* Spins a long way from where it began; returns never. */
static __attribute__((noinline)) int far(int depth)
{
    static volatile int on = 1;
    if (depth > 0)
        return far(depth - 1) + on;
    while (on)
        continue;
    return on;
}

static void *spins(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    far(500);
    return unused;
}

/* Threads end at any instruction, also of a handler if they can; and then a file. */
static void cancels(void)
{
    static const struct timespec shortly = {0, 5000000};
    pthread_t thread;

    for (int i = 0; i < 60; i++) {
        CHECK(pthread_create(&thread, NULL, spins, NULL) == 0);
        nanosleep(&shortly, NULL);
        CHECK(pthread_cancel(thread) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    CHECK(ccprof_write("copy.out") == 0);
}

/* Writes to a stream that is closed. */
static void *complains(void *done)
{
    while (!*(volatile bool *)done)
        if (write(STDERR_FILENO, "complaint\n", 10) >= 0)
            sched_yield();
    return NULL;
}

static void streams(void)
{
    bool done = false;
    char name[] = "copy.a";
    pthread_t thread;

    close(STDERR_FILENO);
    CHECK(pthread_create(&thread, NULL, complains, &done) == 0);
    for (; name[5] <= 'z'; name[5]++)
        CHECK(ccprof_write(name) == 0);
    *(volatile bool *)&done = true;
    CHECK(pthread_join(thread, NULL) == 0);
}

/* Red in [load], green in [load][parse], blue in [store]; some in none. */
static void labels(void)
{
    CHECK(ccprof_label_begin("load") == 0);
    red(0.2);
    {
        CCPROF_LABEL("parse");
        green(0.3);
    }
    red(0.1);
    CHECK(ccprof_label_end() == 0);
    {
        CCPROF_LABEL("store \\ and\n  more");
        blue(0.2);
    }
    green(0.1);
}

/* Labels that are cut off within a character, of bytes that are none, and of a blank;
   more than there is room for, and deeper than is kept. */
static void many_labels(void)
{
    char name[200];

    memset(name, 'x', 99);
    strcpy(name + 61, "\xe2\x82\xac"
                      "x");
    CHECK(ccprof_label_begin(name) == 0);
    memset(name, 0x80, 99);
    name[99] = '\0';
    CHECK(ccprof_label_begin(name) == 0);
    CHECK(ccprof_label_begin(" ") == 0);
    green(0.1);
    for (int i = 0; i < 3; i++)
        CHECK(ccprof_label_end() == 0);
    for (int i = 0; i < 100; i++) {
        sprintf(name, "label %d", i);
        CHECK(ccprof_label_begin(name) == 0);
        CHECK(ccprof_label_end() == 0);
    }
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (int i = 0; i < 40; i++)
        CHECK(ccprof_label_begin(i % 2 ? name : "label 1") == 0);
    red(0.2);
    for (int i = 0; i < 40; i++)
        CHECK(ccprof_label_end() == 0);
    CHECK(ccprof_label_end() == wrong);
    {
        CCPROF_LABEL("label 2");
        green(0.1);
    }
}

static const struct {
    const char *name;
    void (*function)(void);
} all[] = {{"again", again},   {"nested", nested},          {"jumps", jumps},
           {"misuse", misuse}, {"threads", threads},        {"forks", forks},
           {"copies", copies}, {"cancels", cancels},        {"streams", streams},
           {"labels", labels}, {"many-labels", many_labels}};

int main(int argc, char **argv)
{
    const char *settings = getenv("CCPROF");
    bool off = settings && strcmp(settings, "off") == 0;

    wrong = CCPROF_ON && !off ? EINVAL : 0;
    idle = argc > 2;
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++) {
        if (strcmp(argv[1], all[i].name) == 0) {
            all[i].function();
            return 0;
        }
    }
    return 2;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof/options/inputs.c mlprof/input/datafolder.c mlprof.a */
/* links: -lelf -lz -lm */
/* Chooses answers of a process and slices of a folder for a span of time. */

#define _GNU_SOURCE
#include "mlprof/live/history.h"
#include "mlprof/live/slices.h"
#include "testsuite/unit/tests.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)
#define START  (1000 * SECOND)

/* Adds the answer of the time SECONDS after START, of a program whose measuring began at
   EPOCH. */
static bool add_of(struct history *history, double seconds, uint64_t size, uint64_t files,
                   uint64_t epoch)
{
    const struct request_answer answer = {
        .descriptor = memfd_create("answer", MFD_CLOEXEC),
        .time = START + (uint64_t)(seconds * (double)SECOND),
        .size = size,
        .files = files,
        .epoch = epoch,
    };
    ck_assert_int_ge(answer.descriptor, 0);
    return history_add(history, &answer, 60);
}

static bool add(struct history *history, double seconds, uint64_t size, uint64_t files)
{
    return add_of(history, seconds, size, files, START);
}

/* Returns the time between the answers for SPAN seconds. */
static double distance(const struct history *history, unsigned span)
{
    const struct request_answer *earlier = history_earlier(history, span);
    ck_assert_ptr_nonnull(earlier);
    return (double)(history->list[history->count - 1].time - earlier->time) /
           (double)SECOND;
}

TEST(history_of_an_hour)
{
    static const unsigned spans[] = {1, 5, 10, 30, 60};
    struct history history = {0};
    ck_assert(add(&history, 0, 1000, 0));
    ck_assert_ptr_null(history_earlier(&history, 5));
    /* Answers come a little early or late. */
    for (unsigned i = 1; i <= 3600; i++) {
        ck_assert(add(&history, i + (i % 3) * .02, 1000, 0));
        ck_assert_uint_lt(history.count, HISTORY_MOST);
        for (size_t s = 0; s < LENGTH(spans); s++) {
            double got = distance(&history, spans[s]);
            unsigned want = i < spans[s] ? i : spans[s];
            ck_assert_double_ge(got, want - .15);
            ck_assert_double_le(got, want * 1.25 + .15);
        }
    }
    ck_assert(!history.dropped);
    history_free(&history);
    /* All descriptors are closed. */
    int next = memfd_create("next", MFD_CLOEXEC);
    ck_assert_int_lt(next, 10);
    close(next);
}

TEST(history_of_large_answers)
{
    struct history history = {0};
    for (unsigned i = 0; i < 20; i++)
        add(&history, i, UINT64_C(20) << 20, 0);
    ck_assert(history.dropped);
    ck_assert_uint_eq(history.count, 3);
    ck_assert_double_eq_tol(distance(&history, 1), 1, .01);
    /* Two are kept, whatever their size. */
    add(&history, 20, UINT64_C(1) << 30, 0);
    add(&history, 21, UINT64_C(1) << 30, 0);
    ck_assert_uint_eq(history.count, 2);
    history_free(&history);
}

TEST(history_after_a_slice)
{
    struct history history = {0};
    add(&history, 0, 1000, 0);
    add(&history, 1, 1000, 0);
    ck_assert(!add(&history, 2, 1000, 1));
    ck_assert_uint_eq(history.count, 1);
    ck_assert(add(&history, 3, 1000, 1));
    ck_assert_double_eq_tol(distance(&history, 60), 1, .01);
    history_free(&history);
}

TEST(history_after_exec)
{
    struct history history = {0};
    add(&history, 0, 1000, 0);
    add(&history, 1, 1000, 0);
    ck_assert(!add_of(&history, 2, 1000, 0, START + SECOND));
    ck_assert_uint_eq(history.count, 1);
    history_free(&history);
}
END_TEST

/* Writes the file NAME, a data file of the build PROGRAM unless it is NULL, with a time
   SECONDS after START. */
static void write_slice(const char *name, const char *program, double seconds)
{
    const uint64_t time = START + (uint64_t)(seconds * (double)SECOND);
    const struct timespec written = {(time_t)(time / SECOND), (long)(time % SECOND)};
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    if (program)
        fprintf(file,
                "ccprof mlmon 4\nkind region\ncpu 0\nwall 0\nthreads 1\nwaits 0\n"
                "module 0 %s 0x0 /a\nend\n",
                program);
    fclose(file);
    const struct timespec times[] = {written, written};
    ck_assert_int_eq(utimensat(AT_FDCWD, name, times, 0), 0);
}

/* Checks that the slices of SPAN seconds are WANT, and the time that they cover. */
static void check_slices(unsigned span, const char *want, double seconds)
{
    struct slices slices = {0};
    struct fault fault = {0};
    char got[256] = "";
    ck_assert(slices_list(&slices, ".", &fault));
    double covered = slices_keep(&slices, span);
    ck_assert_double_eq_tol(covered, seconds, .001);
    for (size_t i = 0; i < slices.files.count; i++) {
        strcat(got, i ? " " : "");
        strcat(got, slices.files.list[i].path + 2);
    }
    ck_assert_str_eq(got, want);
    slices_free(&slices);
}

static void enter_folder(void)
{
    char folder[] = "/tmp/check_live-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

TEST(slices_of_a_span)
{
    enter_folder();
    check_slices(5, "", 0);
    for (int i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        write_slice(name, "aa", i + i * .01);
    }
    check_slices(1, "s3", 1.01);
    check_slices(2, "s3 s2", 2.02);
    check_slices(3, "s3 s2 s1", 3.03);
    check_slices(5, "s3 s2 s1 s0", 0);
    check_slices(0, "s3 s2 s1 s0", 0);
    /* Other programs, other files, unfinished files and folders. */
    write_slice("b", "bb", 2.5);
    write_slice("other", NULL, 4);
    write_slice("s4.tmp", "aa", 4);
    ck_assert_int_eq(mkdir("folder", 0700), 0);
    check_slices(1, "s3", 1.01);
    check_slices(0, "s3 s2 s1 s0", 0);
    write_slice("b2", "bb", 4);
    check_slices(1, "b2", 1.5);
    check_slices(0, "b2 b", 0);
    ck_assert_int_eq(system("rm -r \"$PWD\""), 0);
}

TEST(slices_that_come)
{
    struct slices before = {0}, same = {0}, after = {0};
    struct fault fault = {0};
    enter_folder();
    write_slice("s1", "aa", 1);
    ck_assert(slices_list(&before, ".", &fault) && slices_list(&same, ".", &fault));
    ck_assert(slices_are_same(&before, &same));
    write_slice("s1", "aa", 2);
    ck_assert(slices_list(&after, ".", &fault));
    ck_assert(!slices_are_same(&before, &after));
    slices_free(&before);
    slices_free(&same);
    slices_free(&after);
    ck_assert_int_eq(system("rm -r \"$PWD\""), 0);
    ck_assert(!slices_list(&after, "/none", &fault));
    ck_assert_str_eq(fault.text, "/none: No such file or directory");
    fault_clear(&fault);
}

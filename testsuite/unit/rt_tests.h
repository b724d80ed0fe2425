/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each unit test of the runtime includes this header first. It includes tests.h and the
   headers that most tests need, and has helpers for threads, pages and files. Each test
   runs in its own process, so all variables have their initial values. */

#ifndef CCPROF_TESTSUITE_RT_TESTS_H
#define CCPROF_TESTSUITE_RT_TESTS_H

#define _GNU_SOURCE
#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "testsuite/unit/must.h"
#include "testsuite/unit/tests.h"

/* Bodies of threads, handlers and callbacks have parameters whether they need them or
   not. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* Starts COUNT threads. Thread I gets I as argument if ARGUMENT is null, otherwise
   ARGUMENT + I * SIZE. */
static inline void threads_begin(pthread_t *threads, int count, void *(*body)(void *),
                                 void *argument, size_t size)
{
    for (size_t i = 0; i < (size_t)count; i++) {
        uintptr_t of = argument ? (uintptr_t)argument + i * size : i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, body, (void *)of), 0);
    }
}

/* Waits until the threads end. Each returns null unless it failed. */
static inline void threads_end(const pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++) {
        void *wrong;
        ck_assert_int_eq(pthread_join(threads[i], &wrong), 0);
        ck_assert_ptr_null(wrong);
    }
}

static inline void threads_run(int count, void *(*body)(void *), void *argument,
                               size_t size)
{
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    threads_begin(threads, count, body, argument, size);
    threads_end(threads, count);
    free(threads);
}

static inline void in_another_thread(void *(*body)(void *), void *argument)
{
    threads_run(1, body, argument, 0);
}

/* Waits for a child, which must return 0. */
static inline void child_end(pid_t child)
{
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

/* Installs a handler during which all other signals are blocked. */
static inline void signal_handle(int number, void (*handle)(int, siginfo_t *, void *),
                                 int flags)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | flags};
    sigfillset(&action.sa_mask);
    ck_assert_int_eq(sigaction(number, &action, NULL), 0);
}

/* ThreadSanitizer delays signals until the program calls libc the next time. The handler
   then runs on another stack than the interrupted one. */
#ifdef __SANITIZE_THREAD__
static const bool signals_held_back = true;
#else
static const bool signals_held_back = false;
#endif

/* Returns anonymous memory filled with zeros. */
static inline void *pages_new(size_t size)
{
    void *pages =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(pages, MAP_FAILED);
    return pages;
}

/* Writes a file, and replaces an old one. */
static inline void file_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    ck_assert_msg(file != NULL, "%s: %s", path, strerror(errno));
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

/* Returns the text of a file, or null if there is none. The caller frees it. */
static inline char *file_read(const char *path)
{
    enum { MOST = 1 << 16 };
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    char *text = calloc(1, MOST);
    ck_assert_uint_lt(fread(text, 1, MOST, file), MOST);
    fclose(file);
    return text;
}

/* Checks that a file has this content. */
static inline void assert_content(const char *path, const char *content)
{
    char *got = file_read(path);
    ck_assert_msg(got != NULL, "%s: %s", path, strerror(errno));
    ck_assert_str_eq(got, content);
    free(got);
}

#endif

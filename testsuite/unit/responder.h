/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays the runtime: a program that includes this header takes requests
   (doc/requests.md), and answers with given bytes. Used by check_request.c, in children,
   and by testsuite/request/responder.c. */

#ifndef CCPROF_TESTSUITE_RESPONDER_H
#define CCPROF_TESTSUITE_RESPONDER_H

#include "rt/format.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define RESPONDER_TEXT(number)   #number
#define RESPONDER_NUMBER(number) RESPONDER_TEXT(number)

/* The note of the protocol. */
__asm__(".pushsection .note.ccprof_requests,\"a\",%note\n"
        ".balign 4\n"
        ".long 7, 4, " RESPONDER_NUMBER(
            CCPROF_NOTE_REQUESTS) "\n"
                                  ".asciz \"ccprof\"\n"
                                  ".balign 4\n"
                                  ".long " RESPONDER_NUMBER(
                                      CCPROF_REQUEST_VERSION) "\n"
                                                              ".popsection\n");

#define RESPONDER_SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)

/* How the program answers. */
struct responder {
    const char *text; /* the answer; NULL: head and `end' of a data file */
    size_t size;      /* of TEXT, which may have holes */
    int seals;
    const char *name;     /* format of the name, from the four numbers */
    int64_t later;        /* added to the time in the name */
    int swallow;          /* ignores so many requests */
    unsigned slow_ms;     /* writes the answer for so long */
    unsigned refused;     /* of so many operations, as bits; answers TEXT to these only */
    int process;          /* added to the number of the process in the answer */
    int epochs;           /* added to the epoch with each answer */
    int files;            /* added to the files with each answer */
    bool dies;            /* ends in the middle of the answer */
    const char *executes; /* executes this program instead of answering, or NULL */
    const char *record;   /* appends a line for each request to this file, or NULL */
};

static struct responder responder;
static int responder_answer = -1;
static int responder_count;

static uint64_t responder_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static void responder_sleep(unsigned milliseconds)
{
    const struct timespec time = {.tv_sec = milliseconds / 1000,
                                  .tv_nsec = milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

/* Writes the default answer. */
static int responder_head(int file)
{
    return dprintf(
        file, "ccprof mlmon 14\nkind time\nprocess %d x\nanswer %d %d open\nend\n",
        (int)getpid() + responder.process, 1000 + responder.epochs * responder_count,
        responder.files * responder_count);
}

static void responder_write(unsigned operation, unsigned argument)
{
    char name[128];
    uint64_t time = responder_now() + (uint64_t)responder.later;
    bool other = responder.refused && !(responder.refused >> operation & 1);
    snprintf(name, sizeof name,
             responder.name ? responder.name : CCPROF_ANSWER_NAME "%d:%u:%u:%llu",
             CCPROF_REQUEST_VERSION, operation, argument, (unsigned long long)time);
    int file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (responder_answer >= 0)
        close(responder_answer);
    responder_answer = file;
    if (responder.text && !other) {
        size_t length = strlen(responder.text);
        if (ftruncate(file, (off_t)responder.size) != 0 ||
            pwrite(file, responder.text, length, 0) != (ssize_t)length)
            abort();
    } else if (responder_head(file) < 0) {
        abort();
    }
    if (responder.dies)
        _exit(0);
    responder_sleep(responder.slow_ms);
    if (responder.seals && fcntl(file, F_ADD_SEALS, responder.seals) != 0)
        abort();
}

/* Returns whether the deadline in the request has passed. */
static bool responder_is_late(uint64_t request)
{
    const uint64_t mask = (1U << CCPROF_REQUEST_DEADLINE_BITS) - 1;
    uint64_t after = (responder_now() >> CCPROF_REQUEST_DEADLINE_UNIT) - request;
    return (after & mask) != 0 && (after & mask) <= mask / 2;
}

static void responder_handle(int number, siginfo_t *info, void *context)
{
    uint64_t request = (uint64_t)(uintptr_t)info->si_value.sival_ptr;
    unsigned operation = request >> CCPROF_REQUEST_OPERATION_SHIFT & 15;
    (void)number, (void)context;
    if (info->si_code != SI_QUEUE ||
        request >> CCPROF_REQUEST_MARK_SHIFT != CCPROF_REQUEST_MARK ||
        (request >> CCPROF_REQUEST_VERSION_SHIFT & 15) != CCPROF_REQUEST_VERSION ||
        operation > CCPROF_REQUEST_TIMES)
        _exit(99);
    if (responder_is_late(request) || responder.swallow-- > 0)
        return;
    if (responder.executes)
        execl(responder.executes, responder.executes, "1000", (char *)NULL);
    responder_write(operation, request >> CCPROF_REQUEST_ARGUMENT_SHIFT & UINT16_MAX);
    responder_count++;
}

static inline void responder_begin(void)
{
    struct sigaction action = {.sa_sigaction = responder_handle,
                               .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(CCPROF_REQUEST_SIGNAL, &action, NULL);
}

#endif

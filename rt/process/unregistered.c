/* SPDX-License-Identifier: MIT */
/* Asks unregistered threads for their counts, and waits for the answers. */

#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "rt/process/unregistered.h"
#include "rt/os/file.h"
#include "rt/os/proc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/count/counts.h"

/* The threads that are asked for their counts, and the number of answers. */
#define UNREGISTERED_THREADS 256
static struct unregistered {
    _Atomic pid_t tid;
    bool is_unreachable; /* the signal was not sent */
    _Atomic bool answered;
} queried[UNREGISTERED_THREADS];
static _Atomic unsigned queried_count, answer_count;

/* A signal that asks a thread for its counts has the address of this variable as its
   value. No other signal has this value. */
static const char unregistered_query_mark;

/* Fills in INFO for the signal that asks a thread for its counts. */
static void unregistered_make_query(siginfo_t *info)
{
    memset(info, 0, sizeof *info);
    info->si_code = SI_QUEUE;
    info->si_pid = ccprof_sys_getpid();
    info->si_value.sival_ptr = (void *)&unregistered_query_mark;
}

bool ccprof_unregistered_is_query(const siginfo_t *info)
{
    return info->si_code == SI_QUEUE &&
           info->si_value.sival_ptr == (void *)&unregistered_query_mark &&
           info->si_pid == ccprof_sys_getpid();
}

void ccprof_unregistered_answer(void)
{
    pid_t tid = ccprof_sys_gettid();

    if (ccprof_counts_add_unregistered(true))
        atomic_fetch_add(&answer_count, 1);
    for (unsigned i = 0; i < atomic_load(&queried_count); i++)
        if (atomic_load(&queried[i].tid) == tid)
            atomic_store(&queried[i].answered, true);
}

/* The wait for answers: at most TURNS sleeps of TURN nanoseconds. Threads to which no
   signal was sent are waited for only in the first BLOCKED_TURNS turns. Such threads
   have blocked SIGPROF, perhaps because they are about to end. */
#define UNREGISTERED_TURNS         1000
#define UNREGISTERED_BLOCKED_TURNS 20
#define UNREGISTERED_TURN          100000

/* Maximum number of calls of ccprof_tasks_walk. Each call visits about 256 threads. */
#define UNREGISTERED_WALKS 256

static bool (*handler_is_installed)(void);
static unsigned unlisted_count; /* number of threads that did not fit into the list */

/* Returns whether the thread has blocked SIGPROF; true if this is not known. Field 32
   of its stat file (proc(5)) is the set of blocked signals up to 31. The search for
   field 32 starts after field 2, the name, which may contain spaces and brackets. */
static bool unregistered_is_blocked(pid_t tid)
{
    char text[1024], path[64];
    struct ccprof_text name;
    const char *cursor;
    uint64_t set = 0;
    ssize_t got;

    ccprof_text_open(&name, path, sizeof path, NULL);
    ccprof_text_string(&name, "/proc/self/task/");
    ccprof_text_decimal(&name, (uint64_t)tid);
    ccprof_text_string(&name, "/stat");
    ccprof_text_end(&name);
    got = ccprof_file_start(AT_FDCWD, path, O_RDONLY, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    cursor = strrchr(text, ')');
    for (int field = 3; cursor && field <= 32; field++)
        cursor = strchr(cursor + 1, ' ');
    if (!cursor)
        return true;
    for (cursor++; *cursor >= '0' && *cursor <= '9'; cursor++)
        set = 10 * set + (unsigned)(*cursor - '0');
    return set & CCPROF_SYS_SIGNAL(SIGPROF);
}

/* Asks a thread for its counts. Does not send the signal if the thread would receive
   it later, since another handler might be installed by then. Returns whether the
   signal was sent. */
static bool unregistered_send_query(pid_t tid)
{
    siginfo_t info;

    if (!handler_is_installed() || unregistered_is_blocked(tid))
        return false;
    unregistered_make_query(&info);
    return syscall(SYS_rt_tgsigqueueinfo, info.si_pid, tid, SIGPROF, &info) == 0;
}

static void unregistered_visit(pid_t tid)
{
    unsigned i = atomic_load(&queried_count);

    if (ccprof_counts_is_registered(tid))
        return;
    if (i == UNREGISTERED_THREADS) {
        unlisted_count++;
        return;
    }
    atomic_store(&queried[i].tid, tid);
    atomic_store(&queried[i].answered, false);
    atomic_store(&queried_count, i + 1);
    queried[i].is_unreachable = !unregistered_send_query(tid);
}

/* Returns the number of existing threads that have not answered. WITH_UNREACHABLE:
   includes threads to which no signal was sent. */
static unsigned unregistered_pending(bool with_unreachable)
{
    unsigned pending = 0;

    for (unsigned i = 0; i < atomic_load(&queried_count); i++)
        pending += (with_unreachable || !queried[i].is_unreachable) &&
                   !atomic_load(&queried[i].answered) &&
                   syscall(SYS_tgkill, ccprof_sys_getpid(), atomic_load(&queried[i].tid),
                           0) == 0;
    return pending;
}

static void unregistered_walk(void)
{
    struct ccprof_tasks tasks = {0};

    for (int i = 0; i < UNREGISTERED_WALKS; i++) {
        ccprof_tasks_walk(&tasks, unregistered_visit);
        if (tasks.position == 0)
            return;
    }
}

bool ccprof_unregistered_exist(void)
{
    return ccprof_counts_are_private() &&
           !(ccprof_tasks_alone() && ccprof_counts_unregistered() == 0);
}

uint64_t ccprof_unregistered_gather(bool (*is_installed)(void))
{
    uint64_t seen, whole;

    handler_is_installed = is_installed;
    atomic_store(&answer_count, 0);
    atomic_store(&queried_count, 0);
    unlisted_count = 0;
    unregistered_walk();
    for (int i = 0; i < UNREGISTERED_TURNS &&
                    unregistered_pending(i < UNREGISTERED_BLOCKED_TURNS) != 0;
         i++)
        ccprof_sys_sleep(UNREGISTERED_TURN);
    whole = atomic_load(&answer_count);
    seen = ccprof_counts_unregistered();
    return (seen > whole ? seen - whole : 0) + unregistered_pending(true) +
           unlisted_count;
}

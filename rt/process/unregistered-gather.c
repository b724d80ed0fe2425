/* SPDX-License-Identifier: MIT */
/* Asks the unregistered threads for their counts, and waits for them.  Owns the number of
   threads that could not be asked.  Called where a file is written, by one thread at a
   time.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "rt/process/unregistered.h"
#include "rt/os/file.h"
#include "rt/os/sys.h"
#include "rt/os/proc.h"
#include "rt/os/text.h"
#include "rt/count/counts.h"
#include "rt/process/handler.h"

/* How long to wait: TURNS turns of TURN nanoseconds for threads that can answer, BRIEF
   turns for the others, which have SIGPROF blocked, perhaps because they are about to
   end.  */
#define UNREGISTERED_TURNS 1000
#define UNREGISTERED_BRIEF 20
#define UNREGISTERED_TURN  100000

/* The most calls of ccprof_tasks_walk, each of which sees about 256 threads.  */
#define UNREGISTERED_WALKS 256

static unsigned others; /* threads for which there was no room */

/* Returns whether the thread has blocked SIGPROF, by field 32 of its stat file (proc(5)),
   a set of the signals up to 31; true if the file cannot be read.  The name, field 2, may
   contain spaces and brackets, so the search starts behind it.  */
static bool unregistered_is_blocked(pid_t tid)
{
    char text[1024], path[64];
    struct ccprof_text name;
    const char *at;
    uint64_t set = 0;
    ssize_t got;

    ccprof_text_open(&name, path, sizeof path, NULL);
    ccprof_text_string(&name, "/proc/self/task/");
    ccprof_text_decimal(&name, (uint64_t)tid);
    ccprof_text_string(&name, "/stat");
    ccprof_text_end(&name);
    got = ccprof_file_start(AT_FDCWD, path, O_RDONLY, text, sizeof text - 1);
    text[got > 0 ? got : 0] = '\0';
    at = strrchr(text, ')');
    for (int field = 3; at && field <= 32; field++)
        at = strchr(at + 1, ' ');
    if (!at)
        return true;
    for (at++; *at >= '0' && *at <= '9'; at++)
        set = 10 * set + (unsigned)(*at - '0');
    return set & CCPROF_SYS_SIGNAL(SIGPROF);
}

/* Sends the signal, unless it would be delivered later: by then another handler might be
   installed.  */
static bool unregistered_ask(pid_t tid)
{
    siginfo_t info;

    if (!ccprof_handler_is_installed() || unregistered_is_blocked(tid))
        return false;
    ccprof_unregistered_make_call(&info);
    return syscall(SYS_rt_tgsigqueueinfo, info.si_pid, tid, SIGPROF, &info) == 0;
}

static void unregistered_visit(pid_t tid)
{
    unsigned i = atomic_load(&ccprof_unregistered_count);

    if (ccprof_counts_knows(tid))
        return;
    if (i == CCPROF_UNREGISTERED_THREADS) {
        others++;
        return;
    }
    atomic_store(&ccprof_unregistered_asked[i].tid, tid);
    atomic_store(&ccprof_unregistered_asked[i].answered, false);
    atomic_store(&ccprof_unregistered_count, i + 1);
    ccprof_unregistered_asked[i].mute = !unregistered_ask(tid);
}

static bool unregistered_is_there(pid_t tid)
{
    return syscall(SYS_tgkill, ccprof_sys_getpid(), tid, 0) == 0;
}

/* Returns how many threads have not answered and still exist.  MUTE: counts threads that
   cannot answer, too.  */
static unsigned unregistered_pending(bool mute)
{
    unsigned pending = 0;

    for (unsigned i = 0; i < atomic_load(&ccprof_unregistered_count); i++)
        pending += (mute || !ccprof_unregistered_asked[i].mute) &&
                   !atomic_load(&ccprof_unregistered_asked[i].answered) &&
                   unregistered_is_there(atomic_load(&ccprof_unregistered_asked[i].tid));
    return pending;
}

static void unregistered_wait(void)
{
    for (int i = 0;
         i < UNREGISTERED_TURNS && unregistered_pending(i < UNREGISTERED_BRIEF) != 0; i++)
        ccprof_sys_sleep(UNREGISTERED_TURN);
}

/* Installs the handler: where time is not measured, the runtime has not taken SIGPROF
   yet.  */
static void unregistered_signal(void)
{
    ccprof_sys_signals mask;

    ccprof_sys_mask(SIG_SETMASK, ~(ccprof_sys_signals)0, &mask);
    if (!ccprof_handler_is_installed())
        ccprof_handler_install();
    ccprof_sys_mask(SIG_SETMASK, mask, NULL);
}

static void unregistered_walk(void)
{
    struct ccprof_tasks tasks = {0};

    for (int i = 0; i < UNREGISTERED_WALKS; i++) {
        ccprof_tasks_walk(&tasks, unregistered_visit);
        if (tasks.at == 0)
            return;
    }
}

uint64_t ccprof_unregistered_gather(void)
{
    uint64_t seen, whole;

    if (!ccprof_counts_are_private() ||
        (ccprof_tasks_alone() && ccprof_counts_unregistered() == 0))
        return 0;
    unregistered_signal();
    atomic_store(&ccprof_unregistered_answers, 0);
    atomic_store(&ccprof_unregistered_count, 0);
    others = 0;
    unregistered_walk();
    unregistered_wait();
    whole = atomic_load(&ccprof_unregistered_answers);
    seen = ccprof_counts_unregistered();
    return (seen > whole ? seen - whole : 0) + unregistered_pending(true) + others;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/process/children.c rt/os/lock.c rt/os/memory.c */
/* Forked children give their CPU time to the parent as long as it can take it.  */

#include <sys/wait.h>

#include "rt_tests.h"
#include "rt/process/children.h"

/* Runs WORK in a child of a fork, whose parent is PARENT.  Returns its result.  */
static int in_child(int (*work)(void), pid_t parent)
{
    int status;
    ccprof_children_prepare();
    const pid_t child = fork();
    if (child == 0) {
        ccprof_children_drop(parent);
        _exit(work());
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int give_five(void)
{
    return ccprof_children_give(5);
}

static int have_none(void)
{
    return (int)ccprof_children_cpu(0);
}

/* Time is given once, also if more is used afterwards.  */
static int give_twice(void)
{
    return ccprof_children_give(ccprof_children_cpu(5)) && ccprof_children_cpu(7) == 2 &&
           ccprof_children_cpu(4) == 0 && ccprof_children_give(ccprof_children_cpu(7));
}

/* A grandchild gives to the child, which passes it on.  */
static int give_what_was_given(void)
{
    return in_child(give_five, getpid()) && ccprof_children_cpu(20) == 25 &&
           ccprof_children_give(ccprof_children_cpu(20));
}

TEST(children_give)
{
    ck_assert_uint_eq(ccprof_children_cpu(100), 100);
    ck_assert(!ccprof_children_give(1));
    ck_assert(in_child(give_five, getpid()));
    ck_assert_uint_eq(ccprof_children_cpu(100), 105);
    ck_assert_int_eq(in_child(have_none, getpid()), 0);
    ck_assert(in_child(give_twice, getpid()));
    ck_assert_uint_eq(ccprof_children_cpu(100), 112);
    ck_assert(in_child(give_what_was_given, getpid()));
    ck_assert_uint_eq(ccprof_children_cpu(100), 137);
}

/* The parent has ended, so another process has the child.  */
TEST(orphans_keep_their_time)
{
    ck_assert(!in_child(give_five, getppid()));
    ck_assert_uint_eq(ccprof_children_cpu(100), 100);
}

TEST(a_written_file_takes_nothing)
{
    ck_assert(in_child(give_five, getpid()));
    ccprof_children_close();
    ck_assert(!in_child(give_five, getpid()));
    ck_assert_uint_eq(ccprof_children_cpu(100), 105);
}

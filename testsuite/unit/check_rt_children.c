/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/process/children.c rt/os/lock.c rt/os/memory.c */
/* Forked children report their CPU time, and each time is in one file only. */

#include "rt_tests.h"
#include "rt/process/children.h"

/* Runs WORK in a child of a fork and returns its result. */
static int in_child(int (*work)(void))
{
    int status;
    ccprof_children_prepare();
    const pid_t child = fork();
    if (child == 0) {
        ccprof_children_drop();
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

/* A child that writes a file. */
static int write_one(void)
{
    return (int)ccprof_children_cpu(1);
}

static int write_two(void)
{
    return (int)(ccprof_children_cpu(1) + 10 * ccprof_children_cpu(1));
}

/* A grandchild reports its time to the child, which passes it on. */
static int give_what_was_given(void)
{
    return in_child(give_five) && ccprof_children_close() && ccprof_children_give(20);
}

TEST(children_give)
{
    ck_assert(!ccprof_children_give(1));
    ck_assert(in_child(give_five));
    ck_assert(in_child(give_five));
    ck_assert_uint_eq(ccprof_children_cpu(100), 100);
    ck_assert(ccprof_children_close());
    ck_assert_uint_eq(ccprof_children_cpu(100), 110);
    ck_assert_uint_eq(ccprof_children_cpu(100), 110);
}

TEST(a_child_with_a_file_takes)
{
    ck_assert(in_child(give_five));
    ck_assert_int_eq(in_child(write_two), 66);
    ck_assert_int_eq(in_child(write_one), 1);
    ck_assert(in_child(give_what_was_given));
    ck_assert_int_eq(in_child(write_one), 26);
    ck_assert(!ccprof_children_close());
    ck_assert_uint_eq(ccprof_children_cpu(100), 100);
}

TEST(a_written_file_takes_nothing)
{
    ck_assert(in_child(give_five));
    ck_assert(ccprof_children_close());
    ck_assert(!in_child(give_five));
    ck_assert_int_eq(in_child(write_one), 1);
    ck_assert_uint_eq(ccprof_children_cpu(100), 105);
    ccprof_children_open();
    ck_assert(in_child(give_five));
    ck_assert(ccprof_children_close());
    ck_assert_uint_eq(ccprof_children_cpu(100), 110);
}

/* Another thread may write the last file during the first fork. */
TEST(the_first_fork_may_come_late)
{
    ck_assert(!ccprof_children_close());
    ck_assert(!in_child(give_five));
}

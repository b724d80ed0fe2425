/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refuse CALL... -- COMMAND...: runs the command, whose system calls of these names are
   refused as in a container: perf_event_open with EACCES, timer_create with EPERM.  */

#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    unsigned number;
    unsigned error;
} calls[] = {{"perf_event_open", SYS_perf_event_open, EACCES},
             {"timer_create", SYS_timer_create, EPERM}};

static int refuse(unsigned number, unsigned error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int refuse_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].name, name) == 0)
            return refuse(calls[i].number, calls[i].error);
    fprintf(stderr, "refuse: %s?\n", name);
    return -1;
}

int main(int argc, char **argv)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 77;
    for (argv++; argc > 1 && *argv && strcmp(*argv, "--") != 0; argv++)
        if (refuse_by_name(*argv) != 0)
            return 77;
    if (!*argv || !argv[1])
        return 1;
    execv(argv[1], argv + 1);
    return 1;
}

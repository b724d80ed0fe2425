/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forbid [kill] NUMBER... [-- COMMAND...]: has the system calls of these numbers answered
   with EPERM, as in a container, and executes the command; `kill': who makes one is
   killed. Without a command it computes in two threads, with `kill' in one. */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static volatile unsigned sum;

static void *compute(void *none)
{
    for (unsigned i = 0; i < 100000000; i++)
        sum += i;
    return none;
}

static int forbid(unsigned number, unsigned answer)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, answer), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int count, char **words)
{
    bool kills = count > 1 && strcmp(words[1], "kill") == 0;
    unsigned answer = kills ? SECCOMP_RET_KILL_PROCESS : SECCOMP_RET_ERRNO | EPERM;
    pthread_t thread;

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return 77;
    for (words += 1 + kills; *words && strcmp(*words, "--") != 0; words++)
        if (forbid((unsigned)atoi(*words), answer) != 0)
            return 77;
    if (*words) {
        execv(words[1], words + 1);
        return 1;
    }
    compute(NULL);
    if (!kills && pthread_create(&thread, NULL, compute, NULL) == 0)
        pthread_join(thread, NULL);
    puts("done");
    return 0;
}

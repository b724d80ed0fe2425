// SPDX-License-Identifier: GPL-3.0-or-later
// A program with children, signals and threads, for instructions-judges.test: all must
// behave as without stepcount. children exec: the image that it executes.

#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile sig_atomic_t alarms;

static void on_alarm(int number)
{
    (void)number;
    alarms++;
}

__attribute__((noipa)) int in_child(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i * n;
    return sum % 100;
}

__attribute__((noipa)) int in_parent(int n)
{
    return n * 3;
}

static void *thread(void *data)
{
    (void)data;
    in_parent(4);
    return NULL;
}

static int status_of(pid_t child)
{
    int status = -1;
    waitpid(child, &status, WUNTRACED);
    if (WIFSTOPPED(status)) {
        kill(child, SIGCONT);
        waitpid(child, &status, 0);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "exec") == 0)
        return in_parent(5);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_alarm;
    sigaction(SIGALRM, &action, NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(in_child(7));
    printf("fork %d\n", status_of(child));
    child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        raise(SIGTERM);
    }
    printf("signals %d\n", status_of(child));
    char *again[] = {arguments[0], "exec", NULL};
    if (posix_spawn(&child, arguments[0], NULL, NULL, again, environ) == 0)
        printf("spawn %d\n", status_of(child));
    printf("system %d\n", WEXITSTATUS(system("exit 9")));
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, thread, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
    sigprocmask(SIG_BLOCK, &blocked, &before);
    alarm(1);
    sigsuspend(&before); // the signal interrupts it
    printf("alarms %d\n", (int)alarms);
    fflush(stdout);
    execv(arguments[0], again);
    return 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// ends WAY [COMMAND]: calls work 5 times, of which 3 are in a child, and ends in that
// way, or with COMMAND in its place, if there is such a program.

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;
static char **command;

static void work(void) { sink++; }

static void end(const char *way)
{
    if (command)
        execvp(*command, command);
    if (!strcmp(way, "_exit"))
        _exit(0);
    if (!strcmp(way, "exit"))
        exit(0);
    if (!strcmp(way, "quick_exit"))
        quick_exit(0);
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "term"))
        raise(SIGTERM);
    *(volatile int *)0 = 1;
}

int main(int argc, char **argv)
{
    pid_t child;
    work();
    child = fork();
    if (child == 0) {
        for (int i = 0; i < 3; i++)
            work();
        end(argv[1]);
    }
    waitpid(child, NULL, 0);
    work();
    if (argc > 2)
        command = argv + 2;
    end(argv[1]);
}

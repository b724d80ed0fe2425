// SPDX-License-Identifier: GPL-3.0-or-later
// faults COMMAND...: runs it and prints how many page faults it took for which nothing
// was read from a disk.

#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv)
{
    struct rusage used;
    int status;
    pid_t child;

    if (argc < 2 || posix_spawn(&child, argv[1], NULL, NULL, argv + 1, environ) != 0 ||
        wait4(child, &status, 0, &used) < 0 || status != 0)
        return 1;
    printf("%ld\n", used.ru_minflt);
    return 0;
}

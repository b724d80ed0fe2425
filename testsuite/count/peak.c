// SPDX-License-Identifier: GPL-3.0-or-later
// peak FILE COMMAND...: runs it and writes the most memory that it had resident, in KiB.

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int status = 0;
    struct rusage used;
    if (argc < 3)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return 2;
    getrusage(RUSAGE_CHILDREN, &used);
    FILE *out = fopen(argv[1], "w");
    if (!out || fprintf(out, "%ld\n", used.ru_maxrss) < 0 || fclose(out) != 0)
        return 2;
    return WEXITSTATUS(status);
}

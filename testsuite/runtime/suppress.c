/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suppress TIMES PROGRAM WORD...: executes the program under ptrace. Of TIMES signals
   that would end it, the first delivery, which comes to a handler, is let through, and
   the one that the handler causes is suppressed: the signal turns out not to end the
   program. Ends as the program does. */

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **words)
{
    struct rlimit no_core = {0, 0};
    int times = count > 2 ? 2 * atoi(words[1]) : 0, status, seen = 0;
    bool begun = false;
    pid_t child = fork();

    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(77);
        execv(words[2], words + 2);
        _exit(126);
    }
    while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
        int number = WSTOPSIG(status);
        if (number == SIGTRAP && !begun) {
            begun = true;
            number = 0;
        } else if (number != SIGPROF && seen < times && seen++ % 2 == 1) {
            number = 0;
        }
        ptrace(PTRACE_CONT, child, NULL, (void *)(long)number);
    }
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &no_core);
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 1;
}

/* SPDX-License-Identifier: MIT */
/* Writes what was measured before another program takes the process's place.  These are
   the replacements of libc's functions with the same names, see exec(3).  If an exec
   fails, the program goes on, and so does the measuring.  In the child of a vfork, which
   shares its parent's memory, nothing is written.

   Called wherever the program calls these functions, signal handlers and children of
   vfork included.  */

#ifndef CCPROF_EXEC_H
#define CCPROF_EXEC_H

int ccprof_exec_execve(const char *path, char *const argument[], char *const variable[]);
int ccprof_exec_execv(const char *path, char *const argument[]);
int ccprof_exec_execvp(const char *file, char *const argument[]);
int ccprof_exec_execvpe(const char *file, char *const argument[], char *const variable[]);
int ccprof_exec_fexecve(int fd, char *const argument[], char *const variable[]);
int ccprof_exec_execveat(int folder, const char *path, char *const argument[],
                         char *const variable[], int flags);
int ccprof_exec_execl(const char *path, const char *first, ...);
int ccprof_exec_execlp(const char *file, const char *first, ...);
int ccprof_exec_execle(const char *path, const char *first, ...);

/* Runs BODY for execl, execlp or execle.  In BODY, ARGUMENT is the array of the arguments
   from FIRST on, and LIST is the va_list behind them.  */
#define CCPROF_EXEC_LIST(first, body)                                                    \
    do {                                                                                 \
        va_list list;                                                                    \
        size_t count = 1;                                                                \
        va_start(list, first);                                                           \
        while (va_arg(list, char *))                                                     \
            count++;                                                                     \
        va_end(list);                                                                    \
        char *argument[count + 1];                                                       \
        argument[0] = (char *)(uintptr_t)(first);                                        \
        va_start(list, first);                                                           \
        for (size_t i = 1; i <= count; i++)                                              \
            argument[i] = va_arg(list, char *);                                          \
        body;                                                                            \
        va_end(list);                                                                    \
    } while (0)

#endif

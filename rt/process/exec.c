/* SPDX-License-Identifier: MIT */
/* Writes the file, if there is anything to write, as the signal of dump.c does; then
   calls libc.  Owns nothing.  */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>

#include "rt/process/exec.h"
#include "rt/format.h"
#include "rt/os/libc.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"
#include "rt/regions/regions.h"
#include "rt/heap/heap.h"
#include "rt/process/run.h"
#include "rt/process/write.h"

/* The child of a fork seldom does anything before its exec: counters that it has
   inherited are no reason for a file.  */
static bool exec_has_measured(void)
{
    if (atomic_load(&ccprof_run.memory->table.samples) != 0 || ccprof_regions_ended())
        return true;
    return !ccprof_run.is_child && ((ccprof_run.kinds & CCPROF_KINDS_COUNTED) ||
                                    ccprof_regions_any() || ccprof_heap_is_on());
}

static void exec_begin(void)
{
    if (ccprof_run_is_there() && atomic_load(&ccprof_run.owner) == ccprof_sys_getpid() &&
        exec_has_measured())
        ccprof_write_so_far();
}

/* If the exec would fail anyway, nothing is written.  */
static bool exec_may_be(int folder, const char *path)
{
    return syscall(SYS_faccessat, folder, path, X_OK) == 0;
}

static bool exec_is_path(const char *file)
{
    return strchr(file, '/') != NULL;
}

int ccprof_exec_execve(const char *path, char *const argument[], char *const variable[])
{
    int saved = errno;
    if (path && exec_may_be(AT_FDCWD, path))
        exec_begin();
    errno = saved;
    return ccprof_libc.execve(path, argument, variable);
}

int ccprof_exec_execv(const char *path, char *const argument[])
{
    return ccprof_exec_execve(path, argument, environ);
}

int ccprof_exec_execvpe(const char *file, char *const argument[], char *const variable[])
{
    int saved = errno;
    if (!exec_is_path(file) || exec_may_be(AT_FDCWD, file))
        exec_begin();
    errno = saved;
    return ccprof_libc.execvpe(file, argument, variable);
}

int ccprof_exec_execvp(const char *file, char *const argument[])
{
    return ccprof_exec_execvpe(file, argument, environ);
}

int ccprof_exec_execveat(int folder, const char *path, char *const argument[],
                         char *const variable[], int flags)
{
    int saved = errno;
    exec_begin();
    errno = saved;
    return (int)syscall(SYS_execveat, folder, path, argument, variable, flags);
}

/* On a kernel without execveat, uses the descriptor's name in /proc.  */
int ccprof_exec_fexecve(int fd, char *const argument[], char *const variable[])
{
    char path[40];
    struct ccprof_text text;

    if (fd < 0 || !argument || !variable) {
        errno = EINVAL;
        return -1;
    }
    ccprof_exec_execveat(fd, "", argument, variable, AT_EMPTY_PATH);
    if (errno != ENOSYS)
        return -1;
    ccprof_text_open(&text, path, sizeof path, NULL);
    ccprof_text_string(&text, "/proc/self/fd/");
    ccprof_text_decimal(&text, (uint64_t)fd);
    ccprof_text_end(&text);
    return ccprof_libc.execve(path, argument, variable);
}

int ccprof_exec_execl(const char *path, const char *first, ...)
{
    int result;
    CCPROF_EXEC_LIST(first, result = ccprof_exec_execve(path, argument, environ));
    return result;
}

int ccprof_exec_execlp(const char *file, const char *first, ...)
{
    int result;
    CCPROF_EXEC_LIST(first, result = ccprof_exec_execvpe(file, argument, environ));
    return result;
}

int ccprof_exec_execle(const char *path, const char *first, ...)
{
    int result;
    CCPROF_EXEC_LIST(
        first, result = ccprof_exec_execve(path, argument, va_arg(list, char *const *)));
    return result;
}

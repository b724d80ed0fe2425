/* SPDX-License-Identifier: MIT */
/* Reads files of /proc.  Owns the executable's path.  Called when the run starts, by
   the SIGPROF handler (tasks) and by handlers of fatal signals (traced).  */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#include "rt/os/proc.h"
#include "rt/os/file.h"
#include "rt/os/sys.h"

#define TASKS_FOLDER "/proc/self/task"

/* The size of a buffer on the handler's stack, which may be small, and the maximum
   number of buffers that one call of ccprof_tasks_walk fills.  A buffer holds about 32
   threads.  */
#define TASKS_BUFFER 1024
#define TASKS_CALLS  8

/* This variable exists since glibc 2.32.  */
extern char __libc_single_threaded __attribute__((weak));

/* A record of getdents64(2).  */
struct tasks_entry {
    uint64_t inode;
    int64_t next; /* position of the next record in the folder */
    uint16_t size;
    uint8_t type;
    char name[];
};

/* Returns TEXT as a number, or 0 if TEXT is not a number.  */
static pid_t tasks_number(const char *text)
{
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = number * 10 + (*text - '0');
    return *text ? 0 : number;
}

/* Fills one buffer and calls VISIT for each thread in it.  Returns false at the end of
   the folder.  */
static bool tasks_read_buffer(int folder, struct ccprof_tasks *tasks,
                              void (*visit)(pid_t))
{
    _Alignas(struct tasks_entry) char buffer[TASKS_BUFFER];
    long got = syscall(SYS_getdents64, folder, buffer, sizeof buffer);

    for (long at = 0; at < got;) {
        const struct tasks_entry *entry = (const void *)(buffer + at);
        pid_t tid = tasks_number(entry->name);
        if (tid != 0)
            visit(tid);
        tasks->at = entry->next;
        at += entry->size;
    }
    return got > 0;
}

void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid))
{
    struct ccprof_file folder;

    if (!ccprof_file_open(&folder, AT_FDCWD, TASKS_FOLDER, O_RDONLY | O_DIRECTORY, 0))
        return;
    if (tasks->at != 0)
        syscall(SYS_lseek, folder.fd, tasks->at, SEEK_SET);
    for (int i = 0; i < TASKS_CALLS; i++) {
        if (!tasks_read_buffer(folder.fd, tasks, visit)) {
            tasks->at = 0;
            break;
        }
    }
    ccprof_file_close(&folder);
}

/* The folder's link count is 2 plus the number of threads.  */
uint64_t ccprof_tasks_count(void)
{
    struct stat status;

    if (ccprof_sys_stat(TASKS_FOLDER, &status) != 0 || status.st_nlink < 2)
        return 0;
    return status.st_nlink - 2;
}

bool ccprof_tasks_has_ended(pid_t tid)
{
    int saved = errno;
    bool ended = syscall(SYS_tgkill, ccprof_sys_getpid(), tid, 0) != 0 && errno == ESRCH;

    errno = saved;
    return ended;
}

bool ccprof_tasks_alone(void)
{
    return &__libc_single_threaded && __libc_single_threaded;
}

/* The line TracerPid is one of the first lines of the file, proc(5), so 511 bytes are
   enough.  */
bool ccprof_traced(void)
{
    static const char name[] = "\nTracerPid:\t";
    int saved = errno;
    char text[512];
    ssize_t got = ccprof_file_start(AT_FDCWD, "/proc/thread-self/status", O_RDONLY, text,
                                    sizeof text - 1);

    text[got > 0 ? got : 0] = '\0';
    const char *line = strstr(text, name);
    errno = saved;
    return line && line[sizeof name - 1] != '0';
}

/* Returns the second number of TEXT (/proc/self/statm): the number of resident pages.  */
static uint64_t resident_pages(const char *text, size_t size)
{
    uint64_t number = 0;
    size_t at = 0;

    while (at < size && text[at] != ' ')
        at++;
    for (at++; at < size && text[at] >= '0' && text[at] <= '9'; at++)
        number = number * 10 + (uint64_t)(text[at] - '0');
    return number;
}

uint64_t ccprof_resident(void)
{
    int saved = errno;
    char text[128];
    ssize_t size =
        ccprof_file_start(AT_FDCWD, "/proc/self/statm", O_RDONLY, text, sizeof text);

    errno = saved;
    return size > 0 ? resident_pages(text, (size_t)size) * getauxval(AT_PAGESZ) : 0;
}

static char executable[PATH_MAX];
static bool has_path;

const char *ccprof_program(void)
{
    if (!has_path) {
        ssize_t length =
            ccprof_sys_readlink("/proc/self/exe", executable, sizeof executable - 1);

        executable[length > 0 ? length : 0] = '\0';
        has_path = true;
    }
    return executable;
}

bool ccprof_program_is_conftest(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return strcmp(name, "conftest") == 0 ||
           (strncmp(name, "cmTC_", 5) == 0 && strstr(path, "/CMakeFiles/")) ||
           strstr(path, "/meson-private/");
}

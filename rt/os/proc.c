/* SPDX-License-Identifier: MIT */
/* Reads files of /proc. Owns the executable's path. Called when the run starts, by
   the SIGPROF handler (tasks) and by handlers of fatal signals (traced). */

#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "rt/os/proc.h"
#include "rt/os/file.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/os/text.h"

#define TASKS_FOLDER "/proc/self/task"

/* The size of a buffer on the handler's stack, which may be small, and the maximum
   number of buffers that one call of ccprof_tasks_walk fills. A buffer holds about 32
   threads. */
#define TASKS_BUFFER 1024
#define TASKS_CALLS  8

/* This variable exists since glibc 2.32. */
extern char __libc_single_threaded __attribute__((weak));

/* A record of getdents64(2). */
struct tasks_entry {
    uint64_t inode;
    int64_t next; /* position of the next record in the folder */
    uint16_t size;
    uint8_t type;
    char name[];
};

/* Returns TEXT as a number, or 0 if TEXT is not a number. */
static pid_t tasks_number(const char *text)
{
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = number * 10 + (*text - '0');
    return *text ? 0 : number;
}

/* Fills one buffer and calls VISIT for each thread in it. Returns false at the end of
   the folder. */
static bool tasks_read_buffer(int folder, struct ccprof_tasks *tasks,
                              void (*visit)(pid_t))
{
    _Alignas(struct tasks_entry) char buffer[TASKS_BUFFER];
    long got = syscall(SYS_getdents64, folder, buffer, sizeof buffer);

    for (long offset = 0; offset < got;) {
        const struct tasks_entry *entry = (const void *)(buffer + offset);
        pid_t tid = tasks_number(entry->name);
        if (tid != 0)
            visit(tid);
        tasks->position = entry->next;
        offset += entry->size;
    }
    return got > 0;
}

void ccprof_tasks_walk(struct ccprof_tasks *tasks, void (*visit)(pid_t tid))
{
    struct ccprof_file folder;

    if (!ccprof_file_open(&folder, AT_FDCWD, TASKS_FOLDER, O_RDONLY | O_DIRECTORY, 0))
        return;
    if (tasks->position != 0)
        syscall(SYS_lseek, folder.fd, tasks->position, SEEK_SET);
    for (int i = 0; i < TASKS_CALLS; i++) {
        if (!tasks_read_buffer(folder.fd, tasks, visit)) {
            tasks->position = 0;
            break;
        }
    }
    ccprof_file_close(&folder);
}

/* The folder's link count is 2 plus the number of threads. */
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

/* Returns the number after NAME in a file `status' of a thread, or 0. The line is one of
   the first lines of the file, proc(5), so 511 bytes are enough. Changes errno. */
static pid_t tasks_status(const char *path, const char *name)
{
    char text[512];
    ssize_t got = ccprof_file_start(AT_FDCWD, path, O_RDONLY, text, sizeof text - 1);

    text[got > 0 ? got : 0] = '\0';
    char *line = strstr(text, name);
    char *end = line ? strchr(line + 1, '\n') : NULL;
    if (!end)
        return 0;
    *end = '\0';
    return tasks_number(line + strlen(name));
}

bool ccprof_traced(void)
{
    int saved = errno;
    bool is_traced = tasks_status("/proc/thread-self/status", "\nTracerPid:\t") != 0;

    errno = saved;
    return is_traced;
}

/* Reads a number of TEXT from *POSITION on, and moves *POSITION behind the blank after
   it. */
static uint64_t proc_number(const char *text, size_t size, size_t *position)
{
    uint64_t number = 0;

    for (; *position < size && text[*position] >= '0' && text[*position] <= '9';
         ++*position)
        number = number * 10 + (uint64_t)(text[*position] - '0');
    ++*position;
    return number;
}

uint64_t ccprof_resident(void)
{
    int saved = errno;
    char text[128];
    ssize_t size =
        ccprof_file_start(AT_FDCWD, "/proc/self/statm", O_RDONLY, text, sizeof text);

    errno = saved;
    if (size <= 0)
        return 0;
    size_t position = 0;
    proc_number(text, (size_t)size, &position);
    return proc_number(text, (size_t)size, &position) * getauxval(AT_PAGESZ);
}

static _Atomic bool ready_is_stopped;

void ccprof_thread_ready_stop(void)
{
    atomic_store(&ready_is_stopped, true);
}

bool ccprof_thread_ready_is_stopped(void)
{
    return atomic_load(&ready_is_stopped);
}

/* Not through os/file.h, whose checks take twice as long: threads that wait call this
   often, and nothing is written. */
bool ccprof_thread_ready(pid_t tid, uint64_t *ready)
{
    int saved = errno;
    char path[64], text[64];
    struct ccprof_text name;
    size_t position = 0;
    ssize_t size = -1;

    if (atomic_load(&ready_is_stopped))
        return false;
    ccprof_text_open(&name, path, sizeof path, NULL);
    ccprof_text_string(&name, tid ? TASKS_FOLDER "/" : "/proc/thread-self");
    if (tid)
        ccprof_text_decimal(&name, (uint64_t)tid);
    ccprof_text_string(&name, "/schedstat");
    ccprof_text_end(&name);
    const int fd = ccprof_sys_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd >= 0) {
        size = ccprof_sys_pread(fd, text, sizeof text, 0);
        ccprof_sys_close(fd);
        if (fd <= STDERR_FILENO)
            ccprof_thread_ready_stop();
    }
    errno = saved;
    if (size <= 0)
        return false;
    proc_number(text, (size_t)size, &position);
    *ready = proc_number(text, (size_t)size, &position);
    return true;
}

/* The first thread of a process has the number of the process, and asking for that opens
   no file. A handler that leaves this by a jump would leave a file open. */
pid_t ccprof_thread_process(pid_t tid)
{
    int saved = errno;
    char path[32];
    struct ccprof_text name;
    struct ccprof_blocked blocked;
    pid_t process = tid;

    if (atomic_load(&ready_is_stopped))
        return 0;
    /* EPERM may come from a filter of system calls. */
    if (syscall(SYS_tgkill, tid, tid, 0) != 0) {
        ccprof_text_open(&name, path, sizeof path, NULL);
        ccprof_text_string(&name, "/proc/");
        ccprof_text_decimal(&name, (uint64_t)tid);
        ccprof_text_string(&name, "/status");
        ccprof_text_end(&name);
        ccprof_blocked_begin(&blocked);
        process = tasks_status(path, "\nTgid:\t");
        ccprof_blocked_end(&blocked);
    }
    errno = saved;
    return process;
}

/* The path of the executable, and before that lines of /proc/self/maps: a line is a path
   and less than MAPS_FIELDS bytes before it. */
#define MAPS_FIELDS 128
#define MAPS_READ   1024
static char executable[PATH_MAX + MAPS_FIELDS];
static bool has_path;

/* Reads a hexadecimal number at *LINE, and moves *LINE behind it. */
static uintptr_t program_number(const char **line)
{
    static const char digits[] = "0123456789abcdef";
    uintptr_t number = 0;

    for (const char *digit; **line && (digit = strchr(digits, **line)); ++*line)
        number = 16 * number + (uintptr_t)(digit - digits);
    return number;
}

/* Returns whether the mapping of LINE contains ADDRESS. */
static bool program_holds(const char *line, uintptr_t address)
{
    uintptr_t from = program_number(&line);

    return address >= from && *line++ == '-' && address < program_number(&line);
}

/* Makes the line of a mapping to the path in it: the path of a file, in which a newline
   is written \012. Returns false if the mapping is of no file with a name. */
static bool program_take_path(void)
{
    const char *from = strchr(executable, '/');
    char *to = executable;

    if (!from || strncmp(from, "/memfd:", 7) == 0)
        return false;
    while (*from) {
        bool escape = strncmp(from, "\\012", 4) == 0;
        *to++ = escape ? '\n' : *from;
        from += escape ? 4 : 1;
    }
    *to = '\0';
    return true;
}

/* Finds the path of the file that is mapped at ADDRESS. The first lines of the file
   are usually those of the executable. */
static bool program_find_mapped(uintptr_t address)
{
    struct ccprof_file file;
    size_t used = 0;
    off_t offset = 0;
    bool found = false;
    ssize_t got;

    if (!ccprof_file_open(&file, AT_FDCWD, "/proc/self/maps", O_RDONLY, 0))
        return false;
    do {
        size_t room = sizeof executable - 1 - used;
        got = ccprof_file_read(&file, executable + used,
                               room < MAPS_READ ? room : MAPS_READ, offset);
        used += got > 0 ? (size_t)got : 0;
        offset += got;
        executable[used] = '\0';
        for (char *end; !found && (end = strchr(executable, '\n'));) {
            *end++ = '\0';
            found = program_holds(executable, address);
            used -= (size_t)(end - executable);
            if (!found)
                memmove(executable, end, used + 1);
        }
    } while (!found && got > 0);
    ccprof_file_close(&file);
    return found && program_take_path();
}

/* The kernel's link is to the loader if that was started as a command (ld.so ./prog).
   Then there is no interpreter, and the path is that of the file in which the program
   headers are: the loader passes on the program's address. */
static void program_find(void)
{
    static const char deleted[] = " (deleted)";
    const char *run = (const char *)getauxval(AT_EXECFN);
    struct stat status;

    if (getauxval(AT_BASE) || !program_find_mapped(getauxval(AT_PHDR))) {
        ssize_t length = ccprof_sys_readlink("/proc/self/exe", executable, PATH_MAX - 1);
        executable[length > 0 ? length : 0] = '\0';
        if (length <= 0 && run && strlen(run) < PATH_MAX)
            strcpy(executable, run);
    }
    /* The kernel's addition to the path of a file without a name. */
    size_t length = strlen(executable), tail = sizeof deleted - 1;
    if (length > tail && strcmp(executable + length - tail, deleted) == 0 &&
        ccprof_sys_stat(executable, &status) != 0)
        executable[length - tail] = '\0';
}

const char *ccprof_program(void)
{
    if (!has_path)
        program_find();
    has_path = true;
    return executable;
}

bool ccprof_program_is_conftest(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

    return strcmp(name, "conftest") == 0 ||
           (strncmp(name, "cmTC_", 5) == 0 && strstr(path, "/CMakeFiles/")) ||
           strstr(path, "/meson-private/");
}

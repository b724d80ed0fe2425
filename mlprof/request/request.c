/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a process, and finds out whether it takes requests: a file that it has mapped has
   the note of the protocol, and it handles the signal. The reasons why it does not take
   requests are here. */

#define _GNU_SOURCE
#include "mlprof/request/request-inside.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/path.h"
#include "mlprof/elf/elffile.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RUNTIME "libccprof.so"

/* A program that has just been started does not handle the signal yet. Wait so long, in
   steps of STEP_MS. */
#define STARTS_MS 250
#define STEP_MS   50

/* What the files of a process say. */
struct found {
    bool takes;     /* one of them has the note */
    bool compiled;  /* one of them was compiled with ccprof */
    char *runtime;  /* the path of the runtime, or NULL */
    char *replaced; /* the path of a runtime whose file is no longer there, or NULL */
};

static void found_free(struct found *found)
{
    free(found->runtime);
    free(found->replaced);
    *found = (struct found){0};
}

bool request_has_ended(const struct request *request)
{
    return request_wait(request, 0, -1) == REQUEST_ENDED;
}

bool request_ended(const struct request *request, struct fault *fault)
{
    return fault_set(fault, FAULT_FILE, request->name, "the process has ended");
}

/* How long a process may take to end. */
#define ENDING_MS 500

bool request_unreadable(const struct request *request, const char *file,
                        struct fault *fault)
{
    int error = errno;
    /* A process that is ending has no readable files for a moment before its end. */
    if (request_wait(request, ENDING_MS, -1) == REQUEST_ENDED)
        return request_ended(request, fault);
    if (error == EACCES || error == EPERM)
        return fault_set(fault, FAULT_FILE, request->name,
                         "its files in /proc may not be read: its program is set-uid, "
                         "has capabilities or may not be read, it has changed its user "
                         "or is not dumpable (prctl(2)), or it is in another user "
                         "namespace; ask as root");
    return fault_set(fault, FAULT_FILE, request->name, "%s/%s: %s", request->path, file,
                     strerror(error));
}

/* Reads the notes of the file open as DESCRIPTOR, and closes it. Returns whether one is
   that of the protocol. */
static bool has_note(int descriptor, bool *compiled)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    struct elffile *file = elffile_try(path);
    bool has = file && file->requests;
    *compiled |= file && file->has_stub;
    elffile_close(file);
    return has;
}

/* Opens the mapped file MAP below the process's root folder or, if the process has
   another root, at its path as mlprof sees it. Opens nothing with effects, such as a
   device. Returns a descriptor without rights, or -1. */
static int open_map(const struct request *request, const struct request_map *map)
{
    BUF_OWN char *path = buf_format("root%s", map->path);
    int file = openat(request->folder, path, O_PATH | O_CLOEXEC);
    return file >= 0 ? file : open(map->path, O_PATH | O_CLOEXEC);
}

/* Looks for the note in the mapped file MAP. */
static void examine(struct found *found, const struct request *request,
                    const struct request_map *map)
{
    bool runtime = strncmp(path_last(map->path), RUNTIME, strlen(RUNTIME)) == 0;
    struct stat status;
    char path[64];
    int named = open_map(request, map);
    snprintf(path, sizeof path, "/proc/self/fd/%d", named);
    int file = named >= 0 && fstat(named, &status) == 0 && S_ISREG(status.st_mode)
                   ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
                   : -1;
    bool mapped = file >= 0 && request_is_mapped(file, map);
    if (mapped && has_note(file, &found->compiled))
        found->takes = true;
    if (runtime && mapped && !found->runtime)
        found->runtime = buf_copy(map->path);
    if (runtime && !mapped && !found->replaced)
        found->replaced = path_of_program(map->path);
    if (file >= 0)
        close(file);
    if (named >= 0)
        close(named);
}

/* Examines the program and everything else that the process has mapped as code, until a
   file has the note. */
static bool find_note(struct found *found, const struct request *request,
                      struct fault *fault)
{
    int program = openat(request->folder, "exe", O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (program >= 0) {
        found->takes = has_note(program, &found->compiled);
        close(program);
    }
    if (found->takes)
        return true;
    size_t size;
    BUF_OWN char *maps = request_read(request->folder, "maps", &size);
    if (!maps)
        return request_unreadable(request, "maps", fault);
    char *cursor = maps;
    struct request_map map = {0};
    while (!found->takes && request_map_next(&map, &cursor))
        examine(found, request, &map);
    return true;
}

/* Returns the item of CCPROF in the environment of the process because of which it takes
   no requests; NULL if there is none, or if the environment cannot be read. */
static const char *find_setting(const struct request *request)
{
    static const char variable[] = "CCPROF=";
    static const char *const items[] = {"off", "ask=no"};
    size_t size;
    BUF_OWN char *text = request_read(request->folder, "environ", &size);
    for (char *word = text; word && word < text + size; word += strlen(word) + 1) {
        if (strncmp(word, variable, strlen(variable)) != 0)
            continue;
        char *list = word + strlen(variable), *item;
        while ((item = strsep(&list, ",")))
            for (size_t i = 0; i < sizeof items / sizeof *items; i++)
                if (strcmp(item, items[i]) == 0)
                    return items[i];
        return NULL;
    }
    return NULL;
}

/* Sets FAULT to the reason why the process takes no requests. Returns false. */
static bool explain(const struct found *found, const struct request *request,
                    struct fault *fault)
{
    const char *setting = find_setting(request);
    if (found->takes && setting)
        return fault_set(fault, FAULT_UNPROFILED, request->name,
                         "takes no requests: it was started with CCPROF=%s", setting);
    if (found->takes)
        return fault_set(fault, FAULT_UNPROFILED, request->name,
                         "takes no requests: it does not handle SIGURG; either its run "
                         "has ended, or the program has replaced the handler");
    if (found->replaced)
        return fault_set(fault, FAULT_UNPROFILED, request->name,
                         "its runtime, %s, was replaced or deleted after the program "
                         "was started: whether it takes requests is unknown; start the "
                         "program again",
                         found->replaced);
    if (found->runtime)
        return fault_set(fault, FAULT_UNPROFILED, request->name,
                         "its runtime, %s, is too old to take requests", found->runtime);
    if (found->compiled)
        return fault_set(fault, FAULT_UNPROFILED, request->name,
                         "compiled with ccprof, but has not loaded the runtime, "
                         "%s%s%s",
                         RUNTIME ".1", setting ? ": it was started with CCPROF=" : "",
                         setting ? setting : "");
    return fault_set(fault, FAULT_UNPROFILED, request->name, "not compiled with ccprof");
}

/* Returns whether the process takes requests. If it does not, sets FAULT. */
static bool takes_requests(struct request *request, struct fault *fault)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000L};
    struct request_status status;
    struct found found = {0};
    bool good = false, readable = true;
    for (int waited = 0; waited < STARTS_MS && readable && !good; waited += STEP_MS) {
        if (waited)
            nanosleep(&step, NULL);
        found_free(&found);
        readable = find_note(&found, request, fault) &&
                   (request_status_read(&status, request->folder, "status") ||
                    request_unreadable(request, "status", fault));
        good = readable && found.takes && status.caught & REQUEST_BIT;
    }
    if (readable && !good) {
        if (request_has_ended(request))
            request_ended(request, fault);
        else
            explain(&found, request, fault);
    }
    found_free(&found);
    return good;
}

/* Opens the process. Its state may be that of a zombie. */
static bool open_process(struct request *request, struct fault *fault)
{
    request->process = (int)syscall(SYS_pidfd_open, request->pid, 0);
    if (request->process >= 0)
        return true;
    if (errno == ENOSYS)
        return fault_set(fault, FAULT_FILE, request->name,
                         "this kernel is too old: Linux 5.3 is needed");
    if (errno != ESRCH && errno != EINVAL && errno != ENOENT)
        return fault_set(fault, FAULT_FILE, request->name, "%s", strerror(errno));
    if (kill(request->pid, 0) == 0 || errno == EPERM)
        return fault_set(fault, FAULT_FILE, request->name,
                         "the number of a thread: name its process");
    return fault_set(fault, FAULT_FILE, request->name, "there is no such process");
}

/* Checks that mlprof may send signals to the process, and opens its folder in /proc. */
static bool open_folder(struct request *request, struct fault *fault)
{
    struct request_status status;
    if (request_has_ended(request))
        return fault_set(fault, FAULT_FILE, request->name,
                         "the process has ended, and its parent has not waited for it "
                         "yet (zombie)");
    bool may = syscall(SYS_pidfd_send_signal, request->process, 0, NULL, 0) == 0;
    int error = errno;
    bool open = request_folder_open(request) &&
                request_status_read(&status, request->folder, "status");
    if (!may && error == EPERM && open)
        return fault_set(fault, FAULT_FILE, request->name,
                         "belongs to another user, of number %u: only that user and "
                         "root may ask it",
                         (unsigned)status.user);
    if (!may && error == EPERM)
        return fault_set(fault, FAULT_FILE, request->name,
                         "belongs to another user: only that user and root may ask it");
    if (!may && error == EINVAL)
        return fault_set(fault, FAULT_FILE, request->name,
                         "it is in another PID namespace, which this one does not "
                         "contain");
    if (!open && request_has_ended(request))
        return request_ended(request, fault);
    if (!open)
        return fault_set(fault, FAULT_FILE, request->name, "it is not visible in /proc");
    request->inner = status.inner;
    return true;
}

/* Remembers the program that the process executes. */
static bool find_program(struct request *request, struct fault *fault)
{
    struct stat program;
    if (fstatat(request->folder, "exe", &program, 0) == 0) {
        request->device = program.st_dev;
        request->file = program.st_ino;
        return true;
    }
    if (errno == ENOENT && !request_has_ended(request))
        return fault_set(fault, FAULT_UNPROFILED, request->name,
                         "a thread of the kernel");
    return request_unreadable(request, "exe", fault);
}

struct request *request_open(pid_t pid, struct fault *fault)
{
    struct request *request = buf_alloc(sizeof *request);
    *request = (struct request){.pid = pid, .process = -1, .folder = -1};
    snprintf(request->name, sizeof request->name, "PID %d", (int)pid);
    if (open_process(request, fault) && open_folder(request, fault) &&
        find_program(request, fault) && takes_requests(request, fault))
        return request;
    request_close(request);
    return NULL;
}

void request_close(struct request *request)
{
    if (!request)
        return;
    if (request->folder >= 0)
        close(request->folder);
    if (request->process >= 0)
        close(request->process);
    free(request);
}

const char *request_title(const struct request *request)
{
    return request->name;
}

pid_t request_pid(const struct request *request)
{
    return request->pid;
}

bool request_is_same(const struct request *request, struct fault *fault)
{
    struct stat program;
    if (fstatat(request->folder, "exe", &program, 0) != 0)
        return request_unreadable(request, "exe", fault);
    if (program.st_dev != request->device || program.st_ino != request->file) {
        BUF_OWN char *path = request_program(request);
        return fault_set(fault, FAULT_MISMATCH, request->name,
                         "it executes another program now: %s", path);
    }
    return true;
}

enum request_event request_wait(const struct request *request, unsigned milliseconds,
                                int descriptor)
{
    struct pollfd events[] = {{.fd = request ? request->process : -1, .events = POLLIN},
                              {.fd = descriptor, .events = POLLIN}};
    int count = poll(events, 2, (int)milliseconds);
    return count <= 0          ? REQUEST_TIME
           : events[0].revents ? REQUEST_ENDED
                               : REQUEST_READABLE;
}

/* Returns whether PATH names the file that STATUS describes. */
static bool is_file(const char *path, const struct stat *status)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == status->st_dev &&
           other.st_ino == status->st_ino;
}

char *request_program(const struct request *request)
{
    char path[4096];
    struct stat program;
    ssize_t length = readlinkat(request->folder, "exe", path, sizeof path - 1);
    BUF_OWN char *always = buf_format("%s/exe", request->path);
    if (length <= 0 || fstatat(request->folder, "exe", &program, 0) != 0)
        return buf_copy(always);
    path[length] = '\0';
    BUF_OWN char *below = buf_format("%s/root%s", request->path, path);
    return buf_copy(is_file(path, &program)    ? path
                    : is_file(below, &program) ? below
                                               : always);
}

char *request_program_name(const struct request *request)
{
    char link[4096];
    ssize_t length = readlinkat(request->folder, "exe", link, sizeof link - 1);
    link[length > 0 ? length : 0] = '\0';
    BUF_OWN char *path = path_of_program(link);
    return buf_copy(path_last(path));
}

char *request_root(const struct request *request)
{
    struct stat own, root;
    bool same = fstatat(request->folder, "root", &root, 0) != 0 || stat("/", &own) != 0 ||
                (own.st_dev == root.st_dev && own.st_ino == root.st_ino);
    return same ? NULL : buf_format("%s/root", request->path);
}

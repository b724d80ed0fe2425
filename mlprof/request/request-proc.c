/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what /proc says about a process (proc(5)). */

#define _GNU_SOURCE
#include "mlprof/request/request-inside.h"
#include "mlprof/base/buf.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define BLOCK 4096

char *request_read(int folder, const char *name, size_t *size)
{
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC);
    char *text = NULL;
    size_t capacity = 0;
    ssize_t count = file < 0 ? -1 : 1;
    *size = 0;
    while (count > 0) {
        text = buf_grow(text, &capacity, *size + BLOCK + 1, 1);
        count = read(file, text + *size, BLOCK);
        if (count > 0)
            *size += (size_t)count;
        else if (count < 0 && errno == EINTR)
            count = 1;
    }
    int error = errno;
    if (file >= 0)
        close(file);
    if (count == 0) {
        text[*size] = '\0';
        return text;
    }
    free(text);
    errno = error;
    return NULL;
}

/* Returns the text after the line's beginning WORD, or "" if there is no such line. */
static const char *field_of(const char *text, const char *word)
{
    BUF_OWN char *start = buf_format("\n%s:", word);
    const char *line = strstr(text, start);
    return line ? line + strlen(start) + strspn(line + strlen(start), " \t") : "";
}

/* Returns the last number of the line at TEXT. */
static pid_t last_number(const char *text)
{
    size_t length = strcspn(text, "\n");
    while (length > 0 && isdigit((unsigned char)text[length - 1]))
        length--;
    return (pid_t)strtol(text + length, NULL, 10);
}

bool request_status_read(struct request_status *status, int folder, const char *name)
{
    size_t size;
    BUF_OWN char *text = request_read(folder, name, &size);
    if (!text)
        return false;
    *status = (struct request_status){
        .state = field_of(text, "State")[0],
        .inner = last_number(field_of(text, "NStgid")),
        .user = (uid_t)strtoul(field_of(text, "Uid"), NULL, 10),
        .caught = strtoull(field_of(text, "SigCgt"), NULL, 16),
        .blocked = strtoull(field_of(text, "SigBlk"), NULL, 16),
        .queued_most = UINT64_MAX,
    };
    sscanf(field_of(text, "SigQ"), "%" SCNu64 "/%" SCNu64, &status->queued,
           &status->queued_most);
    return true;
}

/* Returns how many of the descriptors below LIMIT the process has open. */
static uint64_t count_descriptors(const struct request *request, uint64_t limit)
{
    int files = openat(request->folder, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = files < 0 ? NULL : fdopendir(files);
    struct dirent *entry;
    uint64_t count = 0;
    while (list && (entry = readdir(list)))
        count += isdigit((unsigned char)entry->d_name[0]) &&
                 strtoull(entry->d_name, NULL, 10) < limit;
    if (list)
        closedir(list);
    else if (files >= 0)
        close(files);
    return count;
}

uint64_t request_full_descriptors(const struct request *request)
{
    static const char word[] = "\nMax open files ";
    size_t size;
    BUF_OWN char *text = request_read(request->folder, "limits", &size);
    const char *line = text ? strstr(text, word) : NULL;
    uint64_t limit = line ? strtoull(line + strlen(word), NULL, 10) : 0;
    return limit && count_descriptors(request, limit) >= limit ? limit : 0;
}

/* Calls USE with the path of the status of each thread, below FOLDER. The first thread
   for which USE returns true ends the function, which returns its number, or 0 if there
   is none. */
static long find_thread(int folder, bool (*use)(const struct request_status *))
{
    int tasks = openat(folder, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = tasks < 0 ? NULL : fdopendir(tasks);
    struct dirent *entry;
    long found = 0;
    while (list && !found && (entry = readdir(list))) {
        BUF_OWN char *name = buf_format("%s/status", entry->d_name);
        struct request_status status;
        if (isdigit((unsigned char)entry->d_name[0]) &&
            request_status_read(&status, tasks, name) && use(&status))
            found = strtol(entry->d_name, NULL, 10);
    }
    if (list)
        closedir(list);
    else if (tasks >= 0)
        close(tasks);
    return found;
}

static bool is_alive(const struct request_status *status)
{
    return status->state != 'Z' && status->state != 'X';
}

static bool takes_signal(const struct request_status *status)
{
    return is_alive(status) && !(status->blocked & REQUEST_BIT);
}

bool request_is_blocked(const struct request *request)
{
    BUF_OWN char *path = buf_format("/proc/%d", (int)request->pid);
    int folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool blocked = folder >= 0 && !find_thread(folder, takes_signal);
    if (folder >= 0)
        close(folder);
    return blocked;
}

bool request_folder_open(struct request *request)
{
    struct request_status status;
    snprintf(request->path, sizeof request->path, "/proc/%d", (int)request->pid);
    request->folder = open(request->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (request->folder < 0)
        return false;
    if (!request_status_read(&status, request->folder, "status") || is_alive(&status))
        return true;
    long thread = find_thread(request->folder, is_alive);
    if (!thread)
        return true;
    snprintf(request->path, sizeof request->path, "/proc/%d/task/%ld", (int)request->pid,
             thread);
    close(request->folder);
    request->folder = open(request->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return request->folder >= 0;
}

/* The kernel writes the end of a line in a path as \012. */
static void restore_path(char *path)
{
    char *to = path;
    for (const char *from = path; *from;) {
        bool end = strncmp(from, "\\012", 4) == 0;
        *to++ = end ? '\n' : *from;
        from += end ? 4 : 1;
    }
    *to = '\0';
}

/* Reads a line of /proc/PID/maps. Sets *CODE to whether it is code. Returns false if it
   is not a part of a file. */
static bool read_map(struct request_map *map, char *line, bool *code)
{
    char rights[5];
    int path = 0;
    if (sscanf(line, "%*x-%*x %4s %*x %x:%x %llu %n", rights, &map->major, &map->minor,
               &map->inode, &path) < 4 ||
        !path || line[path] != '/')
        return false;
    *code = rights[2] == 'x';
    map->path = line + path;
    return true;
}

bool request_map_next(struct request_map *map, char **cursor)
{
    struct request_map next;
    unsigned long long last = map->inode;
    char *line;
    bool code;
    while ((line = strsep(cursor, "\n")) && *line) {
        if (!read_map(&next, line, &code) || !code || next.inode == last)
            continue;
        restore_path(next.path);
        *map = next;
        return true;
    }
    return false;
}

/* Maps the file, too, and compares the lines in /proc. On some file systems, such as
   overlayfs and btrfs, the device in /proc/PID/maps is not the device of stat. */
bool request_is_mapped(int descriptor, const struct request_map *map)
{
    struct stat status;
    if (fstat(descriptor, &status) == 0 && major(status.st_dev) == map->major &&
        minor(status.st_dev) == map->minor && status.st_ino == map->inode)
        return true;
    void *memory = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory == MAP_FAILED)
        return false;
    size_t size;
    BUF_OWN char *start = buf_format("%lx-", (unsigned long)memory);
    BUF_OWN char *text = request_read(AT_FDCWD, "/proc/self/maps", &size);
    char *line = text ? strstr(text, start) : NULL;
    struct request_map own;
    bool code, same = line && (line == text || line[-1] == '\n') &&
                      read_map(&own, line, &code) && own.major == map->major &&
                      own.minor == map->minor && own.inode == map->inode;
    munmap(memory, 1);
    return same;
}

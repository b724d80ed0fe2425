/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a process by the word with which a user names it. */

#include "mlprof/request/request-inside.h"
#include "mlprof/base/buf.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernel keeps this many bytes of a name. */
#define COMM_MOST 15

static bool has_name(int folder, const char *number, const char *name)
{
    size_t size;
    BUF_OWN char *path = buf_format("%s/comm", number);
    BUF_OWN char *comm = request_read(folder, path, &size);
    if (!comm)
        return false;
    comm[strcspn(comm, "\n")] = '\0';
    return strncmp(comm, name, COMM_MOST) == 0;
}

/* Opens the only process with the command NAME that takes requests. */
static struct request *open_name(const char *name, struct fault *fault)
{
    struct request *found = NULL;
    struct dirent *entry;
    size_t count = 0;
    char *numbers = NULL;
    DIR *list = opendir("/proc");
    while (list && (entry = readdir(list))) {
        if (!isdigit((unsigned char)entry->d_name[0]) ||
            !has_name(dirfd(list), entry->d_name, name))
            continue;
        /* If no process takes requests, the fault is that of the last one. */
        fault_clear(fault);
        struct request *request =
            request_open((pid_t)strtol(entry->d_name, NULL, 10), fault);
        if (!request)
            continue;
        BUF_OWN char *others = numbers;
        numbers = buf_format("%s%s%d", count ? others : "", count ? ", " : "",
                             (int)request->pid);
        count++;
        request_close(found);
        found = request;
    }
    if (list)
        closedir(list);
    if (count)
        fault_clear(fault);
    if (count > 1)
        fault_set(fault, FAULT_FILE, name,
                  "several processes have this name; name one of their PIDs: %s",
                  numbers);
    else if (!count && !fault->text)
        fault_set(fault, FAULT_FILE, name, "no running process has this name");
    free(numbers);
    if (count == 1)
        return found;
    request_close(found);
    return NULL;
}

struct request *request_open_word(const char *word, struct fault *fault)
{
    char *end;
    errno = 0;
    long number = strtol(word, &end, 10);
    bool is_pid = isdigit((unsigned char)*word) && !*end && !errno && number > 0 &&
                  number <= INT_MAX;
    return is_pid ? request_open((pid_t)number, fault) : open_name(word, fault);
}

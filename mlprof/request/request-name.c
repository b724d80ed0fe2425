/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a process by its name. */

#define _GNU_SOURCE
#include "mlprof/request/request-inside.h"
#include "mlprof/base/buf.h"

#include <ctype.h>
#include <dirent.h>
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

struct request *request_open_name(const char *name, pid_t *pid, struct fault *fault)
{
    struct request *found = NULL;
    struct dirent *entry;
    size_t count = 0;
    BUF_OWN char *numbers = buf_copy("");
    DIR *list = opendir("/proc");
    while (list && (entry = readdir(list))) {
        if (!isdigit((unsigned char)entry->d_name[0]) ||
            !has_name(dirfd(list), entry->d_name, name))
            continue;
        pid_t number = (pid_t)strtol(entry->d_name, NULL, 10);
        /* If no process takes requests, the fault is that of the last one. */
        fault_clear(fault);
        struct request *request = request_open(number, fault);
        if (!request)
            continue;
        char *more = buf_format("%s%s%d", numbers, count ? ", " : "", (int)number);
        free(numbers);
        numbers = more;
        count++;
        request_close(found);
        found = request;
        *pid = number;
    }
    if (list)
        closedir(list);
    if (count == 1) {
        fault_clear(fault);
        return found;
    }
    request_close(found);
    if (count) {
        fault_clear(fault);
        fault_set(fault, FAULT_FILE, name,
                  "several processes have this name; name one of their PIDs: %s",
                  numbers);
    } else if (!fault->text) {
        fault_set(fault, FAULT_FILE, name, "no running process has this name");
    }
    return NULL;
}

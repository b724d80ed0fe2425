/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the slices in a folder, and keeps those of a span of time. Of the other files,
   only their names and times are read. */

#include "mlprof/base/clock.h"
#include "mlprof/live/slices.h"
#include "mlprof/input/datafiles.h"
#include "mlprof/options/inputs.h"
#include "mlprof/profile/mlmon.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Slices are not written exactly in time: one that is this much too young is older. */
#define TOLERANCE (NS_OF_SECOND / 10)

BUF_COMPARE(by_time, struct slices_file,
            a->time != b->time ? BUF_ORDER(b->time, a->time) : strcmp(a->path, b->path))

bool slices_list(struct slices *slices, const char *folder, struct fault *fault)
{
    struct dirent *entry;
    struct stat status;
    DIR *stream = opendir(folder);
    if (!stream)
        return fault_set(fault, FAULT_FILE, folder, "%s", strerror(errno));
    while ((entry = readdir(stream))) {
        if (datafolder_is_unfinished(entry->d_name) ||
            fstatat(dirfd(stream), entry->d_name, &status, 0) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        BUF_PUSH(slices->files) =
            (struct slices_file){.path = buf_format("%s/%s", folder, entry->d_name),
                                 .time = clock_of(&status.st_mtim)};
    }
    closedir(stream);
    BUF_SORT(slices->files.list, slices->files.count, by_time);
    return true;
}

bool slices_are_same(const struct slices *one, const struct slices *other)
{
    bool same = one->files.count == other->files.count;
    for (size_t i = 0; same && i < one->files.count; i++)
        same = one->files.list[i].time == other->files.list[i].time &&
               strcmp(one->files.list[i].path, other->files.list[i].path) == 0;
    return same;
}

/* Returns whether PATH is a data file of the program of FIRST, which is empty before the
   first one and is then set. */
static bool is_of_program(const char *path, struct profile *first)
{
    struct profile head = {0};
    struct fault fault = {0};
    bool good = mlmon_read_program(&head, path, &fault);
    const struct profile_module *program = good ? &head.modules.list[0] : NULL;
    if (good && !first->modules.count) {
        *first = head;
        return true;
    }
    good = good && inputs_is_measured(first->modules.list[0].path,
                                      first->modules.list[0].build_id, program);
    profile_free(&head);
    fault_clear(&fault);
    return good;
}

double slices_keep(struct slices *slices, unsigned seconds)
{
    const uint64_t span = seconds * NS_OF_SECOND;
    struct profile first = {0};
    uint64_t newest = 0, older = 0;
    size_t kept = 0;
    for (size_t i = 0; i < slices->files.count; i++) {
        struct slices_file file = slices->files.list[i];
        if (!older && is_of_program(file.path, &first)) {
            newest = kept ? newest : file.time;
            if (!seconds || newest - file.time + TOLERANCE < span) {
                slices->files.list[kept++] = file;
                continue;
            }
            older = file.time;
        }
        free(file.path);
    }
    slices->files.count = kept;
    profile_free(&first);
    return older ? (double)(newest - older) / (double)NS_OF_SECOND : 0;
}

void slices_free(struct slices *slices)
{
    for (size_t i = 0; i < slices->files.count; i++)
        free(slices->files.list[i].path);
    free(slices->files.list);
    *slices = (struct slices){0};
}

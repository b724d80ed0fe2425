/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the slices of a folder that were not pushed yet. A slice gets its name when it is
   complete, so a file with such a name is never written again. */

#include "live/message.h"
#include "live/push-inside.h"
#include "mlprof/base/path.h"
#include "mlprof/live/slices.h"
#include "mlprof/profile/mlmon.h"

#include <string.h>

bool push_folder(struct push *push)
{
    struct slices slices = {0};
    struct fault fault = {0};
    if (!slices_list(&slices, push->folder, &fault)) {
        push->failed = message_print("%s", fault.text);
        fault_clear(&fault);
        return false;
    }
    for (size_t i = slices.files.count; i-- > 0;) {
        const struct slices_file *file = &slices.files.list[i];
        const char *name = path_last(file->path);
        uint64_t start = mlmon_time_of_name(name);
        /* The names are lines of the spool. */
        if (start && !strchr(name, '\n') && spool_claim(push->spool, name))
            push_render(push, &(struct push_data){.file = file->path,
                                                  .start = start,
                                                  .end = file->time,
                                                  .source = name});
    }
    slices_free(&slices);
    return true;
}

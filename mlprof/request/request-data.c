/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a data file of answers. */

#define _GNU_SOURCE
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/request/request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

bool request_answer_copy(const struct request_answer *answer, int file)
{
    off_t offset = 0;
    while ((uint64_t)offset < answer->size) {
        ssize_t count = sendfile(file, answer->descriptor, &offset,
                                 (size_t)(answer->size - (uint64_t)offset));
        if (count == 0)
            errno = EIO;
        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
    }
    return true;
}

bool request_data_make(struct request_data *data, const struct request_answer *later,
                       const struct request_answer *earlier, struct fault *fault)
{
    int file = memfd_create("mlprof", MFD_CLOEXEC);
    if (file < 0 || !request_answer_copy(later, file) ||
        (earlier && !request_answer_copy(earlier, file))) {
        int error = errno;
        if (file >= 0)
            close(file);
        return fault_set(fault, FAULT_FILE, data->name,
                         "its answer cannot be stored in memory: %s", strerror(error));
    }
    data->file = file;
    data->size = later->size + (earlier ? earlier->size : 0);
    data->path = buf_format("/proc/self/fd/%d", file);
    return true;
}

void request_data_end(struct request_data *data, struct fault *fault)
{
    if (data->path && fault->text && text_begins(fault->text, data->path)) {
        BUF_OWN char *text = fault->text;
        fault->text = buf_format("%s%s", data->name, text + strlen(data->path));
    }
    if (data->path)
        close(data->file);
    free(data->path);
    free(data->name);
    *data = (struct request_data){0};
}

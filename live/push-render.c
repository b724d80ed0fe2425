/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes profiles in a child (render.h), and puts them into the spool. */

#include "live/losses.h"
#include "live/push-inside.h"
#include "live/render.h"
#include "live/task.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/base/path.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A profile is larger if the program is very large, but no server accepts it then. */
#define OUTPUT_MOST (256u << 20)

#define CPU_SECONDS 300

/* Address space for a report. */
#define MEMORY_MOST (UINT64_C(1) << 30)

/* Waits for the end of TASK. */
static enum task_state wait_for(struct task *task)
{
    enum task_state state;
    while ((state = task_check(task)) == TASK_RUNS) {
        struct pollfd poller = {.fd = task->process, .events = POLLIN};
        uint64_t now = clock_ms();
        poll(&poller, 1, task->late > now ? (int)(task->late - now) : 0);
    }
    return state;
}

/* Returns the name of the program, from the name of the process's program or of the
   slice, PROGRAM.PID.TIME.mlmon; the caller frees it. */
static char *program_of(const struct push *push, const struct push_data *data)
{
    char *name = buf_copy(data->file ? path_last(data->file) : push->program_name);
    for (int i = 0; data->file && i < 3; i++) {
        char *dot = strrchr(name, '.');
        if (dot)
            *dot = '\0';
    }
    return name;
}

static void put(struct push *push, const struct push_data *data, const struct task *task)
{
    size_t size = 0;
    struct fault fault = {0};
    BUF_OWN char *path = buf_format("/proc/self/fd/%d", task->output);
    char *text = content_read_found(path, NULL, OUTPUT_MOST, &size, &fault);
    fault_clear(&fault);
    bool compressed = text && size > 1 && memcmp(text, "\x1f\x8b", 2) == 0;
    BUF_OWN char *program = program_of(push, data);
    if (!text) {
        losses_add(data->start, data->end, "mlprof has written nothing");
        return;
    }
    struct spool_profile profile = {
        .start = data->start,
        .end = data->end,
        .name = protocol_name(push->protocol, &push->labels, program),
        .source = buf_copy(data->source),
        .body = compressed ? text : gzip_compress(text, size, &size)};
    profile.size = size;
    if (!compressed)
        free(text);
    spool_add(push->spool, &profile);
}

void push_render(struct push *push, const struct push_data *data)
{
    /* The child has a copy of a spool in memory. */
    const struct task_limits limits = {
        .memory = MEMORY_MOST + (push->spool_path ? 0 : push->spool_most),
        .output = OUTPUT_MOST,
        .seconds = CPU_SECONDS,
        .background = true};
    struct render render = {.format = push->protocol == PROTOCOL_OTLP ? RENDER_OTLP
                                                                      : RENDER_PROFILE,
                            .name = push->request ? request_title(push->request) : NULL,
                            .program = data->file ? push->program : push->path,
                            .root = push->root,
                            .answers = data->answers,
                            .count = data->count,
                            .slice = data->file,
                            .labels = &push->labels};
    struct task task;
    if (!task_start(&task, &limits, render_run, &render)) {
        losses_add(data->start, data->end, strerror(errno));
        return;
    }
    enum task_state state = wait_for(&task);
    BUF_OWN char *message = fault_last_message(task.errors);
    if (state == TASK_GOOD)
        put(push, data, &task);
    else
        losses_add(data->start, data->end,
                   state == TASK_LATE ? "its report took too long"
                   : message          ? message
                                      : "its report failed");
    task_end(&task);
}

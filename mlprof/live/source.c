/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks a process, and keeps its answers; or chooses slices of a folder. */

#include "mlprof/live/source.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/text.h"
#include "mlprof/live/history.h"
#include "mlprof/options/inputs.h"

#include <stdlib.h>
#include <unistd.h>

/* How long to wait for the first answer. */
#define FIRST_MS 10000

/* The process samples for so many seconds after the last update. */
#define LEASE_S 15

struct source {
    char *title;
    const char *note;

    /* A process. */
    struct request *request;
    char *program, *root;
    struct history history;
    bool heap; /* it is asked to record its heap */

    /* A folder. */
    const char *folder; /* NULL: it is a process */
    struct slices slices;
};

static enum source_outcome update_process(struct source *source, unsigned milliseconds,
                                          struct fault *fault)
{
    struct history *history = &source->history;
    struct request_answer answer;
    enum request_outcome outcome =
        request_sample(source->request, LEASE_S, milliseconds, &answer, fault);
    if (outcome == REQUEST_ANSWERED && source->heap) {
        outcome = request_add_heap(source->request, milliseconds, &answer, fault);
        if (outcome != REQUEST_ANSWERED)
            close(answer.descriptor);
    }
    if (outcome != REQUEST_ANSWERED)
        return outcome == REQUEST_LOST || outcome == REQUEST_RUN_ENDED ? SOURCE_ENDED
                                                                       : SOURCE_SILENT;
    if (!history_add(history, &answer, SOURCE_SPAN_MOST))
        source->note = "a slice was written: the time begins anew";
    else if (history->dropped)
        source->note = "the profile is large: old parts are dropped";
    history->dropped = false;
    free(source->program);
    source->program = request_program(source->request);
    return SOURCE_CHANGED;
}

static enum source_outcome update_folder(struct source *source, struct fault *fault)
{
    struct slices slices = {0};
    if (!slices_list(&slices, source->folder, fault))
        return SOURCE_SILENT;
    bool same = slices_are_same(&slices, &source->slices);
    slices_free(&source->slices);
    source->slices = slices;
    return same ? SOURCE_SAME : SOURCE_CHANGED;
}

enum source_outcome source_update(struct source *source, unsigned milliseconds,
                                  struct fault *fault)
{
    source->note = NULL;
    return source->folder ? update_folder(source, fault)
                          : update_process(source, milliseconds, fault);
}

static bool open_process(struct source *source, const char *word, struct fault *fault)
{
    source->request = request_open_word(word, fault);
    if (!source->request)
        return false;
    BUF_OWN char *program = request_program_name(source->request);
    BUF_OWN char *name = text_clean(program);
    source->title = buf_format("%s %d", name, (int)request_pid(source->request));
    source->root = request_root(source->request);
    return source_update(source, FIRST_MS, fault) == SOURCE_CHANGED;
}

struct source *source_open(const char *word, bool heap, struct fault *fault)
{
    struct source *source = buf_alloc(sizeof *source);
    bool good = true;
    source->heap = heap;
    if (inputs_is_folder(word)) {
        source->folder = word;
        source->title = text_clean(word);
        good = update_folder(source, fault) == SOURCE_CHANGED || !fault->text;
    } else {
        good = open_process(source, word, fault);
    }
    if (good)
        return source;
    source_close(source);
    return NULL;
}

void source_close(struct source *source)
{
    if (!source)
        return;
    request_close(source->request);
    history_free(&source->history);
    slices_free(&source->slices);
    free(source->program);
    free(source->root);
    free(source->title);
    free(source);
}

const char *source_title(const struct source *source)
{
    return source->title;
}

bool source_is_folder(const struct source *source)
{
    return source->folder != NULL;
}

const char *source_note(const struct source *source)
{
    return source->note;
}

/* The slices are listed again: old ones may have been removed. */
static bool folder_data(const struct source *source, unsigned seconds,
                        struct source_data *data, struct fault *fault)
{
    struct slices *slices = &data->slices;
    if (!slices_list(slices, source->folder, fault))
        return false;
    data->seconds = slices_keep(slices, seconds);
    data->count = slices->files.count;
    data->words = buf_alloc((data->count + 1) * sizeof *data->words);
    for (size_t i = 0; i < data->count; i++)
        data->words[i] = slices->files.list[i].path;
    return data->count ||
           fault_set(fault, FAULT_FILE, source->folder, "there are no slices yet");
}

bool source_data(struct source *source, unsigned seconds, struct source_data *data,
                 struct fault *fault)
{
    if (source->folder)
        return folder_data(source, seconds, data, fault);
    const struct history *history = &source->history;
    const struct request_answer *last = &history->list[history->count - 1];
    const struct request_answer *earlier =
        seconds ? history_earlier(history, seconds) : NULL;
    struct request_data *answers = &data->answers;
    answers->name = buf_copy(request_title(source->request));
    if (!request_data_make(answers, last, earlier, fault))
        return false;
    data->words = buf_alloc(2 * sizeof *data->words);
    data->words[0] = data->program = buf_copy(source->program);
    data->words[1] = answers->path;
    data->count = 2;
    data->root = source->root;
    data->seconds = earlier ? (double)(last->time - earlier->time) / NS_OF_SECOND : 0;
    return true;
}

void source_data_end(struct source_data *data, struct fault *fault)
{
    request_data_end(&data->answers, fault);
    slices_free(&data->slices);
    free(data->program);
    free(data->words);
    *data = (struct source_data){0};
}

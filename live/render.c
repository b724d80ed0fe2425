/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a report as mlprof makes it for a command line. */

#include "live/render.h"
#include "mlprof/base/clock.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/files.h"
#include "mlprof/commands/commands.h"
#include "mlprof/live/slices.h"

#include <string.h>

#define DAY 86400

typedef BUF_VECTOR(char *) words_list;

static void add_word(words_list *words, const char *word)
{
    BUF_PUSH(*words) = buf_copy(word);
}

static void add_words(words_list *words, const char *option, const char *argument)
{
    add_word(words, option);
    add_word(words, argument);
}

/* Adds the data of LATER without those of EARLIER. */
static bool add_answers(words_list *words, const struct render *render,
                        const struct request_answer *later,
                        const struct request_answer *earlier, struct fault *fault)
{
    struct request_data data = {.name = (char *)render->name};
    if (!request_data_make(&data, later, earlier, fault))
        return false;
    BUF_PUSH(*words) = data.path;
    return true;
}

static bool add_process(words_list *words, const struct render *render,
                        struct fault *fault)
{
    const struct request_answer *last = &render->answers[render->count - 1];
    for (size_t i = 1; i < render->count; i++)
        if (render->answers[i - 1].files != last->files ||
            render->answers[i - 1].epoch != last->epoch)
            return fault_set(fault, FAULT_MISMATCH, render->name,
                             "has written a slice or a data set in this time, which "
                             "contains a part of it: ask again, or use its folder");
    if (render->count == RENDER_ANSWERS) {
        if (!add_answers(words, render, last - 1, last - 2, fault))
            return false;
        add_word(words, "-compare");
    }
    return add_answers(words, render, last, render->count > 1 ? last - 1 : NULL, fault);
}

/* Adds the slices written after FROM, until TO, the newest one first. */
static bool add_slices(words_list *words, const struct render *render, time_t from,
                       time_t to, struct fault *fault)
{
    struct slices slices = {0};
    size_t first = words->count;
    size_t kept = 0;
    if (!slices_list(&slices, render->folder, fault))
        return false;
    for (size_t i = 0; i < slices.files.count; i++) {
        time_t time = (time_t)(slices.files.list[i].time / NS_OF_SECOND);
        if (time > from && time <= to)
            slices.files.list[kept++] = slices.files.list[i];
    }
    slices.files.count = kept;
    if (!render->program)
        slices_keep(&slices, 0);
    for (size_t i = 0; i < slices.files.count; i++)
        add_word(words, slices.files.list[i].path);
    return words->count > first || fault_set(fault, FAULT_FILE, render->folder,
                                             "no slices were written in this time");
}

static bool add_folder(words_list *words, const struct render *render,
                       struct fault *fault)
{
    if (render->before != render->from) {
        if (!add_slices(words, render, render->before, render->from, fault))
            return false;
        add_word(words, "-compare");
    }
    return add_slices(words, render, render->from, render->to, fault);
}

/* Returns the title of the page: the name and the time. */
static char *make_title(const struct render *render)
{
    time_t from = render->from, to = render->to;
    char start[32] = "", end[32];
    if (render->count) {
        const struct request_answer *last = &render->answers[render->count - 1];
        from = render->count > 1 ? (time_t)(last[-1].time / NS_OF_SECOND) : 0;
        to = (time_t)(last->time / NS_OF_SECOND);
    }
    bool today = time(NULL) - (from ? from : to) < DAY;
    if (from)
        strftime(start, sizeof start, today ? "%T - " : "%F %T - ", localtime(&from));
    strftime(end, sizeof end, today ? "%T" : "%F %T", localtime(&to));
    return buf_format("%s, %s%s", render->shown, from ? start : "until ", end);
}

static bool show(struct options *options, const struct render *render,
                 struct fault *fault)
{
    struct operands operands = {0};
    options->root = render->root;
    options->labels = render->labels;
    if (render->count > 1)
        options->start = render->answers[render->count - 2].time;
    struct tables *executable = operands_complete(&operands, options, fault)
                                    ? report_executable(options, fault)
                                    : NULL;
    return executable &&
           (comparison_is_requested(options) ? comparison_show
                                             : report_show)(options, executable, fault) &&
           save_flush(fault);
}

/* Nothing is freed: the process ends. */
bool render_run(void *data)
{
    const struct render *render = data;
    words_list words = {0};
    struct fault fault = {0};
    struct options options;
    add_word(&words, "mlprof");
    if (render->folder)
        add_words(&words, "-tolerant", "true");
    if (render->format == RENDER_HEAP)
        add_words(&words, "-heap", "live");
    add_words(&words,
              render->format == RENDER_PAGE   ? "-html"
              : render->format == RENDER_OTLP ? "-otlp"
                                              : "-pprof",
              "-");
    if (render->format == RENDER_PAGE) {
        add_word(&words, "-graph-title");
        BUF_PUSH(words) = make_title(render);
    }
    if (render->program)
        add_word(&words, render->program);
    if (render->slice)
        add_word(&words, render->slice);
    bool good = render->slice    ? true
                : render->folder ? add_folder(&words, render, &fault)
                                 : add_process(&words, render, &fault);
    if (good) {
        BUF_PUSH(words) = NULL;
        options_parse(&options, (int)words.count - 1, words.list);
        good = show(&options, render, &fault);
    }
    if (!good)
        fault_print(&fault);
    return good;
}

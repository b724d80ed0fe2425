/* SPDX-License-Identifier: MIT */
/* Implements the functions of ccprof.h: checks the arguments and calls the module that
   does the work. Owns the table of these functions and a mark for each error that was
   reported. Any thread of the program may call them. If the program is not sampled,
   the functions work all the same: they are cheap, and misuse is still found. */

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "rt/os/file.h"
#include "rt/os/text.h"
#include "rt/samples/tags.h"
#include "rt/count/counts.h"
#include "rt/count/targets.h"
#include "rt/symbolize/chain.h"
#include "rt/process/gate.h"
#include "rt/process/run.h"
#include "rt/process/write.h"
#include "rt/entry/hooks.h"
#include "rt/entry/thread-create.h"

/* Errors of the program. Each is reported only once. */
enum api_wrong {
    API_WRONG_FREE,
    API_WRONG_WRITE,
    API_WRONG_ENTER,
    API_WRONG_FILE,
    API_WRONG_NAME,
    API_WRONG_END,
    API_MANY_DATASETS,
    API_MANY_LABELS,
    API_WRONGS
};

static const char *const api_wrongs[API_WRONGS] = {
    [API_WRONG_FREE] = "ccprof_data_free: the data set is in use, or was freed already",
    [API_WRONG_WRITE] = "ccprof_data_write: there is no such data set",
    [API_WRONG_ENTER] = "ccprof_with_data: there is no such data set",
    [API_WRONG_FILE] = "ccprof_write: no file is named",
    [API_WRONG_NAME] = "ccprof_label_begin: there is no name",
    [API_WRONG_END] = "ccprof_label_end: no phase has begun",
    [API_MANY_DATASETS] = "too many data sets: their samples go to the first one",
    [API_MANY_LABELS] = "too many labels: phases with new ones are not recorded"};

static int api_wrong(enum api_wrong what)
{
    static _Atomic bool said[API_WRONGS];
    if (!atomic_exchange(&said[what], true))
        ccprof_say_missing(api_wrongs[what], NULL);
    return EINVAL;
}

static uint64_t api_dataset(const struct ccprof_data *data)
{
    return (uint64_t)(uintptr_t)data;
}

static struct ccprof_data *api_data(uint64_t dataset)
{
    return (struct ccprof_data *)(uintptr_t)dataset;
}

static int api_on(void)
{
    return ccprof_run_is_on();
}

static int api_write(const char *file)
{
    return file ? ccprof_write_copy(file) : api_wrong(API_WRONG_FILE);
}

static struct ccprof_data *api_data_new(void)
{
    uint64_t dataset = ccprof_datasets_new();
    if (dataset == 0)
        api_wrong(API_MANY_DATASETS);
    else
        ccprof_counts_dataset_new(dataset);
    return api_data(dataset);
}

static int api_data_free(struct ccprof_data *data)
{
    if (!data || ccprof_datasets_free(api_dataset(data)))
        return 0;
    return api_wrong(API_WRONG_FREE);
}

static int api_data_write(struct ccprof_data *data, const char *file)
{
    if (!file)
        return api_wrong(API_WRONG_FILE);
    if (!ccprof_datasets_is_there(api_dataset(data)))
        return api_wrong(API_WRONG_WRITE);
    return ccprof_write_dataset(api_dataset(data), file);
}

static int api_data_enter(struct ccprof_data *data, struct ccprof_data **before)
{
    ccprof_thread_create_adopt();
    *before = api_data(ccprof_tags.dataset);
    if (!ccprof_datasets_use(api_dataset(data)))
        return api_wrong(API_WRONG_ENTER);
    ccprof_tags.dataset = api_dataset(data);
    ccprof_counts_switch(api_dataset(data));
    return 0;
}

static void api_data_leave(struct ccprof_data *before)
{
    uint64_t dataset = ccprof_tags.dataset;
    ccprof_tags.dataset = api_dataset(before);
    ccprof_counts_switch(api_dataset(before));
    ccprof_datasets_leave(dataset);
}

/* If there is no label number left, the phase begins without a label, since the
   program will end it. */
static int api_label_begin(const char *name)
{
    int label;
    if (!name || !*name)
        return api_wrong(API_WRONG_NAME);
    label = ccprof_labels_find(name);
    if (label < 0)
        api_wrong(API_MANY_LABELS);
    ccprof_tags_push(label);
    return 0;
}

static int api_label_end(void)
{
    return ccprof_tags_pop() ? 0 : api_wrong(API_WRONG_END);
}

/* Without a context, the chain starts at this function, which is left out: the first
   frame is the caller in the program. */
static int api_chain(const void *context, struct ccprof_frame *frames, int room,
                     unsigned long size)
{
    ucontext_t here;
    if (!context)
        getcontext(&here);
    return ccprof_chain_capture(context ? context : &here, !context, frames, room, size);
}

static int api_chain_print(const void *context, int fd)
{
    ucontext_t here;
    if (!context)
        getcontext(&here);
    const struct ccprof_file file = ccprof_file_any(fd);
    return ccprof_chain_write(context ? context : &here, !context, &file);
}

static void api_target(const void *site, const void *target)
{
    if (ccprof_gate_is_open())
        ccprof_targets_add(site, target);
}

/* The first target of a site is not counted here: its count is the number of
   executions of the site's block. That counter stops while the gate is closed, too. */
static void api_first(void *word, const void *target)
{
    if (!ccprof_targets_is_first(word, target))
        api_target(word, target);
}

/* ccprof_regions_start adds the functions of regions. */
struct ccprof_api ccprof_api = {
    .size = offsetof(struct ccprof_api, region_begin),
    .on = api_on,
    .start = ccprof_gate_open,
    .stop = ccprof_gate_close,
    .write = api_write,
    .data_new = api_data_new,
    .data_free = api_data_free,
    .data_write = api_data_write,
    .data_enter = api_data_enter,
    .data_leave = api_data_leave,
    .label_begin = api_label_begin,
    .label_end = api_label_end,
    .chain = api_chain,
    .chain_print = api_chain_print,
    .target = api_target,
    .first = api_first,
};

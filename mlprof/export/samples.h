/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the samples of a profile for formats with stacks of addresses, which pprof.c and
   otlp.c encode. A sample is a stack with its values. The values are those in the
   table's columns: samples and seconds, calls, blocks and bytes. If the heap is shown,
   the values are blocks and bytes of each measure of the heap. If a measure of
   instructions is shown, the values are all of them. */

#ifndef MLPROF_SAMPLES_H
#define MLPROF_SAMPLES_H

#include "mlprof/export/export.h"
#include "mlprof/export/locations.h"
#include "mlprof/profile/heappoints.h"

/* The number of values of a sample: for each measure a count (samples or blocks) and
   an amount. The values of the heap are its columns. */
#define SAMPLES_VALUES HEAPPOINTS_COLUMNS

#define SAMPLES_NO_ORIGIN UINT32_MAX

struct samples_sample {
    const uint32_t *locations; /* IDs, the innermost first */
    size_t location_count;
    /* Nodes of the phases, the thread and the process of the sample, the innermost
       first. */
    const uint32_t *around;
    size_t around_count;
    uint32_t origin;        /* or SAMPLES_NO_ORIGIN */
    const uint64_t *values; /* SAMPLES_VALUES numbers; see samples_have */
};

/* Receives a sample. Two samples may have the same stack. */
typedef void samples_sink(void *data, const struct samples_sample *sample);

struct samples {
    const struct view *view;
    struct locations locations;
    const struct measure *measures[SAMPLES_VALUES / 2]; /* NULL: not written */
    /* Texts about the profile: the maker, the commands of the runs and, if the heap was
       sampled, the intervals of its sums. */
    struct intern comments;
    samples_sink *sink;
    void *data;
    BUF_VECTOR(uint32_t) stack, around; /* of the current sample */
};

/* Chooses the values and the comments. samples_free frees SAMPLES. */
void samples_open(struct samples *samples, const struct export_input *input);
void samples_free(struct samples *samples);

/* Passes all samples to SINK. Their locations are then in SAMPLES->locations. */
void samples_list(struct samples *samples, samples_sink *sink, void *data);

/* Returns whether samples have VALUE, a number below SAMPLES_VALUES. */
bool samples_have(const struct samples *samples, size_t value);

/* Returns the number of the value that a viewer shows by default. */
size_t samples_shown(const struct samples *samples);

/* Return the type of VALUE and its unit. Types have the names of Go's profiles if Go has
   the type. The caller frees the type. */
char *samples_type(const struct samples *samples, size_t value);
const char *samples_unit(const struct samples *samples, size_t value);

/* Returns the nanoseconds for which one sample is taken. Returns 0 if the shown value is
   not a time. */
uint64_t samples_period(const struct samples *samples);

/* Returns the text of a node around code. A phase has the name in the table, but without
   brackets; a thread or process has its number and name. The caller frees the text. */
char *samples_around_text(const struct samples *samples, uint32_t node);

/* Returns the path of the file of a module. The caller frees it. */
char *samples_path(const struct samples *samples, uint32_t module);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the format of pprof: github.com/google/pprof, proto/profile.proto. Stacks
   have their addresses. Functions inlined at an address are lines of one location. */

#include "mlprof/base/buf.h"
#include "mlprof/base/encoding.h"
#include "mlprof/export/samples.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Field numbers of profile.proto. */
enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRINGS = 6,
    PROFILE_TIME = 9,
    PROFILE_DURATION = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_TYPE = 14
};
enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum sample_field { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };
enum label_field { LABEL_KEY = 1, LABEL_TEXT = 2 };
enum mapping_field {
    MAPPING_ID = 1,
    MAPPING_START = 2,
    MAPPING_LIMIT = 3,
    MAPPING_OFFSET = 4,
    MAPPING_FILE = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILES = 8,
    MAPPING_HAS_LINES = 9,
    MAPPING_HAS_INLINED = 10
};
enum location_field {
    LOCATION_ID = 1,
    LOCATION_MAPPING = 2,
    LOCATION_ADDRESS = 3,
    LOCATION_LINE = 4
};
enum line_field { LINE_FUNCTION = 1, LINE_LINE = 2, LINE_COLUMN = 3 };
enum function_field {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILE = 4,
    FUNCTION_START_LINE = 5
};

struct pprof {
    struct samples samples;
    struct intern strings;
    struct protobuf profile;
    struct protobuf inner, packed, part, labels; /* buffers, empty when not in use */
};

static uint64_t text(struct pprof *pprof, const char *words)
{
    BUF_OWN char *valid = utf8_valid(words);
    uint32_t number = intern_put(&pprof->strings, valid);
    return number;
}

static void add_text_label(struct pprof *pprof, const char *key, const char *words)
{
    protobuf_integer(&pprof->inner, LABEL_KEY, text(pprof, key));
    protobuf_integer(&pprof->inner, LABEL_TEXT, text(pprof, words));
    protobuf_message(&pprof->labels, SAMPLE_LABEL, &pprof->inner);
}

/* Adds the label of a phase, thread or process. */
static void add_label(struct pprof *pprof, uint32_t node)
{
    enum stacks_what what = stacks_what(&pprof->samples.view->rows->stacks, node);
    BUF_OWN char *name = samples_around_text(&pprof->samples, node);
    add_text_label(pprof,
                   what == STACKS_PHASE    ? "phase"
                   : what == STACKS_THREAD ? "thread"
                                           : "process",
                   name);
}

/* Adds labels with the origin of a sample: host, rank, and the name and build ID of
   the executable. */
static void add_origin(struct pprof *pprof, uint32_t number)
{
    const struct profile *profile = pprof->samples.view->profile;
    const struct origins_origin *origin = &profile->origins.origins[number];
    const char *host = origins_host(&profile->origins, number);
    if (!host && !origin->ranked)
        return;
    if (host)
        add_text_label(pprof, "host", host);
    if (origin->ranked) {
        BUF_OWN char *rank = buf_format("%" PRIu64, origin->rank);
        add_text_label(pprof, "rank", rank);
    }
    /* If there are several builds, only the mappings identify the program. */
    if (profile_builds(profile) > 1)
        return;
    const struct profile_module *program = &profile->modules.list[0];
    add_text_label(pprof, "program", path_last(program->path));
    if (program->build_id)
        add_text_label(pprof, "build_id", program->build_id);
}

/* Prints a sample. Labels of inner phases come before labels of outer phases. */
static void print_sample(void *data, const struct samples_sample *from)
{
    struct pprof *pprof = data;
    struct protobuf *sample = &pprof->inner;
    if (from->origin != SAMPLES_NO_ORIGIN)
        add_origin(pprof, from->origin);
    for (size_t i = 0; i < from->around_count; i++)
        add_label(pprof, from->around[i]);
    for (size_t i = 0; i < from->location_count; i++)
        protobuf_put(&pprof->packed, from->locations[i]);
    protobuf_message(sample, SAMPLE_LOCATIONS, &pprof->packed);
    for (size_t i = 0; i < SAMPLES_VALUES; i++)
        if (samples_have(&pprof->samples, i))
            protobuf_put(&pprof->packed, from->values[i]);
    protobuf_message(sample, SAMPLE_VALUES, &pprof->packed);
    protobuf_append(sample, &pprof->labels);
    protobuf_message(&pprof->profile, PROFILE_SAMPLE, sample);
}

static void print_mappings(struct pprof *pprof)
{
    const struct locations *locations = &pprof->samples.locations;
    const struct profile *profile = pprof->samples.view->profile;
    struct protobuf *inner = &pprof->inner;
    for (uint32_t i = 0; i < locations->mapping_count; i++) {
        uint32_t module = locations->modules[i];
        const struct locations_mapping *mapping = &locations->mappings[module];
        const char *build_id = profile->modules.list[module].build_id;
        BUF_OWN char *path = samples_path(&pprof->samples, module);
        protobuf_integer(inner, MAPPING_ID, mapping->id);
        protobuf_integer(inner, MAPPING_START, mapping->start);
        protobuf_integer(inner, MAPPING_LIMIT, mapping->limit);
        protobuf_integer(inner, MAPPING_OFFSET, mapping->offset);
        protobuf_integer(inner, MAPPING_FILE, text(pprof, path));
        protobuf_integer(inner, MAPPING_BUILD_ID, text(pprof, build_id ? build_id : ""));
        for (unsigned k = MAPPING_HAS_FUNCTIONS; k <= MAPPING_HAS_INLINED; k++)
            protobuf_integer(inner, k, true);
        protobuf_message(&pprof->profile, PROFILE_MAPPING, inner);
    }
}

static void print_locations(struct pprof *pprof)
{
    const struct locations *locations = &pprof->samples.locations;
    struct protobuf *inner = &pprof->inner;
    for (size_t i = 0; i < locations->count; i++) {
        const struct locations_line *line =
            &locations->lines.list[locations->innermost[i]];
        protobuf_integer(inner, LOCATION_ID, i + 1);
        if (line->module != LOCATIONS_NONE) {
            protobuf_integer(inner, LOCATION_MAPPING,
                             locations->mappings[line->module].id);
            protobuf_integer(inner, LOCATION_ADDRESS, locations_address(locations, line));
        }
        for (uint32_t number = locations->innermost[i]; number != LOCATIONS_NONE;
             number = locations->lines.list[number].outer) {
            line = &locations->lines.list[number];
            protobuf_integer(&pprof->part, LINE_FUNCTION, line->function + 1);
            protobuf_integer(&pprof->part, LINE_LINE, line->line);
            protobuf_integer(&pprof->part, LINE_COLUMN, line->column);
            protobuf_message(inner, LOCATION_LINE, &pprof->part);
        }
        protobuf_message(&pprof->profile, PROFILE_LOCATION, inner);
    }
}

static void print_functions(struct pprof *pprof)
{
    struct protobuf *inner = &pprof->inner;
    const struct locations *locations = &pprof->samples.locations;
    for (size_t i = 0; i < locations->functions.count; i++) {
        const struct locations_function *function = &locations->functions.list[i];
        protobuf_integer(inner, FUNCTION_ID, i + 1);
        protobuf_integer(inner, FUNCTION_NAME, text(pprof, function->name));
        protobuf_integer(inner, FUNCTION_SYSTEM_NAME,
                         text(pprof, locations_symbol(function)));
        protobuf_integer(inner, FUNCTION_FILE, text(pprof, function->file));
        protobuf_integer(inner, FUNCTION_START_LINE, function->line);
        protobuf_message(&pprof->profile, PROFILE_FUNCTION, inner);
    }
}

static void print_type(struct pprof *pprof, enum profile_field field, size_t value)
{
    BUF_OWN char *type = samples_type(&pprof->samples, value);
    protobuf_integer(&pprof->inner, VALUE_TYPE_TYPE, text(pprof, type));
    protobuf_integer(&pprof->inner, VALUE_TYPE_UNIT,
                     text(pprof, samples_unit(&pprof->samples, value)));
    protobuf_message(&pprof->profile, field, &pprof->inner);
}

/* Prints the types of the values. The shown measure is the default. */
static void print_types(struct pprof *pprof)
{
    const struct samples *samples = &pprof->samples;
    const struct profile_runs *runs = &samples->view->profile->runs;
    size_t shown = samples_shown(samples);
    uint64_t period = samples_period(samples);
    for (size_t i = 0; i < SAMPLES_VALUES; i++)
        if (samples_have(samples, i))
            print_type(pprof, PROFILE_SAMPLE_TYPE, i);
    BUF_OWN char *type = samples_type(samples, shown);
    protobuf_integer(&pprof->profile, PROFILE_DEFAULT_TYPE, text(pprof, type));
    if (period)
        print_type(pprof, PROFILE_PERIOD_TYPE, shown);
    protobuf_integer(&pprof->profile, PROFILE_PERIOD, period);
    protobuf_integer(&pprof->profile, PROFILE_TIME, runs->start);
    protobuf_integer(&pprof->profile, PROFILE_DURATION, runs->wall);
}

static void pprof_write(FILE *out, const struct export_input *input)
{
    struct pprof pprof = {0};
    const struct intern *comments = &pprof.samples.comments;
    samples_open(&pprof.samples, input);
    text(&pprof, ""); /* the first string must be empty */
    for (uint32_t i = 0; i < comments->count; i++)
        protobuf_integer(&pprof.profile, PROFILE_COMMENT,
                         text(&pprof, intern_text(comments, i)));
    print_types(&pprof);
    samples_list(&pprof.samples, print_sample, &pprof);
    print_mappings(&pprof);
    print_locations(&pprof);
    print_functions(&pprof);
    for (uint32_t i = 0; i < pprof.strings.count; i++)
        protobuf_text(&pprof.profile, PROFILE_STRINGS, intern_text(&pprof.strings, i));
    fwrite(pprof.profile.bytes, 1, pprof.profile.size, out);
    samples_free(&pprof.samples);
    intern_free(&pprof.strings);
    protobuf_free(&pprof.profile);
    protobuf_free(&pprof.inner);
    protobuf_free(&pprof.packed);
    protobuf_free(&pprof.part);
    protobuf_free(&pprof.labels);
}

const struct export_format pprof_format = {
    .name = "pprof",
    .help = "write the profile for pprof, compressed",
    .kind = OUTPUTS_PPROF,
    .needs =
        EXPORT_THREADS | EXPORT_ADDRESSES | EXPORT_ORIGINS | EXPORT_HEAP | EXPORT_EVENTS,
    .compressed = true,
    .write = pprof_write,
};

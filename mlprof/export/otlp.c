/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes OTLP profiles: an ExportProfilesServiceRequest of opentelemetry-proto 1.11.0
   (collector/profiles/v1development/profiles_service.proto), whose comments have the
   rules that this file follows. Everything that occurs several times is in a table of
   the dictionary and is referenced by its index. An encoded message has only indices of
   items that are already in their tables. So two items are equal if their bytes are,
   and one function keeps all tables without duplicates. Items are added only when they
   are referenced. */

#include "mlprof/base/encoding.h"
#include "mlprof/elf/elffile.h"
#include "mlprof/export/samples.h"

#include <inttypes.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The version of the semantic conventions that define the names of attributes. Names
   that they do not define begin with ccprof. */
#define SCHEMA "https://opentelemetry.io/schemas/1.44.0"

/* Field numbers of profiles.proto, common.proto and resource.proto. */
enum request_field { REQUEST_RESOURCE = 1, REQUEST_DICTIONARY };
enum dictionary {
    MAPPINGS = 1,
    LOCATIONS,
    FUNCTIONS,
    LINKS,
    STRINGS,
    ATTRIBUTES,
    STACKS
};
enum group_field { GROUP_RESOURCE = 1, GROUP_SCOPE, GROUP_SCHEMA }; /* ResourceProfiles */
enum scoped_field { SCOPED_SCOPE = 1, SCOPED_PROFILE, SCOPED_SCHEMA }; /* ScopeProfiles */
enum scope_field { SCOPE_NAME = 1, SCOPE_VERSION };
enum resource_field { RESOURCE_ATTRIBUTE = 1 };
enum profile_field {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_TIME = 3,
    PROFILE_DURATION = 4,
    PROFILE_PERIOD_TYPE = 5,
    PROFILE_PERIOD = 6,
    PROFILE_ATTRIBUTES = 11
};
enum value_type_field { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT };
enum sample_field { SAMPLE_STACK = 1, SAMPLE_ATTRIBUTES = 2, SAMPLE_VALUES = 4 };
enum stack_field { STACK_LOCATIONS = 1 };
enum location_field {
    LOCATION_MAPPING = 1,
    LOCATION_ADDRESS,
    LOCATION_LINE,
    LOCATION_KIND
};
enum line_field { LINE_FUNCTION = 1, LINE_LINE, LINE_COLUMN };
enum function_field { FUNCTION_NAME = 1, FUNCTION_SYMBOL, FUNCTION_FILE, FUNCTION_START };
enum mapping_field { MAPPING_START = 1, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE };
enum mapping_more { MAPPING_ATTRIBUTES = 5 };
enum link_field { LINK_TRACE = 1, LINK_SPAN };
enum pair_field { PAIR_KEY = 1, PAIR_VALUE }; /* KeyValue and KeyValueAndUnit */
enum value_field { VALUE_TEXT = 1, VALUE_BOOL = 2, VALUE_INTEGER = 3, VALUE_ARRAY = 5 };
enum array_field { ARRAY_VALUE = 1 };

#define TABLES (STACKS + 1)

#define NONE UINT32_MAX

struct sample {
    uint32_t stack, set; /* numbers of the stack and the set of attributes */
    uint32_t next;       /* the next sample of the resource, or NONE */
};

struct resource {
    uint32_t first, last; /* samples, or NONE */
    uint64_t duration;    /* nanoseconds; 0: not known */
};

/* The resource and the set of attributes of all samples with the same origin and the
   same innermost frame around code. */
struct context {
    uint32_t resource, set;
};

struct otlp {
    struct samples samples;
    const char *maker;
    const struct export_labels *labels; /* or NULL */
    struct intern tables[TABLES];       /* encoded items, by field of the dictionary */
    struct intern encoded_resources;
    struct intern sets;                    /* packed lists of attributes */
    BUF_VECTOR(struct resource) resources; /* by number in ENCODED_RESOURCES */
    struct index context_index;            /* key: origin, innermost node around code */
    BUF_VECTOR(struct context) contexts;
    struct index sample_index; /* key: resource, stack, set */
    BUF_VECTOR(struct sample) list;
    BUF_VECTOR(uint64_t) values;  /* of each sample in LIST, in the order of ORDER */
    size_t order[SAMPLES_VALUES]; /* numbers of the written values, the shown one first */
    size_t width;                 /* number of written values */
    BUF_VECTOR(uint32_t) of_location; /* by ID minus 1: index in its table, or 0 */
    uint32_t *of_mapping;             /* by ID minus 1: index in its table plus 1, or 0 */
    /* Buffers, empty when not in use. ITEM is the next item of a table, VALUE belongs to
       attributes. */
    struct protobuf item, value, part, lines, packed;
};

/* Returns the number of MESSAGE in TABLE. MESSAGE is empty afterwards. */
static uint32_t put(struct intern *table, struct protobuf *message)
{
    uint32_t number = intern_put_bytes(table, message->bytes, message->size);
    message->size = 0;
    return number;
}

/* Appends an item of a table to a message. */
static void print_item(struct protobuf *message, unsigned field,
                       const struct intern *table, size_t number)
{
    protobuf_bytes(message, field, table->items[number].text, table->items[number].size);
}

static uint32_t put_item(struct otlp *otlp, enum dictionary field)
{
    return put(&otlp->tables[field], &otlp->item);
}

static uint32_t put_text(struct otlp *otlp, const char *text)
{
    BUF_OWN char *valid = utf8_valid(text);
    return intern_put(&otlp->tables[STRINGS], valid);
}

/* Sets otlp->value to TEXT. */
static void set_text(struct otlp *otlp, const char *text)
{
    BUF_OWN char *valid = utf8_valid(text);
    protobuf_text(&otlp->value, VALUE_TEXT, valid);
}

/* Adds an attribute with the value in otlp->value to the list in otlp->packed. */
static void add_attribute(struct otlp *otlp, const char *key)
{
    protobuf_integer(&otlp->item, PAIR_KEY, put_text(otlp, key));
    protobuf_message(&otlp->item, PAIR_VALUE, &otlp->value);
    protobuf_put(&otlp->packed, put_item(otlp, ATTRIBUTES));
}

static void add_text(struct otlp *otlp, const char *key, const char *text)
{
    set_text(otlp, text);
    add_attribute(otlp, key);
}

/* Returns whether KEY is the name of a label. */
static bool is_label(const struct otlp *otlp, const char *key)
{
    size_t length = strlen(key);
    for (size_t i = 0; otlp->labels && i < otlp->labels->count; i++)
        if (strncmp(otlp->labels->list[i], key, length) == 0 &&
            otlp->labels->list[i][length] == '=')
            return true;
    return false;
}

/* Adds the attribute with the value in otlp->value to the resource in otlp->item, unless
   a label replaces it. */
static void add_to_resource(struct otlp *otlp, const char *key)
{
    if (is_label(otlp, key)) {
        otlp->value.size = 0;
        return;
    }
    protobuf_text(&otlp->part, PAIR_KEY, key);
    protobuf_message(&otlp->part, PAIR_VALUE, &otlp->value);
    protobuf_message(&otlp->item, RESOURCE_ATTRIBUTE, &otlp->part);
}

static void add_text_to_resource(struct otlp *otlp, const char *key, const char *text)
{
    set_text(otlp, text);
    add_to_resource(otlp, key);
}

/* Adds the labels to the resource in otlp->item. */
static void add_labels(struct otlp *otlp)
{
    for (size_t i = 0; otlp->labels && i < otlp->labels->count; i++) {
        const char *label = otlp->labels->list[i], *value = strchr(label, '=') + 1;
        BUF_OWN char *name = buf_copy_prefix(label, (size_t)(value - 1 - label));
        BUF_OWN char *valid = utf8_valid(name);
        set_text(otlp, value);
        protobuf_text(&otlp->part, PAIR_KEY, valid);
        protobuf_message(&otlp->part, PAIR_VALUE, &otlp->value);
        protobuf_message(&otlp->item, RESOURCE_ATTRIBUTE, &otlp->part);
    }
}

/* Returns the hash of a file that identifies it as a build ID does (opentelemetry.io,
   profiles/mappings): 32 hexadecimal digits. The caller frees it. Returns NULL if the
   file at PATH cannot be read or has another BUILD_ID, which may be NULL. */
static char *hash_file(const char *path, const char *build_id)
{
    unsigned char page[4096], length[8], digest[SHA256_DIGEST_LENGTH];
    struct elffile *file = elffile_try(path);
    bool good = file && elffile_same_build_id(file->build_id, build_id);
    SHA2_CTX context;
    SHA256Init(&context);
    for (int last = 0; good && last < 2; last++) {
        size_t size = file->size < sizeof page ? file->size : sizeof page;
        off_t offset = last ? (off_t)(file->size - size) : 0;
        good = pread(file->descriptor, page, size, offset) == (ssize_t)size;
        SHA256Update(&context, page, size);
    }
    for (int i = 0; good && i < 8; i++)
        length[i] = (unsigned char)(file->size >> (56 - 8 * i));
    elffile_close(file);
    if (!good)
        return NULL;
    SHA256Update(&context, length, sizeof length);
    SHA256Final(digest, &context);
    char *text = buf_alloc(33);
    for (int i = 0; i < 16; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}

/* Returns the index of the mapping of a module. A mapping must have a build ID: if
   there is none, as for the kernel, returns 0, no mapping. */
static uint32_t put_mapping(struct otlp *otlp, uint32_t module)
{
    static const char *const has[] = {
        "pprof.mapping.has_functions", "pprof.mapping.has_filenames",
        "pprof.mapping.has_line_numbers", "pprof.mapping.has_inline_frames"};
    const struct samples *samples = &otlp->samples;
    const struct locations_mapping *mapping = &samples->locations.mappings[module];
    const char *build_id = samples->view->profile->modules.list[module].build_id;
    BUF_OWN char *path = samples_path(samples, module);
    BUF_OWN char *hash = hash_file(path, build_id);
    if (!build_id && !hash)
        return 0;
    if (build_id)
        add_text(otlp, "process.executable.build_id.gnu", build_id);
    if (hash)
        add_text(otlp, "process.executable.build_id.htlhash", hash);
    for (size_t i = 0; i < sizeof has / sizeof *has; i++) {
        protobuf_member(&otlp->value, VALUE_BOOL, true);
        add_attribute(otlp, has[i]);
    }
    uint32_t name = put_text(otlp, path);
    protobuf_integer(&otlp->item, MAPPING_START, mapping->start);
    protobuf_integer(&otlp->item, MAPPING_LIMIT, mapping->limit);
    protobuf_integer(&otlp->item, MAPPING_OFFSET, mapping->offset);
    protobuf_integer(&otlp->item, MAPPING_FILE, name);
    protobuf_message(&otlp->item, MAPPING_ATTRIBUTES, &otlp->packed);
    return put_item(otlp, MAPPINGS);
}

static uint32_t mapping_of(struct otlp *otlp, uint32_t module)
{
    uint32_t *known = &otlp->of_mapping[module];
    if (!*known)
        *known = put_mapping(otlp, module) + 1;
    return *known - 1;
}

static uint32_t put_function(struct otlp *otlp, const struct locations_function *function)
{
    uint32_t name = put_text(otlp, function->name);
    uint32_t symbol = put_text(otlp, locations_symbol(function));
    uint32_t file = put_text(otlp, function->file);
    protobuf_integer(&otlp->item, FUNCTION_NAME, name);
    protobuf_integer(&otlp->item, FUNCTION_SYMBOL, symbol);
    protobuf_integer(&otlp->item, FUNCTION_FILE, file);
    protobuf_integer(&otlp->item, FUNCTION_START, function->line);
    return put_item(otlp, FUNCTIONS);
}

/* Returns the kind of the code of a location. Returns NULL if it stands for other time,
   such as <lost>. */
static const char *frame_type(const struct otlp *otlp, const struct locations_line *line)
{
    const struct locations *locations = &otlp->samples.locations;
    if (line->module == kernel_module(otlp->samples.view->profile))
        return "kernel";
    bool code = line->module != LOCATIONS_NONE ||
                *locations_symbol(&locations->functions.list[line->function]);
    return code ? "native" : NULL;
}

static uint32_t put_location(struct otlp *otlp, uint32_t id)
{
    const struct locations *locations = &otlp->samples.locations;
    const struct locations_line *list = locations->lines.list;
    const struct locations_line *innermost = &list[locations->innermost[id - 1]];
    uint32_t mapping =
        innermost->module == LOCATIONS_NONE ? 0 : mapping_of(otlp, innermost->module);
    const char *type = frame_type(otlp, innermost);
    if (type)
        add_text(otlp, "profile.frame.type", type);
    for (uint32_t number = locations->innermost[id - 1]; number != LOCATIONS_NONE;
         number = list[number].outer) {
        const struct locations_line *line = &list[number];
        uint32_t function =
            put_function(otlp, &locations->functions.list[line->function]);
        protobuf_integer(&otlp->part, LINE_FUNCTION, function);
        protobuf_integer(&otlp->part, LINE_LINE, line->line);
        protobuf_integer(&otlp->part, LINE_COLUMN, line->column);
        protobuf_message(&otlp->lines, LOCATION_LINE, &otlp->part);
    }
    if (mapping) {
        protobuf_integer(&otlp->item, LOCATION_MAPPING, mapping);
        protobuf_integer(&otlp->item, LOCATION_ADDRESS,
                         locations_address(locations, innermost));
    }
    protobuf_append(&otlp->item, &otlp->lines);
    if (type)
        protobuf_message(&otlp->item, LOCATION_KIND, &otlp->packed);
    return put_item(otlp, LOCATIONS);
}

static uint32_t location_of(struct otlp *otlp, uint32_t id)
{
    while (otlp->of_location.count < id)
        BUF_PUSH(otlp->of_location) = 0;
    if (!otlp->of_location.list[id - 1]) {
        uint32_t location = put_location(otlp, id);
        otlp->of_location.list[id - 1] = location;
    }
    return otlp->of_location.list[id - 1];
}

static uint32_t put_stack(struct otlp *otlp, const struct samples_sample *sample)
{
    for (size_t i = 0; i < sample->location_count; i++)
        location_of(otlp, sample->locations[i]);
    for (size_t i = 0; i < sample->location_count; i++)
        protobuf_put(&otlp->packed, location_of(otlp, sample->locations[i]));
    if (otlp->packed.size)
        protobuf_message(&otlp->item, STACK_LOCATIONS, &otlp->packed);
    return put_item(otlp, STACKS);
}

/* Returns the frame of the kind WHAT among those around a sample, or NONE. */
static uint32_t around(const struct otlp *otlp, const struct samples_sample *sample,
                       enum stacks_what what)
{
    for (size_t i = 0; i < sample->around_count; i++)
        if (stacks_what(&otlp->samples.view->rows->stacks, sample->around[i]) == what)
            return sample->around[i];
    return NONE;
}

/* Returns the phases around a sample as in folded stacks: the outermost first, separated
   by semicolons. Returns NULL if there are none. The caller frees it. Keys of attributes
   must differ, so nested phases are one attribute. */
static char *phases_of(const struct otlp *otlp, const struct samples_sample *sample)
{
    char *text = NULL;
    size_t size;
    FILE *stream = buf_open(&text, &size);
    for (size_t i = sample->around_count; i-- > 0;) {
        uint32_t node = sample->around[i];
        if (stacks_what(&otlp->samples.view->rows->stacks, node) != STACKS_PHASE)
            continue;
        BUF_OWN char *name = samples_around_text(&otlp->samples, node);
        for (char *cursor = name; (cursor = strchr(cursor, ';')); cursor++)
            *cursor = ':';
        buf_separate(stream, ";");
        fputs(name, stream);
    }
    return buf_close_text(stream, &text);
}

/* Sets otlp->value to the number in TEXT, `NUMBER NAME', and returns the name. If there
   is no number, returns TEXT. */
static const char *split_number(struct otlp *otlp, const char *text)
{
    char *end;
    uint64_t number = strtoull(text, &end, 10);
    if (end == text || *end != ' ')
        return text;
    protobuf_member(&otlp->value, VALUE_INTEGER, number);
    return end + 1;
}

/* Returns the number of the set of attributes of a sample. */
static uint32_t put_set(struct otlp *otlp, const struct samples_sample *sample)
{
    BUF_OWN char *phases = phases_of(otlp, sample);
    uint32_t thread = around(otlp, sample, STACKS_THREAD);
    if (thread != NONE) {
        BUF_OWN char *text = samples_around_text(&otlp->samples, thread);
        const char *name = split_number(otlp, text);
        if (otlp->value.size)
            add_attribute(otlp, "thread.id");
        add_text(otlp, "thread.name", name);
    }
    if (phases)
        add_text(otlp, "ccprof.phase", phases);
    return put(&otlp->sets, &otlp->packed);
}

/* Adds the process with TEXT, `PID NAME', to the resource in otlp->item. */
static void add_process(struct otlp *otlp, const char *text)
{
    const char *name = split_number(otlp, text);
    if (otlp->value.size)
        add_to_resource(otlp, "process.pid");
    add_text_to_resource(otlp, "process.title", name);
}

/* Adds the executable to the resource in otlp->item. If there are several builds, only
   the mappings identify the program. */
static void add_program(struct otlp *otlp)
{
    const struct profile *profile = otlp->samples.view->profile;
    const struct intern *commands = &profile->runs.commands;
    const struct profile_module *program = profile->modules.list;
    const char *service = otlp->labels ? otlp->labels->service : NULL;
    if (service)
        add_text_to_resource(otlp, "service.name", service);
    if (!profile->modules.count)
        return;
    if (!service)
        add_text_to_resource(otlp, "service.name", path_last(program->path));
    if (commands->count == 1)
        add_text_to_resource(otlp, "process.command_line", intern_text(commands, 0));
    if (profile_builds(profile) > 1)
        return;
    add_text_to_resource(otlp, "process.executable.name", path_last(program->path));
    add_text_to_resource(otlp, "process.executable.path", program->path);
    if (program->build_id)
        add_text_to_resource(otlp, "process.executable.build_id.gnu", program->build_id);
}

/* Returns the number of the resource with samples from ORIGIN, or SAMPLES_NO_ORIGIN, of
   the process with the node PROCESS, or NONE. */
static uint32_t put_resource(struct otlp *otlp, uint32_t origin, uint32_t process)
{
    const struct profile *profile = otlp->samples.view->profile;
    const struct intern *processes = &profile->names.processes;
    uint64_t duration = 0;
    /* Only samples that were not lost have an origin, but a single origin has all. */
    if (origin == SAMPLES_NO_ORIGIN && profile->origins.count == 1)
        origin = 0;
    add_program(otlp);
    if (process != NONE) {
        BUF_OWN char *text = samples_around_text(&otlp->samples, process);
        add_process(otlp, text);
    } else if (profile->runs.files == 1 && processes->count == 1) {
        add_process(otlp, intern_text(processes, 0));
    }
    if (origin != SAMPLES_NO_ORIGIN) {
        const struct origins_origin *from = &profile->origins.origins[origin];
        const char *host = origins_host(&profile->origins, origin);
        if (host)
            add_text_to_resource(otlp, "host.name", host);
        if (from->ranked) {
            protobuf_member(&otlp->value, VALUE_INTEGER, from->rank);
            add_to_resource(otlp, "ccprof.rank");
        }
        duration = process == NONE ? from->wall : 0;
    }
    add_labels(otlp);
    uint32_t number = put(&otlp->encoded_resources, &otlp->item);
    if (number == otlp->resources.count)
        BUF_PUSH(otlp->resources) = (struct resource){NONE, NONE, duration};
    return number;
}

static struct context context_of(struct otlp *otlp, const struct samples_sample *sample)
{
    bool fresh = false;
    uint32_t innermost = sample->around_count ? sample->around[0] : NONE;
    uint32_t number =
        index_put(&otlp->context_index, sample->origin, innermost, 0, &fresh);
    if (fresh) {
        uint32_t process = around(otlp, sample, STACKS_PROCESS);
        const struct context context = {.resource =
                                            put_resource(otlp, sample->origin, process),
                                        .set = put_set(otlp, sample)};
        BUF_PUSH(otlp->contexts) = context;
    }
    return otlp->contexts.list[number];
}

/* A samples_sink. Adds the values of SAMPLE to those of the samples with the same
   resource, stack and attributes. */
static void put_sample(void *data, const struct samples_sample *sample)
{
    struct otlp *otlp = data;
    bool any = false, fresh = false;
    for (size_t i = 0; i < otlp->width; i++)
        any |= sample->values[otlp->order[i]] != 0;
    if (!any)
        return;
    struct context context = context_of(otlp, sample);
    uint32_t stack = put_stack(otlp, sample);
    uint32_t number =
        index_put(&otlp->sample_index, context.resource, stack, context.set, &fresh);
    if (fresh) {
        struct resource *resource = &otlp->resources.list[context.resource];
        BUF_PUSH(otlp->list) = (struct sample){stack, context.set, NONE};
        for (size_t i = 0; i < otlp->width; i++)
            BUF_PUSH(otlp->values) = 0;
        if (resource->last == NONE)
            resource->first = number;
        else
            otlp->list.list[resource->last].next = number;
        resource->last = number;
    }
    for (size_t i = 0; i < otlp->width; i++)
        otlp->values.list[number * otlp->width + i] += sample->values[otlp->order[i]];
}

static void print_type(struct otlp *otlp, struct protobuf *profile,
                       enum profile_field field, size_t value)
{
    BUF_OWN char *type = samples_type(&otlp->samples, value);
    protobuf_integer(&otlp->part, VALUE_TYPE_TYPE, put_text(otlp, type));
    protobuf_integer(&otlp->part, VALUE_TYPE_UNIT,
                     put_text(otlp, samples_unit(&otlp->samples, value)));
    protobuf_message(profile, field, &otlp->part);
}

/* Prints the comments of the profile, if there are any, as an attribute, a list of
   texts. The maker, which comes first, is the scope, and a single command belongs to the
   resource. */
static void print_comments(struct otlp *otlp, struct protobuf *profile)
{
    const struct intern *comments = &otlp->samples.comments;
    bool single = otlp->samples.view->profile->runs.commands.count == 1;
    for (uint32_t i = single ? 2 : 1; i < comments->count; i++) {
        set_text(otlp, intern_text(comments, i));
        protobuf_message(&otlp->part, ARRAY_VALUE, &otlp->value);
    }
    if (!otlp->part.size)
        return;
    protobuf_message(&otlp->value, VALUE_ARRAY, &otlp->part);
    add_attribute(otlp, "pprof.profile.comment");
    protobuf_message(profile, PROFILE_ATTRIBUTES, &otlp->packed);
}

/* Prints the samples of a resource with the value at PLACE in the order. Returns whether
   there are any. */
static bool print_samples(struct otlp *otlp, struct protobuf *profile,
                          const struct resource *resource, size_t place)
{
    bool any = false;
    for (uint32_t i = resource->first; i != NONE; i = otlp->list.list[i].next) {
        const struct sample *sample = &otlp->list.list[i];
        uint64_t value = otlp->values.list[i * otlp->width + place];
        if (!value)
            continue;
        any = true;
        protobuf_integer(&otlp->part, SAMPLE_STACK, sample->stack);
        if (otlp->sets.items[sample->set].size)
            print_item(&otlp->part, SAMPLE_ATTRIBUTES, &otlp->sets, sample->set);
        protobuf_put(&otlp->packed, value);
        protobuf_message(&otlp->part, SAMPLE_VALUES, &otlp->packed);
        protobuf_message(profile, PROFILE_SAMPLE, &otlp->part);
    }
    return any;
}

/* Prints the profiles of a resource: one for each value. A profile without samples is
   left out unless it is of the shown value. */
static void print_profiles(struct otlp *otlp, struct protobuf *scope,
                           const struct resource *resource)
{
    const struct samples *samples = &otlp->samples;
    const struct profile_runs *runs = &samples->view->profile->runs;
    uint64_t wall = runs->wall, period = samples_period(samples);
    bool alone = otlp->resources.count == 1;
    for (size_t place = 0; place < otlp->width; place++) {
        struct protobuf profile = {0};
        if (print_samples(otlp, &profile, resource, place) || place == 0) {
            print_type(otlp, &profile, PROFILE_SAMPLE_TYPE, otlp->order[place]);
            protobuf_fixed(&profile, PROFILE_TIME, runs->start);
            protobuf_integer(&profile, PROFILE_DURATION,
                             alone ? wall : resource->duration);
            if (period) {
                print_type(otlp, &profile, PROFILE_PERIOD_TYPE, samples_shown(samples));
                protobuf_integer(&profile, PROFILE_PERIOD, period);
            }
            print_comments(otlp, &profile);
            protobuf_message(scope, SCOPED_PROFILE, &profile);
        }
        protobuf_free(&profile);
    }
}

static void print_resource(struct otlp *otlp, struct protobuf *request, uint32_t number)
{
    struct protobuf inner = {0}, scope = {0};
    const char *version = strchr(otlp->maker, ' ');
    protobuf_text(&inner, SCOPE_NAME, "ccprof");
    protobuf_text(&inner, SCOPE_VERSION, version ? version + 1 : "");
    protobuf_message(&scope, SCOPED_SCOPE, &inner);
    print_profiles(otlp, &scope, &otlp->resources.list[number]);
    protobuf_text(&scope, SCOPED_SCHEMA, SCHEMA);
    print_item(&inner, GROUP_RESOURCE, &otlp->encoded_resources, number);
    protobuf_message(&inner, GROUP_SCOPE, &scope);
    protobuf_text(&inner, GROUP_SCHEMA, SCHEMA);
    protobuf_message(request, REQUEST_RESOURCE, &inner);
    protobuf_free(&inner);
    protobuf_free(&scope);
}

static void print_dictionary(struct otlp *otlp, struct protobuf *request)
{
    struct protobuf dictionary = {0};
    for (unsigned field = MAPPINGS; field < TABLES; field++)
        for (size_t i = 0; i < otlp->tables[field].count; i++)
            print_item(&dictionary, field, &otlp->tables[field], i);
    protobuf_message(request, REQUEST_DICTIONARY, &dictionary);
    protobuf_free(&dictionary);
}

/* Adds item 0 of each table, which means no item. A link has empty IDs of the usual
   size. */
static void put_zeros(struct otlp *otlp)
{
    static const char zeros[16];
    for (unsigned field = MAPPINGS; field < TABLES; field++) {
        if (field == LINKS) {
            protobuf_bytes(&otlp->item, LINK_TRACE, zeros, 16);
            protobuf_bytes(&otlp->item, LINK_SPAN, zeros, 8);
        }
        put_item(otlp, field);
    }
}

static void otlp_write(FILE *out, const struct export_input *input)
{
    struct otlp otlp = {.maker = input->maker, .labels = input->labels};
    struct protobuf request = {0};
    const struct samples *samples = &otlp.samples;
    samples_open(&otlp.samples, input);
    otlp.of_mapping =
        buf_alloc((input->view->profile->modules.count + 1) * sizeof *otlp.of_mapping);
    otlp.order[otlp.width++] = samples_shown(samples);
    for (size_t i = 0; i < SAMPLES_VALUES; i++)
        if (samples_have(samples, i) && i != samples_shown(samples))
            otlp.order[otlp.width++] = i;
    put_zeros(&otlp);
    samples_list(&otlp.samples, put_sample, &otlp);
    if (otlp.resources.count == 0)
        put_resource(&otlp, SAMPLES_NO_ORIGIN, NONE);
    for (uint32_t i = 0; i < otlp.resources.count; i++)
        print_resource(&otlp, &request, i);
    print_dictionary(&otlp, &request);
    fwrite(request.bytes, 1, request.size, out);
    protobuf_free(&request);
    for (unsigned field = MAPPINGS; field < TABLES; field++)
        intern_free(&otlp.tables[field]);
    intern_free(&otlp.encoded_resources);
    intern_free(&otlp.sets);
    free(otlp.resources.list);
    index_free(&otlp.context_index);
    free(otlp.contexts.list);
    index_free(&otlp.sample_index);
    free(otlp.list.list);
    free(otlp.values.list);
    free(otlp.of_location.list);
    free(otlp.of_mapping);
    protobuf_free(&otlp.item);
    protobuf_free(&otlp.value);
    protobuf_free(&otlp.part);
    protobuf_free(&otlp.lines);
    protobuf_free(&otlp.packed);
    samples_free(&otlp.samples);
}

const struct export_format otlp_format = {
    .name = "otlp",
    .help = "write the profile for OpenTelemetry (OTLP)",
    .details =
        "The file is one request in protobuf, for curl --data-binary to the path\n"
        "/v1development/profiles of a collector. mlprof-formats(7) has an example.",
    .kind = OUTPUTS_PPROF,
    .needs =
        EXPORT_THREADS | EXPORT_ADDRESSES | EXPORT_ORIGINS | EXPORT_HEAP | EXPORT_EVENTS,
    .write = otlp_write,
};

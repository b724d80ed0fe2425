/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the lines of waiting, which are the last ones before `end'. */

#include "mlprof/base/buf.h"
#include "mlprof/profile/mlmon-inside.h"

#include <stdlib.h>
#include <string.h>

#define TOO_MUCH "more time or waits than 64 bits can hold"

/* The numbers of the file's objects, points and waits in the profile. */
struct numbers {
    BUF_VECTOR(uint32_t) objects, nodes, waits;
    struct index equal; /* of the lines `waiting', by their numbers in the file */
};

/* Sets *THREAD to the number of the name of the thread NUMBER. A thread that began while
   the file was written has no line of its own, and therefore no name. */
static void put_thread(struct profile *profile, struct mlmon_header *header,
                       uint64_t number, uint32_t *thread)
{
    bool fresh;
    *thread = index_put(&header->numbers, number, 0, 0, &fresh);
    if (fresh)
        profile_add_thread(profile, number, "?");
}

static bool read_state(struct profile *profile, struct fields *fields,
                       struct mlmon_header *header)
{
    struct waitdata_state state = {0};
    uint64_t number;
    bool fresh;
    if (!fields_next_line(fields))
        return false;
    bool good = fields_decimal(fields, &number) && number != UINT64_MAX &&
                fields_number(fields, &state.start) &&
                fields_number(fields, &state.wall) && fields_number(fields, &state.cpu);
    state.no_ready = good && fields_skip(fields, " -");
    if (!good || (!state.no_ready && !fields_number(fields, &state.ready)) ||
        !fields_end_of_line(fields))
        return fields_wrong(fields,
                            "it should be a thread, and its start, length, CPU time and "
                            "time ready, or `-'");
    put_thread(profile, header, number, &state.thread);
    if (!waitdata_add_state(&profile->waits, &state, &fresh))
        return fields_wrong(fields, TOO_MUCH);
    return fresh || fields_wrong(fields, "the thread has a line already");
}

static bool read_object(struct profile *profile, struct fields *fields,
                        struct numbers *numbers)
{
    struct waitdata_object object = {.name = WAITDATA_NONE};
    if (!fields_next_line(fields))
        return false;
    bool good = mlmon_points_module(profile, fields, &object.module) &&
                fields_skip(fields, " ") && fields_hexadecimal(fields, &object.address) &&
                fields_skip(fields, " ");
    BUF_OWN char *name = good ? fields_path(fields) : NULL;
    if (!name)
        return fields_wrong(fields, "it should be a module, an address, a name");
    if (strcmp(name, "?") != 0)
        object.name = intern_put(&profile->waits.names, name);
    BUF_PUSH(numbers->objects) = waitdata_put_object(&profile->waits, &object);
    return true;
}

/* The points on the way from the root to the last one. */
struct branch {
    uint32_t *nodes;
    size_t depth, capacity;
};

/* Returns whether the point may be below its parent: a thread is the root, phases are
   below it, and all other points are below them. Sets the thread's number in the
   profile. */
static bool fits(struct profile *profile, struct mlmon_header *header,
                 struct waitdata_node *node)
{
    uint32_t thread;
    bool root = node->parent == PROFILE_NO_NODE;
    if (root != (node->module == PROFILE_THREAD))
        return false;
    if (node->module == PROFILE_LABEL)
        return node->address < profile->names.labels.count &&
               profile_stands_around(profile->waits.nodes.list[node->parent].module);
    if (!root)
        return true;
    if (node->address == UINT64_MAX)
        return false;
    put_thread(profile, header, node->address, &thread);
    node->address = thread;
    return true;
}

static bool read_point(struct profile *profile, struct fields *fields,
                       struct mlmon_header *header, struct numbers *numbers,
                       struct branch *branch)
{
    struct waitdata_node node = {.parent = PROFILE_NO_NODE};
    uint64_t depth;
    if (!fields_next_line(fields))
        return false;
    bool good = fields_decimal(fields, &depth) && fields_skip(fields, " ");
    if (good && fields_skip(fields, "label"))
        node.module = PROFILE_LABEL;
    else if (good && fields_skip(fields, "thread"))
        node.module = PROFILE_THREAD;
    else
        good = good && mlmon_points_module(profile, fields, &node.module);
    if (!good || !fields_skip(fields, " ") ||
        !fields_hexadecimal(fields, &node.address) || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be a depth, a module, an address");
    if (depth > branch->depth)
        return fields_wrong(fields, "deeper than the point before it by more than one");
    if (depth)
        node.parent = branch->nodes[depth - 1];
    if (!fits(profile, header, &node))
        return fields_wrong(fields, "a stack does not begin with a thread, or a label or "
                                    "thread cannot stand here");
    uint32_t number = waitdata_put_node(&profile->waits, &node);
    BUF_PUSH(numbers->nodes) = number;
    BUF_AT(branch->nodes, depth, branch->capacity) = number;
    branch->depth = depth + 1;
    return true;
}

/* Reads a blank and one of the COUNT words. */
static bool read_word(struct fields *fields, const char *const *words, unsigned count,
                      unsigned *word)
{
    if (!fields_skip(fields, " "))
        return false;
    size_t length = 0, left = (size_t)(fields->stop - fields->cursor);
    while (length < left && fields->cursor[length] != ' ')
        length++;
    for (*word = 0; *word < count; ++*word)
        if (strlen(words[*word]) == length &&
            memcmp(words[*word], fields->cursor, length) == 0)
            return fields_skip(fields, words[*word]);
    return false;
}

/* Reads a blank and the number of one of COUNT lines above, or `-' for WAITDATA_NONE. */
static bool read_above(struct fields *fields, size_t count, uint32_t *number)
{
    uint64_t value;
    *number = WAITDATA_NONE;
    if (fields_skip(fields, " -"))
        return true;
    if (!fields_number(fields, &value) || value >= count)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* Returns whether COUNT waits, at least one, can have these times. */
static bool are_times(const struct waitdata_wait *wait)
{
    uint64_t most;
    return wait->count && wait->longest <= wait->time &&
           (__builtin_mul_overflow(wait->count, wait->longest, &most) ||
            wait->time <= most);
}

/* Reads the module of the call that took the lock, or that another process held it. */
static bool read_holder(const struct profile *profile, struct fields *fields,
                        struct waitdata_wait *wait)
{
    wait->taken_module = PROFILE_PROCESS;
    return fields_skip(fields, "process") ||
           mlmon_points_module(profile, fields, &wait->taken_module);
}

static bool read_wait_line(const struct profile *profile, struct fields *fields,
                           const struct numbers *numbers, struct waitdata_wait *wait)
{
    static const char *const reasons[] = CCPROF_WAIT_NAMES;
    static const char *const ends[] = CCPROF_WAIT_END_NAMES;
    uint64_t stack;
    unsigned reason, end;
    bool good = fields_decimal(fields, &stack) && stack < numbers->nodes.count &&
                read_word(fields, reasons, CCPROF_WAITS, &reason) &&
                read_above(fields, numbers->objects.count, &wait->object) &&
                read_above(fields, numbers->objects.count, &wait->held) &&
                read_word(fields, ends, CCPROF_WAIT_ENDS, &end) &&
                read_above(fields, numbers->nodes.count, &wait->cause) &&
                fields_skip(fields, " ") && read_holder(profile, fields, wait) &&
                fields_skip(fields, " ") && fields_hexadecimal(fields, &wait->taken) &&
                fields_number(fields, &wait->count) &&
                fields_number(fields, &wait->time) &&
                fields_number(fields, &wait->longest) && fields_end_of_line(fields);
    if (!good)
        return fields_wrong(fields, "it should be a stack, a reason, an object, a lock, "
                                    "an end, a cause, a call, and three numbers");
    wait->stack = (uint32_t)stack;
    wait->reason = reason;
    wait->end = end;
    return wait->taken_module != PROFILE_PROCESS ||
           (wait->taken && wait->taken <= INT32_MAX && wait->cause == WAITDATA_NONE &&
            wait->end != CCPROF_WAIT_BY_THREAD) ||
           fields_wrong(fields, "no process, or it cannot stand here");
}

static bool read_wait(struct profile *profile, struct fields *fields,
                      struct numbers *numbers)
{
    struct waitdata_wait wait;
    bool fresh;
    uint32_t number;
    if (!fields_next_line(fields) || !read_wait_line(profile, fields, numbers, &wait))
        return false;
    uint32_t taken =
        index_put(&numbers->equal, wait.taken_module, wait.taken, UINT64_MAX, &fresh);
    index_put(&numbers->equal, index_pair(wait.stack, wait.object),
              index_pair(wait.cause, taken),
              index_pair(wait.reason * CCPROF_WAIT_ENDS + wait.end, wait.held), &fresh);
    if (!fresh)
        return fields_wrong(fields, "equal waits have a line already");
    if (!are_times(&wait))
        return fields_wrong(fields, "so many waits cannot have these times");
    wait.stack = numbers->nodes.list[wait.stack];
    if (wait.object != WAITDATA_NONE)
        wait.object = numbers->objects.list[wait.object];
    if (wait.held != WAITDATA_NONE)
        wait.held = numbers->objects.list[wait.held];
    if (wait.cause != WAITDATA_NONE)
        wait.cause = numbers->nodes.list[wait.cause];
    if (!waitdata_add_wait(&profile->waits, &wait, &number))
        return fields_wrong(fields, TOO_MUCH);
    BUF_PUSH(numbers->waits) = number;
    return true;
}

static bool read_single(struct waitdata *waits, struct fields *fields, uint64_t least,
                        const struct numbers *numbers)
{
    struct waitdata_single single;
    uint64_t number, end;
    if (!fields_next_line(fields))
        return false;
    if (!fields_decimal(fields, &number) || number >= numbers->waits.count ||
        !fields_number(fields, &single.start) || !fields_number(fields, &single.length) ||
        !fields_number(fields, &single.time) || !fields_end_of_line(fields))
        return fields_wrong(fields,
                            "it should be a wait, and its start, length and time");
    single.wait = numbers->waits.list[number];
    if (single.time > single.length || single.time < least ||
        single.time > waits->waits.list[single.wait].longest ||
        __builtin_add_overflow(single.start, single.length, &end))
        return fields_wrong(fields, "not one of the longest waits");
    BUF_PUSH(waits->longest) = single;
    return true;
}

static bool read_longest(struct waitdata *waits, struct fields *fields,
                         const struct numbers *numbers)
{
    uint64_t least, count;
    if (!fields_next_line(fields))
        return false;
    if (!fields_skip(fields, "longest") || !fields_number(fields, &least) ||
        !fields_number(fields, &count) || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `longest' and two numbers");
    for (uint64_t i = 0; i < count; i++)
        if (!read_single(waits, fields, least, numbers))
            return false;
    return true;
}

/* Reads the lines after the first one. */
static bool read_lists(struct profile *profile, struct fields *fields,
                       struct mlmon_header *header, struct numbers *numbers)
{
    struct branch branch = {0};
    uint64_t count;
    bool good = fields_number_line(fields, "states", &count);
    for (uint64_t i = 0; good && i < count; i++)
        good = read_state(profile, fields, header);
    good = good && fields_number_line(fields, "objects", &count);
    for (uint64_t i = 0; good && i < count; i++)
        good = read_object(profile, fields, numbers);
    good = good && fields_number_line(fields, "stacks", &count);
    for (uint64_t i = 0; good && i < count; i++)
        good = read_point(profile, fields, header, numbers, &branch);
    good = good && fields_number_line(fields, "waiting", &count);
    for (uint64_t i = 0; good && i < count; i++)
        good = read_wait(profile, fields, numbers);
    free(branch.nodes);
    return good && read_longest(&profile->waits, fields, numbers);
}

bool mlmon_waits_read(struct profile *profile, struct fields *fields,
                      struct mlmon_header *header)
{
    struct waitdata *waits = &profile->waits;
    struct numbers numbers = {0};
    if (!fields_optional(fields, "waits"))
        return true;
    if (!fields_number(fields, &waits->least) ||
        !fields_number(fields, &waits->unrecorded) || !fields_end_of_line(fields))
        return fields_wrong(fields, "it should be `waits' and two numbers");
    waits->measured = true;
    bool good = read_lists(profile, fields, header, &numbers);
    free(numbers.objects.list);
    free(numbers.nodes.list);
    free(numbers.waits.list);
    index_free(&numbers.equal);
    return good;
}

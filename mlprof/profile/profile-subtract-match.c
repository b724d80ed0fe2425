/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the modules, labels and threads of an earlier profile of a process in a later
   one, where they can have other numbers. */

#include "mlprof/base/buf.h"
#include "mlprof/profile/profile-subtract-inside.h"

#include <stdlib.h>
#include <string.h>

/* There is no code below this address. Lower addresses are marks in stacks and causes
   of kernel time, and are only equal to themselves. */
#define LOWEST_CODE 4096

/* Returns a text that identifies an element of PROFILE; freed by free. */
typedef char *element_key(const struct profile *profile, size_t number);

static char *module_key(const struct profile *profile, size_t number)
{
    const struct profile_module *module = &profile->modules.list[number];
    return number == 0 ? buf_copy("")
                       : buf_format("%s\n%s", module->path,
                                    module->build_id ? module->build_id : "");
}

static char *label_key(const struct profile *profile, size_t number)
{
    return buf_copy(profile->names.labels.list[number]);
}

/* A thread's name may change, but not its number. */
static char *thread_key(const struct profile *profile, size_t number)
{
    const char *text = intern_text(&profile->names.threads, (uint32_t)number);
    return buf_copy_prefix(text, strcspn(text, " "));
}

/* Returns, for each of COUNT elements of FROM, the number of the first equal element
   among the INTO_COUNT elements of INTO, or SUBTRACT_ABSENT; freed by free. */
static uint32_t *map_elements(const struct profile *into, size_t into_count,
                              const struct profile *from, size_t count, element_key *key)
{
    struct intern keys = {0};
    uint32_t *map = buf_alloc((count + 1) * sizeof *map);
    BUF_OWN uint32_t *first = buf_alloc((into_count + 1) * sizeof *first);
    for (size_t i = into_count; i-- > 0;) {
        BUF_OWN char *text = key(into, i);
        first[intern_put(&keys, text)] = (uint32_t)i;
    }
    size_t known = keys.count;
    for (size_t i = 0; i < count; i++) {
        BUF_OWN char *text = key(from, i);
        uint32_t number = intern_put(&keys, text);
        map[i] = number < known ? first[number] : SUBTRACT_ABSENT;
    }
    intern_free(&keys);
    return map;
}

/* A phase that begins while a file is written has the name `?' in the file. Its number
   stays the same. */
static void map_unnamed_labels(const struct subtract_match *match)
{
    const struct profile *earlier = match->earlier;
    for (size_t i = 0; i < earlier->names.labels.count; i++)
        if (match->labels[i] == SUBTRACT_ABSENT &&
            strcmp(earlier->names.labels.list[i], "?") == 0 &&
            i < match->later->names.labels.count)
            match->labels[i] = match->own_labels[i];
}

struct subtract_match subtract_match_open(struct profile *later,
                                          const struct profile *earlier)
{
    size_t modules = later->modules.count, labels = later->names.labels.count,
           threads = later->names.threads.count;
    struct subtract_match match = {
        .later = later,
        .earlier = earlier,
        .modules =
            map_elements(later, modules, earlier, earlier->modules.count, module_key),
        .labels =
            map_elements(later, labels, earlier, earlier->names.labels.count, label_key),
        .threads = map_elements(later, threads, earlier, earlier->names.threads.count,
                                thread_key),
        .own_modules = map_elements(later, modules, later, modules, module_key),
        .own_labels = map_elements(later, labels, later, labels, label_key),
        .own_threads = map_elements(later, threads, later, threads, thread_key)};
    map_unnamed_labels(&match);
    return match;
}

void subtract_match_close(struct subtract_match *match)
{
    free(match->modules);
    free(match->labels);
    free(match->threads);
    free(match->own_modules);
    free(match->own_labels);
    free(match->own_threads);
}

bool subtract_place(const struct subtract_match *match, uint32_t module, uint64_t address,
                    size_t n, struct heapmerge_place *place)
{
    const struct profile *later = match->later;
    bool code = !profile_stands_around(module);
    bool placed = code && module != PROFILE_NO_MODULE;
    uint64_t absolute =
        placed ? address + match->earlier->modules.list[module].bias : address;
    if (n == 0) {
        *place =
            (struct heapmerge_place){placed ? match->modules[module] : module,
                                     module == PROFILE_LABEL    ? match->labels[address]
                                     : module == PROFILE_THREAD ? match->threads[address]
                                                                : address};
        return true;
    }
    if (!code || absolute < LOWEST_CODE || n > later->modules.count + 1)
        return false;
    *place = (struct heapmerge_place){PROFILE_NO_MODULE, absolute};
    if (n > 1)
        *place = (struct heapmerge_place){match->own_modules[n - 2],
                                          absolute - later->modules.list[n - 2].bias};
    return true;
}

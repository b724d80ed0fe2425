/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers sources by their identity, and pairs the functions of two builds: first by
   key and file, then by key only. Files pair if the ends of their paths are equal. */

#include "mlprof/names/identity.h"
#include "mlprof/base/buf.h"
#include "mlprof/base/index.h"

#include <stdlib.h>
#include <string.h>

struct identity_source identity_of(const struct unit *unit,
                                   const struct unit_source *source)
{
    if (source->same)
        return identity_of(source->same_unit, source->same);
    return (struct identity_source){.name = source->name,
                                    .symbol = source->symbol,
                                    .file = unit_file(unit, source->file),
                                    .line = source->line,
                                    .column = source->column};
}

static struct index_key key_of(struct identity *identity,
                               const struct identity_source *source)
{
    bool has_symbol = source->symbol && *source->symbol;
    uint32_t name =
        intern_put(&identity->texts, has_symbol ? source->symbol : source->name);
    uint32_t path =
        source->file ? intern_put(&identity->texts, source->file) : UINT32_MAX;
    return (struct index_key){
        {name, path, (uint64_t)source->line << 32 | source->column}};
}

uint32_t identity_put(struct identity *identity, const struct identity_source *source,
                      bool *fresh)
{
    const struct index_key key = key_of(identity, source);
    return index_put(&identity->index, key.words[0], key.words[1], key.words[2], fresh);
}

bool identity_get(struct identity *identity, const struct identity_source *source,
                  uint32_t *number)
{
    const struct index_key key = key_of(identity, source);
    return index_get(&identity->index, key.words[0], key.words[1], key.words[2], number);
}

uint32_t identity_new(struct identity *identity)
{
    /* UINT64_MAX as a name makes the key different from the key of every real
       function. */
    bool fresh;
    return index_put(&identity->index, UINT64_MAX, identity->index.count, 0, &fresh);
}

void identity_free(struct identity *identity)
{
    intern_free(&identity->texts);
    index_free(&identity->index);
}

static bool is_system(const char *path)
{
    static const char *const beginnings[] = {"/usr/include/", "/usr/local/include/",
                                             "/usr/lib/", "/usr/lib64/"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(path, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    /* Headers of a compiler that is installed in another folder. */
    return strstr(path, "/include/c++/") || strstr(path, "/lib/gcc/");
}

bool library_has(const struct identity_source *source, const struct patterns *patterns)
{
    if (!source->file)
        return true;
    bool found = is_system(source->file);
    for (size_t i = 0; !found && i < patterns->count; i++)
        found = pattern_is_in(&patterns->list[i], source->file);
    return found;
}

/* Maximum number of last path components to compare. */
#define COMPONENTS_MOST 32

/* Items with the same key. If each side has exactly one such item, the two items are
   a pair. */
struct candidates {
    uint32_t numbers[2]; /* the last thing with this key: [0] before, [1] here */
    size_t counts[2];
};

static void add_candidate(struct candidates *candidates, uint32_t number, bool here)
{
    candidates->numbers[here] = number;
    candidates->counts[here]++;
}

static bool is_pair(const struct candidates *candidates)
{
    return candidates->counts[0] == 1 && candidates->counts[1] == 1;
}

/* A file of the earlier build (before), of the later build (here), or of both. */
struct file {
    uint32_t path;
    bool has_functions[2]; /* has functions: [0] before, [1] here */
    uint32_t same;         /* path of the paired file before; PAIRING_NONE: not paired */
    bool taken;            /* this file, of the earlier build, is paired */
};

struct files {
    struct index index; /* of paths */
    struct file *files;
};

/* Returns the last LEVEL components of a path, or NULL if it has fewer. */
static const char *last_components(const char *path, size_t level)
{
    const char *cursor = path + strlen(path);
    while (cursor > path)
        if (*--cursor == '/' && --level == 0)
            return cursor + 1;
    return level == 1 && *path && *path != '/' ? path : NULL;
}

static void collect(struct files *files, const struct pairing_item *items, size_t count,
                    bool here)
{
    bool fresh;
    for (size_t i = 0; i < count; i++) {
        if (items[i].path == PAIRING_NONE)
            continue;
        struct file *file =
            &files->files[index_put(&files->index, items[i].path, 0, 0, &fresh)];
        if (fresh)
            *file = (struct file){.path = items[i].path, .same = PAIRING_NONE};
        file->has_functions[here] = true;
        if (file->has_functions[0] && file->has_functions[1]) {
            file->same = file->path;
            file->taken = true;
        }
    }
}

/* Pairs files by their last LEVEL components. Two unpaired files are a pair if no
   other unpaired file of their builds has the same last components. Returns whether
   both builds had unpaired files before this call. */
static bool pair_tails(struct files *files, const struct intern *texts, size_t level)
{
    struct intern tails = {0};
    BUF_OWN struct candidates *candidates =
        buf_alloc((files->index.count + 1) * sizeof *candidates);
    bool left[2] = {false, false};
    for (uint32_t i = 0; i < files->index.count; i++) {
        const struct file *file = &files->files[i];
        const char *text = last_components(intern_text(texts, file->path), level);
        if (file->taken || file->same != PAIRING_NONE)
            continue;
        left[file->has_functions[1]] = true;
        if (text)
            add_candidate(&candidates[intern_put(&tails, text)], i,
                          file->has_functions[1]);
    }
    for (size_t i = 0; i < tails.count; i++)
        if (is_pair(&candidates[i])) {
            struct file *before = &files->files[candidates[i].numbers[0]];
            files->files[candidates[i].numbers[1]].same = before->path;
            before->taken = true;
        }
    intern_free(&tails);
    return left[0] && left[1];
}

static void pair_files(const struct intern *texts, const struct pairing_item *before,
                       size_t before_count, struct pairing_item *here, size_t count)
{
    struct files files = {
        .files = buf_alloc((before_count + count + 1) * sizeof *files.files)};
    uint32_t number;
    collect(&files, before, before_count, false);
    collect(&files, here, count, true);
    for (size_t level = COMPONENTS_MOST; level > 0 && pair_tails(&files, texts, level);
         level--)
        ;
    for (size_t i = 0; i < count; i++)
        if (index_get(&files.index, here[i].path, 0, 0, &number) &&
            files.files[number].same != PAIRING_NONE)
            here[i].path = files.files[number].same;
    index_free(&files.index);
    free(files.files);
}

/* Returns the number of a function in INDEX. The key consists of its key, its file,
   and its position among the functions with the same key and file. */
static uint32_t put_place(struct tally *seen, struct index *index,
                          const struct pairing_item *item, bool *fresh)
{
    return index_put(index, item->key, item->path,
                     tally_add(seen, item->key, item->path, 0), fresh);
}

/* Pairs functions by key and file. TAKEN is indexed by number in BEFORE. */
static void pair_exactly(const struct pairing_item *before, size_t before_count,
                         const struct pairing_item *here, size_t count, uint32_t *same,
                         bool *taken)
{
    struct index index = {0};
    struct tally seen = {0}, seen_here = {0};
    bool fresh;
    for (size_t i = 0; i < before_count; i++)
        put_place(&seen, &index, &before[i], &fresh);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = put_place(&seen_here, &index, &here[i], &fresh);
        same[i] = fresh ? PAIRING_NONE : number;
        if (!fresh)
            taken[number] = true;
    }
    index_free(&index);
    tally_free(&seen);
    tally_free(&seen_here);
}

/* Pairs the remaining functions by key only. */
static void pair_keys(const struct pairing_item *before, size_t before_count,
                      const struct pairing_item *here, size_t count, uint32_t *same,
                      const bool *taken)
{
    struct index keys = {0};
    BUF_OWN struct candidates *candidates =
        buf_alloc((before_count + count + 1) * sizeof *candidates);
    bool fresh;
    for (size_t i = 0; i < before_count; i++)
        if (!taken[i])
            add_candidate(&candidates[index_put(&keys, before[i].key, 0, 0, &fresh)],
                          (uint32_t)i, false);
    for (size_t i = 0; i < count; i++)
        if (same[i] == PAIRING_NONE)
            add_candidate(&candidates[index_put(&keys, here[i].key, 0, 0, &fresh)],
                          (uint32_t)i, true);
    for (size_t i = 0; i < keys.count; i++)
        if (is_pair(&candidates[i]))
            same[candidates[i].numbers[1]] = candidates[i].numbers[0];
    index_free(&keys);
}

void pairing_find(struct intern *texts, const struct pairing_item *before,
                  size_t before_count, struct pairing_item *here, size_t count,
                  uint32_t *same)
{
    BUF_OWN bool *taken = buf_alloc((before_count + 1) * sizeof *taken);
    pair_files(texts, before, before_count, here, count);
    pair_exactly(before, before_count, here, count, same, taken);
    pair_keys(before, before_count, here, count, same, taken);
}

/* A function of the current build, or of the earlier builds. */
struct same_function {
    const struct unit *unit;
    const struct unit_source *source;
    struct pairing_item item;
    uint32_t number; /* number in the identity */
};

struct same_functions {
    struct same_function *list;
    size_t count, capacity;
};

struct matching {
    struct intern texts;
    struct same_functions before;
};

/* Collects each function of a build once. IDENTITY numbers the functions. */
static void collect_functions(struct matching *matching, struct same_functions *functions,
                              struct identity *identity, struct tables *build)
{
    for (uint32_t u = 0; u < tables_unit_count(build); u++) {
        const struct unit *unit = tables_unit(build, u);
        for (size_t i = 0; i < unit->source_count; i++) {
            const struct unit_source *source = &unit->sources[i];
            const struct identity_source key = identity_of(unit, source);
            bool fresh, has_symbol = key.symbol && *key.symbol;
            uint32_t number = identity_put(identity, &key, &fresh);
            if (fresh)
                BUF_NEXT(functions->list, functions->count, functions->capacity) =
                    (struct same_function){
                        .unit = unit,
                        .source = source,
                        .item = {intern_put(&matching->texts,
                                            has_symbol ? key.symbol : key.name),
                                 key.file ? intern_put(&matching->texts, key.file)
                                          : PAIRING_NONE},
                        .number = number};
        }
    }
}

BUF_COMPARE(by_place, struct same_function, BUF_ORDER(a->source->line, b->source->line) ?:
            BUF_ORDER(a->source->column, b->source->column) ?:
            BUF_ORDER(a->number, b->number))

/* Returns the functions in the form that pairing_find needs. The caller frees the
   list. */
static struct pairing_item *items_of(const struct same_functions *functions)
{
    struct pairing_item *items = buf_alloc((functions->count + 1) * sizeof *items);
    for (size_t i = 0; i < functions->count; i++)
        items[i] = functions->list[i].item;
    return items;
}

/* Sets, in all sources of a build, the same source of an earlier build. SAME is
   indexed by number in HERE. */
static void set_same_sources(const struct same_functions *before,
                             const struct same_functions *here, const uint32_t *same,
                             struct identity *identity, struct tables *build)
{
    BUF_OWN uint32_t *numbered = buf_alloc((here->count + 1) * sizeof *numbered);
    for (size_t i = 0; i < here->count; i++)
        numbered[here->list[i].number] = same[i];
    for (uint32_t u = 0; u < tables_unit_count(build); u++) {
        struct unit *unit = tables_unit(build, u);
        for (size_t i = 0; i < unit->source_count; i++) {
            const struct identity_source key = identity_of(unit, &unit->sources[i]);
            bool fresh;
            uint32_t number = numbered[identity_put(identity, &key, &fresh)];
            if (number == PAIRING_NONE)
                continue;
            unit->sources[i].same = before->list[number].source;
            unit->sources[i].same_unit = before->list[number].unit;
        }
    }
}

static void add_build(struct matching *matching, struct tables *build)
{
    struct same_functions here = {0}, *before = &matching->before;
    struct identity identity = {0};
    collect_functions(matching, &here, &identity, build);
    BUF_SORT(here.list, here.count, by_place);
    BUF_OWN uint32_t *same = buf_alloc((here.count + 1) * sizeof *same);
    BUF_OWN struct pairing_item *items = items_of(before), *items_here = items_of(&here);
    pairing_find(&matching->texts, items, before->count, items_here, here.count, same);
    set_same_sources(before, &here, same, &identity, build);
    for (size_t i = 0; i < here.count; i++) {
        here.list[i].item = items_here[i];
        if (same[i] == PAIRING_NONE)
            BUF_NEXT(before->list, before->count, before->capacity) = here.list[i];
    }
    BUF_SORT(before->list, before->count, by_place);
    free(here.list);
    identity_free(&identity);
}

void pairing_merge_builds(struct tables *const *builds, size_t count)
{
    struct matching matching = {0};
    for (size_t i = 0; i < count; i++)
        if (builds[i])
            add_build(&matching, builds[i]);
    intern_free(&matching.texts);
    free(matching.before.list);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: mlprof.a -lelf -lz -lm */
/* Filters random trees of frames, and compares the result with a simple model that
   filters each stack separately. */

#include "mlprof/base/buf.h"
#include "mlprof/rows/rows.h"
#include "mlprof/stacks/stacks-filter.h"
#include "mlprof/stacks/stacks-inside.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/random.h"

#define FUNCTIONS 6
#define COPIES    (2 * FUNCTIONS)
#define SAMPLES   25
#define DEEPEST   7

/* A stack: copies, outermost first. Copy C belongs to function C / 2 and has position C %
   3. PHASE precedes all other frames. */
#define PHASE COPIES

struct sample {
    int frames[DEEPEST], depth;
    uint64_t count;
};

struct made {
    struct sample samples[SAMPLES];
    size_t count;
};

static const struct names_style style = {.long_name = true};

static struct unit_file file = {.name = "x.c", .path = "x.c"};
static const struct unit unit = {.files = &file, .file_count = 1};

static uint32_t put_frame(struct stacks *stacks, uint32_t parent, int frame)
{
    if (frame == PHASE) {
        uint32_t node = stacks_put_outside(stacks, parent, "[load]", STACKS_NONE);
        stacks->copies.list[stacks->nodes.list[node].copy].what = STACKS_PHASE;
        return node;
    }
    bool fresh;
    const struct function_position position = {.file = 1,
                                               .line = (uint32_t)frame % 3 + 1};
    char name[] = {'a', (char)('a' + frame / 2), '\0'};
    uint32_t copy = stacks_put_copy(stacks, 0, (uint32_t)frame, 0, &fresh);
    if (fresh)
        stacks->copies.list[copy].source = stacks_source(
            stacks, &(struct identity_source){.name = name, .file = "x.c", .line = 1});
    return stacks_put_node(stacks, parent, copy,
                           stacks_put_position(stacks, &unit, &position), 0);
}

static void build(struct stacks *stacks, const struct made *made)
{
    memset(stacks, 0, sizeof *stacks);
    for (size_t i = 0; i < made->count; i++) {
        uint32_t at = STACKS_NONE;
        for (int k = 0; k < made->samples[i].depth; k++)
            at = put_frame(stacks, at, made->samples[i].frames[k]);
        stacks->nodes.list[at].count += made->samples[i].count;
        shares_add(&stacks->times.shares, at, (uint32_t)i, made->samples[i].count);
    }
    stacks->times.width = 10;
    stacks_finish(stacks);
}

static void make(struct made *made)
{
    made->count = 1 + random_below(SAMPLES);
    for (size_t i = 0; i < made->count; i++) {
        struct sample *sample = &made->samples[i];
        sample->depth = 1 + (int)random_below(DEEPEST - 1);
        for (int k = 0; k < sample->depth; k++)
            sample->frames[k] = (int)random_below(COPIES);
        /* A phase has no samples of its own. */
        if (sample->depth > 1 && random_below(4) == 0)
            sample->frames[0] = PHASE;
        sample->count = 1 + random_below(9);
    }
}

/* The functions that match each option's pattern. */
struct choice {
    bool given[3], means[3][FUNCTIONS];
    char text[3][2 * FUNCTIONS + 20];
};

/* Chooses patterns of both forms: only the name, or the name with its position. */
static void choose(struct choice *choice, struct stacks_filter *filter)
{
    struct patterns *all[] = {&filter->focus, &filter->ignore, &filter->hide};
    memset(choice, 0, sizeof *choice);
    memset(filter, 0, sizeof *filter);
    for (int option = 0; option < 3; option++) {
        char letters[FUNCTIONS + 2] = "z", *to = letters + 1;
        choice->given[option] = random_below(2);
        for (int i = 0; i < FUNCTIONS; i++) {
            choice->means[option][i] = choice->given[option] && !random_below(3);
            if (choice->means[option][i])
                *to++ = (char)('a' + i);
        }
        sprintf(choice->text[option], random_below(2) ? "^a[%s]$" : "[%s]  x[.]c: 1$",
                letters);
        if (choice->given[option])
            ck_assert_ptr_null(patterns_add(all[option], choice->text[option]));
    }
}

static bool any_on(const struct sample *sample, const bool *means)
{
    for (int i = 0; i < sample->depth; i++)
        if (sample->frames[i] != PHASE && means[sample->frames[i] / 2])
            return true;
    return false;
}

/* Stores the remaining stack as text; empty if the sample is not kept. */
static void model_stack(const struct sample *sample, const struct choice *choice,
                        char *text)
{
    *text = '\0';
    if ((choice->given[0] && !any_on(sample, choice->means[0])) ||
        any_on(sample, choice->means[1]))
        return;
    int left = 0;
    for (int i = 0; i < sample->depth; i++) {
        int frame = sample->frames[i];
        if (frame == PHASE)
            text += sprintf(text, "[load];");
        else if (!choice->means[2][frame / 2]) {
            text += sprintf(text, "a%c.%d.%d;", 'a' + frame / 2, frame, frame % 3 + 1);
            left++;
        }
    }
    if (left == 0)
        strcpy(text, "<hidden>;");
}

static void path_of(const struct stacks *stacks, uint32_t node, char *text)
{
    uint32_t path[DEEPEST + 1];
    int depth = 0;
    for (uint32_t at = node; at != STACKS_NONE; at = stacks->nodes.list[at].parent)
        path[depth++] = at;
    while (depth-- > 0) {
        const struct stacks_node *at = &stacks->nodes.list[path[depth]];
        const struct identity_source *source =
            &stacks->sources.list[stacks_source_of(stacks, path[depth])];
        text += sprintf(text, "%s", source->name);
        if (source->file) {
            text += sprintf(text, ".%d.%u", (int)stacks->copies.list[at->copy].function,
                            stacks->positions.list[at->position].line);
        }
        text += sprintf(text, ";");
    }
}

static bool every_pattern_means_something(const struct made *made,
                                          const struct choice *choice)
{
    for (int option = 0; option < 3; option++) {
        bool any = !choice->given[option];
        for (size_t i = 0; i < made->count; i++)
            any |= any_on(&made->samples[i], choice->means[option]);
        if (!any)
            return false;
    }
    return true;
}

/* Checks that each remaining sample is at the node of its stack, with its time, and that
   nothing else is there. Returns the number of remaining samples. */
static uint64_t compare(const struct stacks *stacks, const struct made *made,
                        const struct choice *choice)
{
    uint64_t of_sample[SAMPLES] = {0}, of_node[SAMPLES * DEEPEST] = {0}, sum = 0;
    for (size_t i = 0; i < stacks->times.shares.count; i++) {
        const struct shares_entry *entry = &stacks->times.shares.entries[i];
        char text[200], want[200];
        path_of(stacks, entry->owner, text);
        model_stack(&made->samples[entry->bin], choice, want);
        ck_assert_str_eq(text, want);
        of_sample[entry->bin] += entry->count;
        of_node[entry->owner] += entry->count;
    }
    for (size_t i = 0; i < made->count; i++) {
        char text[200];
        model_stack(&made->samples[i], choice, text);
        ck_assert_uint_eq(of_sample[i], *text ? made->samples[i].count : 0);
        sum += of_sample[i];
    }
    for (size_t i = 0; i < stacks->nodes.count; i++) {
        ck_assert_uint_gt(stacks->nodes.list[i].weight, 0);
        ck_assert_uint_eq(stacks->nodes.list[i].count, of_node[i]);
    }
    ck_assert_uint_eq(stacks->times.width, 10);
    return sum;
}

TEST(random_trees)
{
    unsigned filtered = 0, refused = 0, hidden = 0;
    for (int round = 0; round < 3000; round++) {
        struct made made;
        struct choice choice;
        struct stacks stacks;
        struct stacks_filter filter;
        struct fault fault = {0};
        make(&made);
        build(&stacks, &made);
        uint64_t all = 0;
        for (size_t i = 0; i < made.count; i++)
            all += made.samples[i].count;
        choose(&choice, &filter);
        ck_assert(stacks_filter_is_set(&filter) ==
                  (choice.given[0] || choice.given[1] || choice.given[2]));
        bool good = stacks_filter_apply(&stacks, &filter, NULL, 0, &style, &fault);
        bool means = every_pattern_means_something(&made, &choice);
        if (!good && !means) {
            ck_assert(strstr(fault.text, "no function that was measured matches"));
            refused++;
        } else {
            ck_assert(means);
            uint64_t sum = compare(&stacks, &made, &choice);
            ck_assert(good == (sum > 0));
            ck_assert(good || strstr(fault.text, "no stack is left"));
            filtered += sum > 0 && sum < all;
            hidden += choice.given[2] && sum > 0;
        }
        fault_clear(&fault);
        stacks_filter_free(&filter);
        stacks_free(&stacks);
    }
    ck_assert_uint_gt(filtered, 300);
    ck_assert_uint_gt(refused, 100);
    ck_assert_uint_gt(hidden, 300);
}

/* aa calls ab. In ab, ac is inlined, and in ac, ad. If ac is hidden, ad is inlined into
   ab. If ab is hidden as well, ad is not inlined into aa. */
TEST(what_is_inlined)
{
    for (int round = 0; round < 2; round++) {
        struct stacks stacks = {0};
        struct stacks_filter filter = {0};
        struct fault fault = {0};
        uint32_t at = STACKS_NONE;
        for (int i = 0; i < 4; i++) {
            at = put_frame(&stacks, at, 2 * i);
            stacks.nodes.list[at].inlined = i > 1;
        }
        stacks.nodes.list[at].count = 1;
        stacks_finish(&stacks);
        ck_assert_ptr_null(patterns_add(&filter.hide, round ? "ab|ac" : "ac"));
        ck_assert(stacks_filter_apply(&stacks, &filter, NULL, 0, &style, &fault));
        ck_assert_uint_eq(stacks.nodes.count, round ? 2 : 3);
        ck_assert(stacks.nodes.list[stacks.nodes.count - 1].inlined == !round);
        stacks_filter_free(&filter);
        stacks_free(&stacks);
    }
}

/* A call site with blocks of zero bytes stays, in the function around the hidden one. */
TEST(blocks_of_no_bytes)
{
    struct stacks stacks = {0};
    struct stacks_filter filter = {0};
    struct fault fault = {0};
    uint32_t other = put_frame(&stacks, STACKS_NONE, 2);
    uint32_t at = put_frame(&stacks, put_frame(&stacks, STACKS_NONE, 0), 4);
    stacks.nodes.list[other].count = 5;
    stacks.allocs.count = 1;
    stacks.allocs.sites = buf_alloc(sizeof *stacks.allocs.sites);
    stacks.allocs.sites[0] = (struct allocs_site){
        .node = at, .source = stacks_source_of(&stacks, at), .blocks = 1, .line = 100};
    stacks_finish(&stacks);
    ck_assert_ptr_null(patterns_add(&filter.hide, "^ac$"));
    ck_assert(stacks_filter_apply(&stacks, &filter, NULL, 0, &style, &fault));
    ck_assert_uint_eq(stacks.allocs.count, 1);
    const struct allocs_site *site = &stacks.allocs.sites[0];
    ck_assert_str_eq(stacks.sources.list[site->source].name, "aa");
    ck_assert_uint_eq(site->line, 1); /* the line of the call in aa */
    stacks_filter_free(&filter);
    stacks_free(&stacks);
}

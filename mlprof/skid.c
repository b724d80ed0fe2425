/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/skid.h"
#include "mlprof/buf.h"
#include "mlprof/insns.h"

#include <stdlib.h>
#include <string.h>

/* An address at which there are fewer samples than this part of those behind the
   instruction there is one where none are taken.  */
#define SEEN_PART 20

/* What is known of an address at which there are samples.  */
struct place {
    uint64_t count;
    uint64_t told, given; /* of those asked for so far, and given to the second */
};

struct skid {
    const struct profile *profile;
    const struct program *program;
    struct insns **insns; /* by module */
    bool *opened;
    struct index index; /* module, address: number of the place */
    struct place *places;
    size_t place_capacity;
    struct index code_index; /* module, function: number of the code */
    struct insns_code *codes;
    size_t code_capacity;
    uint64_t unread;
};

static void count_places(struct skid *skid)
{
    for (size_t i = 0; i < skid->profile->node_count; i++) {
        const struct profile_node *node = &skid->profile->nodes[i];
        bool fresh;
        if (node->count == 0)
            continue;
        uint32_t number = index_put(&skid->index, node->module, node->address, 0, &fresh);
        skid->places = buf_grow(skid->places, &skid->place_capacity, number + 1,
                                sizeof *skid->places);
        if (fresh)
            skid->places[number] = (struct place){0};
        skid->places[number].count += node->count;
    }
}

struct skid *skid_new(const struct profile *profile, const struct program *program)
{
    struct skid *skid = buf_alloc(sizeof *skid);
    *skid = (struct skid){
        .profile = profile,
        .program = program,
        .insns = buf_alloc((program->count + 1) * sizeof(struct insns *)),
        .opened = buf_alloc((program->count + 1) * sizeof(bool)),
    };
    count_places(skid);
    return skid;
}

void skid_free(struct skid *skid)
{
    if (!skid)
        return;
    for (size_t i = 0; i < skid->program->count; i++)
        insns_close(skid->insns[i]);
    for (size_t i = 0; i < skid->code_index.count; i++)
        free(skid->codes[i].list);
    free(skid->codes);
    free(skid->insns);
    free(skid->opened);
    free(skid->places);
    index_free(&skid->index);
    index_free(&skid->code_index);
    free(skid);
}

uint64_t skid_unread(const struct skid *skid)
{
    return skid->unread;
}

static struct place *place_at(const struct skid *skid, uint32_t module, uint64_t address)
{
    uint32_t number;
    return index_get(&skid->index, module, address, 0, &number) ? &skid->places[number]
                                                                : NULL;
}

/* The code of the function; NULL if it cannot be read.  */
static const struct insns_code *code_of(struct skid *skid, uint32_t module,
                                        uint32_t function)
{
    struct tables *tables = skid->program->tables[module];
    bool fresh;
    if (!skid->opened[module]) {
        skid->insns[module] = insns_open(tables_path(tables));
        skid->opened[module] = true;
    }
    if (!skid->insns[module])
        return NULL;
    uint32_t number = index_put(&skid->code_index, module, function, 0, &fresh);
    if (fresh) {
        uint64_t start, end;
        tables_function_range(tables, function, &start, &end);
        skid->codes =
            buf_grow(skid->codes, &skid->code_capacity, number + 1, sizeof *skid->codes);
        skid->codes[number] = insns_read(skid->insns[module], start, end);
    }
    return &skid->codes[number];
}

/* The number of the instruction that starts at ADDRESS; the count if none does.  */
static size_t find(const struct insns_code *code, uint64_t address)
{
    size_t low = 0, high = code->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->list[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->count && code->list[low].address == address ? low : code->count;
}

/* Whether a jump leads to the instruction.  */
static bool is_target(const struct insns_code *code, size_t number)
{
    for (size_t i = 0; i < code->count; i++)
        if (code->list[i].target == code->list[number].address &&
            code->list[i].flow != INSNS_CALL)
            return true;
    return false;
}

static bool falls(const struct insn *insn)
{
    return insn->flow == INSNS_NEXT || insn->flow == INSNS_BRANCH ||
           insn->flow == INSNS_CALL;
}

static bool is_slow(const struct insn *insn)
{
    return insn->memory || insn->cycles > 1;
}

/* The instruction that ends last where the one with the NUMBER ends: what it compares is
   a part of a conditional jump.  */
static size_t joined(const struct insns_code *code, size_t number)
{
    const struct insn *insn = &code->list[number];
    if (insn->flow == INSNS_BRANCH && number > 0 && code->list[number - 1].joins &&
        code->list[number - 1].memory && !is_target(code, number))
        return number - 1;
    return number;
}

/* Of the ways to the instruction with the NUMBER the last instruction on the only one, or
   on the only one that may have taken long; the count if there is none.  */
static size_t find_last(const struct insns_code *code, size_t number)
{
    uint64_t address = code->list[number].address;
    size_t only = code->count, slow = code->count, ways = 0, slow_ways = 0;
    for (size_t i = 0; i < code->count; i++) {
        const struct insn *insn = &code->list[i];
        bool jumps = insn->target == address && insn->flow != INSNS_CALL;
        if (!jumps && !(i + 1 == number && falls(insn)))
            continue;
        size_t last = joined(code, i);
        only = last;
        ways++;
        if (is_slow(&code->list[last])) {
            slow = last;
            slow_ways++;
        }
    }
    if (ways == 1)
        return only;
    return slow_ways == 1 ? slow : code->count;
}

/* Where the function that a call calls comes back from: its last return, if it is of this
   module, has one, and does not go on in another function.  0: not known.  */
static uint64_t find_return(struct skid *skid, uint32_t module, uint64_t target)
{
    struct tables_point point;
    uint64_t start, end, found = 0;
    struct tables *tables = skid->program->tables[module];
    if (target == 0 || !tables_find(tables, target, &point))
        return 0;
    tables_function_range(tables, point.function, &start, &end);
    const struct insns_code *code =
        start == target ? code_of(skid, module, point.function) : NULL;
    for (size_t i = 0; code && i < code->count; i++) {
        const struct insn *insn = &code->list[i];
        if (insn->flow == INSNS_RETURN)
            found = insn->address;
        else if (insn->flow == INSNS_JUMP &&
                 (insn->target < start || insn->target >= end))
            return 0;
    }
    return found;
}

/* How many of COUNT samples behind two instructions without access to memory are the
   second's.  The first one, which takes as long or longer, has those in front of the
   second, and some of those behind it if both ended together.  */
static uint64_t second_part(struct place *place, const struct place *between,
                            const struct insn *one, const struct insn *other,
                            uint64_t count)
{
    uint64_t all = place->count + (between ? between->count : 0);
    uint64_t most = all * other->cycles / (one->cycles + other->cycles);
    if (most > place->count)
        most = place->count;
    /* In whole samples, wherever they are asked for.  */
    place->told += count;
    uint64_t part =
        (uint64_t)((double)place->told * (double)most / (double)place->count + 0.5) -
        place->given;
    if (part > count)
        part = count;
    place->given += part;
    return part;
}

/* Divides the samples between the instruction with the number LAST and the one before. */
static void divide(struct skid *skid, uint32_t module, const struct insns_code *code,
                   size_t last, struct place *place, struct skid_charge *charge)
{
    const struct insn *other = &code->list[last];
    if (last == 0 || is_target(code, last))
        return;
    const struct insn *one = &code->list[last - 1];
    if (one->flow == INSNS_CALL)
        charge->returned[1] = find_return(skid, module, one->target);
    if (one->flow != INSNS_NEXT && !charge->returned[1])
        return;
    const struct place *between = place_at(skid, module, other->address);
    charge->address[1] = one->address;
    if (!one->memory && !other->memory && one->cycles >= other->cycles) {
        uint64_t count = charge->count[0];
        charge->count[0] = second_part(place, between, one, other, count);
        charge->count[1] = count - charge->count[0];
        charge->doubt = true;
    } else if (is_slow(one)) {
        charge->doubt = !between || between->count * SEEN_PART < place->count;
    }
}

bool skid_find(struct skid *skid, uint32_t module, uint64_t address, uint64_t count,
               struct skid_charge *charge)
{
    struct tables_point point;
    struct tables *tables =
        module < skid->program->count ? skid->program->tables[module] : NULL;
    struct place *place = place_at(skid, module, address);
    if (!tables || !place || !tables_find(tables, address, &point))
        return false;
    const struct insns_code *code = code_of(skid, module, point.function);
    if (!code || code->count == 0) {
        skid->unread += count;
        return false;
    }
    size_t number = find(code, address);
    if (number == code->count)
        return false;
    size_t last = find_last(code, number);
    if (last == code->count || code->list[last].flow == INSNS_UNKNOWN)
        return false;
    *charge =
        (struct skid_charge){.address = {code->list[last].address}, .count = {count}};
    if (code->list[last].flow == INSNS_CALL)
        charge->returned[0] = find_return(skid, module, code->list[last].target);
    else if (last + 1 == number)
        divide(skid, module, code, last, place, charge);
    return true;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The thread's total (T. Ball, "Efficiently counting program events with support for
// on-line queries", TOPLAS 16:5, 1994): each counter also adds an amount, so that at
// vertex 0 the total is the number of executed instructions. At another vertex it differs
// by a number that belongs to this vertex. An edge without a counter adds nothing, so the
// numbers at its ends differ by its instructions.
//
// How many instructions an edge has is known when GCC has written them. So the function's
// assembly is first written into memory, where the amounts are filled in. mlprof decodes
// the finished code, and checks the number of instructions of each edge.

#include "plugin/gcc/compat.h"
#include "plugin/machine/machine.h"

static struct {
    FILE *file; // the assembly file
    char *text;
    size_t size;
} written;

void machine_amount_name(char *amount, size_t edge)
{
    snprintf(amount, MACHINE_AMOUNT_SIZE, "%c%u%c", MACHINE_AMOUNT, (unsigned)edge,
             MACHINE_AMOUNT);
}

void machine_amounts_begin(void)
{
    FILE *memory = open_memstream(&written.text, &written.size);

    if (!memory)
        fatal_error(UNKNOWN_LOCATION, "ccprof: out of memory");
    written.file = asm_out_file;
    asm_out_file = memory;
}

// What a label begins: the instructions of an edge, or others.
typedef hash_map<int_hash<unsigned, (unsigned)-1, (unsigned)-2>, size_t> label_map;

static void note_labels(label_map *labels, const vec<machine_segment> *parts,
                        unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (const machine_segment &segment : parts[i]) {
            if (!labels->get(segment.end))
                labels->put(segment.end, MACHINE_NO_EDGE);
            labels->put(segment.start,
                        segment.is_counter ? MACHINE_NO_EDGE : segment.edge);
        }
}

static bool is_word(const char *text, size_t size, const char *word)
{
    return strlen(word) == size && !memcmp(text, word, size);
}

// Returns true if the statement is an instruction that counts: no directive, no
// no-operation, and no prefix that stands alone.
static bool is_instruction(const char *text, size_t size)
{
    static const char *const prefixes[] = {
        "lock", "rep",   "repe",  "repz",   "repne",   "repnz",    "data16",
        "rex",  "rex64", "rex.W", "addr32", "notrack", "xacquire", "xrelease"};
    size_t word = 0;

    while (word < size && !ISSPACE(text[word]))
        word++;
    if (!word || *text == '.' || *text == '#' || *text == '/' ||
        (word >= 3 && !memcmp(text, "nop", 3)))
        return false;
    if (word == size)
        for (const char *prefix : prefixes)
            if (is_word(text, size, prefix))
                return false;
    return true;
}

// Returns the number of a local label at the start of TEXT, and sets SIZE to its length
// with the colon. Returns -1 for another label, and sets SIZE to 0 if there is none.
static unsigned label_at(const char *text, const char *end, size_t *size)
{
    const char *p = text;

    while (p < end && (ISALNUM(*p) || strchr("_.$", *p)))
        p++;
    *size = p < end && p > text && *p == ':' ? p + 1 - text : 0;
    size_t prefix = strlen(LOCAL_LABEL_PREFIX "L");
    if (*size <= prefix || strncmp(text, LOCAL_LABEL_PREFIX "L", prefix))
        return -1;
    unsigned number = 0;
    for (p = text + prefix; ISDIGIT(*p); p++)
        number = 10 * number + (*p - '0');
    return *p == ':' ? number : -1;
}

// Counts the instructions of one line.
static void count_line(const char *line, const char *end, label_map *labels, size_t *edge,
                       vec<machine_edge> *edges)
{
    if (line < end && *line == '#')
        return;
    while (line < end) {
        size_t label;
        while (line < end && ISSPACE(*line))
            line++;
        unsigned number = label_at(line, end, &label);
        if (label) {
            if (size_t *begun = labels->get(number))
                *edge = *begun;
            line += label;
            continue;
        }
        const char *next = line;
        while (next < end && *next != ';' && *next != '"')
            next++;
        if (next < end && *next == '"') // only directives have strings
            next = end;
        size_t size = next - line;
        while (size && ISSPACE(line[size - 1]))
            size--;
        if (*edge != MACHINE_NO_EDGE && is_instruction(line, size))
            (*edges)[*edge].instructions++;
        line = next + (next < end);
    }
}

static void count_instructions(label_map *labels, vec<machine_edge> *edges)
{
    size_t edge = MACHINE_NO_EDGE;
    const char *end = written.text + written.size;

    for (const char *line = written.text; line < end;) {
        const char *next = (const char *)memchr(line, '\n', end - line);
        next = next ? next : end;
        count_line(line, next, labels, &edge, edges);
        line = next + 1;
    }
}

namespace
{
// The instructions of the way from vertex 0 along edges without counters.
struct potential {
    bool known;
    HOST_WIDE_INT value;
};
} // namespace

// Each pass over the edges reaches at least one more vertex. The order of the edges is
// mostly that of the code, so that there are few passes.
static void find_potentials(const vec<machine_edge> &edges, vec<potential> *at)
{
    for (unsigned root = 0; root < at->length(); root++) {
        if ((*at)[root].known)
            continue;
        (*at)[root] = {true, 0};
        for (bool changed = true; changed;) {
            changed = false;
            for (const machine_edge &e : edges) {
                struct potential &from = (*at)[e.from], &to = (*at)[e.to];
                if (e.counter || from.known == to.known)
                    continue;
                if (from.known)
                    to = {true, from.value + e.instructions};
                else
                    from = {true, to.value - (HOST_WIDE_INT)e.instructions};
                changed = true;
            }
        }
    }
}

// Writes the text, with the numbers of amounts.
static void write_text(const vec<machine_edge> &edges, const vec<potential> &at)
{
    const char *text = written.text, *end = text + written.size;

    while (const char *mark = (const char *)memchr(text, MACHINE_AMOUNT, end - text)) {
        const machine_edge &e = edges[strtoul(mark + 1, NULL, 10)];
        fwrite(text, 1, mark - text, asm_out_file);
        fprintf(asm_out_file, HOST_WIDE_INT_PRINT_DEC,
                e.instructions + at[e.from].value - at[e.to].value);
        text = (const char *)memchr(mark + 1, MACHINE_AMOUNT, end - mark - 1) + 1;
    }
    fwrite(text, 1, end - text, asm_out_file);
}

void machine_amounts_end(vec<machine_edge> *edges, unsigned vertices,
                         const vec<machine_segment> *parts, unsigned count)
{
    label_map labels;
    auto_vec<potential> at;

    fclose(asm_out_file);
    asm_out_file = written.file;
    note_labels(&labels, parts, count);
    count_instructions(&labels, edges);
    at.safe_grow_cleared(vertices, true);
    find_potentials(*edges, &at);
    write_text(*edges, at);
    free(written.text);
}

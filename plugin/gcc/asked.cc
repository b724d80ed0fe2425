// SPDX-License-Identifier: GPL-3.0-or-later
// With -flto the assembly file of the first half is not what is linked: there the section
// goes with the unit as an asm statement of its file, which the second half prints,
// with the plugin or without it.

#include "plugin/gcc/compat.h"
#include "plugin/gcc/asked.h"
#include "plugin/gcc/assembly.h"
#include "plugin/tables/memory.h"
#include "rt/format.h"

namespace
{
struct pattern {
    char *text; // NAME=PATTERN
    bool met;
};
} // namespace

// What the unit was asked for.
static struct {
    struct pattern *patterns;
    size_t count, room;
    void (*meet_functions)(void);
    bool is_compiled; // and not only read
    bool is_for_lto;
    char **lacks; // names of functions
    size_t lack_count, lack_room;
} asked;

unsigned asked_add(const char *name, const char *pattern)
{
    asked.patterns = (struct pattern *)memory_reserve(
        asked.patterns, &asked.room, asked.count + 1, sizeof *asked.patterns);
    asked.patterns[asked.count].text = concat(name, "=", pattern, NULL);
    asked.patterns[asked.count].met = false;
    return ++asked.count;
}

void asked_meet(unsigned number)
{
    if (number)
        asked.patterns[number - 1].met = true;
}

bool asked_is_met(unsigned number)
{
    return !number || asked.patterns[number - 1].met;
}

void asked_lack(const char *name)
{
    for (size_t i = 0; i < asked.lack_count; i++)
        if (!strcmp(asked.lacks[i], name))
            return;
    asked.lacks = (char **)memory_reserve(asked.lacks, &asked.lack_room,
                                          asked.lack_count + 1, sizeof *asked.lacks);
    asked.lacks[asked.lack_count++] = xstrdup(name);
}

// Calls PUT with each string of the section that is known before functions are
// compiled.
static void each_string(void (*put)(const char *text))
{
    for (size_t i = 0; i < asked.count; i++) {
        char *text = concat(CCPROF_ASKED_PATTERN, asked.patterns[i].text, NULL);
        put(text);
        free(text);
        if (!asked.patterns[i].met)
            continue;
        text = concat(CCPROF_ASKED_MET, asked.patterns[i].text, NULL);
        put(text);
        free(text);
    }
    if (asked.is_for_lto)
        put(CCPROF_ASKED_LTO);
}

static struct obstack statement;

static void put_in_statement(const char *text)
{
    obstack_grow(&statement, "\n\t.string\t\"", 11);
    for (; *text; text++) {
        char octal[5];
        int length = snprintf(octal, sizeof octal, "\\%03o", (unsigned char)*text);
        obstack_grow(&statement, ISALNUM(*text) ? text : octal,
                     ISALNUM(*text) ? 1 : length);
    }
    obstack_1grow(&statement, '"');
}

static void add_statement(void)
{
    char push[100];

    obstack_init(&statement);
    snprintf(push, sizeof push, "\t.pushsection\t%s,\"MS\"," TYPE_OPERAND_FMT ",1",
             CCPROF_SECTION_ASKED, "progbits");
    obstack_grow(&statement, push, strlen(push));
    each_string(put_in_statement);
    obstack_grow0(&statement, "\n\t.popsection", 13);
    const char *text = (const char *)obstack_finish(&statement);
    symtab->finalize_toplevel_asm(build_string(strlen(text), text));
    obstack_free(&statement, NULL);
}

static void start(void *, void *)
{
    if (in_lto_p || seen_error())
        return;
    asked.is_compiled = true;
    asked.is_for_lto = flag_generate_lto;
    if (asked.count)
        asked.meet_functions();
    if (asked.is_for_lto)
        add_statement();
}

void asked_register(const char *plugin, void (*meet_all)(void))
{
    asked.meet_functions = meet_all;
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, start, NULL);
}

static void emit_lacks(void)
{
    for (size_t i = 0; i < asked.lack_count; i++) {
        char *text = concat(CCPROF_ASKED_LACKS, asked.lacks[i], NULL);
        assembly_string(text);
        free(text);
    }
}

// A unit for LTO that has machine code as well has its tables, and the statement.
void asked_emit(void)
{
    bool has_tables = in_lto_p || (asked.is_for_lto && flag_fat_lto_objects);
    bool is_told = asked.is_compiled && !asked.is_for_lto && asked.count;

    if (!has_tables && !is_told && !asked.lack_count)
        return;
    assembly_push_section(CCPROF_SECTION_ASKED, "MS", "progbits", "1");
    if (has_tables)
        assembly_string(CCPROF_ASKED_LINKED);
    else if (is_told)
        each_string(assembly_string);
    emit_lacks();
    assembly_pop_section();
}

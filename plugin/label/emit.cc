// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the streams of functions, their sites, and the tables of the unit into the
// assembly file.

#include "plugin/gcc/compat.h"
#include "plugin/label/emit.h"
#include "plugin/tables/encode.h"
#include "plugin/gcc/assembly.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/options.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/sources.h"
#include "plugin/label/label.h"

#define UNIT_LABEL     ".Lccprof_unit"
#define UNIT_END_LABEL ".Lccprof_unit_end"

// In .data, since code reaches a site by a distance of 32 bits. With a large code model,
// .bss may be too far away.
#define SITES_SECTION ".data.ccprof_sites"
#define STRING_LABEL  ".Lccprof_s"

namespace
{
// A stream: entries about code of one section. Functions of the same section share a
// stream, which contains the base address once and then only distances.
struct stream {
    const char *section;
    unsigned base, end; // labels; base is 0 until the stream begins
};
} // namespace

// What has been written for the unit.
static struct {
    struct stream streams[5];
    char sites[40]; // label of the first site of the shared stream; "" if none
    bool any_stream;
    bool any_content; // something that is not excluded
} written = {{{".text", 0, 0},
              {".text.unlikely", 0, 0},
              {".text.hot", 0, 0},
              {".text.startup", 0, 0},
              {".text.exit", 0, 0}},
             "",
             false,
             false};

// Returns the text of the label that final prints for a note with that number.
static const char *label_text(unsigned label, char *buffer)
{
    ASM_GENERATE_INTERNAL_LABEL(buffer, "L", label);
    return *buffer == '*' ? buffer + 1 : buffer;
}

void emit_put_distance(void *, unsigned from, unsigned to, unsigned plus)
{
    char from_text[40], to_text[40];

    assembly_line(".uleb128", plus ? "%s-%s+%u" : "%s-%s", label_text(to, to_text),
                  label_text(from, from_text), plus);
}

void emit_string_word(unsigned string)
{
    assembly_line(".4byte", STRING_LABEL "%u", string);
}

void emit_put_string(void *, unsigned string)
{
    emit_string_word(string);
}

static const struct encode_sink sink = {NULL, assembly_put_byte, emit_put_distance,
                                        emit_put_string};

// Returns the name of the COMDAT group that contains the section of code, or NULL.
static const char *group_of(const section *code)
{
    if (code->common.flags & SECTION_NAMED && code->common.flags & SECTION_LINKONCE &&
        code->named.decl && DECL_COMDAT_GROUP(code->named.decl))
        return IDENTIFIER_POINTER(DECL_COMDAT_GROUP(code->named.decl));
    return NULL;
}

// Begins the section NAME of tables about code at BASE: in GROUP, or linked to the
// section of BASE if GROUP is NULL.
static void push_beside_code(const char *name, const char *group, const char *base)
{
    if (group)
        assembly_push_in_group(name, "G", "progbits", group);
    else
        assembly_push_beside(name, assembly_at(base));
}

void emit_stream_head(struct assembly_address base)
{
    assembly_byte(0);
    assembly_byte(CCPROF_TABLES_VERSION);
    assembly_line(".4byte", UNIT_LABEL);
    assembly_word(base);
}

static struct stream *find_stream(const char *section)
{
    for (struct stream &stream : written.streams)
        if (!strcmp(stream.section, section))
            return &stream;
    return NULL;
}

// Returns the stream for code of this section. Returns NULL if two functions might not
// share a section, because distances are constants only inside one section of the
// assembler. Then each function has its own stream.
static struct stream *shared_stream(section *code)
{
    if (code == text_section)
        return find_stream(".text");
    if (!(code->common.flags & SECTION_NAMED) ||
        code->common.flags & (SECTION_LINKONCE | SECTION_RETAIN | SECTION_LINK_ORDER) ||
        !strcmp(code->named.name, ".text"))
        return NULL;
    return find_stream(code->named.name);
}

static void emit_part(const struct part *part, section *code)
{
    struct stream separate = {NULL, 0, 0};
    struct stream *stream = shared_stream(code);
    char text[40];

    if (!stream)
        stream = &separate;
    bool begins = !stream->base;
    if (begins)
        stream->base = stream->end = part->start_label;
    const char *base = label_text(stream->base, text);
    push_beside_code(CCPROF_SECTION_CODE, group_of(code), base);
    if (begins)
        emit_stream_head(assembly_at(base));
    encode_part(part, &sources_unit, options.position, stream->end, &sink);
    assembly_pop_section();
    stream->end = part->end_label;
    written.any_stream = true;
    written.any_content |= part->source || part->copies.count;
}

static section *section_of_part(int i)
{
    bool saved = in_cold_section_p;

    in_cold_section_p =
        crtl->has_bb_partition && (i == 0) == first_function_block_is_cold;
    section *code = current_function_section();
    in_cold_section_p = saved;
    return code;
}

void emit_push_beside_part(const char *name, int part, unsigned label)
{
    char text[40];

    push_beside_code(name, group_of(section_of_part(part)), label_text(label, text));
}

void emit_label_word(unsigned label)
{
    char text[40];

    assembly_word(assembly_at(label_text(label, text)));
}

// The label of a site is a number: the distance from the first site of the function.
static void put_site_distance(void *, unsigned from, unsigned to, unsigned plus)
{
    assembly_line(".uleb128", "%u", to - from + plus);
}

static const struct encode_sink site_sink = {NULL, assembly_put_byte, put_site_distance,
                                             emit_put_string};

static void push_sites_section(const char *group, bool shares, unsigned number)
{
    char name[sizeof SITES_SECTION + 20];

    snprintf(name, sizeof name, shares || group ? "%s" : "%s.%u", SITES_SECTION, number);
    if (group)
        assembly_push_in_group(name, "awG", "progbits", group);
    else
        assembly_push_section(name, "aw", "progbits", "");
}

// Sites of functions that the linker keeps or drops together are adjacent and share one
// stream. The sites of every other function have their own section and stream.
void emit_sites(const struct part *part, const char *label, unsigned number)
{
    section *code = section_of_part(0);
    const char *group = group_of(code);
    bool shares = shared_stream(code), begins = !shares || !*written.sites;
    char name[40];

    snprintf(name, sizeof name, "%s%u", label, number);
    if (shares && begins)
        strcpy(written.sites, name);
    push_sites_section(group, shares, number);
    assembly_label(name);
    assembly_line(".zero", "%u", part->end_label);
    assembly_pop_section();
    push_beside_code(CCPROF_SECTION_CODE, group, shares ? written.sites : name);
    if (begins)
        emit_stream_head(assembly_at(name));
    encode_part(part, &sources_unit, options.position, part->start_label, &site_sink);
    assembly_pop_section();
    written.any_stream = written.any_content = true;
}

void emit_begin_for_function(const char *section, unsigned version)
{
    const char *symbol = XSTR(XEXP(DECL_RTL(current_function_decl), 0), 0);

    symbol = targetm.strip_name_encoding(symbol);
    push_beside_code(section, group_of(section_of_part(0)), symbol);
    assembly_byte(version);
    assembly_line(".4byte", UNIT_LABEL);
    assembly_word(assembly_at(symbol));
    written.any_stream = written.any_content = true;
}

static void execute_emit(function *)
{
    const struct label_parts *current = label_current();

    for (int i = 0; i < current->count; i++)
        emit_part(&current->parts[i], section_of_part(i));
    label_remove_notes();
}

opt_pass *passes_make_emit(void)
{
    return pass_make("ccprof_emit", PASS_RTL, execute_emit);
}

static void emit_string(unsigned number)
{
    char label[sizeof STRING_LABEL + 20];

    snprintf(label, sizeof label, STRING_LABEL "%u", number);
    assembly_label(label);
    assembly_string(unit_get_string(&sources_unit, number));
}

static void emit_strings(void)
{
    assembly_push_section(CCPROF_SECTION_STR, "MS", "progbits", "1");
    for (unsigned i = 1; i <= sources_unit.strings.count; i++)
        emit_string(i);
    assembly_pop_section();
}

static void emit_names(void)
{
    unsigned directory = unit_string(&sources_unit, names_of_directory());
    unsigned empty = unit_string(&sources_unit, "");
    // With `train' no table of a function refers to this section, so the linker must be
    // told to keep it.
    assembly_push_section(CCPROF_SECTION_UNIT, options.train ? ASSEMBLY_RETAIN : "",
                          "progbits", "");
    assembly_label(UNIT_LABEL);
    assembly_line(".4byte", UNIT_END_LABEL "-" UNIT_LABEL "-4");
    encode_unit(&sources_unit, options.position, directory, empty, &sink);
    assembly_label(UNIT_END_LABEL);
    assembly_pop_section();
    emit_strings();
}

bool emit_unit(const struct emit_table *tables, size_t count)
{
    // Call all functions, because some of them only now make their table.
    for (size_t i = 0; i < count; i++)
        written.any_content |= tables[i].any && tables[i].any();
    if (!written.any_stream && !written.any_content)
        return false;
    emit_names();
    for (size_t i = 0; i < count; i++)
        tables[i].emit(UNIT_LABEL);
    return written.any_content;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: testsuite/unit/make_elf.c mlprof.a -lelf -lz -lm */
/* Executables: which files are accepted, their sections, and their debug files. */

#define _GNU_SOURCE
#include "mlprof/elf/elffile.h"
#include "testsuite/unit/tests.h"
#include "testsuite/unit/make_elf.h"
#include "rt/format.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define TABLES                                                                           \
    {                                                                                    \
        ".ccprof.str", "61 00"                                                           \
    }

static struct elffile *make_and_open(const char *path, const struct make_elf *file)
{
    struct fault fault = {0};
    make_elf(path, file);
    struct elffile *opened = elffile_open(path, &fault);
    if (!opened)
        ck_abort_msg("%s", fault.text);
    return opened;
}

static void assert_refused(const char *path, enum fault_kind kind, const char *what)
{
    struct fault fault = {0};
    ck_assert_ptr_null(elffile_open(path, &fault));
    ck_assert_ptr_nonnull(fault.text);
    ck_assert_int_eq(strncmp(fault.text, path, strlen(path)), 0);
    ck_assert_str_eq(fault.text + strlen(path) + 2, what);
    ck_assert_int_eq(fault.kind, kind);
    fault_clear(&fault);
}

TEST(build_id_and_link)
{
    char *path = make_path();
    struct make_elf file = {.build_id = "6a 2f 0d 7c", .debuglink = "x.debug"};
    for (int class = ELFCLASS32; class <= ELFCLASS64; class ++)
        for (int order = ELFDATA2LSB; order <= ELFDATA2MSB; order++) {
            file.class = class;
            file.order = order;
            struct elffile *opened = make_and_open(path, &file);
            ck_assert_str_eq(opened->build_id, "6a2f0d7c");
            ck_assert_str_eq(opened->debuglink, "x.debug");
            ck_assert_int_eq(opened->big_endian, order == ELFDATA2MSB);
            ck_assert(!elffile_has_tables(opened));
            elffile_close(opened);
        }
    free(path);
}

/* Build IDs of any length up to the limit of rt/format.h. The runtime accepts the same
   (check_rt_notes.c). */
TEST(lengths_of_build_ids)
{
    char *path = make_path();
    for (int order = ELFDATA2LSB; order <= ELFDATA2MSB; order++)
        for (size_t size = 0; size <= CCPROF_BUILD_ID_MAX + 1; size++) {
            char bytes[3 * CCPROF_BUILD_ID_MAX + 4] = "", *cursor = bytes;
            for (size_t i = 0; i < size; i++)
                cursor += sprintf(cursor, "%02zx ", i + 1);
            struct make_elf file = {.build_id = bytes, .order = order};
            struct elffile *opened = make_and_open(path, &file);
            if (size == 0 || size > CCPROF_BUILD_ID_MAX)
                ck_assert_ptr_null(opened->build_id);
            else
                ck_assert_uint_eq(strlen(opened->build_id), 2 * size);
            elffile_close(opened);
        }
    free(path);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* A path; or the bytes or the ELF type of a file. Other errors: mlprof-errors.test. */
static const struct {
    const char *path, *bytes;
    int type;
    const char *what;
} none[] = {
    {"/dev/null", NULL, 0, "not a regular file"},
    {NULL, "\177ELF", 0, "not an ELF file"},
    {NULL, "!<arch>\n", 0, "an archive, not an executable or shared object"},
    {NULL, NULL, ET_CORE, "neither an executable nor a shared object"},
};

TEST_ROWS(what_is_no_program, none)
{
    char *path = none[_i].path ? strdup(none[_i].path) : make_path();
    if (none[_i].bytes)
        write_file(path, none[_i].bytes, strlen(none[_i].bytes));
    else if (none[_i].type)
        make_elf(path, &(struct make_elf){.type = none[_i].type});
    assert_refused(path, FAULT_FORMAT, none[_i].what);
    free(path);
}

/* Changes the size in the header of a compressed section, at offset AT. */
TEST(a_compressed_section_that_claims_too_much)
{
    char *path = make_path();
    struct make_elf file = {.sections = {TABLES}, .compress = true};
    make_elf(path, &file);
    unsigned char image[4096];
    FILE *stream = fopen(path, "r+");
    size_t size = fread(image, 1, sizeof image, stream);
    /* Elf64_Chdr: type 1, reserved 0, size 2, alignment 1. */
    static const unsigned char header[24] = {1, [8] = 2, [16] = 1};
    unsigned char *at = memmem(image, size, header, sizeof header);
    ck_assert_ptr_nonnull(at);
    for (int i = 2; i <= 4; i++) {
        /* 64 KiB and 2 bytes; 16 MiB more; 4 GiB more. */
        fseek(stream, at - image + 8 + i, SEEK_SET);
        fputc(1, stream);
        fflush(stream);
        assert_refused(path, FAULT_GARBLED,
                       "section .ccprof.str is damaged: its size cannot be right");
    }
    struct elffile *without_tables = elffile_try(path);
    ck_assert_ptr_nonnull(without_tables);
    ck_assert_uint_eq(without_tables->sections.count, 0);
    elffile_close(without_tables);
    fclose(stream);
    free(path);
}

/* Section headers that all claim the whole file. Reading the file once for each header
   would take time quadratic in its size. */
TEST(sections_that_share_their_bytes)
{
    char *path = make_path();
    struct make_elf file = {.sections = {{".ccprof.code", "01"}, {".ccprof.code", "02"}}};
    make_elf(path, &file);
    unsigned char image[4096];
    FILE *stream = fopen(path, "r+");
    size_t size = fread(image, 1, sizeof image, stream);
    Elf64_Ehdr header;
    memcpy(&header, image, sizeof header);
    for (int i = 1; i <= 2; i++) {
        Elf64_Shdr section;
        size_t at = header.e_shoff + (size_t)i * sizeof section;
        memcpy(&section, image + at, sizeof section);
        section.sh_offset = 0;
        section.sh_size = size;
        memcpy(image + at, &section, sizeof section);
    }
    rewind(stream);
    fwrite(image, 1, size, stream);
    fclose(stream);
    assert_refused(path, FAULT_GARBLED,
                   "section .ccprof.code and those before it are larger than the file");
    free(path);
}

/* Checks that the debug file of a file with build ID 6a2f and the link prog.debug is
   FOUND, or that there is none. */
static void assert_debug_file(const char *found)
{
    struct fault fault = {0};
    struct make_elf file = {.build_id = "6a 2f", .debuglink = "prog.debug"};
    struct elffile *program = make_and_open("prog", &file);
    debugfile_root = "root";
    struct elffile *opened = debugfile_open(program, elffile_has_tables, &fault);
    ck_assert_pstr_eq(opened ? opened->path : NULL, found);
    ck_assert_ptr_null(fault.text);
    elffile_close(opened);
    elffile_close(program);
}

/* Finds the debug file by the link or by build ID. (Other cases:
   mlprof-debugfile.test.) */
TEST(debug_files)
{
    char folder[] = "debug-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("root", 0755), 0);
    ck_assert_int_eq(mkdir("root/.build-id", 0755), 0);
    ck_assert_int_eq(mkdir("root/.build-id/6a", 0755), 0);
    struct make_elf empty = {.build_id = "6a 2f"}, right = empty;
    right.sections[0] = (struct make_elf_section){".ccprof.code", "00"};

    assert_debug_file(NULL);
    make_elf("prog.debug", &empty);
    assert_debug_file(NULL);
    make_elf("prog.debug", &right);
    assert_debug_file("prog.debug");
    make_elf("root/.build-id/6a/2f.debug", &right);
    assert_debug_file("root/.build-id/6a/2f.debug");
    write_file("root/.build-id/6a/2f.debug", "junk", 4);
    assert_debug_file("prog.debug");
}

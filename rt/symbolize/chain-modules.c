/* SPDX-License-Identifier: MIT */
/* Owns the tables and symbols that were read.  A new table is published with one atomic
   exchange, so that no thread waits: a thread that comes second frees what it has
   made.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

#include "rt/symbolize/chain-modules.h"
#include "rt/format.h"
#include "rt/os/text.h"
#include "rt/os/sys.h"
#include "rt/unwind/unwind.h"
#include "rt/table/modules.h"
#include "rt/symbolize/symbols.h"

/* glibc has _dl_find_object since 2.35.  It takes no lock.  */
#pragma weak _dl_find_object

/* The name of a debug file is this folder, two digits for each byte of the build-id, and
   a few more characters.  */
#define CHAIN_DEBUG_FOLDER "/usr/lib/debug/.build-id/"
#define CHAIN_DEBUG_NAME   (sizeof CHAIN_DEBUG_FOLDER + 2 * CCPROF_NOTES_ID + 8)

/* The modules of the run, or our own if there was no run at first.  */
static struct ccprof_modules *modules;

/* By the numbers of modules; null: not read yet.  */
static _Atomic(struct ccprof_symbolizer *) symbolizers[CCPROF_MODULES_MAX];
static _Atomic(struct ccprof_symbols *) symbols[CCPROF_MODULES_MAX];
static _Atomic bool profiled[CCPROF_MODULES_MAX];

static void *chain_pages(size_t size)
{
    struct ccprof_pages buffer;
    return ccprof_pages_make(&buffer, size) ? buffer.at : NULL;
}

static void chain_pages_free(void *at, size_t size)
{
    struct ccprof_pages buffer = {at, size};
    ccprof_pages_free(&buffer);
}

void ccprof_chain_modules_attach(const void *address, struct ccprof_modules *run)
{
    int number;

    if (!modules)
        modules = run ? run : chain_pages(sizeof *modules);
    if (!modules)
        return;
    if (modules != run)
        ccprof_modules_refresh(modules);
    number = ccprof_modules_find_now(modules, (uintptr_t)address);
    if (number >= 0)
        atomic_store(&profiled[number], true);
}

static uintptr_t chain_start_of(uintptr_t address, struct dl_find_object *object)
{
    if (!_dl_find_object || _dl_find_object((void *)address, object) != 0)
        return 0;
    return (uintptr_t)object->dlfo_map_start;
}

/* Gives a module that is not known yet the loader's name.  */
static void chain_unknown(const struct dl_find_object *object, uint64_t address,
                          struct ccprof_chain_module *module)
{
    const struct link_map *map = object->dlfo_link_map;

    if (map && map->l_name && *map->l_name) {
        module->path = map->l_name;
        module->offset = address - map->l_addr;
    }
}

void ccprof_chain_modules_find(uint64_t address, struct ccprof_chain_module *module)
{
    struct dl_find_object object, ours;
    uintptr_t start = chain_start_of(address, &object);

    *module = (struct ccprof_chain_module){-1, NULL, address, false};
    if (modules)
        module->number = ccprof_modules_find_now(modules, address);
    if (module->number > 0)
        module->own =
            start != 0 &&
            start == chain_start_of((uintptr_t)ccprof_chain_modules_find, &ours);
    if (module->number >= 0) {
        module->path = modules->module[module->number].path;
        module->offset = address - modules->module[module->number].bias;
    } else if (start) {
        chain_unknown(&object, address, module);
    }
}

/* Opens a file, which must be the module's own or its debug file.  */
static const char *chain_open_file(const struct ccprof_module *module, const char *path,
                                   struct ccprof_elf *elf)
{
    const char *wrong = ccprof_elf_open(elf, path);

    if (wrong || (elf->id_size == module->id_size &&
                  memcmp(elf->id, module->id, elf->id_size) == 0))
        return wrong;
    ccprof_elf_close(elf);
    return "not the file that is in memory";
}

/* Opens the file of a module.  The kernel keeps the executable itself, whose name may
   belong to another file by now.  */
static const char *chain_open(int number, struct ccprof_elf *elf)
{
    const struct ccprof_module *module = &modules->module[number];

    if (number == 0 && !chain_open_file(module, "/proc/self/exe", elf))
        return NULL;
    return chain_open_file(module, module->path, elf);
}

void ccprof_chain_modules_frames(void)
{
    static _Atomic bool looked;
    const Elf64_Shdr *section;
    struct ccprof_elf elf;
    const uint8_t *start;

    if (!modules || ccprof_unwind_knows((uintptr_t)&ccprof_chain_modules_frames) ||
        atomic_exchange(&looked, true) || chain_open(0, &elf))
        return;
    section = ccprof_elf_find(&elf, SHT_PROGBITS, ".eh_frame", NULL);
    if (section && section->sh_flags & SHF_ALLOC) {
        start = (const uint8_t *)(section->sh_addr + modules->module[0].bias);
        ccprof_unwind_add(start, start + section->sh_size);
    }
    ccprof_elf_close(&elf);
}

static const char *chain_open_debug(int number, struct ccprof_elf *elf)
{
    const struct ccprof_module *module = &modules->module[number];
    struct ccprof_text text;
    char path[CHAIN_DEBUG_NAME];

    ccprof_text_open(&text, path, sizeof path, NULL);
    ccprof_text_string(&text, CHAIN_DEBUG_FOLDER);
    if (module->id_size < 2)
        return "no debug file";
    ccprof_text_bytes(&text, module->id, 1);
    ccprof_text_char(&text, '/');
    ccprof_text_bytes(&text, module->id + 1, module->id_size - 1u);
    ccprof_text_string(&text, ".debug");
    ccprof_text_end(&text);
    return chain_open_file(module, path, elf);
}

static const char *chain_read(const struct ccprof_elf *elf, struct ccprof_symbolizer *to)
{
    const char *wrong = ccprof_elf_read_all(elf, CCPROF_SECTION_STR, &to->strings);
    if (!wrong)
        wrong = ccprof_elf_read_all(elf, CCPROF_SECTION_UNIT, &to->units);
    if (!wrong)
        wrong = ccprof_elf_read_all(elf, CCPROF_SECTION_CODE, &to->streams);
    return wrong ? wrong : ccprof_symbolize_index(to);
}

static bool chain_has_tables(const struct ccprof_elf *elf)
{
    return ccprof_elf_find(elf, SHT_PROGBITS, CCPROF_SECTION_CODE, NULL);
}

static const char *chain_read_tables(int number, struct ccprof_symbolizer *to)
{
    struct ccprof_elf elf;
    const char *wrong = chain_open(number, &elf);

    if (wrong)
        return wrong;
    if (!chain_has_tables(&elf)) {
        ccprof_elf_close(&elf);
        if (chain_open_debug(number, &elf))
            return "it has no tables of ccprof";
    }
    wrong = chain_read(&elf, to);
    if (wrong)
        ccprof_symbolize_free(to);
    ccprof_elf_close(&elf);
    return wrong;
}

static struct ccprof_symbolizer *chain_make_symbolizer(int number)
{
    struct ccprof_symbolizer *made = chain_pages(sizeof *made), *there = NULL;
    const char *wrong;

    if (!made)
        return NULL;
    wrong = chain_read_tables(number, made);
    if (!atomic_compare_exchange_strong(&symbolizers[number], &there, made)) {
        ccprof_symbolize_free(made);
        chain_pages_free(made, sizeof *made);
        return there;
    }
    if (wrong)
        ccprof_say(modules->module[number].path, ": ", wrong,
                   ": the calls there are shown as addresses", NULL);
    return made;
}

const struct ccprof_symbolizer *ccprof_chain_modules_symbolizer(int number)
{
    struct ccprof_symbolizer *there;

    if (number < 0 || !atomic_load(&profiled[number]))
        return NULL;
    there = atomic_load(&symbolizers[number]);
    return there ? there : chain_make_symbolizer(number);
}

static struct ccprof_symbols *chain_make_symbols(int number)
{
    struct ccprof_symbols *made = chain_pages(sizeof *made), *there = NULL;
    struct ccprof_elf elf;

    if (!made)
        return NULL;
    if (!chain_open(number, &elf)) {
        ccprof_symbols_read(made, &elf);
        ccprof_elf_close(&elf);
    }
    if (atomic_compare_exchange_strong(&symbols[number], &there, made))
        return made;
    ccprof_symbols_free(made);
    chain_pages_free(made, sizeof *made);
    return there;
}

const char *ccprof_chain_modules_symbol(int number, uint64_t offset)
{
    struct ccprof_symbols *there;

    if (number < 0)
        return NULL;
    there = atomic_load(&symbols[number]);
    if (!there)
        there = chain_make_symbols(number);
    return there ? ccprof_symbols_find(there, offset) : NULL;
}

/* SPDX-License-Identifier: MIT */
/* Unwinds and symbolizes the calling thread's stack. Owns the tables and symbols of
   modules. Each call works in its own pages, since the thread's stack may be small.
   A new table is published with one atomic exchange, so that no thread waits; a thread
   that is too late frees its own table. Called by the program's calls, the handler of
   fatal signals and trace.c. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "rt/format.h"
#include "rt/os/lock.h"
#include "rt/os/notes.h"
#include "rt/os/text.h"
#include "rt/symbolize/chain.h"
#include "rt/os/sys.h"
#include "rt/samples/modules.h"
#include "rt/symbolize/elf-file.h"
#include "rt/unwind/unwind.h"

/* glibc has _dl_find_object since version 2.35. It takes no lock. */
#pragma weak _dl_find_object

/* The name of a debug file is this folder, two digits for each byte of the build ID,
   and a few more characters. */
#define CHAIN_DEBUG_FOLDER "/usr/lib/debug/.build-id/"
#define CHAIN_DEBUG_NAME   (sizeof CHAIN_DEBUG_FOLDER + 2 * CCPROF_BUILD_ID_MAX + 8)

/* The modules of the run, or a list of our own if there was no run at first. */
static struct ccprof_modules *modules;

/* Indexed by module; null: not read yet. */
static _Atomic(struct ccprof_symbolizer *) symbolizers[CCPROF_MODULES_MAX];
static _Atomic(struct ccprof_symbols *) symbols[CCPROF_MODULES_MAX];
static _Atomic bool profiled[CCPROF_MODULES_MAX];

static void *chain_pages(size_t size)
{
    struct ccprof_pages buffer;
    return ccprof_pages_make(&buffer, size) ? buffer.start : NULL;
}

static void chain_pages_free(void *start, size_t size)
{
    struct ccprof_pages buffer = {start, size};
    ccprof_pages_free(&buffer);
}

/* Marks the module at ADDRESS. */
static void chain_mark(struct ccprof_modules *list, uint64_t address)
{
    int number = ccprof_modules_find_now(list, address);
    if (number >= 0)
        atomic_store(&profiled[number], true);
}

/* Marks the modules with stubs: those of a dormant process were not attached. */
static void chain_mark_all(struct ccprof_modules *list)
{
    struct ccprof_own_code code;

    for (unsigned i = 1; ccprof_own_get(i, &code); i++)
        chain_mark(list, code.start);
}

void ccprof_chain_attach(const void *address, struct ccprof_modules *run)
{
    if (!modules)
        modules = run ? run : chain_pages(sizeof *modules);
    if (!modules)
        return;
    if (modules != run)
        ccprof_modules_refresh(modules);
    chain_mark(modules, (uintptr_t)address);
    chain_mark_all(modules);
}

bool ccprof_chain_is_used(void)
{
    return modules != NULL;
}

/* Lists the modules in a dormant process, without asking the loader. */
static void chain_find_modules(void)
{
    struct ccprof_modules *list, *none = NULL;
    char *buffer = chain_pages(CCPROF_MODULES_MAPS_BUFFER);

    list = buffer ? chain_pages(sizeof *list) : NULL;
    if (list) {
        ccprof_modules_add_mapped(list, buffer);
        if (__atomic_compare_exchange_n(&modules, &none, list, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            chain_mark_all(list);
        else
            chain_pages_free(list, sizeof *list);
    }
    if (buffer)
        chain_pages_free(buffer, CCPROF_MODULES_MAPS_BUFFER);
}

static uintptr_t chain_start_of(uintptr_t address, struct dl_find_object *object)
{
    if (!_dl_find_object || _dl_find_object((void *)address, object) != 0)
        return 0;
    return (uintptr_t)object->dlfo_map_start;
}

void ccprof_chain_find(uint64_t address, struct ccprof_chain_module *module)
{
    struct dl_find_object object, ours;
    uintptr_t start = chain_start_of(address, &object);

    *module = (struct ccprof_chain_module){-1, NULL, address, false};
    if (modules)
        module->number = ccprof_modules_find_now(modules, address);
    if (module->number > 0)
        module->is_own =
            start != 0 && start == chain_start_of((uintptr_t)ccprof_chain_find, &ours);
    if (module->number >= 0) {
        module->path = modules->module[module->number].path;
        module->offset = address - modules->module[module->number].bias;
    } else if (start) {
        /* A module that is not in the list gets the loader's name. */
        const struct link_map *map = object.dlfo_link_map;
        if (map && map->l_name && *map->l_name) {
            module->path = map->l_name;
            module->offset = address - map->l_addr;
        }
    }
}

/* Opens a file, which must be the module's own file or its debug file. */
static const char *chain_open_file(const struct ccprof_module *module, const char *path,
                                   struct ccprof_elf *elf)
{
    const char *problem = ccprof_elf_open(elf, path);

    if (problem || (elf->id_size == module->id_size &&
                    memcmp(elf->id, module->id, elf->id_size) == 0))
        return problem;
    ccprof_elf_close(elf);
    return "not the file that is in memory";
}

/* Opens the file of a module. For the executable this is the kernel's link, since
   another file may have its name by now. */
static const char *chain_open(int number, struct ccprof_elf *elf)
{
    const struct ccprof_module *module = &modules->module[number];

    if (number == 0 && !chain_open_file(module, "/proc/self/exe", elf))
        return NULL;
    return chain_open_file(module, module->path, elf);
}

/* Adds the .eh_frame of a program linked with -static, which has no index of frames,
   so that stacks can be walked. */
static void chain_add_frames(void)
{
    static _Atomic bool is_done;
    const Elf64_Shdr *section;
    struct ccprof_elf elf;
    const uint8_t *start;

    if (!modules || ccprof_unwind_knows((uintptr_t)&chain_add_frames) ||
        atomic_exchange(&is_done, true) || chain_open(0, &elf))
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
    const char *problem = ccprof_elf_read_all(elf, CCPROF_SECTION_STR, &to->strings);
    if (!problem)
        problem = ccprof_elf_read_all(elf, CCPROF_SECTION_UNIT, &to->units);
    if (!problem)
        problem = ccprof_elf_read_all(elf, CCPROF_SECTION_CODE, &to->streams);
    return problem ? problem : ccprof_symbolize_index(to);
}

static const char *chain_read_tables(int number, struct ccprof_symbolizer *to)
{
    struct ccprof_elf elf;
    const char *problem = chain_open(number, &elf);

    if (problem)
        return problem;
    if (!ccprof_elf_find(&elf, SHT_PROGBITS, CCPROF_SECTION_CODE, NULL)) {
        ccprof_elf_close(&elf);
        if (chain_open_debug(number, &elf))
            return "it has no tables of ccprof";
    }
    problem = chain_read(&elf, to);
    if (problem)
        ccprof_symbolize_free(to);
    ccprof_elf_close(&elf);
    return problem;
}

static struct ccprof_symbolizer *chain_make_symbolizer(int number)
{
    struct ccprof_symbolizer *made = chain_pages(sizeof *made), *existing = NULL;
    const char *problem;

    if (!made)
        return NULL;
    problem = chain_read_tables(number, made);
    if (!atomic_compare_exchange_strong(&symbolizers[number], &existing, made)) {
        ccprof_symbolize_free(made);
        chain_pages_free(made, sizeof *made);
        return existing;
    }
    if (problem)
        ccprof_say(modules->module[number].path, ": ", problem,
                   ": the calls there are shown as addresses", NULL);
    return made;
}

const struct ccprof_symbolizer *ccprof_chain_symbolizer(int number)
{
    struct ccprof_symbolizer *existing;

    if (number < 0 || !atomic_load(&profiled[number]))
        return NULL;
    existing = atomic_load(&symbolizers[number]);
    return existing ? existing : chain_make_symbolizer(number);
}

static struct ccprof_symbols *chain_make_symbols(int number)
{
    struct ccprof_symbols *made = chain_pages(sizeof *made), *existing = NULL;
    struct ccprof_elf elf;

    if (!made)
        return NULL;
    if (!chain_open(number, &elf)) {
        ccprof_symbols_read(made, &elf);
        ccprof_elf_close(&elf);
    }
    if (atomic_compare_exchange_strong(&symbols[number], &existing, made))
        return made;
    ccprof_symbols_free(made);
    chain_pages_free(made, sizeof *made);
    return existing;
}

const char *ccprof_chain_symbol(int number, uint64_t offset)
{
    struct ccprof_symbols *existing;

    if (number < 0)
        return NULL;
    existing = atomic_load(&symbols[number]);
    if (!existing)
        existing = chain_make_symbols(number);
    return existing ? ccprof_symbols_find(existing, offset) : NULL;
}

/* Number of frames of machine code that are printed at each end of a stack. */
#define CHAIN_END 512

/* Maximum number of frames that are walked in one stack. */
#define CHAIN_MOST (1u << 26)

#define CHAIN_TEXT 4096

/* Used in place of an address for the frame of a signal. */
#define CHAIN_SIGNAL 1

struct chain {
    struct ccprof_unwind unwind;
    struct ccprof_pages room; /* working memory of ccprof_symbolize_find */

    /* Callbacks: one receives an address, the other a source function. They return
       false to stop. */
    bool (*on_address)(struct chain *chain, uint64_t address);
    bool (*on_function)(struct chain *chain, const struct ccprof_frame *frame);

    /* For ccprof_chain_capture: the destination of the frames. */
    char *frames;
    int room_left, count;
    unsigned long size;

    /* For ccprof_chain_write: the text, and the addresses of the innermost and the
       outermost frames. */
    struct ccprof_text text;
    uint64_t inner[CHAIN_END], outer[CHAIN_END];
    uint32_t addresses;
    char buffer[CHAIN_TEXT];
};

static struct chain *chain_make(void)
{
    struct ccprof_pages buffer;
    if (!modules)
        chain_find_modules();
    return ccprof_pages_make(&buffer, sizeof(struct chain)) ? (void *)buffer.start : NULL;
}

static void chain_free(struct chain *chain)
{
    struct ccprof_pages buffer = {(void *)chain, sizeof *chain};
    ccprof_pages_free(&chain->room);
    ccprof_pages_free(&buffer);
}

/* Calls chain->take for each frame. Only the step to a frame's caller shows whether
   the frame belongs to a signal. */
static void chain_walk(struct chain *chain, const void *context, bool caller)
{
    struct ccprof_unwind *unwind = &chain->unwind;
    uint64_t address;
    bool more;

    chain_add_frames();
    ccprof_unwind_start(unwind, context);
    if (caller && !ccprof_unwind_step(unwind))
        return;
    address = unwind->exact ? unwind->pc : unwind->pc - 1;
    for (uint32_t i = 0; i < CHAIN_MOST; i++) {
        more = ccprof_unwind_step(unwind) ||
               (i == 0 && !caller && ccprof_unwind_undo_call(unwind));
        if (!chain->on_address(chain, more && unwind->exact ? CHAIN_SIGNAL : address) ||
            !more)
            return;
        address = unwind->exact ? unwind->pc : unwind->pc - 1;
    }
}

/* The context of chain_found. */
struct chain_visit {
    struct chain *chain;
    struct ccprof_frame *frame;
    bool go_on;
};

static bool chain_found(void *context, const struct ccprof_symbolize_frame *found)
{
    struct chain_visit *visit = context;
    struct ccprof_frame *frame = visit->frame;

    frame->function = found->name;
    frame->file = found->file;
    frame->line = found->line;
    frame->column = found->column;
    frame->inlined = found->inlined;
    visit->go_on = visit->chain->on_function(visit->chain, frame);
    return visit->go_on;
}

/* Calls chain->put for the source functions at the address. Returns false to stop. */
static bool chain_resolve(struct chain *chain, uint64_t address)
{
    struct ccprof_chain_module module;
    struct ccprof_frame frame = {.address = (const void *)(uintptr_t)address};
    struct chain_visit visit = {chain, &frame, true};
    const struct ccprof_symbolizer *symbolizer;

    if (address == CHAIN_SIGNAL)
        return chain->on_function(chain, &(struct ccprof_frame){.function = "<signal>"});
    ccprof_chain_find(address, &module);
    if (module.is_own)
        return true;
    frame.module = module.path;
    frame.offset = module.offset;
    symbolizer = ccprof_chain_symbolizer(module.number);
    if (symbolizer && ccprof_symbolize_find(symbolizer, module.offset, &chain->room,
                                            chain_found, &visit))
        return visit.go_on;
    frame.function = ccprof_chain_symbol(module.number, module.offset);
    return chain->on_function(chain, &frame);
}

static bool chain_fill(struct chain *chain, const struct ccprof_frame *frame)
{
    char *to = chain->frames + (unsigned long)chain->count * chain->size;
    size_t size = chain->size < sizeof *frame ? chain->size : sizeof *frame;

    memset(to, 0, chain->size);
    memcpy(to, frame, size);
    chain->count++;
    return --chain->room_left > 0;
}

int ccprof_chain_capture(const void *context, bool caller, struct ccprof_frame *frames,
                         int room, unsigned long size)
{
    int saved = errno, count;
    struct chain *chain = room > 0 ? chain_make() : NULL;

    if (!chain)
        return 0;
    chain->frames = (char *)frames;
    chain->room_left = room;
    chain->size = size;
    chain->on_address = chain_resolve;
    chain->on_function = chain_fill;
    chain_walk(chain, context, caller);
    count = chain->count;
    chain_free(chain);
    errno = saved;
    return count;
}

/* Writes control characters as hexadecimal codes, so that no name breaks a line. */
static void chain_clean(struct ccprof_text *text, const char *name)
{
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (c >= ' ' && c != 0x7f) {
            ccprof_text_char(text, *name);
        } else {
            ccprof_text_string(text, "\\x");
            ccprof_text_bytes(text, &c, 1);
        }
    }
}

static void chain_line(struct ccprof_text *text, const struct ccprof_frame *frame)
{
    ccprof_text_string(text, "  ");
    chain_clean(text, frame->file);
    if (frame->line) {
        ccprof_text_string(text, ": ");
        ccprof_text_decimal(text, frame->line);
    }
    if (frame->column) {
        ccprof_text_char(text, '.');
        ccprof_text_decimal(text, frame->column);
    }
}

/* Writes the module and the address of a frame without a source. */
static void chain_offset(struct ccprof_text *text, const struct ccprof_frame *frame)
{
    ccprof_text_string(text, "  (");
    if (frame->module) {
        chain_clean(text, frame->module);
        ccprof_text_char(text, '+');
    }
    ccprof_text_hex(text, frame->offset);
    ccprof_text_char(text, ')');
}

static bool chain_print(struct chain *chain, const struct ccprof_frame *frame)
{
    struct ccprof_text *text = &chain->text;

    chain_clean(text, frame->function ? frame->function : "?");
    if (frame->file)
        chain_line(text, frame);
    else if (frame->address)
        chain_offset(text, frame);
    ccprof_text_char(text, '\n');
    return text->error == 0;
}

static bool chain_keep(struct chain *chain, uint64_t address)
{
    uint32_t i = chain->addresses++;

    if (i < CHAIN_END)
        chain->inner[i] = address;
    else
        chain->outer[i % CHAIN_END] = address;
    return true;
}

static void chain_print_kept(struct chain *chain)
{
    uint32_t count = chain->addresses, i = 0;

    for (; i < count && i < CHAIN_END; i++)
        if (!chain_resolve(chain, chain->inner[i]))
            return;
    if (count > 2 * CHAIN_END) {
        i = count - CHAIN_END;
        ccprof_text_string(&chain->text, "... (");
        ccprof_text_decimal(&chain->text, i - CHAIN_END);
        ccprof_text_string(&chain->text, " calls left out)\n");
    }
    for (; i < count; i++)
        if (!chain_resolve(chain, chain->outer[i % CHAIN_END]))
            return;
}

int ccprof_chain_write(const void *context, bool caller, const struct ccprof_file *file)
{
    int saved = errno, error;
    struct chain *chain = chain_make();
    struct ccprof_blocked blocked;

    if (!chain)
        return ENOMEM;
    ccprof_text_open(&chain->text, chain->buffer, sizeof chain->buffer, file);
    chain->on_address = chain_keep;
    chain->on_function = chain_print;
    ccprof_blocked_begin(&blocked);
    ccprof_blocked_write(&blocked);
    chain_walk(chain, context, caller);
    chain_print_kept(chain);
    error = ccprof_text_flush(&chain->text);
    ccprof_blocked_end(&blocked);
    chain_free(chain);
    errno = saved;
    return error;
}

bool ccprof_crash_is(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
           number == SIGILL || number == SIGTRAP || number == SIGABRT;
}

void ccprof_crash_print(int number, const void *context)
{
    ccprof_say("SIG", sigabbrev_np(number),
               ", at these calls, the innermost first:", NULL);
    ccprof_chain_write(context, false, ccprof_say_file());
}

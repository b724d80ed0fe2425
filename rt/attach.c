/* SPDX-License-Identifier: MIT */
/* The stub: finds the runtime and passes it the executable or shared object that is
   being loaded. The plugin adds the stub to each object that it compiles, as one
   COMDAT group with a constructor.

   This file is compiled to assembly text when ccprof is built. attach.awk changes
   this text so that it can be inserted anywhere in a compiler's output. Therefore
   there are no string literals, every object has its own section, and every symbol has
   "ccprof" in its name.

   References to libc are weak, so that programs without these functions still link.
   They are not made with `.weak', which would also change a reference or definition of
   the same name in the surrounding object. They use libc's reserved names if
   possible, since the object may define a static function named poll.

   The constructor runs once for each executable or shared object, in the thread that
   loads it, before the program's constructors. It preserves errno. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "rt/ccprof.h"
#include "rt/format.h"

#define SECTION(name) __attribute__((section(name), used))
#define CODE          SECTION(".text.ccprof_attach")
#define TEXT(name)                                                                       \
    static const char name[] SECTION(".rodata.ccprof_attach") __attribute__((aligned(1)))
#define WEAK(alias, name) static __typeof__(name) alias __attribute__((weakref(#name)))

typedef void ccprof_attach_entry(const struct ccprof_attach *,
                                 const struct ccprof_api **);
ccprof_attach_entry ccprof_rt_attach;
__typeof__(getauxval) __getauxval;
__typeof__(poll) __poll;
__typeof__(write) __write;

WEAK(ccprof_attach_runtime, ccprof_rt_attach);
WEAK(ccprof_attach_dlsym, dlsym);
WEAK(ccprof_attach_iterate, dl_iterate_phdr);
WEAK(ccprof_attach_getauxval, __getauxval);
WEAK(ccprof_attach_poll, __poll);
WEAK(ccprof_attach_write, __write);
WEAK(ccprof_attach_errno, __errno_location);
WEAK(ccprof_attach_environ, __environ);

/* attach.awk replaces this number with @CCPROF_KIND@, and the plugin replaces
   @CCPROF_KIND@ with a decimal number. */
#define KIND_TOKEN 0x4343504b

/* attach.awk replaces these two numbers with expressions for the address and the size
   of the code below, which C cannot express. */
#define CODE_TOKEN 0x4343504c
#define SIZE_TOKEN 0x4343504d

/* An ELF note that marks the object as profiled, and a copy of this note with the data
   that the runtime needs. The code uses only the copy: many linker scripts discard all
   notes, and linkers refuse references to discarded sections. */
struct ccprof_attach_note {
    ElfW(Nhdr) head;
    char name[8];
    struct ccprof_attach attach;
};

#define NOTE(name, section)                                                              \
    static const struct ccprof_attach_note name SECTION(section)                         \
        __attribute__((aligned(4))) = {                                                  \
            {sizeof CCPROF_NOTE_NAME, sizeof(struct ccprof_attach), CCPROF_NOTE_ATTACH}, \
            CCPROF_NOTE_NAME,                                                            \
            {CCPROF_ATTACH_VERSION, KIND_TOKEN, CODE_TOKEN, SIZE_TOKEN}}

NOTE(ccprof_attach_mark, ".note.ccprof_attach");
NOTE(ccprof_attach_own, ".rodata.ccprof_attach");

/* The plugin replaces @CCPROF_RT_PATH@ with the file name of the runtime, as the
   content of an assembler string. The string may be empty. */
TEXT(ccprof_attach_path) = "@CCPROF_RT_PATH@";
TEXT(ccprof_attach_soname) = CCPROF_RT_SONAME;
TEXT(ccprof_attach_symbol) = "ccprof_rt_attach";
TEXT(ccprof_attach_open) = "dlopen";
TEXT(ccprof_attach_error) = "dlerror";
TEXT(ccprof_attach_missing) = "ccprof: " CCPROF_RT_SONAME " not found: ";
TEXT(ccprof_attach_static) = "ccprof: linked statically without -lccprof: ";
TEXT(ccprof_attach_unprofiled) = " runs unprofiled\n";
TEXT(ccprof_attach_variable) = "CCPROF=";
TEXT(ccprof_attach_off) = "off";

/* The table for the program's calls (ccprof.h). Null if there is no runtime. This
   variable is in .data, because the code above refers to it by a distance of 32 bits: in
   a program with a large code model, the end of .bss may be further away than .data, at
   whose start libc's own start code has variables. */
__attribute__((weak, visibility("hidden"), section(".data.ccprof_attach"), used))
const struct ccprof_api *ccprof_attach_api;

/* Storage for the inclusive counts of threads that the runtime does not know. No code
   reads these counts. */
__attribute__((weak, visibility("hidden"), section(".data.ccprof_attach"), used)) struct {
    struct ccprof_stack_thread thread;
    struct ccprof_pair *entries[CCPROF_STACK_ENTRIES];
} ccprof_attach_none = {.thread.high = ~0ull};

CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_grow(struct ccprof_stack_word *word);
CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_enter(struct ccprof_stack_thread *thread, struct ccprof_pair *pairs,
                    const unsigned *list);
CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_leave(struct ccprof_stack_thread *thread, struct ccprof_pair *pairs,
                    const unsigned *list, struct ccprof_pair **top);
CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_cut(struct ccprof_stack_thread *thread, struct ccprof_pair **top);
CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_tell(struct ccprof_stack_thread *thread);

/* Called at the start of a function if the thread's stack of entries is full. From
   now on new entries overwrite the top entries. Leaving still works, since each
   function has a list of its pairs. */
void ccprof_attach_grow(struct ccprof_stack_word *word)
{
    struct ccprof_stack_thread *thread = word->thread;

    if (!thread->limit)
        thread->top = (struct ccprof_pair **)(thread + 1);
    else if (thread->top > thread->limit)
        thread->top = thread->limit;
}

/* Enters the pairs in LIST, outermost first. LIST has the number of pairs, which is
   at least 1, and then the index of each pair. The stack's slots are reserved first,
   since a signal handler may do the same at any moment. */
void ccprof_attach_enter(struct ccprof_stack_thread *thread, struct ccprof_pair *pairs,
                         const unsigned *list)
{
    struct ccprof_pair **entry = thread->top;
    unsigned left = *list;

    thread->top = entry + left;
    __asm__ volatile("" : : : "memory");
    do {
        struct ccprof_pair *pair = pairs + *++list;
        *entry++ = pair;
        if (pair->depth++ == 0)
            pair->inclusive -= thread->total;
    } while (--left);
}

/* Leaves the entries above TOP. If entries below TOP are missing, fills their slots
   with null and sets SWITCHED. In a full stack, missing entries are normal and are
   not filled. */
static inline __attribute__((always_inline)) void
ccprof_attach_pop(struct ccprof_stack_thread *thread, struct ccprof_pair **top)
{
    if (__builtin_expect(thread->top == top, 1))
        return;
    if (thread->top < top && top <= thread->limit) {
        thread->switched = 1;
        do {
            struct ccprof_pair **entry = thread->top;
            thread->top = entry + 1;
            __asm__ volatile("" : : : "memory");
            *entry = 0;
        } while (thread->top < top);
    }
    while (thread->top > top) {
        struct ccprof_pair **entry = thread->top - 1, *pair = *entry;
        /* A signal handler may overwrite the slots above the top, so PAIR is read
           before the top moves. */
        __asm__ volatile("" : : "r"(pair) : "memory");
        thread->top = entry;
        if (pair && --pair->depth == 0)
            pair->inclusive += thread->total;
    }
}

/* Leaves the entries above TOP. Their functions were left by an exception or a
   longjmp. */
void ccprof_attach_cut(struct ccprof_stack_thread *thread, struct ccprof_pair **top)
{
    ccprof_attach_pop(thread, top);
}

/* Leaves the entries above TOP, then the pairs that ccprof_attach_enter has entered
   with the same LIST, which end at TOP. Calls no function, so that no register must
   be saved. */
void ccprof_attach_leave(struct ccprof_stack_thread *thread, struct ccprof_pair *pairs,
                         const unsigned *list, struct ccprof_pair **top)
{
    unsigned left = *list;

    ccprof_attach_pop(thread, top);
    thread->top = top - left;
    __asm__ volatile("" : : : "memory");
    do {
        struct ccprof_pair *pair = pairs + *++list;
        if (--pair->depth == 0)
            pair->inclusive += thread->total;
    } while (--left);
}

/* Reports to the trace that a source was entered or left. Called by code that was
   compiled with the plugin's argument `trace'. */
void ccprof_attach_tell(struct ccprof_stack_thread *thread)
{
    if (thread->trace)
        thread->trace(thread);
}

/* Returns whether the segment is in memory. Segments of notes need not be in memory. */
CODE static int ccprof_attach_is_loaded(const struct dl_phdr_info *info,
                                        const ElfW(Phdr) * part)
{
    const ElfW(Phdr) *load = info->dlpi_phdr;
    for (unsigned i = info->dlpi_phnum; i > 0; i--, load++)
        if (load->p_type == PT_LOAD && load->p_vaddr <= part->p_vaddr &&
            part->p_vaddr + part->p_memsz <= load->p_vaddr + load->p_filesz)
            return 1;
    return 0;
}

/* Returns the first note of a stub in the segment, or null. Notes of ccprof that have
   another type are skipped. */
CODE static const void *ccprof_attach_note_in(const char *bytes, size_t size,
                                              size_t align)
{
    const size_t mask = align < 8 ? 3 : 7;
    const ElfW(Nhdr) * note;

    while (size >= sizeof *note) {
        note = (const void *)bytes;
        size_t body = (((size_t)note->n_namesz + mask) & ~mask) +
                      (((size_t)note->n_descsz + mask) & ~mask);
        if (body > size - sizeof *note)
            return 0;
        bytes += sizeof *note;
        if (note->n_type == CCPROF_NOTE_ATTACH &&
            note->n_namesz == sizeof CCPROF_NOTE_NAME && bytes[0] == 'c' &&
            bytes[1] == 'c' && bytes[2] == 'p' && bytes[3] == 'r' && bytes[4] == 'o' &&
            bytes[5] == 'f')
            return note;
        bytes += body;
        size -= sizeof *note + body;
    }
    return 0;
}

/* A callback of dl_iterate_phdr: finds the first object with the note of a stub, and
   stores in *IS_OWN whether this stub is part of it. */
CODE static int ccprof_attach_find(struct dl_phdr_info *info, size_t size, void *is_own)
{
    ElfW(Phdr) segment = {0};

    segment.p_vaddr = (uintptr_t)&ccprof_attach_own - info->dlpi_addr;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_NOTE || !ccprof_attach_is_loaded(info, part))
            continue;
        const void *note =
            ccprof_attach_note_in((const char *)(info->dlpi_addr + part->p_vaddr),
                                  part->p_memsz, part->p_align);
        if (note) {
            *(int *)is_own = ccprof_attach_is_loaded(info, &segment);
            return 1;
        }
    }
    return 0;
}

CODE static char *ccprof_attach_append(char *to, const char *end, const char *text)
{
    while (to < end && *text)
        *to++ = *text++;
    return to;
}

/* Returns the rest of TEXT after START, or null if TEXT begins differently. */
CODE static const char *ccprof_attach_after(const char *text, const char *start)
{
    for (; *start; start++, text++)
        if (*text != *start)
            return 0;
    return text;
}

/* Returns the settings in the environment; null if there are none. */
CODE static const char *ccprof_attach_settings(void)
{
    char **variable = &ccprof_attach_environ ? ccprof_attach_environ : 0;
    const char *settings = 0;

    for (; variable && *variable && !settings; variable++)
        settings = ccprof_attach_after(*variable, ccprof_attach_variable);
    return settings && *settings ? settings : 0;
}

/* Returns whether the item `off' is among the settings. The runtime then is not even
   loaded, so that the process is the same as without ccprof. */
CODE static int ccprof_attach_is_off(const char *settings)
{
    for (const char *cursor = settings; cursor && *cursor; cursor++) {
        const char *end = ccprof_attach_after(cursor, ccprof_attach_off);
        if (end && (!*end || *end == ',') && (cursor == settings || cursor[-1] == ','))
            return 1;
    }
    return 0;
}

/* Prints one line for the whole process: only the first profiled object prints it.
   Called only if the user has set CCPROF. */
CODE static void ccprof_attach_complain(const char *what, const char *program)
{
    int is_first = 1;
    struct pollfd stream = {2, POLLOUT, 0};
    char line[512], *to = line, *end = line + sizeof line;

    if (ccprof_attach_iterate)
        ccprof_attach_iterate(ccprof_attach_find, &is_first);
    if (!is_first || !ccprof_attach_write)
        return;
    /* Writing to a pipe that nobody reads would end the program. */
    if (ccprof_attach_poll &&
        (ccprof_attach_poll(&stream, 1, 0) != 1 || stream.revents != POLLOUT))
        return;
    to = ccprof_attach_append(to, end, what);
    to = ccprof_attach_append(to, end - sizeof ccprof_attach_unprofiled, program);
    to = ccprof_attach_append(to, end, ccprof_attach_unprofiled);
    (void)!ccprof_attach_write(2, line, (size_t)(to - line));
}

/* Returns a value that the kernel passed to the program, or 0 if the kernel passed no
   such value. Without getauxval, reads the auxiliary vector, which follows the
   environment if the environment has not been moved. */
CODE static unsigned long ccprof_attach_aux(unsigned long type, int argc, char **argv,
                                            char **envp)
{
    if (ccprof_attach_getauxval)
        return ccprof_attach_getauxval(type);
    if (envp != argv + argc + 1)
        return 0;
    while (*envp)
        envp++;
    for (const ElfW(auxv_t) *a = (const void *)(envp + 1); a->a_type != AT_NULL; a++)
        if (a->a_type == type)
            return a->a_un.a_val;
    return 0;
}

/* Returns whether the program is dynamically linked. A statically linked program may
   have dlopen, but the second libc that dlopen would load does not work there. */
CODE static int ccprof_attach_is_dynamic(const ElfW(Phdr) * segment, size_t count)
{
    for (size_t i = 0; segment && i < count; i++)
        if (segment[i].p_type == PT_INTERP)
            return 1;
    return 0;
}

/* A callback of dl_iterate_phdr: stores the name of a runtime that is already in the
   process in *NAME. Passing the soname to dlopen would search all folders if there is
   no runtime. */
CODE static int ccprof_attach_is_runtime(struct dl_phdr_info *info, size_t size,
                                         void *name)
{
    const char *path = info->dlpi_name, *file = path, *want = ccprof_attach_soname;

    (void)size;
    for (; path && *path; path++)
        if (*path == '/')
            file = path + 1;
    while (file && *file && *file == *want) {
        file++;
        want++;
    }
    if (!file || *file || *want)
        return 0;
    *(const char **)name = info->dlpi_name;
    return 1;
}

/* Returns the entry function of the runtime, or null. The runtime is the one already
   in the process, otherwise the one that the plugin named, otherwise the one that the
   loader finds. dlopen is found by dlsym, since linkers warn of references to dlopen
   in statically linked programs, but not of references to dlsym. */
CODE static ccprof_attach_entry *ccprof_attach_load(void)
{
    const int mode = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
    const char *path = ccprof_attach_path, *loaded = 0;
    __typeof__(dlopen) *open;
    __typeof__(dlerror) *error;
    void *runtime = 0, *entry = 0;

    if (!ccprof_attach_dlsym)
        return 0;
    open = (__typeof__(dlopen) *)ccprof_attach_dlsym(RTLD_DEFAULT, ccprof_attach_open);
    error = (__typeof__(dlerror) *)ccprof_attach_dlsym(RTLD_DEFAULT, ccprof_attach_error);
    if (!open || !error)
        return 0;
    /* Hides the string from the compiler, since the plugin replaces it later. */
    __asm__("" : "+r"(path));
    if (ccprof_attach_iterate)
        ccprof_attach_iterate(ccprof_attach_is_runtime, &loaded);
    if (loaded)
        runtime = open(loaded, mode | RTLD_NOLOAD);
    if (!runtime && *path)
        runtime = open(path, mode);
    if (!runtime)
        runtime = open(ccprof_attach_soname, mode);
    if (runtime)
        entry = ccprof_attach_dlsym(runtime, ccprof_attach_symbol);
    /* Clears the loader's error, so that the program does not see it. */
    error();
    return (ccprof_attach_entry *)entry;
}

CODE static void ccprof_attach_start(int argc, char **argv, char **envp)
{
    ccprof_attach_entry *entry = ccprof_attach_runtime;
    const char *why = ccprof_attach_static;
    const char *settings = ccprof_attach_settings();

    /* If this item is missing, the auxiliary vector cannot be read, and the process
       may be set-uid. */
    const char *program = (const char *)ccprof_attach_aux(AT_EXECFN, argc, argv, envp);
    if (!program || ccprof_attach_aux(AT_SECURE, argc, argv, envp) ||
        ccprof_attach_is_off(settings))
        return;
    if (!entry && ccprof_attach_is_dynamic(
                      (const void *)ccprof_attach_aux(AT_PHDR, argc, argv, envp),
                      ccprof_attach_aux(AT_PHNUM, argc, argv, envp))) {
        entry = ccprof_attach_load();
        why = ccprof_attach_missing;
    }
    if (entry)
        entry(&ccprof_attach_own.attach, &ccprof_attach_api);
    else if (settings)
        ccprof_attach_complain(why, program);
}

CODE __attribute__((weak, visibility("hidden"))) void ccprof_attach(int argc, char **argv,
                                                                    char **envp);

void ccprof_attach(int argc, char **argv, char **envp)
{
    int *error = ccprof_attach_errno ? ccprof_attach_errno() : 0;
    int saved = error ? *error : 0;
    ccprof_attach_start(argc, argv, envp);
    if (error)
        *error = saved;
}

/* Called by code of the plugin before an indirect call whose targets are counted. */
CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_target(const void *site, const void *target);

void ccprof_attach_target(const void *site, const void *target)
{
    const struct ccprof_api *api = ccprof_attach_api;
    if (api && api->size > offsetof(struct ccprof_api, target))
        api->target(site, target);
}

/* Called by code of the plugin before an indirect call if TARGET is not the target in
   WORD, which identifies the call site. If the runtime has no function for first
   targets, the call is counted with the usual function. */
CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_first(void *word, const void *target);

void ccprof_attach_first(void *word, const void *target)
{
    const struct ccprof_api *api = ccprof_attach_api;
    if (api && api->size > offsetof(struct ccprof_api, first))
        api->first(word, target);
    else
        ccprof_attach_target(word, target);
}

/* Called by code of the plugin in a function with a stopwatch: at the start (enter),
   at a return (end), and where an exception, for example, arrives (left). The return
   address of enter identifies the copy of the function. ENTERED is 0 if this call is
   not measured. The region may be closed already, if the runtime has noticed how the
   call was left. */
CODE __attribute__((weak, visibility("hidden"))) unsigned long
ccprof_attach_region_enter(struct ccprof_region *function);
CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_region_end(struct ccprof_region *function);
CODE __attribute__((weak, visibility("hidden"))) void
ccprof_attach_region_left(struct ccprof_region *function, unsigned long entered);

unsigned long ccprof_attach_region_enter(struct ccprof_region *function)
{
    const struct ccprof_api *api = ccprof_attach_api;
    if (api && api->size > offsetof(struct ccprof_api, region_enter))
        return api->region_enter(function, (const char *)__builtin_return_address(0) - 1);
    return 0;
}

void ccprof_attach_region_end(struct ccprof_region *function)
{
    const struct ccprof_api *api = ccprof_attach_api;
    if (api && api->size > offsetof(struct ccprof_api, region_enter))
        api->region_end(function);
}

void ccprof_attach_region_left(struct ccprof_region *function, unsigned long entered)
{
    const struct ccprof_api *api = ccprof_attach_api;
    if (entered && api && api->size > offsetof(struct ccprof_api, region_left))
        api->region_left(function, entered);
}

/* Runs before every constructor to which a program can give a priority. */
static void (*const ccprof_attach_pointer)(int, char **, char **)
    SECTION(".init_array.00100") = ccprof_attach;

/* SPDX-License-Identifier: MIT */
/* Lets the program's calls of libc functions reach the runtime in libccprof.so.1.
   Changes the slots of the global offset tables through which modules call libc, since
   the runtime is loaded too late to precede libc in the symbol search. Owns the state
   of the walk over the modules. The slots stay changed: the runtime is never unloaded.
   The constructor calls ccprof_hooks_set. The slots of modules that dlopen loads are
   changed when dlopen returns. The replacement of _exit runs wherever the program
   calls _exit, also in signal handlers and children of vfork. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>

#include "rt/os/libc.h"
#include "rt/os/lock.h"
#include "rt/os/sys.h"
#include "rt/unwind/cpu.h"
#include "rt/count/counts.h"
#include "rt/heap/heap.h"
#include "rt/heap/allocator.h"
#include "rt/heap/reach.h"
#include "rt/process/exit.h"
#include "rt/process/run.h"
#include "rt/process/sigprof.h"
#include "rt/entry/thread-create.h"
#include "rt/entry/hooks.h"
#include "rt/entry/hooks-module.h"
#include "rt/entry/wait-calls.h"
#include "rt/entry/wait-openmp.h"

/* glibc has _dl_find_object since version 2.35. It takes no lock. */
#pragma weak _dl_find_object

static void __attribute__((noreturn)) hooks_exit(int status)
{
    ccprof_end_run(false);
    _exit(status);
}

/* Nanoseconds for which a thread that has loaded a module waits while another thread
   changes slots. */
#define HOOKS_PATIENCE 1000000000u

/* Modules may have been loaded whose slots are not changed yet. */
static _Atomic bool has_new_modules;

static void hooks_load(void)
{
    const int saved = errno;

    atomic_store(&has_new_modules, true);
    while (!ccprof_strict && atomic_load(&has_new_modules) &&
           ccprof_spin_wait(&ccprof_run.attaching, HOOKS_PATIENCE)) {
        atomic_store(&has_new_modules, false);
        ccprof_hooks_set();
        ccprof_spin_release(&ccprof_run.attaching);
    }
    errno = saved;
}

static void hooks_load_late(void)
{
    if (atomic_load_explicit(&has_new_modules, memory_order_relaxed))
        hooks_load();
}

/* A module other than the program has DT_RPATH. The loader searches the DT_RPATH of
   the module that has called dlopen, and of the modules that loaded that module, for
   all libraries that a new module needs. */
static bool has_rpaths;

/* Returns whether the module of this address has DT_RUNPATH, or excludes the default
   folders, or is not known. */
static bool hooks_has_search_path(const void *address)
{
    struct dl_find_object found;

    if (!_dl_find_object || _dl_find_object((void *)(uintptr_t)address, &found) != 0)
        return true;
    const ElfW(Dyn) *entry = found.dlfo_link_map->l_ld;
    while (entry->d_tag != DT_NULL && entry->d_tag != DT_RUNPATH &&
           !(entry->d_tag == DT_FLAGS_1 && (entry->d_un.d_val & DF_1_NODEFLIB)))
        entry++;
    return entry->d_tag != DT_NULL;
}

/* Returns whether dlopen, called from the address CALLER, might find another file than
   dlopen called by the runtime. */
static bool hooks_depends_on_caller(const char *file, const void *caller)
{
    return file && (has_rpaths || strchr(file, '$') ||
                    (!strchr(file, '/') && (hooks_has_search_path(caller) ||
                                            hooks_has_search_path(hooks_load))));
}

/* The loader uses the search path of the module that contains the return address of
   dlopen. If this matters, the replacement must jump to dlopen as its last action.
   Slots are then changed at the next call of a function for modules, usually dlsym. */
static void *hooks_dlopen(const char *file, int mode)
{
    ccprof_heap_forget_modules();
    if (hooks_depends_on_caller(file, __builtin_return_address(0))) {
        atomic_store(&has_new_modules, true);
        return dlopen(file, mode);
    }
    void *object = dlopen(file, mode);
    if (object)
        hooks_load();
    return object;
}

static void *hooks_dlmopen(Lmid_t space, const char *file, int mode)
{
    ccprof_heap_forget_modules();
    atomic_store(&has_new_modules, true);
    return dlmopen(space, file, mode);
}

/* The result of RTLD_NEXT depends on the caller, so these must jump, too. The second
   one is for modules whose calls of allocators reach the runtime. */
static void *hooks_dlsym(void *handle, const char *name)
{
    hooks_load_late();
    return dlsym(handle, name);
}

static void *hooks_dlsym_of_heap(void *handle, const char *name)
{
    hooks_load_late();
    return ccprof_hooks_allocators_dlsym(handle, name);
}

/* Records the program's modules before and after one of them is unloaded (modules.h). */
static int hooks_dlclose(void *object)
{
    int result;

    ccprof_run_attach();
    result = dlclose(object);
    ccprof_heap_forget_modules();
    hooks_load();
    ccprof_run_attach();
    return result;
}

int __poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t size);

/* Defines the replacement of a function that waits without a mask. */
#define HOOKS_WAIT(name, parameters, arguments)                                          \
    static int hooks_##name parameters                                                   \
    {                                                                                    \
        ccprof_hooks_before_wait();                                                      \
        return name arguments;                                                           \
    }
HOOKS_WAIT(poll, (struct pollfd * a, nfds_t b, int c), (a, b, c))
HOOKS_WAIT(__poll_chk, (struct pollfd * a, nfds_t b, int c, size_t d), (a, b, c, d))
HOOKS_WAIT(select, (int a, fd_set *b, fd_set *c, fd_set *d, struct timeval *e),
           (a, b, c, d, e))
HOOKS_WAIT(epoll_wait, (int a, struct epoll_event *b, int c, int d), (a, b, c, d))

static int hooks_siginterrupt(int number, int interrupts)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    const int result = siginterrupt(number, interrupts);
#pragma GCC diagnostic pop

    if (number == SIGPROF)
        ccprof_handler_restart_calls();
    return result;
}

/* In a function that returns the replacement of the function NAME, or null. Code needs no
   relocations, which would cost each process a page (unlike a table of pointers). */
#define HOOK(function, replacement)                                                      \
    if (strcmp(name, function) == 0)                                                     \
        return (ccprof_hooks_function)(replacement);

static ccprof_hooks_function hooks_usual(const char *name)
{
    HOOK("dlopen", hooks_dlopen)
    HOOK("dlmopen", hooks_dlmopen)
    HOOK("dlclose", hooks_dlclose)
    HOOK("dlsym", hooks_dlsym)
    HOOK("_exit", hooks_exit)
    HOOK("_Exit", hooks_exit)
    HOOK("execve", ccprof_hooks_execve)
    HOOK("execv", ccprof_hooks_execv)
    HOOK("execvp", ccprof_hooks_execvp)
    HOOK("execvpe", ccprof_hooks_execvpe)
    HOOK("fexecve", ccprof_hooks_fexecve)
    HOOK("execveat", ccprof_hooks_execveat)
    HOOK("execl", ccprof_hooks_execl)
    HOOK("execlp", ccprof_hooks_execlp)
    HOOK("execle", ccprof_hooks_execle)
    HOOK("_setjmp", ccprof_jump__setjmp)
    HOOK("setjmp", ccprof_jump_setjmp)
    HOOK("__sigsetjmp", ccprof_jump_sigsetjmp)
    HOOK("longjmp", ccprof_hooks_longjmp)
    HOOK("_longjmp", ccprof_hooks_longjmp)
    HOOK("siglongjmp", ccprof_hooks_longjmp)
    HOOK("__longjmp_chk", ccprof_hooks_longjmp_checked)
    HOOK("pthread_create", ccprof_thread_create)
    HOOK("thrd_create", ccprof_thread_create_c11)
    HOOK("sigaction", ccprof_hooks_sigaction)
    HOOK("signal", ccprof_hooks_signal)
    HOOK("bsd_signal", ccprof_hooks_signal)
    HOOK("sysv_signal", ccprof_hooks_sysv_signal)
    HOOK("__sysv_signal", ccprof_hooks_sysv_signal)
    HOOK("sigwait", ccprof_hooks_sigwait)
    HOOK("sigwaitinfo", ccprof_hooks_sigwaitinfo)
    HOOK("sigtimedwait", ccprof_hooks_sigtimedwait)
    HOOK("sigpending", ccprof_hooks_sigpending)
    HOOK("ssignal", ccprof_hooks_signal)
    HOOK("sigset", ccprof_hooks_sigset)
    HOOK("sigignore", ccprof_hooks_sigignore)
    HOOK("siginterrupt", hooks_siginterrupt)
    HOOK("signalfd", ccprof_hooks_signalfd)
    HOOK("sigsuspend", ccprof_hooks_sigsuspend)
    HOOK("__xpg_sigpause", ccprof_hooks_sigpause)
    HOOK("ppoll", ccprof_hooks_ppoll)
    HOOK("__ppoll_chk", ccprof_hooks_ppoll_checked)
    HOOK("pselect", ccprof_hooks_pselect)
    HOOK("epoll_pwait", ccprof_hooks_epoll_pwait)
    HOOK("epoll_pwait2", ccprof_hooks_epoll_pwait2)
    HOOK("poll", hooks_poll)
    HOOK("__poll_chk", hooks___poll_chk)
    HOOK("select", hooks_select)
    HOOK("epoll_wait", hooks_epoll_wait)
    HOOK("prctl", ccprof_strict_prctl)
    HOOK("syscall", ccprof_strict_syscall)
    return NULL;
}

/* Used only if the program has counters, since it adds a frame to the stack. */
static int hooks_swapcontext(ucontext_t *previous, const ucontext_t *resumed)
{
    return ccprof_counts_park(ccprof_libc.swapcontext, previous, resumed);
}

static ccprof_hooks_function hooks_counting(const char *name)
{
    HOOK("swapcontext", hooks_swapcontext)
    return NULL;
}

/* Used instead of the functions above in modules whose calls of allocators reach the
   runtime. */
static ccprof_hooks_function hooks_lookups(const char *name)
{
    HOOK("dlsym", hooks_dlsym_of_heap)
    HOOK("dlvsym", ccprof_hooks_allocators_dlvsym)
    return NULL;
}

/* Used only if mappings are counted, and only in modules compiled with ccprof. */
static ccprof_hooks_function hooks_mappers(const char *name)
{
    HOOK("mmap", ccprof_heap_mmap_mmap)
    HOOK("mmap64", ccprof_heap_mmap_mmap)
    HOOK("munmap", ccprof_heap_mmap_munmap)
    HOOK("mremap", ccprof_heap_mmap_mremap)
    return NULL;
}

static bool hooks_has_pool(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, "libgomp.so", strlen("libgomp.so")) == 0;
}

static ccprof_hooks_function hooks_choose(const struct ccprof_hooks_module *module,
                                          const ElfW(Sym) * symbol)
{
    const char *name = module->strings + symbol->st_name;
    ccprof_hooks_function function = NULL;

    if (symbol->st_shndx == SHN_UNDEF && module->allocates)
        function = hooks_lookups(name);
    if (!function && symbol->st_shndx == SHN_UNDEF && ccprof_wait_is_on())
        function = ccprof_wait_calls_find(name);
    if (!function && symbol->st_shndx == SHN_UNDEF)
        function = hooks_usual(name);
    if (!function && module->allocates)
        function = ccprof_hooks_allocators_find(name);
    if (!function && ccprof_counts_any())
        function = hooks_counting(name);
    if (!function && module->maps)
        function = hooks_mappers(name);
    if (module->has_pool && function == (ccprof_hooks_function)ccprof_thread_create)
        return (ccprof_hooks_function)ccprof_thread_create_worker;
    return function;
}

static void hooks_relocations(const struct ccprof_hooks_module *module,
                              const ElfW(Rela) * relocation, size_t size)
{
    for (size_t n = size / sizeof *relocation; n > 0; n--, relocation++) {
        if (!ccprof_cpu_is_slot(ELF64_R_TYPE(relocation->r_info), relocation->r_addend))
            continue;
        ccprof_hooks_function function =
            hooks_choose(module, &module->symbols[ELF64_R_SYM(relocation->r_info)]);
        if (function)
            ccprof_hooks_module_store(
                module, (ccprof_hooks_function *)(module->bias + relocation->r_offset),
                function);
    }
}

/* Returns whether the module is compiled with ccprof: its stub calls ccprof_rt_attach. */
static bool hooks_is_profiled(const struct ccprof_hooks_module *module,
                              const ElfW(Rela) * relocation, size_t size)
{
    for (size_t n = size / sizeof *relocation; n > 0; n--, relocation++) {
        const ElfW(Sym) *symbol = &module->symbols[ELF64_R_SYM(relocation->r_info)];
        if (strcmp(module->strings + symbol->st_name, "ccprof_rt_attach") == 0)
            return true;
    }
    return false;
}

/* Changes the slots of one module. */
static void hooks_change(const struct dl_phdr_info *info,
                         struct ccprof_hooks_module *module)
{
    module->has_pool = hooks_has_pool(info->dlpi_name);
    module->allocates = ccprof_heap_is_prepared() &&
                        !ccprof_hooks_module_holds(info, ccprof_heap_operators_home());
    if (module->allocates &&
        !ccprof_hooks_module_holds(info, (const void *)gnu_get_libc_version) &&
        info->dlpi_name[0] != '\0')
        module->allocates = !ccprof_hooks_allocators_has_other(module);
    module->maps = ccprof_heap_mmap_is_on() &&
                   hooks_is_profiled(module, module->others, module->others_size);
    hooks_relocations(module, module->slots, module->slots_size);
    hooks_relocations(module, module->others, module->others_size);
}

/* A walk over the modules, which the loader lists in the order of loading. ADDS and
   SUBS are the loader's numbers of modules loaded and unloaded. COUNT is the number
   of modules in the list. KINDS: what the replacements depend on. */
struct hooks_walk {
    unsigned long long adds, subs;
    size_t count;
    unsigned kinds;
    bool is_complete;
};

/* The last walk. Protected by ccprof_run.attaching. */
static struct hooks_walk last_walk;

static unsigned hooks_kinds(void)
{
    return 1u | (unsigned)ccprof_counts_any() << 1 |
           (unsigned)ccprof_heap_is_prepared() << 2 | (unsigned)ccprof_wait_is_on() << 3;
}

/* Returns whether the last walk has changed the slots of this module. If modules were
   loaded and others unloaded since then, visits all modules again. */
static bool hooks_is_changed(const struct hooks_walk *walk)
{
    const bool is_same = last_walk.is_complete && last_walk.kinds == walk->kinds;

    return is_same && (walk->adds == last_walk.adds ||
                       (walk->subs == last_walk.subs && walk->count <= last_walk.count));
}

/* Leaves out modules that another thread is still relocating: the loader writes to
   pages that hooks_change would make read-only. Such modules are not yet known to
   _dl_find_object. The runtime's own calls must reach libc. */
static int hooks_visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct hooks_walk *walk = context;
    struct ccprof_hooks_module module;
    struct dl_find_object found;

    (void)size;
    walk->adds = info->dlpi_adds;
    walk->subs = info->dlpi_subs;
    walk->count++;
    if (hooks_is_changed(walk))
        return 0;
    ccprof_hooks_module_read(&module, info);
    has_rpaths = has_rpaths || (module.has_rpath && info->dlpi_name[0] != '\0');
    if (ccprof_hooks_module_holds(info, &last_walk) || !module.symbols || !module.strings)
        return 0;
    if (_dl_find_object && _dl_find_object((void *)module.symbols, &found) != 0)
        walk->is_complete = false;
    else
        hooks_change(info, &module);
    return 0;
}

/* The program headers of the modules at the last call of ccprof_hooks_remember. More than
   these are left for the next walk. */
static const ElfW(Phdr) * remembered[128];
static size_t remembered_count;

static int hooks_remember(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    if (remembered_count == sizeof remembered / sizeof *remembered)
        return 1;
    remembered[remembered_count++] = info->dlpi_phdr;
    return 0;
}

void ccprof_hooks_remember(void)
{
    remembered_count = 0;
    dl_iterate_phdr(hooks_remember, NULL);
}

/* Returns whether the module that is loaded at SEGMENTS now has its program headers
   there. If so, sets *INFO. It may be another one than the remembered module. */
static bool hooks_find(struct dl_phdr_info *info, const ElfW(Phdr) * segments)
{
    struct dl_find_object found;

    if (_dl_find_object((void *)segments, &found) != 0)
        return false;
    const ElfW(Ehdr) *head = found.dlfo_map_start;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        (const char *)head + head->e_phoff != (const char *)segments)
        return false;
    *info = (struct dl_phdr_info){.dlpi_addr = found.dlfo_link_map->l_addr,
                                  .dlpi_name = found.dlfo_link_map->l_name,
                                  .dlpi_phdr = segments,
                                  .dlpi_phnum = head->e_phnum};
    return true;
}

/* Modules of the program's start are never unloaded. One that dlopen had loaded may be
   unloaded since; glibc 2.34 cannot tell. */
void ccprof_hooks_set_remembered(void)
{
    struct hooks_walk walk = {.kinds = hooks_kinds()};
    struct dl_phdr_info info;

    for (size_t i = 0; _dl_find_object && i < remembered_count; i++)
        if (hooks_find(&info, remembered[i]))
            hooks_visit(&info, sizeof info, &walk);
    atomic_store(&has_new_modules, true);
}

void ccprof_hooks_set(void)
{
    struct hooks_walk walk = {.kinds = hooks_kinds(), .is_complete = true};

    dl_iterate_phdr(hooks_visit, &walk);
    last_walk = walk;
}

const char *ccprof_hooks_start_heap(uint64_t size, uint64_t least)
{
    static const struct {
        const char *function, *why;
    } others[] = {{"__asan_init", "AddressSanitizer keeps blocks by itself"},
                  {"__tsan_init", "ThreadSanitizer keeps blocks by itself"},
                  {"__lsan_init", "LeakSanitizer keeps blocks by itself"}};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (dlsym(RTLD_DEFAULT, others[i].function))
            return others[i].why;
    if (!ccprof_hooks_allocators_start())
        return "the program has its own allocator, whose calls are not seen";
    if (least && !ccprof_heap_mmap_start(least > 8 * size ? least : 8 * size))
        return "there is no memory";
    uint64_t (*in_use)(void) = ccprof_hooks_allocators_in_use();
    if (in_use && size == 0)
        ccprof_heap_roots_start(ccprof_hooks_allocators_first());
    return ccprof_heap_start(size, least ? NULL : in_use) ? NULL : "there is no memory";
}

bool ccprof_hooks_start_wait(void)
{
    ccprof_wait_openmp_start();
    return true;
}

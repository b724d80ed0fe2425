/* SPDX-License-Identifier: MIT */
/* Lets the program's calls of libc functions reach the runtime in libccprof.so.1.
   Changes the slots of the global offset tables through which modules call libc, since
   the runtime is loaded too late to precede libc in the symbol search.  Owns nothing.
   The slots stay changed: the runtime is never unloaded.  The constructor calls
   ccprof_hooks_set.  The replacement of _exit runs wherever the program calls _exit,
   also in signal handlers and children of vfork.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>

#include "rt/os/libc.h"
#include "rt/os/sys.h"
#include "rt/unwind/cpu.h"
#include "rt/count/counts.h"
#include "rt/heap/heap.h"
#include "rt/heap/allocator.h"
#include "rt/heap/reach.h"
#include "rt/process/thread-create.h"
#include "rt/process/exit.h"
#include "rt/process/hooks.h"
#include "rt/process/hooks-module.h"
#include "rt/process/run.h"

static void __attribute__((noreturn)) hooks_exit(int status)
{
    ccprof_end_run(false);
    _exit(status);
}

/* dlopen depends on its caller's address, so this function must jump to dlopen as its
   last action.  It cannot process the new modules itself; hooks_loaded does so when
   the thread next allocates memory.  */
static void *hooks_dlopen(const char *file, int mode)
{
    ccprof_heap_load();
    return dlopen(file, mode);
}

/* Records the program's modules before and after one of them is unloaded (modules.h).  */
static int hooks_dlclose(void *object)
{
    int result;

    ccprof_run_attach();
    result = dlclose(object);
    ccprof_heap_unloaded();
    ccprof_run_attach();
    return result;
}

struct hook {
    const char *name;
    ccprof_hooks_function function;
};

static const struct hook hooks[] = {
    {"dlclose", (ccprof_hooks_function)hooks_dlclose},
    {"_exit", (ccprof_hooks_function)hooks_exit},
    {"_Exit", (ccprof_hooks_function)hooks_exit},
    {"execve", (ccprof_hooks_function)ccprof_hooks_execve},
    {"execv", (ccprof_hooks_function)ccprof_hooks_execv},
    {"execvp", (ccprof_hooks_function)ccprof_hooks_execvp},
    {"execvpe", (ccprof_hooks_function)ccprof_hooks_execvpe},
    {"fexecve", (ccprof_hooks_function)ccprof_hooks_fexecve},
    {"execveat", (ccprof_hooks_function)ccprof_hooks_execveat},
    {"execl", (ccprof_hooks_function)ccprof_hooks_execl},
    {"execlp", (ccprof_hooks_function)ccprof_hooks_execlp},
    {"execle", (ccprof_hooks_function)ccprof_hooks_execle},
    {"_setjmp", (ccprof_hooks_function)ccprof_jump__setjmp},
    {"setjmp", (ccprof_hooks_function)ccprof_jump_setjmp},
    {"__sigsetjmp", (ccprof_hooks_function)ccprof_jump_sigsetjmp},
    {"longjmp", (ccprof_hooks_function)ccprof_hooks_longjmp},
    {"_longjmp", (ccprof_hooks_function)ccprof_hooks_longjmp},
    {"siglongjmp", (ccprof_hooks_function)ccprof_hooks_longjmp},
    {"__longjmp_chk", (ccprof_hooks_function)ccprof_hooks_longjmp_checked},
    {"pthread_create", (ccprof_hooks_function)ccprof_thread_create},
    {"thrd_create", (ccprof_hooks_function)ccprof_thread_create_c11},
    {"sigaction", (ccprof_hooks_function)ccprof_hooks_sigaction},
    {"signal", (ccprof_hooks_function)ccprof_hooks_signal},
    {"bsd_signal", (ccprof_hooks_function)ccprof_hooks_signal},
    {"sysv_signal", (ccprof_hooks_function)ccprof_hooks_sysv_signal},
    {"__sysv_signal", (ccprof_hooks_function)ccprof_hooks_sysv_signal},
    {"sigwait", (ccprof_hooks_function)ccprof_hooks_sigwait},
    {"sigwaitinfo", (ccprof_hooks_function)ccprof_hooks_sigwaitinfo},
    {"sigtimedwait", (ccprof_hooks_function)ccprof_hooks_sigtimedwait},
    {"sigpending", (ccprof_hooks_function)ccprof_hooks_sigpending},
    {"prctl", (ccprof_hooks_function)ccprof_strict_prctl},
    {"syscall", (ccprof_hooks_function)ccprof_strict_syscall}};

/* Used only if the program has counters, since it adds a frame to the stack.  */
static int hooks_swapcontext(ucontext_t *out, const ucontext_t *in)
{
    return ccprof_counts_park(ccprof_libc.swapcontext, out, in);
}

static const struct hook counters[] = {
    {"swapcontext", (ccprof_hooks_function)hooks_swapcontext}};

/* Used only if the heap is measured.  */
static const struct hook loaders[] = {{"dlopen", (ccprof_hooks_function)hooks_dlopen}};

/* Used only if mappings are counted, and only in modules compiled with ccprof.  */
static const struct hook mappers[] = {
    {"mmap", (ccprof_hooks_function)ccprof_heap_mmap_mmap},
    {"mmap64", (ccprof_hooks_function)ccprof_heap_mmap_mmap},
    {"munmap", (ccprof_hooks_function)ccprof_heap_mmap_munmap},
    {"mremap", (ccprof_hooks_function)ccprof_heap_mmap_mremap}};

static bool hooks_has_pool(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, "libgomp.so", strlen("libgomp.so")) == 0;
}

/* Returns the replacement of the function NAME, or null.  */
static ccprof_hooks_function hooks_find(const struct hook *list, size_t count,
                                        const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i].name) == 0)
            return list[i].function;
    return NULL;
}

static ccprof_hooks_function hooks_choose(const struct ccprof_hooks_module *module,
                                          const ElfW(Sym) * symbol)
{
    const char *name = module->strings + symbol->st_name;
    ccprof_hooks_function function = NULL;

    if (symbol->st_shndx == SHN_UNDEF)
        function = hooks_find(hooks, sizeof hooks / sizeof *hooks, name);
    if (!function && module->allocates) {
        function = ccprof_hooks_allocators_find(name, symbol->st_shndx != SHN_UNDEF);
    }
    if (!function && ccprof_counts_any())
        function = hooks_find(counters, sizeof counters / sizeof *counters, name);
    if (!function && ccprof_heap_is_on())
        function = hooks_find(loaders, sizeof loaders / sizeof *loaders, name);
    if (!function && module->maps)
        function = hooks_find(mappers, sizeof mappers / sizeof *mappers, name);
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

/* Changes the slots of one module.  Skips the runtime, whose own calls must reach
   libc.  */
static int hooks_visit(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct ccprof_hooks_module module;

    (void)size;
    (void)unused;
    if (ccprof_hooks_module_holds(info, hooks))
        return 0;
    ccprof_hooks_module_read(&module, info);
    module.has_pool = hooks_has_pool(info->dlpi_name);
    module.allocates = ccprof_heap_is_on() &&
                       !ccprof_hooks_module_holds(info, ccprof_heap_operators_home());
    if (module.symbols && module.strings) {
        if (module.allocates &&
            !ccprof_hooks_module_holds(info, (const void *)gnu_get_libc_version) &&
            info->dlpi_name[0] != '\0')
            module.allocates = !ccprof_hooks_allocators_has_other(&module);
        module.maps = ccprof_heap_mmap_is_on() &&
                      hooks_is_profiled(&module, module.others, module.others_size);
        hooks_relocations(&module, module.slots, module.slots_size);
        hooks_relocations(&module, module.others, module.others_size);
    }
    return 0;
}

void ccprof_hooks_set(void)
{
    dl_iterate_phdr(hooks_visit, NULL);
}

/* Changes the slots of modules that dlopen has loaded.  Returns false if another
   thread is attaching a module; then it must be called again.  */
static bool hooks_loaded(void)
{
    if (!ccprof_spin_try_once(&ccprof_run.attaching))
        return false;
    ccprof_hooks_set();
    ccprof_spin_release(&ccprof_run.attaching);
    return true;
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
    return ccprof_heap_start(hooks_loaded, size, least ? NULL : in_use)
               ? NULL
               : "there is no memory";
}

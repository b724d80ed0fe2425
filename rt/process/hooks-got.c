/* SPDX-License-Identifier: MIT */
/* Changes the slots of the global offset tables through which modules call libc's
   functions, since the runtime is loaded too late to precede libc in the search for
   symbols.  Owns nothing.  The slots stay changed: the runtime is never unloaded.  The
   constructor calls ccprof_hooks_set.  The replacement of _exit is called wherever the
   program calls _exit, signal handlers and children of vfork included.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "rt/os/sys.h"
#include "rt/unwind/cpu.h"
#include "rt/heap/heap.h"
#include "rt/heap/heap-calls.h"
#include "rt/heap/heap-mmap.h"
#include "rt/heap/heap-operators.h"
#include "rt/process/thread-create.h"
#include "rt/process/end.h"
#include "rt/process/exec.h"
#include "rt/process/hooks.h"
#include "rt/process/jump.h"
#include "rt/process/run.h"
#include "rt/process/unload.h"
#include "rt/process/sigprof-calls.h"

static void __attribute__((noreturn)) hooks_exit(int status)
{
    ccprof_end_run(false);
    _exit(status);
}

/* dlopen looks where it is called from, so this must be a jump and no call: what it has
   loaded is looked for when the thread allocates again (hooks_loaded).  */
static void *hooks_dlopen(const char *file, int mode)
{
    ccprof_heap_load();
    return dlopen(file, mode);
}

/* The type of a slot's content.  */
typedef void (*hooks_function)(void);

struct hook {
    const char *name;
    hooks_function function;
};

static const struct hook hooks[] = {
    {"dlclose", (hooks_function)ccprof_unload_dlclose},
    {"_exit", (hooks_function)hooks_exit},
    {"_Exit", (hooks_function)hooks_exit},
    {"execve", (hooks_function)ccprof_exec_execve},
    {"execv", (hooks_function)ccprof_exec_execv},
    {"execvp", (hooks_function)ccprof_exec_execvp},
    {"execvpe", (hooks_function)ccprof_exec_execvpe},
    {"fexecve", (hooks_function)ccprof_exec_fexecve},
    {"execveat", (hooks_function)ccprof_exec_execveat},
    {"execl", (hooks_function)ccprof_exec_execl},
    {"execlp", (hooks_function)ccprof_exec_execlp},
    {"execle", (hooks_function)ccprof_exec_execle},
    {"_setjmp", (hooks_function)ccprof_jump__setjmp},
    {"setjmp", (hooks_function)ccprof_jump_setjmp},
    {"__sigsetjmp", (hooks_function)ccprof_jump_sigsetjmp},
    {"longjmp", (hooks_function)ccprof_jump_longjmp},
    {"_longjmp", (hooks_function)ccprof_jump_longjmp},
    {"siglongjmp", (hooks_function)ccprof_jump_longjmp},
    {"__longjmp_chk", (hooks_function)ccprof_jump_longjmp_checked},
    {"pthread_create", (hooks_function)ccprof_thread_create},
    {"thrd_create", (hooks_function)ccprof_thread_create_c11},
    {"sigaction", (hooks_function)ccprof_sigprof_calls_sigaction},
    {"signal", (hooks_function)ccprof_sigprof_calls_signal},
    {"bsd_signal", (hooks_function)ccprof_sigprof_calls_signal},
    {"sysv_signal", (hooks_function)ccprof_sigprof_calls_sysv_signal},
    {"__sysv_signal", (hooks_function)ccprof_sigprof_calls_sysv_signal},
    {"sigwait", (hooks_function)ccprof_sigprof_calls_sigwait},
    {"sigwaitinfo", (hooks_function)ccprof_sigprof_calls_sigwaitinfo},
    {"sigtimedwait", (hooks_function)ccprof_sigprof_calls_sigtimedwait},
    {"sigpending", (hooks_function)ccprof_sigprof_calls_sigpending}};

/* Only where the heap is measured.  The slots of libc and of whoever else defines these
   functions are changed, too: libc allocates for the program, and the operators new and
   delete call malloc and free.  */
static const struct hook allocators[] = {
    {"malloc", (hooks_function)ccprof_heap_calls_malloc},
    {"free", (hooks_function)ccprof_heap_calls_free},
    {"calloc", (hooks_function)ccprof_heap_calls_calloc},
    {"realloc", (hooks_function)ccprof_heap_calls_realloc},
    {"reallocarray", (hooks_function)ccprof_heap_calls_reallocarray},
    {"aligned_alloc", (hooks_function)ccprof_heap_calls_aligned_alloc},
    {"posix_memalign", (hooks_function)ccprof_heap_calls_posix_memalign},
    {"memalign", (hooks_function)ccprof_heap_calls_memalign},
    {"valloc", (hooks_function)ccprof_heap_calls_valloc},
    {"pvalloc", (hooks_function)ccprof_heap_calls_pvalloc},
    {"dlopen", (hooks_function)hooks_dlopen}};

/* Only where mappings are counted, in modules that are compiled with ccprof.  */
static const struct hook mappers[] = {
    {"mmap", (hooks_function)ccprof_heap_mmap_mmap},
    {"mmap64", (hooks_function)ccprof_heap_mmap_mmap},
    {"munmap", (hooks_function)ccprof_heap_mmap_munmap},
    {"mremap", (hooks_function)ccprof_heap_mmap_mremap}};

/* What must be known of a module, mostly from its dynamic section.  */
struct hooks_module {
    bool has_pool;  /* it is OpenMP's library, whose threads are reused */
    bool allocates; /* its calls of allocators are to come to the runtime */
    bool maps;      /* those of mmap are */
    ElfW(Addr) bias;
    const struct dl_phdr_info *info;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * slots, *others;
    size_t slots_size, others_size;
};

/* On some machines the loader has added the bias to the addresses in the dynamic section,
   on others not.  */
static const void *hooks_address(const struct hooks_module *module, ElfW(Addr) address)
{
    return (const void *)(address < module->bias ? address + module->bias : address);
}

static void hooks_dynamic(struct hooks_module *module, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        const void *address = hooks_address(module, entry->d_un.d_ptr);
        switch (entry->d_tag) {
        case DT_SYMTAB:
            module->symbols = address;
            break;
        case DT_STRTAB:
            module->strings = address;
            break;
        case DT_JMPREL:
            module->slots = address;
            break;
        case DT_PLTRELSZ:
            module->slots_size = entry->d_un.d_val;
            break;
        case DT_RELA:
            module->others = address;
            break;
        case DT_RELASZ:
            module->others_size = entry->d_un.d_val;
            break;
        }
    }
}

/* Returns whether the loader has made the slot's page read-only.  */
static bool hooks_is_protected(const struct hooks_module *module, uintptr_t page,
                               uintptr_t size)
{
    for (unsigned i = 0; i < module->info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &module->info->dlpi_phdr[i];
        uintptr_t from = module->bias + segment->p_vaddr;
        if (segment->p_type == PT_GNU_RELRO && page >= (from & -size) &&
            page < ((from + segment->p_memsz) & -size))
            return true;
    }
    return false;
}

/* Returns whether the loader has relocated the slot: before that, the slot holds an
   address as in the file, without the bias.  */
static bool hooks_is_relocated(const struct hooks_module *module, uintptr_t content)
{
    uintptr_t end = 0;
    for (unsigned i = 0; i < module->info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &module->info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_vaddr + segment->p_memsz > end)
            end = segment->p_vaddr + segment->p_memsz;
    }
    return module->bias == 0 || content >= end;
}

static void hooks_store(const struct hooks_module *module, hooks_function *slot,
                        hooks_function function)
{
    hooks_function content = __atomic_load_n(slot, __ATOMIC_RELAXED);
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)slot & -size;
    bool is_protected = hooks_is_protected(module, page, size);

    if (content == function || !hooks_is_relocated(module, (uintptr_t)content))
        return;
    if (is_protected && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(slot, function, __ATOMIC_RELAXED);
    if (is_protected)
        mprotect((void *)page, size, PROT_READ);
}

static bool hooks_has_pool(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, "libgomp.so", strlen("libgomp.so")) == 0;
}

/* Returns what takes the place of the function NAME, or null.  */
static hooks_function hooks_find(const struct hook *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i].name) == 0)
            return list[i].function;
    return NULL;
}

static hooks_function hooks_choose(const struct hooks_module *module,
                                   const ElfW(Sym) * symbol)
{
    const char *name = module->strings + symbol->st_name;
    hooks_function function = NULL;

    if (symbol->st_shndx == SHN_UNDEF)
        function = hooks_find(hooks, sizeof hooks / sizeof *hooks, name);
    if (!function && module->allocates) {
        function = hooks_find(allocators, sizeof allocators / sizeof *allocators, name);
        if (!function)
            function = ccprof_heap_operators_find(name);
    }
    if (!function && module->maps)
        function = hooks_find(mappers, sizeof mappers / sizeof *mappers, name);
    if (module->has_pool && function == (hooks_function)ccprof_thread_create)
        return (hooks_function)ccprof_thread_create_worker;
    return function;
}

static void hooks_relocations(const struct hooks_module *module,
                              const ElfW(Rela) * relocation, size_t size)
{
    for (size_t n = size / sizeof *relocation; n > 0; n--, relocation++) {
        if (!ccprof_cpu_is_slot(ELF64_R_TYPE(relocation->r_info)) ||
            relocation->r_addend != 0)
            continue;
        hooks_function function =
            hooks_choose(module, &module->symbols[ELF64_R_SYM(relocation->r_info)]);
        if (function)
            hooks_store(module, (hooks_function *)(module->bias + relocation->r_offset),
                        function);
    }
}

/* Returns whether the module is compiled with ccprof: the stub calls the runtime.  */
static bool hooks_is_profiled(const struct hooks_module *module,
                              const ElfW(Rela) * relocation, size_t size)
{
    for (size_t n = size / sizeof *relocation; n > 0; n--, relocation++) {
        const ElfW(Sym) *symbol = &module->symbols[ELF64_R_SYM(relocation->r_info)];
        if (strcmp(module->strings + symbol->st_name, "ccprof_rt_attach") == 0)
            return true;
    }
    return false;
}

static bool hooks_holds(const struct dl_phdr_info *info, const void *address)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (uintptr_t)address >= from &&
            (uintptr_t)address - from < segment->p_memsz)
            return true;
    }
    return false;
}

/* Leaves out the runtime, whose own calls are for libc.  */
static int hooks_visit(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct hooks_module module;

    (void)size;
    (void)unused;
    if (hooks_holds(info, hooks))
        return 0;
    memset(&module, 0, sizeof module);
    module.bias = info->dlpi_addr;
    module.info = info;
    module.has_pool = hooks_has_pool(info->dlpi_name);
    module.allocates =
        ccprof_heap_is_on() && !hooks_holds(info, ccprof_heap_operators_home());
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            hooks_dynamic(&module,
                          (const void *)(module.bias + info->dlpi_phdr[i].p_vaddr));
    if (module.symbols && module.strings) {
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

/* Changes the slots of modules that dlopen has loaded.  Returns false if another thread
   attaches one.  */
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
    ccprof_heap_operators_start();
    if (least && !ccprof_heap_mmap_start(least > 8 * size ? least : 8 * size))
        return "there is no memory";
    return ccprof_heap_start(hooks_loaded, size) ? NULL : "there is no memory";
}

/* SPDX-License-Identifier: MIT */
/* Reads modules, changes their slots, and finds the functions of allocators. Owns the
   list of these functions. hooks-got.c calls it in the constructor and in threads that
   have loaded modules. The replacements of dlsym and dlvsym run when the program
   calls these functions. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <gnu/libc-version.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rt/entry/hooks-module.h"
#include "rt/os/sys.h"
#include "rt/unwind/cpu.h"
#include "rt/heap/allocator.h"
#include "rt/heap/heap.h"

/* Fills LIBRARIES with those of libc, which was several libraries before glibc 2.34. The
   search for one that is not loaded takes half a millisecond. */
static void module_find_libc(void *libraries[3])
{
    void *libc = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);

    libraries[0] = libc;
    if (!libc || dlsym(libc, "pthread_create"))
        return;
    libraries[0] = dlopen(LIBPTHREAD_SO, RTLD_LAZY | RTLD_NOLOAD);
    libraries[1] = dlopen(LIBRT_SO, RTLD_LAZY | RTLD_NOLOAD);
    libraries[2] = libc;
}

/* Returns whether the function is a PLT entry: a program that is not position-independent
   and takes the address of another module's function has one. */
static bool module_is_plt(const void *function)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;

    return dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
           symbol->st_shndx == SHN_UNDEF;
}

void *ccprof_hooks_module_libc(const char *name, bool *is_own)
{
    static void *libraries[3];
    void *function = NULL;

    if (!libraries[0] && !libraries[2])
        module_find_libc(libraries);
    for (size_t i = 0; i < 3 && !function; i++)
        function = libraries[i] ? dlsym(libraries[i], name) : NULL;
    void *found = dlsym(RTLD_DEFAULT, name);
    *is_own = found != function && !module_is_plt(found);
    return function;
}

bool ccprof_hooks_module_holds(const struct dl_phdr_info *info, const void *address)
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

/* On some processors the loader has added the bias to the addresses in the dynamic
   section, on others it has not. */
static const void *module_address(const struct ccprof_hooks_module *module,
                                  ElfW(Addr) address)
{
    return (const void *)(address < module->bias ? address + module->bias : address);
}

static void module_dynamic(struct ccprof_hooks_module *module, const ElfW(Dyn) * entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        const void *address = module_address(module, entry->d_un.d_ptr);
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
        case DT_RPATH:
            module->has_rpath = true;
            break;
        }
    }
}

/* Returns whether the loader has made this page read-only (RELRO). */
static bool module_is_protected(const struct ccprof_hooks_module *module, uintptr_t page,
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

bool ccprof_hooks_module_is_relocated(const struct ccprof_hooks_module *module,
                                      uintptr_t content)
{
    uintptr_t end = 0;
    for (unsigned i = 0; i < module->info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &module->info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_vaddr + segment->p_memsz > end)
            end = segment->p_vaddr + segment->p_memsz;
    }
    return module->bias == 0 || content >= end;
}

void ccprof_hooks_module_store(const struct ccprof_hooks_module *module,
                               ccprof_hooks_function *slot,
                               ccprof_hooks_function function)
{
    ccprof_hooks_function content = __atomic_load_n(slot, __ATOMIC_RELAXED);
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)slot & -size;
    bool is_protected = module_is_protected(module, page, size);

    if (content == function ||
        !ccprof_hooks_module_is_relocated(module, (uintptr_t)content))
        return;
    if (is_protected && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0)
        return;
    __atomic_store_n(slot, function, __ATOMIC_RELAXED);
    if (is_protected)
        mprotect((void *)page, size, PROT_READ);
}

void ccprof_hooks_module_read(struct ccprof_hooks_module *module,
                              const struct dl_phdr_info *info)
{
    memset(module, 0, sizeof *module);
    module->bias = info->dlpi_addr;
    module->info = info;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            module_dynamic(module,
                           (const void *)(module->bias + info->dlpi_phdr[i].p_vaddr));
}

#define CALLS(name) (ccprof_hooks_function) ccprof_heap_allocator_##name

/* The functions of allocators and their replacements. Slots in libc and in other
   modules that define these functions are changed, too: libc allocates memory for the
   program, and the operators new and delete call malloc and free. The runtime does
   not change a slot that leads to an allocator the program does not use. */
static const struct {
    const char *name;
    ccprof_hooks_function function;
} allocators[] = {
    {"malloc", CALLS(malloc)},
    {"free", CALLS(free)},
    {"calloc", CALLS(calloc)},
    {"realloc", CALLS(realloc)},
    {"reallocarray", CALLS(reallocarray)},
    {"aligned_alloc", CALLS(aligned_alloc)},
    {"posix_memalign", CALLS(posix_memalign)},
    {"memalign", CALLS(memalign)},
    {"valloc", CALLS(valloc)},
    {"pvalloc", CALLS(pvalloc)},
    /* Other names of libc's functions. These names always refer to libc's allocator,
       even if a library has replaced the functions above. */
    {"__libc_malloc", CALLS(malloc)},
    {"__libc_free", CALLS(free)},
    {"__libc_calloc", CALLS(calloc)},
    {"__libc_realloc", CALLS(realloc)},
    {"__libc_memalign", CALLS(memalign)},
    {"__libc_valloc", CALLS(valloc)},
    {"__libc_pvalloc", CALLS(pvalloc)},
    {"cfree", CALLS(free)},
};

#define ALLOCATORS    (sizeof allocators / sizeof *allocators)
#define RUNTIME_CALLS 4  /* the first 4 functions, which the runtime itself calls */
#define OTHER_NAMES   10 /* index of the first of the other names */

/* The functions of the allocator that the program uses. FROM and TO are the bounds of
   the segment that contains FUNCTION, or 0 if it is not known. ENTRY is the address
   that dlsym returns: in a program that is not position-independent it may be a PLT
   entry that leads to FUNCTION. */
static struct {
    uintptr_t entry, function, from, to;
} in_use[ALLOCATORS];

static bool program_has_allocator;

static size_t allocators_number(const char *name)
{
    size_t i = 0;

    while (i < ALLOCATORS && strcmp(name, allocators[i].name) != 0)
        i++;
    return i;
}

/* Reads the functions from the runtime's own slots, which never lead to a PLT entry of
   the program. */
static int allocators_read_slots(struct dl_phdr_info *info, size_t size, void *unused)
{
    struct ccprof_hooks_module module;

    (void)size;
    (void)unused;
    if (!ccprof_hooks_module_holds(info, allocators))
        return 0;
    ccprof_hooks_module_read(&module, info);
    for (size_t k = 0; k < module.slots_size / sizeof *module.slots; k++) {
        const ElfW(Rela) *slot = &module.slots[k];
        const ElfW(Sym) *symbol = &module.symbols[ELF64_R_SYM(slot->r_info)];
        size_t i = allocators_number(module.strings + symbol->st_name);
        if (i != ALLOCATORS)
            in_use[i].function = *(const uintptr_t *)(module.bias + slot->r_offset);
    }
    return 1;
}

static int allocators_find_segments(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    /* An address in the program itself may be only a PLT entry for another module's
       function. Only the functions read from the runtime's slots are certain. */
    if (info->dlpi_name[0] == '\0') {
        for (size_t i = 0; i < RUNTIME_CALLS; i++)
            program_has_allocator =
                program_has_allocator ||
                ccprof_hooks_module_holds(info, (const void *)in_use[i].function);
        return 0;
    }
    for (size_t i = 0; i < ALLOCATORS; i++)
        for (unsigned k = 0; k < info->dlpi_phnum; k++) {
            const ElfW(Phdr) *segment = &info->dlpi_phdr[k];
            uintptr_t from = info->dlpi_addr + segment->p_vaddr;
            if (segment->p_type == PT_LOAD && in_use[i].function >= from &&
                in_use[i].function - from < segment->p_memsz) {
                in_use[i].from = from;
                in_use[i].to = from + segment->p_memsz;
            }
        }
    return 0;
}

bool ccprof_hooks_allocators_start(void)
{
    for (size_t i = 0; i < ALLOCATORS; i++)
        in_use[i].function = in_use[i].entry =
            (uintptr_t)dlsym(RTLD_DEFAULT, allocators[i].name);
    /* The first call of dlerror returns the error message of dlsym, and the second
       call frees this message. */
    dlerror();
    dlerror();
    dl_iterate_phdr(allocators_read_slots, NULL);
    dl_iterate_phdr(allocators_find_segments, NULL);
    ccprof_heap_operators_start();
    return !program_has_allocator;
}

static bool allocators_are_libcs(void)
{
    const uintptr_t libc = (uintptr_t)gnu_get_libc_version;

    return libc >= in_use[0].from && libc < in_use[0].to;
}

/* Returns whether the function NUMBER belongs to the allocator that the program uses. */
static bool allocators_is_used(size_t number)
{
    return number < OTHER_NAMES ||
           (in_use[number].to ? in_use[number].from == in_use[0].from
                              : allocators_are_libcs());
}

ccprof_hooks_function ccprof_hooks_allocators_find(const char *name)
{
    size_t i = allocators_number(name);

    if (i == ALLOCATORS)
        return ccprof_heap_operators_find(name);
    return allocators_is_used(i) ? allocators[i].function : NULL;
}

/* Returns whether a slot of the function NUMBER with this content leads to an
   allocator that the program does not use. */
static bool allocators_is_other(const struct ccprof_hooks_module *module, size_t number,
                                uintptr_t content)
{
    return in_use[number].to != 0 && ccprof_hooks_module_is_relocated(module, content) &&
           !ccprof_hooks_module_holds(module->info, (const void *)content) &&
           content != (uintptr_t)allocators[number].function &&
           (content < in_use[number].from || content >= in_use[number].to);
}

static bool allocators_has_other(const struct ccprof_hooks_module *module,
                                 const ElfW(Rela) * relocation, size_t size)
{
    for (size_t n = size / sizeof *relocation; n > 0; n--, relocation++) {
        const ElfW(Sym) *symbol = &module->symbols[ELF64_R_SYM(relocation->r_info)];
        uintptr_t *slot = (uintptr_t *)(module->bias + relocation->r_offset);
        if (!ccprof_cpu_is_slot(ELF64_R_TYPE(relocation->r_info), relocation->r_addend))
            continue;
        size_t i = allocators_number(module->strings + symbol->st_name);
        if (i < OTHER_NAMES &&
            (symbol->st_shndx != SHN_UNDEF ||
             allocators_is_other(module, i, __atomic_load_n(slot, __ATOMIC_RELAXED))))
            return true;
    }
    return false;
}

bool ccprof_hooks_allocators_has_other(const struct ccprof_hooks_module *module)
{
    return allocators_has_other(module, module->slots, module->slots_size) ||
           allocators_has_other(module, module->others, module->others_size);
}

/* A search through the modules in symbol search order. It finds out whether the
   allocator's module comes after the module of CALLER. */
struct allocators_order {
    const void *caller;
    bool caller_seen, allocator_is_later;
};

static int allocators_compare(struct dl_phdr_info *info, size_t size, void *context)
{
    struct allocators_order *order = context;

    (void)size;
    if (ccprof_hooks_module_holds(info, (const void *)in_use[0].from)) {
        order->allocator_is_later = order->caller_seen;
        return 1;
    }
    order->caller_seen =
        order->caller_seen || ccprof_hooks_module_holds(info, order->caller);
    return 0;
}

/* Returns whether dlsym with RTLD_NEXT, called in the module of CALLER, finds the
   allocator that the program uses. The module of CALLER itself has no allocator. If
   the program uses libc's allocator, no other allocator comes first. */
static bool allocators_is_next_found(const void *caller)
{
    struct allocators_order order = {.caller = caller};

    if (allocators_are_libcs())
        return true;
    dl_iterate_phdr(allocators_compare, &order);
    return order.allocator_is_later;
}

/* Returns the replacement of the function NAME that a symbol search found at FOUND, or
   null. */
static ccprof_hooks_function allocators_replace(const char *name, uintptr_t found)
{
    size_t i = allocators_number(name);

    if (!found || !ccprof_heap_is_prepared())
        return NULL;
    if (i == ALLOCATORS) {
        bool is_used = found >= in_use[0].from && found < in_use[0].to;
        return is_used ? ccprof_heap_operators_find(name) : NULL;
    }
    bool is_used = found == in_use[i].entry || found == in_use[i].function ||
                   (found >= in_use[i].from && found < in_use[i].to);
    return is_used && allocators_is_used(i) ? allocators[i].function : NULL;
}

/* The result of RTLD_NEXT depends on the caller of dlsym, so this function must jump
   to libc's dlsym as its last action. */
void *ccprof_hooks_allocators_dlsym(void *handle, const char *name)
{
    ccprof_hooks_function function = NULL;

    if (ccprof_hooks_allocators_find(name) &&
        (handle != RTLD_NEXT || allocators_is_next_found(__builtin_return_address(0))))
        function = allocators_replace(
            name, (uintptr_t)dlsym(handle == RTLD_NEXT ? RTLD_DEFAULT : handle, name));
    return function ? (void *)function : dlsym(handle, name);
}

void *ccprof_hooks_allocators_dlvsym(void *handle, const char *name, const char *version)
{
    ccprof_hooks_function function = NULL;

    if (ccprof_hooks_allocators_find(name) &&
        (handle != RTLD_NEXT || allocators_is_next_found(__builtin_return_address(0))))
        function = allocators_replace(
            name, (uintptr_t)dlvsym(handle == RTLD_NEXT ? RTLD_DEFAULT : handle, name,
                                    version));
    return function ? (void *)function : dlvsym(handle, name, version);
}

/* The structure that libc's mallinfo2 returns. Older versions of libc do not define
   it. */
struct allocators_info {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks,
        keepcost;
};

static struct allocators_info (*mallinfo)(void);

/* The result includes free blocks in the allocator's caches of threads. */
static uint64_t allocators_in_use(void)
{
    const struct allocators_info info = mallinfo();

    return info.uordblks + info.hblkhd;
}

uint64_t (*ccprof_hooks_allocators_in_use(void))(void)
{
    if (allocators_are_libcs())
        mallinfo = (struct allocators_info(*)(void))dlsym(RTLD_DEFAULT, "mallinfo2");
    return mallinfo ? allocators_in_use : NULL;
}

uint64_t ccprof_hooks_allocators_first(void)
{
    return (uintptr_t)sbrk(0) - mallinfo().keepcost;
}

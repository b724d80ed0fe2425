/* SPDX-License-Identifier: GPL-3.0-or-later */
/* links: rt/samples/modules.c rt/samples/modules-maps.c rt/os/notes.c rt/os/memory.c
   rt/os/lock.c rt/os/file.c rt/os/text.c rt/os/proc.c testsuite/unit/standins.c */
/* The modules in /proc/self/maps are those that the loader knows. */

#include "rt_tests.h"
#include <dlfcn.h>
#include <link.h>
#include "rt/samples/modules.h"

static struct ccprof_modules loaded, mapped;
static _Alignas(8) char buffer[CCPROF_MODULES_MAPS_BUFFER];

static const struct ccprof_module *mapped_at(uint64_t start)
{
    for (unsigned i = 0; i < mapped.count; i++)
        if (mapped.module[i].start == start)
            return &mapped.module[i];
    return NULL;
}

static void same_modules(void)
{
    unsigned files = 0;

    for (unsigned i = 0; i < loaded.count; i++) {
        const struct ccprof_module *module = &loaded.module[i], *found;
        if (strstr(module->path, "vdso"))
            continue;
        files++;
        found = mapped_at(module->start);
        ck_assert_msg(found != NULL, "%s is missing", module->path);
        ck_assert_uint_eq(found->bias, module->bias);
        ck_assert_uint_eq(found->end, module->end);
        ck_assert_uint_eq(found->id_size, module->id_size);
        ck_assert_mem_eq(found->id, module->id, module->id_size);
        ck_assert_uint_eq(found->id_address, module->id_address);
        ck_assert(!found->ambiguous && found->loaded);
    }
    ck_assert_uint_gt(files, 2);
    ck_assert_uint_eq(mapped.count, files);
}

TEST(test_mapped)
{
    ccprof_modules_add_mapped(&mapped, buffer);
    ccprof_modules_refresh(&loaded);
    same_modules();
    /* What is known is not added again. */
    ccprof_modules_add_mapped(&mapped, buffer);
    same_modules();
}

/* A library that is loaded later is added, and only this library. A file that is not a
   module, and code without a file, are not. */
TEST(test_later)
{
    ccprof_modules_refresh(&mapped);
    unsigned before = mapped.count;
    void *library = dlopen("libresolv.so.2", RTLD_NOW | RTLD_LOCAL);
    struct link_map *map;

    if (!library)
        return;
    int fd = open("/proc/self/exe", O_RDONLY);
    ck_assert(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 4096) !=
              MAP_FAILED);
    ck_assert(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                   0) != MAP_FAILED);
    ck_assert_int_eq(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
    uint64_t address = (uintptr_t)map->l_ld;
    ck_assert_int_lt(ccprof_modules_find(&mapped, address), 0);
    ccprof_modules_add_mapped(&mapped, buffer);
    ck_assert_uint_eq(mapped.count, before + 1);
    ck_assert_int_eq(ccprof_modules_find_now(&mapped, address), (int)before);
    ck_assert_ptr_nonnull(strstr(mapped.module[before].path, "/libresolv.so.2"));
    /* The loader tells the same. */
    ccprof_modules_refresh(&mapped);
    ck_assert_uint_eq(mapped.count, before + 1);
    ck_assert(mapped.module[before].loaded);
    close(fd);
}

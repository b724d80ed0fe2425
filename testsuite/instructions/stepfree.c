// SPDX-License-Identifier: GPL-3.0-or-later

#include "stepfree.h"
#include "stepcpu.h"
#include "stepmaps.h"

#include <sys/mman.h>
#include <sys/syscall.h>

enum { REGIONS_MOST = 64 };

bool stepfree_inside(pid_t thread, uint64_t address)
{
    StepRegion regions[REGIONS_MOST];
    unsigned count = stepmaps_code(thread, regions, REGIONS_MOST);
    for (unsigned i = 0; i < count; i++)
        if (address >= regions[i].start && address < regions[i].end)
            return true;
    return false;
}

void stepfree_lock(pid_t thread, uint64_t outside, bool lock)
{
    StepRegion regions[REGIONS_MOST];
    unsigned count = stepmaps_code(thread, regions, REGIONS_MOST);
    for (unsigned i = 0; i < count; i++)
        stepcpu_call(thread, outside, SYS_mprotect, regions[i].start,
                     regions[i].end - regions[i].start,
                     lock ? PROT_READ : PROT_READ | PROT_EXEC);
}

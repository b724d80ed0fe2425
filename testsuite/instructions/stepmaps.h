// SPDX-License-Identifier: GPL-3.0-or-later
// The modules of stepped processes, for stepcount.c: which instruction of which file is
// at an address, and its counters. Owns the counters of all modules.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

// The counters of one instruction.
typedef struct StepCounts {
    uint64_t executed;   // executions from start to end
    uint64_t iterations; // those of a repeated instruction
    uint64_t faults;     // attempts that ended in a signal
    unsigned char class; // StepClass
    bool inside;         // of a module that is counted; set together with the class
} StepCounts;

// A mapping of code.
typedef struct StepRegion {
    uint64_t start, end;
    StepCounts *counts; // of the instruction at START
} StepRegion;

// The code that one process can execute. Zero is a process whose map is not known.
typedef struct StepSpace {
    pid_t process;
    bool known; // the regions are those of now
    unsigned threads;
    unsigned count, last;
    StepRegion *regions;
} StepSpace;

// The counters of the instruction at an address, or NULL if no file has it. THREAD is a
// stopped thread of the process, whose map is read again if it is not known.
StepCounts *stepmaps_find(StepSpace *space, pid_t thread, uint64_t address);

// Sets REGIONS to the mapped code of the modules that are counted, whatever its
// protection, and returns how many regions there are, at most MOST.
unsigned stepmaps_code(pid_t thread, StepRegion *regions, unsigned most);

// Code is also what is mapped without the permission to execute it, as QEMU does.
void stepmaps_any_protection(void);

// The modules that are counted, a list of COUNT paths; without it, all modules.
void stepmaps_count_only(char **only, int count);

// The counters belong to a module that is counted.
bool stepmaps_is_counted(const StepCounts *counts);

// Writes the counters of the modules that are counted.
void stepmaps_write(FILE *file);

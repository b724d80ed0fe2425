// SPDX-License-Identifier: GPL-3.0-or-later
// Lets a process of one thread run freely outside of the counted modules, for
// stepcount.c: the code of these modules is locked, so the thread stops when it comes
// back. Owns nothing: what is locked is in the map of the process.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

// An address is in the code of the counted modules, locked or not.
bool stepfree_inside(pid_t thread, uint64_t address);

// Locks or unlocks the counted modules of a stopped thread. OUTSIDE is an address of
// other code, where a system call can be put.
void stepfree_lock(pid_t thread, uint64_t outside, bool lock);

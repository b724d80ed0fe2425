/* SPDX-License-Identifier: MIT */

#include "rt/os/last-call.h"

_Thread_local struct ccprof_last_call ccprof_last_call = {.number = -1};

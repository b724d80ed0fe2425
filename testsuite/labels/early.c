/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Not profiled: runs before main, and calls back what is profiled.  */

#include "account.h"
#include "kernel.h"

void early_call(void (*function)(void));

static __attribute__((constructor)) void early(void)
{
    int place = account_enter("<unprofiled>");
    ACCOUNT_SPEND(100);
    account_leave(place);
}

void early_call(void (*function)(void))
{
    function();
    __asm__ volatile("");
}

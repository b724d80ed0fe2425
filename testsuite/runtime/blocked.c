/* SPDX-License-Identifier: GPL-3.0-or-later */
/* blocked BLOCK: works for 50 ms with all signals blocked if BLOCK is 1, ten times, and
   for 20 ms in between. */

#include <signal.h>
#include <stdlib.h>
#include "burn.h"

int main(int argc, char **argv)
{
    sigset_t all, before;
    sigfillset(&all);
    for (int i = 0; i < 10; i++) {
        if (argc > 1 && atoi(argv[1]))
            sigprocmask(SIG_BLOCK, &all, &before);
        burn(0.05);
        if (argc > 1 && atoi(argv[1]))
            sigprocmask(SIG_SETMASK, &before, NULL);
        burn(0.02);
    }
    return 0;
}

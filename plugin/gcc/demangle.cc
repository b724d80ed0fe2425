// SPDX-License-Identifier: GPL-3.0-or-later

#include "plugin/gcc/compat.h"
#include "plugin/gcc/demangle.h"

#include <setjmp.h>
#include <sys/time.h>

// The demangler may have so much CPU time for a symbol, in microseconds: GCC 12's never
// ends with some that no compiler makes, but a program may name by asm.
#define TIME_MOST 200000

namespace
{
enum ending { ENDING_DONE, ENDING_TOO_LONG, ENDING_TOO_SLOW };
} // namespace

// The name that is demangled, and where the demangler is left.  It owns no memory but its
// stack (GCC: libiberty/cp-demangle.c, d_demangle_callback), so it can be left by
// longjmp, from a signal's handler, too.
static struct {
    char text[DEMANGLE_MOST + 1];
    size_t length;
    sigjmp_buf leave;
    volatile enum ending ending;
} demangled;

static void leave(enum ending ending)
{
    demangled.ending = ending;
    siglongjmp(demangled.leave, 1);
}

static void put(const char *piece, size_t size, void *)
{
    if (size > DEMANGLE_MOST - demangled.length)
        leave(ENDING_TOO_LONG);
    memcpy(demangled.text + demangled.length, piece, size);
    demangled.length += size;
}

static void time_is_up(int)
{
    leave(ENDING_TOO_SLOW);
}

// The timer may end at any moment until it is stopped, so it is stopped in here.
static bool make(const char *symbol, int options)
{
    const struct itimerval most = {{0, 0}, {0, TIME_MOST}}, none = {{0, 0}, {0, 0}};
    bool known = false;

    if (sigsetjmp(demangled.leave, 1) == 0) {
        setitimer(ITIMER_VIRTUAL, &most, NULL);
        known = cplus_demangle_v3_callback(symbol, options, put, NULL) != 0;
        setitimer(ITIMER_VIRTUAL, &none, NULL);
        return known;
    }
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    return false;
}

char *demangle_symbol(const char *symbol, int options, bool *too_long)
{
    struct sigaction action, before;

    memset(&action, 0, sizeof action);
    action.sa_handler = time_is_up;
    sigaction(SIGVTALRM, &action, &before);
    demangled.length = 0;
    demangled.ending = ENDING_DONE;
    bool known = make(symbol, options);
    sigaction(SIGVTALRM, &before, NULL);
    if (too_long)
        *too_long = demangled.ending == ENDING_TOO_LONG;
    return known && demangled.length ? xstrndup(demangled.text, demangled.length) : NULL;
}

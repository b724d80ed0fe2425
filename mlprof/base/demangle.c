/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "mlprof/base/demangle.h"
#include "mlprof/base/buf.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/time.h>

/* The demangler may have so much CPU time for a symbol, in microseconds: GCC 12's never
   ends with some that no compiler makes.  The slowest name of a large library takes a
   fiftieth.  */
#define TIME_MOST 200000

/* When it took too long so often, it is not asked any more.  */
#define TIMEOUTS_MOST 5

enum { DONE, TOO_LONG, TOO_SLOW };

/* libsupc++ defines this function, which is __cxa_demangle for a name in pieces (GCC:
   libiberty/cp-demangle.c); nothing else of libsupc++ is linked.  It returns 0 if the
   symbol is mangled.  */
int __gcclibcxx_demangle_callback(const char *symbol,
                                  void (*put)(const char *piece, size_t size, void *data),
                                  void *data);

/* The name of the symbol that is demangled, and where the demangler is left.  It owns no
   memory but its stack, so it can be left by longjmp, from a signal's handler, too.  */
static struct {
    char text[DEMANGLE_MOST + 1];
    size_t length;
    sigjmp_buf leave;
    int how;
    int timeouts;
} name;

static void leave(int how)
{
    name.how = how;
    siglongjmp(name.leave, 1);
}

static void put(const char *piece, size_t size, void *data)
{
    (void)data;
    if (size > DEMANGLE_MOST - name.length)
        leave(TOO_LONG);
    memcpy(name.text + name.length, piece, size);
    name.length += size;
}

static void time_is_up(int number)
{
    (void)number;
    leave(TOO_SLOW);
}

static void set_timer(long microseconds)
{
    const struct itimerval once = {.it_value = {.tv_usec = microseconds}};
    setitimer(ITIMER_VIRTUAL, &once, NULL);
}

/* Puts the name of SYMBOL, which is not empty, into NAME.  False if it is not mangled.
   The timer may end at any moment until it is stopped, so it is stopped in here.  */
static bool make(const char *symbol)
{
    static bool has_handler;
    if (!has_handler)
        sigaction(SIGVTALRM, &(struct sigaction){.sa_handler = time_is_up}, NULL);
    has_handler = true;
    name.length = 0;
    name.how = DONE;
    if (sigsetjmp(name.leave, 1) == 0) {
        set_timer(TIME_MOST);
        bool is_mangled = __gcclibcxx_demangle_callback(symbol, put, NULL) == 0;
        set_timer(0);
        return is_mangled && name.length;
    }
    set_timer(0);
    name.timeouts += name.how == TOO_SLOW;
    return true;
}

char *demangle(const char *symbol)
{
    if (!symbol || strncmp(symbol, "_Z", 2) != 0)
        return NULL;
    if (name.timeouts == TIMEOUTS_MOST)
        return buf_copy(symbol);
    if (!make(symbol))
        return NULL;
    return name.how == DONE ? buf_copy_prefix(name.text, name.length) : buf_copy(symbol);
}

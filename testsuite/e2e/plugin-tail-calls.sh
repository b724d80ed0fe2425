#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tail-calls=: which calls stay jumps, and which functions are then on the stack.
. "$SRC/testsuite/plugin/plugin.sh"
[ "$(uname -m)" = x86_64 ] || skip "the assembly is looked at"

cat >tail.c <<'END_OF_FILE'
#include <stdio.h>
__attribute__((noipa)) unsigned last(unsigned x)
{
    for (unsigned i = 0; i < 100000000; i++)
        x = (x ^ x >> 15) * 0x2c1b3c6d;
    return x;
}
__attribute__((noipa)) unsigned through(unsigned x) { return last(x + 1); }
__attribute__((optimize("O3"), noipa)) unsigned other(unsigned x) { return through(x * 3); }
__attribute__((noipa)) unsigned self(unsigned n, unsigned x) { return n ? self(n - 1, x * n) : x; }
__attribute__((optimize("O3"), noipa)) unsigned own(unsigned n, unsigned x) { return n ? own(n - 1, x * n) : x; }
/* GCC 16 can make a loop of it, those before cannot. */
struct pair { unsigned long a, b; };
static struct pair next;
__attribute__((noipa)) unsigned pair(unsigned n, struct pair p)
{
    next.a += p.b;
    return n ? pair(n - 1, next) : (unsigned)p.a;
}
int main(int argc, char **argv)
{
    (void)argv;
    printf("%u\n", other((unsigned)argc) + self(5, (unsigned)argc) + own(3, 1) + pair(9, (struct pair){1, 2}));
}
END_OF_FILE

# body FUNCTION: its assembly.
body() {
    sed -n "/^$1:/,/\.size[[:space:]]*$1,/p" it.s >body.s
    [ -s body.s ] || fail "it.s has no $1"
}

# calls FUNCTION TARGET, jumps FUNCTION TARGET
calls() {
    body "$1"
    has body.s "[[:space:]]call[[:space:]]*$2\$"
    hasnot body.s "[[:space:]]jmp[[:space:]]*$2\$"
}
jumps() {
    body "$1"
    has body.s "[[:space:]]jmp[[:space:]]*$2\$"
    hasnot body.s "[[:space:]]call[[:space:]]*$2\$"
}

# loops FUNCTION: it does not call or jump to itself.
loops() {
    body "$1"
    hasnot body.s "[[:space:]]\(call\|jmp\)[[:space:]]*$1\$"
}

# pair_stays: what the compiler makes of it without the plugin.
pair_stays() {
    $pair pair pair
}
"$CC" -O2 -S tail.c -o it.s
body pair
pair=loops
if grep -q '[[:space:]]jmp[[:space:]]*pair$' body.s; then
    pair=jumps
fi
pair_stays

# stacked: of a run nearly all is in last, on the stack with it what $limit leaves there, and no more than it leaves.
stacked() {
    CCPROF=rate=1000 ./prog >got
    same got want
    "$MLPROF" -balance false prog mlmon.out >table
    lies 90 "$(stack last)" 100 'last, which is the work' || return
    for name in through other; do
        case $limit in
        default | always) [ "$(stack $name)" = 0 ] || return ;;
        *) [ "$(stack $name)" = "$(stack last)" ] || return ;;
        esac
    done
}

LIMIT=-fplugin-arg-ccprof-tail-calls
for options in -O2 '-O2 -flto' '-O2 -g -gno-record-gcc-switches'; do
    for limit in default always self-only never; do
        echo "$options $limit"
        set -- -Wl,--build-id=none
        [ $limit = default ] || set -- "$@" $LIMIT=$limit
        # shellcheck disable=SC2086
        {
            pcc $options -fno-lto "$@" -S tail.c -o it.s
            pcc $options "$@" tail.c -o prog
        }
        case $limit in
        default) cp it.s default.s ;;
        always) same it.s default.s ;;
        self-only)
            calls other through
            calls through last
            loops self
            loops own
            pair_stays
            ;;
        never)
            calls other through
            calls through last
            calls self self
            calls own own
            calls pair pair
            ;;
        esac
        if [ $limit = default ]; then
            jumps other through
            jumps through last
            loops self
            loops own
            pair_stays
            ./prog >want
        fi
        decided stacked || fail "$(cat table)"
    done
done

# Every kind; with no and drop, too, where it was asked for: but no is no plugin.
for profile in time-field count drop; do
    pcc -O2 -S -fplugin-arg-ccprof-profile=$profile $LIMIT=never tail.c -o it.s
    calls through last
done
pcc -O2 -S -fplugin-arg-ccprof-profile=no $LIMIT=never tail.c -o it.s
jumps through last

# A coroutine that goes on with another one jumps to it, whatever is asked for, or two
# that take turns would fill the stack.
cat >turns.cc <<'END_OF_FILE'
#include <coroutine>
struct task {
    struct promise_type {
        task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};
struct go {
    std::coroutine_handle<> to;
    bool await_ready() { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) { return to; }
    void await_resume() {}
};
static std::coroutine_handle<> a, b;
static int left = 1000000;
static task player(std::coroutine_handle<> *other)
{
    while (left-- > 0)
        co_await go{*other};
}
int main()
{
    a = player(&b).handle;
    b = player(&a).handle;
    a.resume();
}
END_OF_FILE
for options in -O2 '-O2 -flto'; do
    for limit in always self-only never; do
        # shellcheck disable=SC2086
        pcxx -std=c++20 $options $LIMIT=$limit turns.cc -o turns
        # shellcheck disable=SC3045
        (ulimit -s 64 && ./turns) || fail "$options $limit: a million turns end with status $?"
    done
done

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# C++20: the function that GCC makes of a coroutine's body is a row named after it.
. "$SRC/testsuite/forms/forms.sh"
need "$CXX"

for level in -O0 -O2 -O3; do
    echo "$level"
    pcxx $level -std=c++20 "$KERNEL" "$FORMS/coroutine.cc" -o coroutine
    profile coroutine
    own=$(cat output)
    shares numbers.coroutine "$own" helper "$(awk "BEGIN { print 100 - $own }")"
    charged coroutine "$ALPHA" numbers.coroutine
    charged coroutine "$BETA" helper
    hasnot table '\.actor'
    hasnot table '_Z'

    # What ends it is another function, which is seldom sampled.
    pcxx $level -std=c++20 -fplugin-arg-ccprof-profile=count "$KERNEL" "$FORMS/coroutine.cc" -o counted
    ./counted >/dev/null
    "$MLPROF" counted mlmon.out >calls
    has calls '  numbers\.coroutine$'
    has calls '  numbers\.coroutine\.destroy$'
    hasnot calls '\.actor'
done

# Of a template each instance has its own name.
cat >instances.cc <<'END_OF_FILE'
#include <coroutine>
template <class T> struct Gen {
    struct promise_type {
        T value;
        Gen get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(T v) { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
    ~Gen() { handle.destroy(); }
};
namespace ns {
template <class T> Gen<T> seq(T n) { for (T i = 0; i < n; i++) co_yield i; }
}
template <class T> static void all(T n)
{
    Gen<T> gen = ns::seq<T>(n);
    while (gen.handle.resume(), !gen.handle.done()) {}
}
int main() { all<int>(2); all<long>(3); }
END_OF_FILE
pcxx -O1 -std=c++20 -fplugin-arg-ccprof-profile=count instances.cc -o instances
./instances
for names in plain readable full; do
    "$MLPROF" -names $names instances mlmon.out >calls
    has calls '  ns::seq<int>(int)\.coroutine$'
    has calls '  ns::seq<long>(long)\.coroutine$'
    has calls '  ns::seq<long>(long)\.coroutine\.destroy$'
    hasnot calls '_Z'
done
"$MLPROF" -names readable instances mlmon.out >calls
has calls '  std::coroutine_handle<Gen<long>::promise_type>::resume$'

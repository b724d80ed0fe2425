#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# C++: names show where a function stands.
. "$SRC/testsuite/forms/forms.sh"
need "$CXX"

for level in -O0 -O1 -O2 -O3 -Os; do
    echo "$level"
    pcxx $level -std=c++17 "$KERNEL" "$FORMS/names.cc" -o names
    profile names
    # 54, 40, 6, 0.6 and 0.6 parts.
    shares ns::Class::method 53.4 ns::with_lambda.lambda 39.5 ns::Class::Class 5.9
    near 'ns::Class::Nested::operator()' 0.6
    near 'ns::(anonymous namespace)::hidden' 0.6
    charged names "$ALPHA" ns::Class::method
    charged names "$BETA" ns::with_lambda.lambda
    charged names "$GAMMA" ns::Class::Class
    charged names "$DELTA" "ns::Class::Nested::operator()"
    addresses names 0x41c64e6d | "$MLPROF" -where names >where
    has where ': ns::.*hidden '
    if [ $level = -O2 ]; then
        charged names "$ALPHA" ns::Class::method main
        charged names "$BETA" ns::with_lambda.lambda main
        addresses names "$BETA" | "$MLPROF" -where names >where
        has where ' < ns::apply.* < ns::with_lambda .* < main '
    fi
done

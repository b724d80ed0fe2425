#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# C++: names show where a function stands.
. "$SRC/testsuite/forms/forms.sh"
need "$CXX"

for level in -O0 -O1 -O2 -O3 -Os; do
    echo "$level"
    pcxx $level -std=c++17 "$KERNEL" "$FORMS/names.cc" -o names
    profile names
    # The first has 54, 6, 0.6 and 0.6 parts.
    part=$(awk "BEGIN { print $(first) / 61.2 }")
    shares ns::Class::method "$(awk "BEGIN { print 54 * $part }")" \
        ns::with_lambda.lambda "$(awk "BEGIN { print 100 - $(first) }")" \
        ns::Class::Class "$(awk "BEGIN { print 6 * $part }")"
    near 'ns::Class::Nested::operator()' "$(awk "BEGIN { print 0.6 * $part }")"
    near 'ns::(anonymous namespace)::hidden' "$(awk "BEGIN { print 0.6 * $part }")"
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

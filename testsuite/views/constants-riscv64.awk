# SPDX-License-Identifier: GPL-3.0-or-later
# As constants-aarch64.awk: lui and an addition load the constant into a register, of which the addition
# may take off.

# HEX: behind 0x.
function number(hex,    i, n) {
    for (i = 1; i <= length(hex); i++)
        n = 16 * n + index("123456789abcdef", substr(hex, i, 1))
    return n
}

function carries() {
    sub(/:/, "", $1)
    print "0x" $1
}

BEGIN {
    constant = number(tolower(substr(constant, 3)))
}

# A function; labels inside of one are there, too.
/^[0-9a-f]+ <[^.].*>:$/ {
    split("", high)
    split("", held)
    next
}

!/^ *[0-9a-f]+:\t/ { next }

{
    gsub(/,/, " ")
}

$2 == "lui" {
    high[$3] = 4096 * number(substr($4, 3))
    delete held[$3]
    next
}

$2 ~ /^addiw?$/ && $4 in high && high[$4] + $5 == constant {
    delete high[$3]
    held[$3] = 1
    carries()
    next
}

$2 ~ /^mulw?$/ && ($4 in held || $5 in held) {
    carries()
}

# What it writes to is another value; stores, branches and jumps write to none.
$2 !~ /^(s[bhwd]$|fs[wd]$|b|j$|jr$|ret$)/ {
    delete high[$3]
    delete held[$3]
}

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page's scripts: each imports what it uses, only what is exported, and only from those before it
# in mlprof.mk; no line is longer than 100 columns.
. "$SRC/testsuite/lib.sh"
need python3

cp -R "$SRC/mlprof/page/web" web
list() {
    awk '/^MLPROF_PAGE_SCRIPTS =/ { on = 1; sub(/.*=/, "") } on { ends = !/\\$/; sub(/\\$/, ""); print } ends { exit }' \
        "$SRC/mlprof/mlprof.mk"
}
check() {
    # shellcheck disable=SC2046
    python3 "$SRC/testsuite/page/modules.py" web $(list) >faults || fail 'see above'
}
check
same faults /dev/null

# What is wrong is seen.
# finds NAME SCRIPT FAULT: after what SCRIPT does to the module NAME.
finds() {
    sed -i "$2" "web/$1.js"
    check
    has faults "^$1: $3\$"
    cp "$SRC/mlprof/page/web/$1.js" web
}
finds boxes 's/^import {matcher}/import {longer, matcher}/' 'imports longer, which names does not export'
finds boxes '/^import .*names.js/d' 'matcher of names is not imported'
finds boxes "\$a const long = $(printf '%090d' 0);" 'line [0-9]* has 104 columns'
finds boxes "1i import {go} from './main.js';" 'imports from main, which does not stand before it'
finds boxes "1i import * as all from './names.js';" 'neither an import nor an export as mlprof.mk knows them: import .*'
finds boxes "\$a const matcher = 1;" 'matcher is a name of names, too'
finds boxes "\$a export const box_of_none = 1;" 'exports box_of_none, which none imports'
finds boxes "/names.js/s/^/import {OUTSIDE} from '.\/arcs.js';\n/" 'imports OUTSIDE, which it does not use'
echo >web/other.js
check
has faults '^other: is not in the list$'

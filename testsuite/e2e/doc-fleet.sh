#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The recipes of doc/fleet.md: systemd takes the drop-in, and the runtime each setting; an hour is read as the
# page says.
. "$SRC/testsuite/lib.sh"

PAGE=$SRC/doc/fleet.md

cat >prog.c <<'END'
int main(void) { return 0; }
END
pcc -O1 -fplugin-arg-ccprof-profile=count prog.c -o prog

echo 'Settings'
grep -o 'CCPROF=output=[^ ]*' "$PAGE" | sed 's/^CCPROF=//' | sort -u >settings
[ "$(wc -l <settings)" -ge 3 ] || fail 'the page has no settings'
while read -r setting; do
    rm -rf data
    run 0 env CCPROF="output=data/,${setting#*,}" ./prog
    [ ! -s err ] || fail "$setting: $(cat err)"
    [ "$(find data -name 'prog.*.mlmon' | wc -l)" = 1 ] || fail "$setting: no file"
done <settings

echo 'An hour'
sed -n "s/^    \(find .*\)>hour\$/\1/p" "$PAGE" |
    sed "s|/var/lib/prog/profile|data|; s/'10:00'/'1 hour ago'/; s/'11:00'/'1 hour'/" >wanted
[ -s wanted ] || fail 'the page does not find an hour'
find data -type f -exec touch -d '3 hours ago' {} +
run 0 env CCPROF=output=data/,slice=60 ./prog
sh wanted >hour
[ "$(wc -l <hour)" = 1 ] || fail "found: $(cat hour)"
run 0 "$MLPROF" prog -mlmon hour
run 0 "$MLPROF" prog data

have systemd-analyze 'the drop-in' || exit 0
mkdir -p units/prog.service.d
awk '/Service\]/ { on = 1 } on && !/^    / { exit } on { sub(/^    /, ""); print }' "$PAGE" >units/prog.service.d/ccprof.conf
grep -q '^StateDirectory=' units/prog.service.d/ccprof.conf || fail 'the page has no drop-in'
printf '[Service]\nExecStart=/bin/true\nDynamicUser=yes\n' >units/prog.service
run 0 env SYSTEMD_UNIT_PATH="$PWD/units:" systemd-analyze verify "$PWD/units/prog.service"
hasnot err 'ccprof.conf\|prog.service'
exit 0

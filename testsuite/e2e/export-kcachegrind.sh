#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# KCachegrind itself reads the callgrind format, and its views show what mlprof says.

. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/export/programs.sh"
need kcachegrind dbus-run-session pkg-config python3 "$CXX"
# What is loaded into it is of the same Qt.
qt=Qt5Widgets
! ldd "$(command -v kcachegrind)" | grep -q libQt6Widgets || qt=Qt6Widgets
pkg-config --exists $qt || skip 'the headers of Qt, for what asks KCachegrind, are not installed'

# shellcheck disable=SC2046
"$CXX" -O0 -fPIC -shared "$EXPORT/kcachegrind.cc" -o "$PWD/shown.so" $(pkg-config --cflags --libs $qt)

# Plain figures, not percentages; names as they are; recursion as it is in other views.
mkdir -p home/.config run
chmod 700 run
cat >home/.config/kcachegrindrc <<'END'
[GeneralSettings]
ShowPercentage=false
ShowCycles=false
HideTemplates=false
MaxListCount=100000
MaxSymbolLength=1000000
MaxSymbolCount=1000
END

# shown FILE: what KCachegrind shows of it, into the file `shown'; its warnings, into `warnings'.
shown() {
    HOME=$PWD/home XDG_RUNTIME_DIR=$PWD/run QT_QPA_PLATFORM=offscreen \
        timeout 300 dbus-run-session -- env LD_PRELOAD="$PWD/shown.so" kcachegrind "$1" >shown 2>err ||
        fail "KCachegrind: $(cat err)"
    grep '^Loading ' err >warnings || :
}

# equal NAME: so is NAME.out, measured in NAME.
equal() {
    run 0 "$MLPROF" -callgrind calls -folded folded -json json "$1" "$1.out"
    shown calls
    same warnings /dev/null
    python3 "$EXPORT/kcachegrind-equal.py" shown folded json || fail 'KCachegrind shows something else'
}

echo 'What its loader does not understand is told.'
cat >wrong <<'END'
events: Samples
fn=(1) main
1 2
no such line
END
shown wrong
has warnings 'no such line'
has shown '^function	main	2	2	'

arg=-fplugin-arg-ccprof-profile
echo 'C: each measure.'
profiled all pcc c.c $arg=time,count,alloc -fplugin-arg-ccprof-blocks
equal all
has shown '^event	main	Allocations	0	120$'
has shown '^event	descend	Calls	0	300$'
has shown '^call	polish	square [^	]*	[0-9]*	4800000$'
# By a pointer, of which one way alone adds up.
has shown '^call	main	descend [^	]*	[0-9]*	60$'
has shown '^call	main	other [^	]*	[0-9]*	60$'

echo 'C++: functions inlined many deep, whose source files are in many folders.'
profiled cxx pcxx cxx.cc $arg=time
equal cxx

if have "$FC" 'Fortran'; then
    echo 'Fortran.'
    profiled fortran pfc fortran.f90 $arg=time,count -fplugin-arg-ccprof-blocks
    equal fortran
fi

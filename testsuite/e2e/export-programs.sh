#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiled programs in the formats of other programs, each read by the program that owns it: names,
# stacks, lines and totals are mlprof's.

. "$SRC/testsuite/mlprof.sh"
. "$SRC/testsuite/export/programs.sh"
need python3

pprof() {
    python3 "$EXPORT/pprof.py" "$@" || fail "pprof.py $*"
}

# together SCRIPT ARGUMENT... -- ...: runs it with each of these lists of arguments.
together() {
    python3 "$EXPORT/together.py" "$@" || fail "$1"
}

arg=-fplugin-arg-ccprof-profile
programs='c cxx calls bytes all'
profiled c pcc c.c
profiled cxx pcxx cxx.cc
profiled calls pcc c.c $arg=count -fplugin-arg-ccprof-blocks
profiled bytes pcc c.c $arg=alloc
profiled all pcc c.c $arg=time,count,alloc
if have "$FC" 'Fortran'; then
    profiled fortran pfc fortran.f90
    programs="$programs fortran"
fi

for name in $programs; do
    run 0 "$MLPROF" -folded "$name.folded" -list . -balance false "$name" "$name.out"
    mv out "$name.list"
done

# What is called how often stands in c.c.
cat >calls.want <<'END'
main 1
descend 300
other 60
polish 120
square 4800000
END
sort calls.want >want
sort calls.folded >got
same got want

echo 'pprof.'
set --
for name in $programs; do
    run 0 "$MLPROF" -pprof "$name.pb.gz" "$name" "$name.out"
    case "$name" in
    calls) type=calls ;;
    bytes) type=alloc_space ;;
    *) type=samples ;;
    esac
    # Phases are labels there, frames here.
    sed 's/^\[second half\];//' "$name.folded" >"$name.stacks"
    if [ "$name" != calls ]; then
        set -- "$@" stacks "$name.pb.gz" $type "$name.stacks" -- lines "$name.pb.gz" $type "$name.list" --
    fi
done
# Each measure of one run is a value of its own.
together pprof.py "$@" own calls.pb.gz calls calls.folded -- own all.pb.gz calls calls.folded -- \
    own all.pb.gz alloc_space bytes.folded
[ "$(pprof total all.pb.gz alloc_objects)" = 120 ] || fail 'blocks'
[ "$(pprof total bytes.pb.gz alloc_objects)" = 120 ] || fail 'blocks alone'

# go_pprof FILE OPTION...: into the file `got'.
go_pprof() {
    go_file=$1
    shift
    HOME=$PWD go tool pprof "$@" "$go_file" >got 2>err || fail "go tool pprof: $(cat err)"
}
if have go 'go tool pprof'; then
    set --
    for name in $programs; do
        go_pprof "$name.pb.gz" -top -nodecount=100000 -nodefraction=0 -unit=ms
        mv got "$name.top"
        set -- "$@" top "$name.pb.gz" "$name.top" --
    done
    together pprof.py "$@"
    go_pprof calls.pb.gz -peek '^polish$'
    has got '^ *60 .*% |   descend$'
    has got '^ *60 .*% |   other$'
    has got '^ *120 .*4800120 .*| polish$'
    go_pprof c.pb.gz -peek '^square$'
    has got ' 100% |   polish (inline)$'
    go_pprof c.pb.gz -tags
    has got 'second half$'
    # What stands in another file is listed there.
    go_pprof calls.pb.gz -list '^square$'
    has got '^ *4800000  *4800000 *16:static inline double square'
    go_pprof c.pb.gz -list '^polish$' -unit=ms
    has got 'polish in .*/step.h$'
    has got 's  *3:x = square(x)'
fi

echo 'google-pprof.'
# google NAME OPTION...: of what -google-pprof writes of it with the option google-pprof makes NAME.text.
google() {
    google_name=$1 google_program=$2
    shift 2
    run 0 "$MLPROF" "$@" -google-pprof "$google_name.google" -folded "$google_name.folded" \
        "$google_program" "$google_program.out"
    google-pprof --text --no_strip_temp --nodecount=100000 "$google_name.google" >"$google_name.text" 2>err ||
        fail "google-pprof: $(cat err)"
}
if have google-pprof 'google-pprof'; then
    set --
    for name in $programs; do
        case "$name" in calls | bytes) continue ;; esac
        google "$name" "$name"
        # The caller that all stacks have is told, too.
        most=$(awk '{ print $NF, $0 }' "$name.folded" | sort -rn | sed '1!d; s/ [0-9]*$//; s/.*;//')
        google "focused.$name" "$name" -focus "^$most\$"
        set -- "$@" "$name.text" "$name.folded" -- "focused.$name.text" "focused.$name.folded" --
    done
    together google-pprof.py "$@"
fi
run 1 "$MLPROF" -google-pprof refused calls calls.out
has err '^mlprof: -google-pprof: there are no samples'

echo 'Speedscope.'
python3 "$SRC/testsuite/regions/lanes.py" 3 3000 regions.out \
    "$(readelf -nW c | sed -n 's/.*Build ID: *//p')" "$PWD/c"
run 0 "$MLPROF" -speedscope regions.json c regions.out
set --
for name in $programs; do
    run 0 "$MLPROF" -speedscope "$name.json" "$name" "$name.out"
    case $name in
    calls) set -- "$@" "$name.json" calls 1 "$name.folded" -- ;;
    bytes) set -- "$@" "$name.json" 'bytes allocated' 1 "$name.folded" -- ;;
    *) set -- "$@" "$name.json" 'CPU time' 200000 "$name.folded" -- ;;
    esac
done
together speedscope.py "$@" all.json calls 1 calls.folded -- all.json 'bytes allocated' 1 bytes.folded own
schema=$READERS/speedscope/dist/release/file-format-schema.json
speedscope=$READERS/speedscope/dist/release/index.html
if [ ! -f "$schema" ]; then
    leave_out 'speedscope: npm has not brought it'
else
    validator=
    for python in python3 /usr/bin/python3; do
        ! "$python" -c 'import jsonschema' 2>/dev/null || { validator=$python && break; }
    done
    if [ "$validator" ]; then
        instances=
        for name in $programs regions; do
            instances="$instances -i $name.json"
        done
        # shellcheck disable=SC2086
        "$validator" -m jsonschema $instances "$schema" 2>err || fail "the schema: $(cat err)"
    else
        leave_out 'the schema of speedscope: python3-jsonschema is not installed'
    fi
    # shown NAME: a browser shows NAME.json; into the file `page'.
    shown() {
        printf 'speedscope.loadFileFromBase64("%s", "%s")\n' "$1" "$(base64 -w 0 "$1.json")" >load.js
        # It draws with WebGL; the time is the page's own, which runs ahead: on a busy machine further
        # than the drawing.
        for budget in 20000 60000 180000; do
            HOME=$PWD timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
                --enable-unsafe-swiftshader --window-size=1400,1000 "--virtual-time-budget=$budget" --dump-dom \
                "file://$speedscope#view=sandwich&localProfilePath=$PWD/load.js" >page 2>err || return
            ! grep -q '%)' page || return 0
        done
        return 1
    }
    what='speedscope in a browser'
    if have chromium "$what" && { shown cxx || browser "$what"; }; then
        mv page cxx.page
        shown all || fail "the browser does not show it: $(cat err)"
        together speedscope.py page cxx.page cxx.folded -- page page all.folded
        # The other measures, in its list of profiles: 120 blocks of 1,000 bytes.
        has page '>calls</span></td><td[^>]*>4,800,481<'
        has page '>blocks allocated</span></td><td[^>]*>120<'
        has page '>bytes allocated</span></td><td[^>]*>117.19 KB<'
    fi
fi

echo 'Firefox Profiler.'
set --
for name in $programs; do
    run 0 "$MLPROF" -firefox "$name.ff.json" "$name" "$name.out"
    case $name in
    calls) set -- "$@" file "$name.ff.json" calls 1 "$name.folded" -- ;;
    bytes) set -- "$@" file "$name.ff.json" 'bytes allocated' 1 "$name.folded" -- ;;
    *) set -- "$@" file "$name.ff.json" 'CPU time' 5 "$name.folded" -- ;;
    esac
done
together firefox.py "$@" file all.ff.json calls 1 calls.folded -- \
    file all.ff.json 'bytes allocated' 1 bytes.folded own
# Its own code upgrades the file and makes lists, trees and listings of it.
cli=$READERS/profiler-cli/dist/profiler-cli.js
export PROFILER_CLI_SESSION_DIR="$PWD/sessions"
ff() {
    HOME=$PWD timeout 300 node "$cli" "$@" >got 2>err
}
# begin NAME: starts the server that has a file loaded. The command `load' would wait half a second for
# it and no longer, on however slow a machine.
begin() {
    HOME=$PWD timeout 300 node "$cli" --daemon "$PWD/$1.ff.json" --session "$1" >"$1.log" 2>&1 &
}

# loaded NAME WHAT: it answers, and what it has in a thread, functions or markers, is in `got'.
loaded() {
    for try in $(seq 600); do
        [ ! -e "sessions/$1.json" ] || break
        sleep 0.1
    done
    for try in $(seq 60); do
        ! ff thread "$2" --json --limit 0 --session "$1" || return 0
        grep -q 'still loading' got err || break
    done
    fail "it does not load ($try): $(cat "$1.log" got err)"
}
if [ ! -f "$cli" ]; then
    leave_out 'the Firefox Profiler: npm has not brought it'
elif ! ff --version; then
    leave_out "the Firefox Profiler: its code does not run with node $(node --version 2>&1)"
else
    trap 'ff stop --all' EXIT
    begin cxx
    begin all
    run 0 "$MLPROF" -firefox regions.ff.json c regions.out
    begin regions
    loaded cxx functions
    mv got cxx.functions
    loaded all functions
    mv got all.functions
    loaded regions markers
    python3 "$SRC/testsuite/regions/exported.py" cli regions.out got || fail 'markers of regions'
    together firefox.py functions cxx.functions 5 cxx.folded -- functions all.functions 5 all.folded
    ff thread samples-top-down --session all || fail "$(cat got err)"
    has got 'all!square (inl) '
    hasnot got 'all!descend (inl) '
    number=$(sed -n 's/.*\(f-[0-9]*\)\. all!other .*/\1/p' got | head -n 1)
    ff function annotate "$number" --mode src --session all || fail "$(cat got err)"
    has got '^ *38  *[0-9.]*ms      double y = polish(x + depth);$'
fi

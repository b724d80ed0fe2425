#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Data of several builds of a program: refused, and on request added up by the functions' names.

. "$SRC/testsuite/mlprof.sh"
need readelf

top=$PWD
mkdir v1 v2 v3 data

# build FOLDER INLINED EDIT: prog there, of the function work with INLINED in it, edited.
build() {
    (
        cd "$1"
        example prog work "$2"
        sed -i "$3" prog.s
        "$CC" -nostdlib -Wl,--build-id=sha1 prog.s -o prog
    )
}
# In the second work stands 2 lines lower, in the third in another file.
build v1 gone ''
build v2 fresh 's/^\( *.byte 0, 1, \)7, 5/\19, 5/'
build v3 fresh 's/"prog.c"/"other.c"/'
[ "$(build_id v1/prog)" != "$(build_id v2/prog)" ] || fail 'one build'

# measured NAME BUILD WORK INLINED: a data file with so many samples in the two.
measured() {
    data "data/$1" $(($3 + $4)) 0 "$top/$2/prog" -- "0 0 $(at "$2/prog" 0) $3" "0 0 $(at "$2/prog" 4) $4"
}
measured a v1 10 5
measured b v2 20 7
measured c v3 40 3
# merged STATUS WORD...
merged() {
    merged_status=$1
    shift
    run "$merged_status" "$MLPROF" -merge-builds true "$@"
}

echo 'Without the option'
id=$(build_id v1/prog) other=$(build_id v2/prog)
refused "data/a: measured with another build of v2/prog (build-id $id, not $other): run it again" \
    "$MLPROF" v2/prog data/b data/a
refused "data/a: measured with another build of v2/prog (build-id $id, not $other): run it again" \
    "$MLPROF" -merge-builds false v2/prog data/b data/a

echo 'The table'
# By hand: work has 10 + 20 + 40, fresh 7 + 3, gone 5. Where work was first is where it stands.
cat >want <<'END'
0.85 seconds of CPU time
3 data files of 3 builds, functions matched by linkage name
  cur  95% range  function
82.4%  72.9-89.0  work  prog.c: 9
11.8%   6.5-20.3  fresh  prog.c: 3
~5.9%   2.5-13.0  gone  prog.c: 3
END
merged 0 -balance false -show-line true v2/prog data/a data/b data/c
same err /dev/null
same out want
# In any order of the files, as a folder, as a list.
merged 0 -balance false -show-line true v2/prog data/c data/b data/a
same out want
merged 0 -balance false -show-line true v2/prog data
same out want
echo 'data/c data/a data/b' >list
merged 0 -balance false -show-line true v2/prog -mlmon list
same out want
merged 0 -balance false -sort name v1/prog data/a data/c
has out '^2 data files of 2 builds, '
[ "$(sed '1,3d; s/.* //' out | tr '\n' ' ')" = 'fresh gone work ' ] || fail "$(cat out)"
# One build alone says nothing of them.
merged 0 v2/prog data/b
cp out table
run 0 "$MLPROF" v2/prog data/b
same out table
merged 0 v2/prog data/a
has out '^0.15 seconds of CPU time$'
hasnot out '^<unprofiled>'

echo 'Other views'
merged 0 -json - v2/prog data
has out '"builds": *3'
merged 0 -csv - v2/prog data
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "samples") column = i; next } { print $1, $column }' out >got
holds got <<'END'
work 70
fresh 10
gone 5
END
merged 0 -by module -balance false v2/prog data
for build in v1 v2 v3; do
    has out " \($top/\)\?$build/prog\$"
done
merged 0 -folded - v2/prog data
sort out >got
holds got <<'END'
work 70
work;fresh 10
work;gone 5
END
merged 0 -pprof pprof.gz v2/prog data

echo 'Ranks and hosts, of whichever build the first file is'
rank=0
for name in a b c; do
    sed "1s/.*/ccprof mlmon 5/; /^kind /a\\
host node$rank\\
rank $rank 3" "data/$name" >"$name.ranked"
    rank=$((rank + 1))
done
for files in 'a.ranked b.ranked c.ranked' 'b.ranked c.ranked a.ranked'; do
    # shellcheck disable=SC2086
    merged 0 -by rank -balance false v2/prog $files
    # By hand: 15, 27 and 43 of 85 samples.
    sed -n 's/^[ ~]*\([0-9.]*\)% .*\[\(rank [0-9]\).*/\1 \2/p' out | sort -k 3 >got
    holds got <<'END'
17.6 rank 0
31.8 rank 1
50.6 rank 2
END
    # shellcheck disable=SC2086
    merged 0 -imbalance rank v2/prog $files
    has out '^82.4%  0.23 s  0.10 s  0.40 s  *1.71  0.17 s  *2  work$'
    # shellcheck disable=SC2086
    merged 0 -pprof pprof.gz v2/prog $files
    for label in node0 node1 node2; do
        gzip -dc pprof.gz | grep -aq $label || fail "-pprof does not tell $label"
    done
done

echo 'Without build-ids'
mkdir n1 n2
for build in 1 2; do
    cp v$build/prog.s n$build
    "$CC" -nostdlib -Wl,--build-id=none n$build/prog.s -o n$build/prog
    [ -z "$(build_id n$build/prog)" ] || fail 'a build-id'
done
measured none1 n1 10 5
measured none2 n2 20 7
mkdir none
mv data/none1 data/none2 none
# Those of the program are found under another path, too.
cp none/none2 none/none3
sed -i "s,/n2/prog,/n1/../n2/prog," none/none3
merged 0 -balance false n2/prog none/none2 none/none1 none/none3
has out '^3 data files of 2 builds, '
has out '^72.5% .*  work$'
has out '^20.3% .*  fresh$'
has out "7.2% .*  gone$"

echo 'What has moved is named'
mkdir old
mv v1/prog old/was
sed -i "s,$top/v1/prog,$top/v1/gone," data/a
refused "data/a: measured with $top/v1/gone, which is not there: name the program where it is now: mlprof PROGRAM data/a" \
    "$MLPROF" data/a
refused 'data/a: measured with gone, not with prog' "$MLPROF" -merge-builds true v2/prog data/b data/a
merged 0 -balance false -show-line true v2/prog old/was data/a data/b data/c
has out '^82.4%  72.9-89.0  work  prog.c: 9$'
has out '^3 data files of 3 builds, '
sed -i "s,$top/v1/gone,$top/v1/prog," data/a
refused "data/a: measured with a build of $top/v1/prog that is not there (build-id $id): name it behind v2/prog" \
    "$MLPROF" -merge-builds true v2/prog data/b data/a
merged 0 -tolerant true -balance false v2/prog data
has err '^mlprof: data/a: measured with a build of '
has out '^2 data files of 2 builds, '
refused '-merge-builds: no data files are named' "$MLPROF" -merge-builds true v2/prog old/was

echo 'What has lines of one build, or its machine code'
for view in '-list work' '-html page' '-callgrind file' '-arcs work' '-regions' '-allocs site' '-firefox file'; do
    # shellcheck disable=SC2086
    merged 1 $view v2/prog data/b data/c
    has err "^mlprof: option -merge-builds has no effect with ${view%% *}\$"
done
for key in line expression loop; do
    refused '-by: lines are those of one build, and there are data of 2' "$MLPROF" -merge-builds true -by $key v2/prog data/b data/c
done
merged 1 -branch true v2/prog data/b data/c
has err '^mlprof: options -branch and -merge-builds cannot be given together$'
merged 1 v2/prog data/b -compare data/c
has err '^mlprof: option -merge-builds has no effect with -compare$'

echo 'What does not add up stays refused'
sed 's/^clock cpu/clock wall/; s/^engine .*/engine wall-timer/' data/c >wall
refused 'wall: measured by time on the clock, the data before it by CPU time' "$MLPROF" -merge-builds true v2/prog data/b wall
sed 's/^rate 100/rate 5000/' data/c >fast
refused 'fast: measured with rate 5000, the data before it with rate 100' "$MLPROF" -merge-builds true v2/prog data/b fast

echo 'Calls'
if ! pcxx -x c++ /dev/null -c -o empty.o 2>err; then
    leave_out "calls: the plugin does not work: $(head -n 1 err)"
    exit 0
fi
# calls FOLDER LINES TIMES: a program in which what is called stands so many lines lower.
calls() {
    mkdir -p "$1"
    {
        yes '' | head -n "$2"
        echo 'volatile int sink;'
        echo 'namespace deep { static __attribute__((noipa)) void low(int x) { sink = x; }'
        echo 'template <typename T> __attribute__((noipa)) void any(T x) { sink = x; } }'
        [ "$1" = c1 ] || echo 'static __attribute__((noipa)) void added() { sink = 7; }'
        echo 'static __attribute__((noipa)) void twin() { sink = 8; }'
        echo 'void both();'
        echo 'int main() { twin(); both();'
        [ "$1" = c1 ] || echo 'added();'
        echo "for (int i = 0; i < $3; i++) { deep::low(i); deep::any(i); deep::any('x'); }"
        echo '}'
    } >"$1/code.cc"
    # Two of one name, which their files tell apart.
    cat >"$1/other.cc" <<'END'
extern volatile int sink;
static __attribute__((noipa)) void twin() { sink = 9; }
void both() { twin(); twin(); twin(); }
END
    (
        cd "$1"
        pcxx -O1 -fplugin-arg-ccprof-profile=count code.cc other.cc -o code
        CCPROF=output=../"$1".out ./code
    )
}
calls c1 0 10
calls c2 5 300
merged 0 -names plain -csv - c1/code c1.out c2.out
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "calls") column = i; next } { print $1, $column }' out | sort >got
holds got <<'END'
added 1
both 2
deep::any<char> 310
deep::any<int> 310
deep::low 310
main 2
twin() (code.cc:4) 2
twin() (other.cc:2) 6
END

echo 'Calls in Fortran: procedures of modules, and internal ones'
have "$FC" 'Fortran' || exit 0
# fortran FOLDER LINES TIMES: a program like those.
fortran() {
    mkdir -p "$1"
    {
        yes '' | head -n "$2"
        printf '%s\n' 'module shapes' 'contains' '  subroutine area(x, y)' '    real :: x, y' '    y = inner(x)' '  contains' \
            '    real function inner(z)' '      real :: z' '      inner = z + 1' '    end function' '  end subroutine' \
            '  subroutine size(y)' '    real :: y' '    y = inner(y)' '  contains' \
            '    real function inner(z)' '      real :: z' '      inner = z - 1' '    end function' '  end subroutine'
        [ "$1" = r1 ] || printf '%s\n' '  subroutine added(y)' '    real :: y' '    y = 0' '  end subroutine'
        printf '%s\n' 'end module' 'program prog' '  use shapes' '  real :: y'
        echo "  do i = 1, $3"
        printf '%s\n' '    call area(real(i), y)' '  end do' '  call size(y)'
        [ "$1" = r1 ] || echo '  call added(y)'
        printf '%s\n' '  if (y < 0) print *, y' 'end program'
    } >"$1/code.f90"
    (
        cd "$1"
        pfc -O1 -fno-inline -fplugin-arg-ccprof-profile=count code.f90 -o code
        CCPROF=output=../"$1".out ./code >/dev/null
    )
}
fortran r1 0 10
fortran r2 3 7
for files in 'r1.out r2.out' 'r2.out r1.out'; do
    # shellcheck disable=SC2086
    merged 0 -names plain -csv - r1/code $files
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "calls") column = i; next } { print $1, $column }' out | sort >got
    holds got <<'END'
main 2
prog 2
shapes.added 1
shapes.area 17
shapes.area.inner 17
shapes.size 2
shapes.size.inner 2
END
done

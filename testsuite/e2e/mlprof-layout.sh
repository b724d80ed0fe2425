#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The table with numbers first: its numbers are those of MLton's, its intervals and marks what they
# should be, on terminals of 80 and 120 columns and in files.

. "$SRC/testsuite/mlprof.sh"
need readelf

own() {
    "$MLPROF" -layout ccprof "$@"
}

# No line ends in a blank.
tidy() {
    hasnot out ' $'
}

example prog main ns::sq

# Chance makes 60 of 100 against 40 in 4.6 of 100 runs (the binomial distribution, half of what was
# seen itself), 59 against 41 in 7.3.  Wilson's intervals: of 60 in 100 50.2 to 69.1, of 59 49.2 to
# 68.1, of 41 31.9 to 50.8, of 40 30.9 to 49.8; 1.96 / 2 / sqrt(103.84) is 9.6 %, and 9,600 samples
# are wanted for 1 %.
data sure 100 0 "$PWD/prog" -- "0 0 $(at prog 0) 60" "0 0 $(at prog 4) 40"
data unsure 100 0 "$PWD/prog" -- "0 0 $(at prog 0) 59" "0 0 $(at prog 4) 41"
run 0 own prog sure
holds out <<'END'
1.00 seconds of CPU time
  cur  95% range  function
60.0%  50.2-69.1  main
40.0%  30.9-49.8  ns::sq

100 samples: shares are good to +-9.6 points; +-1: CCPROF=rate=9600, or 96 runs
sampled 1.00 s of 1.00 s CPU time (100.0 %), engine task-clock at 100 Hz, 1 thread
unsampled 0.00 s, <lost> 0.00 s, skid corrected
END
run 0 own prog unsure
holds out <<'END'
1.00 seconds of CPU time
   cur  95% range  function
 59.0%  49.2-68.1  main
~41.0%  31.9-50.8  ns::sq

100 samples: shares are good to +-9.6 points; +-1: CCPROF=rate=9600, or 96 runs
~ not certainly less than the row above
sampled 1.00 s of 1.00 s CPU time (100.0 %), engine task-clock at 100 Hz, 1 thread
unsampled 0.00 s, <lost> 0.00 s, skid corrected
END
tidy

# Of 9,600 and more samples nothing is said.
data many 9600 0 "$PWD/prog" -- "0 0 $(at prog 0) 9000" "0 0 $(at prog 4) 600"
data few 9500 0 "$PWD/prog" -- "0 0 $(at prog 0) 9000" "0 0 $(at prog 4) 500"
run 0 own prog many
hasnot out 'shares are good'
run 0 own prog few
has out '^9,500 samples: shares are good to +-1.0 points; +-1: CCPROF=rate=110, or 2 runs$'

# A rate has its limit: of 20 samples at 100 Hz 480 times as many are wanted, at 10,000 Hz 4.8 times.
data least 20 0 "$PWD/prog" -- "0 0 $(at prog 0) 20"
run 0 own prog least
has out '^20 samples: shares are good to +-20.1 points; +-1: CCPROF=rate=10000 and 5 runs$'
sed 's/^rate 100$/rate 10000/' least >fastest
run 0 own prog fastest
has out '^20 samples: shares are good to +-20.1 points; +-1: 480 runs$'

# Sorted otherwise nothing is marked; equal ones keep their order, and there are as many as wanted.
run 0 own -sort name -balance false prog unsure
holds out <<'END'
1.00 seconds of CPU time
  cur  95% range  function
59.0%  49.2-68.1  main
41.0%  31.9-50.8  ns::sq
END
run 0 own -top 1 -sort percall -raw true -show-line true -balance false prog unsure
holds out <<'END'
1.00 seconds of CPU time
  cur  95% range  seconds  function
59.0%  49.2-68.1     0.59  main  prog.c: 7
END

# The numbers are those of MLton's table.  Stacks: sq is 83 of 100, main 96.
recursive
for option in '' '-raw true' '-show-extern true' '-sort stack' '-thresh 5 -show-line true'; do
    # shellcheck disable=SC2086
    run 0 own -balance false $option prog one
    tidy
    # Names of one word; no interval and no mark, no brackets.
    sed '1d; s/ *[0-9.]*-[0-9.]* / /; s/~//; s/  [^ ]*: [0-9?]*$//' out |
        awk 'NR > 1 { printf "%s", $NF; for (i = 1; i < NF; i++) printf " %s", $i; print "" }' >got
    # shellcheck disable=SC2086
    run 0 "$MLPROF" -layout mlton -balance false $option prog one
    # Without the columns of GC.
    sed '1,3d; s/[()]//g; s/\([0-9]\)s/\1/g; s/  [^ ]*: [0-9?]*//' out |
        awk -v raw="$option" '{ n = NF - (raw ~ /raw/ ? 2 : 1)
            printf "%s", $1; for (i = 2; i <= n; i++) printf " %s", $i; print "" }' >want
    [ -s want ] || fail "no rows: $option"
    same got want
done

# Names of three languages, with their files, at 80 and 120 columns and in a file. The whole names
# are those of check_readable.c.
string='std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >'
iterator="__gnu_cxx::__normal_iterator<char const*, $string >"
executor="std::__detail::_Executor<$iterator, std::allocator<std::__cxx11::sub_match<$iterator > >, std::__cxx11::regex_traits<char>, true>"
STACK=no
mkdir -p a_long_folder/with_more/in_it
(cd a_long_folder/with_more/in_it && example cxx "$executor::_M_handle_subexpr_begin" "$string::push_back")
(cd a_long_folder/with_more/in_it && example fortran solver.solve.scale_down solver.step)
for language in cxx fortran; do
    file=a_long_folder/with_more/in_it/$language
    data $language.out 100 0 "$file" -- "0 0 $(at "$file" 0) 70" "0 0 $(at "$file" 4) 30"
done
run 0 own -balance false a_long_folder/with_more/in_it/cxx cxx.out
holds out <<'END'
1.00 seconds of CPU time
  cur  95% range  function
70.0%  60.4-78.1  std::__detail::_Executor<..., true>::_M_handle_subexpr_begin
30.0%  21.9-39.6  std::string::push_back
END
run 0 own -balance false -names full -raw true a_long_folder/with_more/in_it/cxx cxx.out
has out "^30.0%  21.9-39.6     0.30  $string::push_back\$"
run 0 own -balance false -show-line true a_long_folder/with_more/in_it/fortran fortran.out
holds out <<'END'
1.00 seconds of CPU time
  cur  95% range  function
70.0%  60.4-78.1  solver.solve.scale_down  fortran.c: 7
30.0%  21.9-39.6  solver.step  fortran.c: 3
END
if have script 'names on a terminal'; then
    on() {
        columns=$1
        shift
        run 0 env NO_COLOR=1 script -qec "stty cols $columns; '$MLPROF' -layout ccprof -balance false $*" /dev/null
        tr -d '\r' <out >lines
    }
    # 62 columns are left, the name has 60 of them; then 60 for both: 49 for the name, of which
    # `...' and what stands behind the first `::'.
    on 80 a_long_folder/with_more/in_it/cxx cxx.out
    holds lines <<'END'
1.00 seconds of CPU time
  cur  95% range  function
70.0%  60.4-78.1  std::__detail::_Executor<..., true>::_M_handle_subexpr_begin
30.0%  21.9-39.6  std::string::push_back
END
    on 80 -show-line true a_long_folder/with_more/in_it/cxx cxx.out
    holds lines <<'END'
1.00 seconds of CPU time
  cur  95% range  function
70.0%  60.4-78.1  ...::_Executor<..., true>::_M_handle_subexpr_begin  cxx.c: 7
30.0%  21.9-39.6  std::string::push_back  cxx.c: 3
END
    on 120 -show-line true a_long_folder/with_more/in_it/cxx cxx.out
    has lines '^70.0%  60.4-78.1  std::__detail::_Executor<..., true>::_M_handle_subexpr_begin  cxx.c: 7$'
    on 80 -show-line true a_long_folder/with_more/in_it/fortran fortran.out
    has lines '^70.0%  60.4-78.1  solver.solve.scale_down  fortran.c: 7$'
fi

# Every view of a real program with long names stays in 80 columns.
if have script 'views on a terminal'; then
    cat >views.cc <<'END'
#include <map>
#include <string>
#include <vector>
static std::map<std::string, std::vector<std::string>> all;
__attribute__((noinline)) static void add(int i)
{
    all[std::to_string(i % 7)].push_back(std::string(100, 'a'));
}
int main()
{
    for (int i = 0; i < 99; i++)
        add(i);
}
END
    pcxx -O2 -fplugin-arg-ccprof-profile=count,alloc views.cc -o views
    ./views
    for view in '' '-show-line true' '-allocs site' '-allocs type' "-callers .*push_back" \
        "-callees .*push_back" "-list add"; do
        on 80 "$view" views mlmon.out
        awk 'length > 80 && !/^mlprof: /' lines >wide
        same wide /dev/null
        hasnot lines ' $'
    done
fi

# On a terminal a row fits into its line, the end of names and of files is what is kept, and each
# is shortened for itself.
have script 'tables on a terminal' || exit 0
terminal() {
    columns=$1
    shift
    run 0 script -qec "stty cols $columns; '$MLPROF' -layout ccprof -balance false $*" /dev/null
    tr -d '\r' <out >lines
}

# The name has 100 characters, the line 80, of which the numbers take 18.
name=a$(printf '%098d' 0)z
example long "$name" ns::sq
# shellcheck disable=SC2034 # data goes by it
STACK=no
data three 100 0 "$PWD/long" -- "0 0 $(at long 0) 80" "0 0 $(at long 4) 20"
export NO_COLOR=1
terminal 80 long three
{
    printf '%s\n' '1.00 seconds of CPU time' '  cur  95% range  function'
    printf '80.0%%  71.1-86.7  ...%058dz\n' 0
    echo '20.0%  13.3-28.9  ns::sq'
} >want
same lines want
# 62 are left, 2 of them between name and position: each may have half of the rest if it needs it.
terminal 80 -show-line true long three
{
    printf '%s\n' '1.00 seconds of CPU time' '  cur  95% range  function'
    printf '80.0%%  71.1-86.7  ...%047dz  long.c: 7\n' 0
    echo '20.0%  13.3-28.9  ns::sq  long.c: 3'
} >want
same lines want
terminal 120 -show-line true long three
[ "$(awk 'length > n { n = length } END { print n }' lines)" -eq 120 ] || fail "not 120 columns: $(cat lines)"
# The range gives way, a name keeps 24 columns.
terminal 42 long three
has lines '^80.0%  71.1-86.7  \.\.\.0\{20\}z$'
terminal 41 long three
has lines '^80.0%  \.\.\.0\{30\}z$'
terminal 10 long three
has lines '^80.0%  \.\.\.0\{20\}z$'
# In a file it is whole.
run 0 own -balance false long three
has out "^80.0%  71.1-86.7  $name\$"

# Headings are bold, 20 % are red, unless the user or the terminal wants no colours.
bold=$(printf '\033[1m')
red=$(printf '\033[1;31m')
off=$(printf '\033[0m')
unset NO_COLOR
export TERM=xterm
terminal 80 prog one
grep -qF "   ${bold}cur$off  ${bold}95% range$off" lines || fail "not bold: $(cat lines)"
grep -qF "${red}~41.0%$off" lines || fail "not red: $(cat lines)"
for setting in TERM=dumb NO_COLOR=1; do
    export "${setting?}"
    terminal 80 prog one
    if grep -q "$(printf '\033')" lines; then
        fail "colours with $setting"
    fi
    unset NO_COLOR
    export TERM=xterm
done
run 0 own prog one
if grep -q "$(printf '\033')" out; then
    fail 'colours in a file'
fi

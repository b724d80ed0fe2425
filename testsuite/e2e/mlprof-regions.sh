#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Real time of regions: the table, histograms, what is subtracted, copies and paths, against numbers by
# hand and against Python.

. "$SRC/testsuite/mlprof.sh"
need readelf python3

# regions OUT LINE...: a data file with these lines of regions; a tick is a nanosecond.
regions() {
    regions_out=$1
    shift
    {
        printf '%s\n' 'ccprof mlmon 4' 'kind region' 'cpu 0' 'wall 0' 'threads 1' 'waits 0' \
            "module 0 $(build_id prog) 0x0 $PWD/prog" 'regions monotonic 1000000000 20000 50000'
        printf '%s\n' "$@" end
    } >"$regions_out"
}
example prog

echo 'By hand.'
# Two calls of 1020 and 3120 ticks, in the second one two of 120 and 220; one is cold, one was left, one
# is open. Without 20 for each: 1000, 3100, 100 and 200; and of the first ones, together, 2 times 50 are
# subtracted, for the calls inside, from each as much of it. Of itself load has 1000 and 3000 - 300. What is less
# than three times 50 is told as a bound, a third of 50 more: 104 and 100 of parse.
regions one 'region 0 - 0x0 load' 'region 1 - 0x0 parse' \
    'path - 0 2 4140 0 3800 10774800 2 2 1020 1020 3120 - 1 1 7 1 1020 1020 1020' \
    'bucket 63 1' 'bucket 76 1' \
    'path 0 1 2 340 0 340 62800 0 0 120 120 220 - 0 0 0 0 0 0 0' 'bucket 39 1' 'bucket 45 1'
run 0 "$MLPROF" prog one
cat >want <<'END'
4 calls of 2 regions, 4.00us of real time in them
calls   total    self    mean      +-     p50     p99     min     max   first  region
    2  4.00us  3.70us  2.00us  1.45us   976ns  3.02us   976ns  3.02us   976ns  load
    2   300ns   300ns   150ns  70.7ns  <121ns   196ns  <117ns   200ns  <117ns  parse

cold   mean    min    max  warm    mean  region
   1  976ns  976ns  976ns     1  3.02us  load

1 call of load did not come to the end: longjmp, or the thread's end
1 call of load had not ended, and took 7.00ns so far
measuring makes a call 20.0ns longer, and what is around it 50.0ns: subtracted
clock: clock_gettime, of 1.00ns a tick
END
same out want
run 0 "$MLPROF" -regions prog one
same out want

echo 'Nothing is subtracted.'
run 0 "$MLPROF" -regions -subtract false -thresh 50 -show-line true prog one
cat >want <<'END'
4 calls of 2 regions, 4.14us of real time in them
calls   total    self    mean      +-     p50     p99     min     max   first  region
    2  4.14us  3.80us  2.07us  1.48us  1.02us  3.12us  1.02us  3.12us  1.02us  load

cold    mean     min     max  warm    mean  region
   1  1.02us  1.02us  1.02us     1  3.12us  load

1 call of load did not come to the end: longjmp, or the thread's end
1 call of load had not ended, and took 7.00ns so far
measuring makes a call 20.0ns longer, and what is around it 50.0ns: not subtracted
clock: clock_gettime, of 1.00ns a tick
END
same out want

echo 'Two files.'
run 0 "$MLPROF" -balance false prog one one
head -n 4 out >got
cat >want <<'END'
8 calls of 2 regions, 8.00us of real time in them
calls   total    self    mean      +-     p50     p99     min     max   first  region
    4  8.00us  7.40us  2.00us  1.18us   976ns  3.02us   976ns  3.02us   976ns  load
    4   600ns   600ns   150ns  57.7ns  <123ns   200ns  <117ns   200ns  <117ns  parse
END
same got want

echo 'Less than a tick, and bounds.'
# Calls of 20, 21 and 22 ticks, from which 20 are subtracted; a third of 50 is 16.67. The median is in the
# middle of its bucket, from 20 to 22, of which it has the first half.
regions few 'region 0 - 0x0 f' 'region 1 - 0x0 g' \
    'path - 0 2 41 0 41 841 0 0 20 20 21 - 0 0 0 0 0 0 0' 'bucket 18 2' \
    'path - 1 1 22 0 22 484 0 0 22 22 22 - 0 0 0 0 0 0 0' 'bucket 19 1'
run 0 "$MLPROF" -balance false prog few
cat >want <<'END'
3 calls of 2 regions, <53.0ns of real time in them
calls   total    mean      +-     p50     p99     min     max   first  region
    1  <18.7ns  <18.7ns       -  <18.7ns  <18.7ns  <18.7ns  <18.7ns  <18.7ns  g
    2  <34.3ns  <17.2ns  1.00ns  <17.2ns  <17.7ns  <16.7ns  <17.7ns  <16.7ns  f
END
tr -s ' ' <out >got
tr -s ' ' <want >squeezed
same got squeezed
run 0 "$MLPROF" -histogram f prog few
has out '^f: 2 calls, mean <17\.2ns, p50 <17\.2ns, p99 <17\.7ns, max <17\.7ns$'
run 0 "$MLPROF" -regions -csv - prog few
has out '^f,,,2,1,1,0\.5,.*,50,true.\{0,1\}$'
run 0 "$MLPROF" -regions -csv - prog one
# Two calls inside of two: 100 for each. 150 is no less than three times 50.
has out '^load,.*,100,false.\{0,1\}$'
has out '^parse,.*,50,false.\{0,1\}$'
run 0 "$MLPROF" -regions -subtract false -csv - prog few
has out '^f,,,2,41,41,20\.5,.*,0,false.\{0,1\}$'
run 0 "$MLPROF" -json - prog few
has out '"region_tick_ns": 1[,}]'
run 0 "$MLPROF" prog few -compare one few
has out '^<1\.00ns  <1\.00ns  <1\.00ns  *-  *<1\.00ns to <1\.00ns  .* f$\|^<1\.00ns'

echo 'Paths, and what a region takes inside of itself.'
# f, in it f, in it g; and g alone. The outer f is 1000, the inner one 400, g 100 and 30. A call of f has
# 1.5 calls inside and is a bound below three times 125.
regions two 'region 0 - 0x0 f' 'region 1 - 0x0 g' \
    'path - 0 2 1400 400 900 1160000 2 3 400 400 1000 - 0 0 0 0 0 0 0' 'bucket 52 1' 'bucket 63 1' \
    'path 0 1 1 100 0 100 10000 0 0 100 100 100 - 0 0 0 0 0 0 0' 'bucket 36 1' \
    'path - 1 1 30 0 30 900 0 0 30 30 30 - 0 0 0 0 0 0 0' 'bucket 23 1'
run 0 "$MLPROF" -regions -balance false -paths true prog two
cat >want <<'END'
4 calls of 2 regions, 890ns of real time in them
calls    total     self     mean     +-      p50      p99      min      max    first  path
    2    880ns    800ns    605ns  377ns   <380ns    865ns   <380ns    872ns   <380ns  f
    1  <96.7ns  <96.7ns  <96.7ns      -  <96.7ns  <96.7ns  <96.7ns  <96.7ns  <96.7ns  f > g
    1  <26.7ns  <26.7ns  <26.7ns      -  <26.7ns  <26.7ns  <26.7ns  <26.7ns  <26.7ns  g
END
same out want
run 0 "$MLPROF" -regions -balance false -sort name -top 1 prog two
[ "$(tail -n 1 out | tr -s ' ')" = ' 2 880ns 800ns 605ns 377ns <380ns 865ns <380ns 872ns <380ns f' ]
run 0 "$MLPROF" -regions -balance false -sort percall -top 1 prog two
has out ' f$'

echo 'What was measuring.'
# 4 calls took 50 each. Of 20,001 ns of CPU time that is less than a hundredth, and of 2,001 less than a tenth.
for cpu in 20001 20000 2001 2000; do
    sed "s/^cpu 0$/cpu $cpu/" one >"cpu$cpu"
done
head='4 calls of 2 regions, 4.00us of real time in them'
run 0 "$MLPROF" prog cpu20001
has out "^$head\$"
run 0 "$MLPROF" prog cpu20000
has out "^$head; measuring took 200ns of 20\.0us of CPU time\$"
hasnot out '% of the CPU time was'
run 0 "$MLPROF" prog cpu2001
has out "^$head; measuring took 200ns of 2\.00us of CPU time\$"
hasnot out '% of the CPU time was'
# The program has named its regions: none of them can be left out for it.
run 0 "$MLPROF" prog cpu2000
has out '^10% of the CPU time was measuring: less is where longer regions are begun$'
run 0 "$MLPROF" -json - prog cpu2000
has out '"region_measuring_ns": 200[,}]'
# More than there was at all: all.
sed 's/^cpu 0$/cpu 100/' one >cpu100
run 0 "$MLPROF" prog cpu100
has out "^$head; measuring took 100ns of 100ns of CPU time\$"

echo 'Copies of functions with a stopwatch.'
# At 0 is main, at 4 sq that is inlined there.
regions three "region 0 0 $(at prog 0) main" "region 1 0 $(at prog 4) sq" "region 2 0 $(at prog 5) sq" \
    'region 3 - 0x0 sq' \
    'path - 0 1 700 0 700 490000 0 0 700 700 700 - 0 0 0 0 0 0 0' 'bucket 58 1' \
    'path - 1 1 120 0 120 14400 0 0 120 120 120 - 0 0 0 0 0 0 0' 'bucket 39 1' \
    'path - 2 1 220 0 220 48400 0 0 220 220 220 - 0 0 0 0 0 0 0' 'bucket 45 1' \
    'path - 3 1 90 0 90 8100 0 0 90 90 90 - 0 0 0 0 0 0 0' 'bucket 35 1'
run 0 "$MLPROF" -balance false prog three
cat >want <<'END'
4 calls of 3 regions, 1.05us of real time in them
calls  total   mean      +-     p50     p99     min     max   first  region
    1  680ns  680ns       -   680ns   680ns   680ns   680ns   680ns  main
    2  300ns  150ns  70.7ns   <121ns   196ns   <117ns   200ns   <117ns  sq  prog.c: 3
    1  <86.7ns  <86.7ns      -  <86.7ns  <86.7ns  <86.7ns  <86.7ns  <86.7ns  sq
END
tr -s ' ' <out >got
tr -s ' ' <want >squeezed
same got squeezed
run 0 "$MLPROF" -balance false -regions -by copy prog three
sed -n '3,$s/.*ns  //p' out >got
cat >want <<'END'
main  own body
sq  inlined in main at prog.c: 9
sq
END
same got want

# 1,000 calls of a function named a.b'c(int) and 10 of main, which are long: 50,500 of 60,000 ns, and
# without the former 500 of 10,000.
regions tiny "region 0 0 $(at prog 0) main" "region 1 0 $(at prog 4) a.b'c(int)" \
    'path - 0 10 7000 0 7000 4900000 0 0 700 700 700 - 0 0 0 0 0 0 0' 'bucket 58 10' \
    'path - 1 1000 25000 0 25000 625000 0 0 25 25 25 - 0 0 0 0 0 0 0' 'bucket 20 1000'
sed -i 's/^cpu 0$/cpu 60000/' tiny
run 0 "$MLPROF" prog tiny
has out '^84% of the CPU time was measuring; without stopwatches on the functions that have 99% of the calls:$'
grep -Fxq -- "-fplugin-arg-ccprof-exclude-function='^(a\.b'\''c\(int\))\$'" out || fail "$(cat out)"

# By path copies are one, too, with what is inside of them.
regions inside "region 0 0 $(at prog 0) main" "region 1 0 $(at prog 4) sq" "region 2 0 $(at prog 5) sq" 'region 3 - 0x0 part' \
    'path - 0 1 700 0 460 490000 2 4 700 700 700 - 0 0 0 0 0 0 0' 'bucket 58 1' \
    'path 0 1 1 120 0 80 14400 1 1 120 120 120 - 0 0 0 0 0 0 0' 'bucket 39 1' \
    'path 0 2 1 120 0 80 14400 1 1 120 120 120 - 0 0 0 0 0 0 0' 'bucket 39 1' \
    'path 1 3 1 40 0 40 1600 0 0 40 40 40 - 0 0 0 0 0 0 0' 'bucket 26 1' \
    'path 2 3 1 40 0 40 1600 0 0 40 40 40 - 0 0 0 0 0 0 0' 'bucket 26 1'
run 0 "$MLPROF" -balance false -regions -paths true prog inside
sed -n '3,$s/^ *\([0-9]*\) .*ns  /\1 /p' out | sort >got
sort >want <<'END'
1 main
2 main > sq
2 main > sq > part
END
same got want

# One inside of the other, which starts its watch elsewhere: 700 with it, less 20 and 50.
regions four "region 0 0 $(at prog 4) sq" "region 1 0 $(at prog 5) sq" \
    'path - 0 1 700 0 580 490000 1 1 700 700 700 - 0 0 0 0 0 0 0' 'bucket 58 1' \
    'path 0 1 1 120 0 120 14400 0 0 120 120 120 - 0 0 0 0 0 0 0' 'bucket 39 1'
run 0 "$MLPROF" -balance false prog four
[ "$(sed -n '3s/  */ /gp' out | cut -d ' ' -f 2-5)" = '2 630ns 630ns 365ns' ] || fail "$(cat out)"

echo 'Histograms.'
# A bucket a line as far as they fit; from its bounds 20 are subtracted, and of the rest 100 of 4100.
run 0 "$MLPROF" -histogram '^l|x' -balance false prog one
cat >want <<'END'
load: 2 calls, mean 2.00us, p50 976ns, p99 3.02us, max 3.02us
   from   below       calls  up to
  917ns   980ns           1  50.0% c #################################### p50
  980ns  1.10us           0  50.0%
 1.10us  1.23us           0  50.0%
END
sed -n 2,6p out >got
same got want
cat >want <<'END'
 2.73us  2.98us           0  50.0%
 2.98us  3.23us           1 100.0%   ############################# p99
c: 1 cold call, from 976ns to 976ns, mean 976ns
END
tail -n 3 out >got
same got want
run 0 "$MLPROF" -histogram . -paths true -csv - prog one
cat >want <<'END'
region,position,place,least_ns,below_ns,calls
load,,,917,979,1
load,,,2977,3227,1
load > parse,,,100,108,1
load > parse,,,188,204,1
END
sed 's/\r//; s/\.[0-9]*//g' out >got
same got want

echo 'Against Python.'
python3 "$SRC/testsuite/regions/calls.py" 1 calls "$(build_id prog)" "$PWD/prog"
for word in true false; do
    run 0 "$MLPROF" -regions -subtract $word -csv table.csv prog calls
    subtracted=
    [ $word = true ] || subtracted=no
    # No word if it is empty.
    # shellcheck disable=SC2086
    python3 "$SRC/testsuite/regions/calls.py" check calls.json table.csv $subtracted || fail "-subtract $word"
done

echo 'Compared.'
for seed in 2 3; do
    python3 "$SRC/testsuite/regions/calls.py" $seed calls$seed "$(build_id prog)" "$PWD/prog"
done
run 0 "$MLPROF" -regions -csv table.csv prog calls -compare calls2
python3 "$SRC/testsuite/regions/calls.py" compared calls.json calls2.json table.csv || fail 'a comparison'
# The same call by call: nothing has changed, in whatever order.
run 0 "$MLPROF" prog calls calls2 -compare calls2 calls
has out '^\* certain: 0 of 2 regions; '
# Several runs that differ much by themselves: what is certain by calls alone is not.
# One region, all calls alike but for a tick, 1000 of them: 1000, 1400 and 1100, 1500.
steady() {
    regions "$1" 'region 0 - 0x0 steady' "path - 0 1000 $(($2 * 1000 + 500)) 0 $(($2 * 1000 + 500)) \
$((500 * $2 * $2 + 500 * ($2 + 1) * ($2 + 1))) 0 0 $2 $2 $(($2 + 1)) - 0 0 0 0 0 0 0" "bucket $3 1000"
}
steady a1 1000 63
steady a2 1400 66
steady b1 1100 64
steady b2 1500 67
run 0 "$MLPROF" prog a1 -compare b1
has out '<0\.001\*  steady$'
has out '^one run a side: '
run 0 "$MLPROF" prog a1 a2 -compare b1 b2
# Welch's t is 100 / sqrt(200^2 + 200^2) of 2 degrees of freedom: 0.3536, chance 0.757.
has out ' 0\.757  *steady$'
has out '^\* certain: 0 of 1 region; '
# The same of single calls, each of a run: only the runs tell anything.
once() {
    regions "$1" 'region 0 - 0x0 once' \
        "path - 0 1 $2 0 $2 $(($2 * $2)) 0 0 $2 $2 $2 - 0 0 0 0 0 0 0" "bucket $3 1"
}
once o1 1000 63
once o2 1400 66
once o3 1100 64
once o4 1500 67
run 0 "$MLPROF" prog o1 o2 -compare o3 o4
has out ' 0\.757  *once$'
has out '^\* certain: 0 of 1 region; '
run 0 "$MLPROF" prog o1 -compare o3
has out ' -  *once$'

# Both histograms over the same buckets; on one side there are no calls of other.
regions c1 'region 0 - 0x0 steady' 'region 1 - 0x0 other' \
    'path - 0 1000 1001500 0 1001500 1003003500 0 0 1001 1001 1002 - 0 0 0 0 0 0 0' 'bucket 63 1000' \
    'path - 1 1 200 0 200 40000 0 0 200 200 200 - 0 0 0 0 0 0 0' 'bucket 44 1'
run 0 "$MLPROF" -histogram . -sort name prog c1 -compare b2
cat >want <<'END'
other, before: 1 call, mean 180ns, p50 180ns, p99 180ns, max 180ns
   from   below       calls  up to
  172ns   188ns           1 100.0%   #################################### p50 p99

other, after: no calls

steady, before: 1,000 calls, mean 982ns, p50 981ns, p99 982ns, max 982ns
   from   below       calls  up to
  940ns  1.00us       1,000 100.0%   #################################### p50 p99
 1.00us  1.13us           0 100.0%
 1.13us  1.26us           0 100.0%
 1.26us  1.39us           0 100.0%
 1.39us  1.52us           0 100.0%

steady, after: 1,000 calls, mean 1.48us, p50 1.48us, p99 1.48us, max 1.48us
   from   below       calls  up to
  940ns  1.00us           0   0.0%
 1.00us  1.13us           0   0.0%
 1.13us  1.26us           0   0.0%
 1.26us  1.39us           0   0.0%
 1.39us  1.52us       1,000 100.0%   #################################### p50 p99
END
same out want
run 0 "$MLPROF" -histogram other -regions prog c1 -compare b2
has out '^steady\|  steady$'
has out '^other, after: no calls$'
run 0 "$MLPROF" -regions -subtract false prog a1 -compare b1
has out '^1\.00us  1\.10us '
# By path.
run 0 "$MLPROF" -regions -paths true -csv - prog one -compare one
cut -d , -f 1-3 out >got
cat >want <<'END'
region,before,after
load,2000,2000
load > parse,150,150
END
tr -d '\r' <got >squeezed
same squeezed want
# Two paths of one name: the function sq within main, and what the program calls so.
regions alike "region 0 0 $(at prog 0) main" "region 1 0 $(at prog 4) sq" 'region 2 - 0x0 sq' \
    'path - 0 1 700 0 490 490000 0 2 700 700 700 - 0 0 0 0 0 0 0' 'bucket 58 1' \
    'path 0 1 1 120 0 120 14400 0 0 120 120 120 - 0 0 0 0 0 0 0' 'bucket 39 1' \
    'path 0 2 1 90 0 90 8100 0 0 90 90 90 - 0 0 0 0 0 0 0' 'bucket 35 1'
run 0 "$MLPROF" -regions -paths true -csv - prog alike -compare alike
cut -d , -f 1-3 out | tr -d '\r' | sort >got
sort >want <<'END'
region,before,after
main,580,580
main > sq  prog.c > prog.c: 3,100,100
main > sq,70,70
END
same got want
run 0 "$MLPROF" -regions -paths true prog alike
has out '^ *1 *<117ns .*  main > sq  prog\.c: 3$'
has out '^ *1 *<86\.7ns .*  main > sq$'
# Two functions of one name, of which one run has one: both are there, each with its file or line.
regions five "region 0 0 $(at prog 4) sq" 'path - 0 1 120 0 120 14400 0 0 120 120 120 - 0 0 0 0 0 0 0' 'bucket 39 1'
run 0 "$MLPROF" -regions -csv - prog three -compare three five
cut -d , -f 1-3 out | tr -d '\r' | sort >got
sort >want <<'END'
region,before,after
main,680,680
sq  prog.c: 3,150,125
sq,70,70
END
same got want

echo 'Calls in time order.'
python3 "$SRC/testsuite/regions/lanes.py" 3 3000 lanes "$(build_id prog)" "$PWD/prog"
exported() {
    python3 "$SRC/testsuite/regions/exported.py" "$@" || fail "exported.py $1"
}
run 0 "$MLPROF" -speedscope calls.json -firefox calls.ff.json -regions -csv table.csv prog lanes
exported speedscope lanes calls.json
exported firefox lanes calls.ff.json 'regions of thread 1 prog' 'regions of thread 2 worker' \
    'regions of thread 7' 'regions of other threads' -- table.csv
run 0 "$MLPROF" -regions -json table.json prog lanes
exported json lanes table.json
# The longest calls, of equal ones the earlier: 3120 and 1020 ticks as above.
{
    sed '$d' one
    printf '%s\n' 'events 100' 'event 3 0 700000 1020' 'event 1 0 5000123000 3120' 'event 1 1 5000124000 220' \
        'event 1 1 5000123200 120' end
} >when
run 0 "$MLPROF" -histogram . -balance false prog when
awk '/^longest/ { on = 1 } !NF { on = 0 } on' out >got
holds got <<'END'
longest       from  thread    path
 3.02us  5.000123s  thread 1  load
  976ns  0.000700s  thread 3  load
longest       from  thread    path
  200ns  5.000124s  thread 1  load > parse
  100ns  5.000123s  thread 1  load > parse
END
for i in 1 2 3 4 5 6 7; do
    echo "event 1 0 $i 1020"
done >seven
{
    sed '$d' when
    cat seven
    echo end
} >when7
run 0 "$MLPROF" -histogram load -balance false prog when7
grep -c ' 0.000000s ' out >got
echo 4 >want
same got want
# Of several runs there are none.
run 0 "$MLPROF" -balance false -speedscope calls.json -firefox calls.ff.json prog lanes lanes
hasnot calls.json evented
hasnot calls.ff.json '"Region"'

echo 'What cannot be shown.'
# refused MESSAGE ARGUMENT...
refused() {
    refused_text=$1
    shift
    run 1 "$MLPROF" "$@"
    grep -Fxq "mlprof: $refused_text" err || fail "$(cat err)"
}
data none 0 0 "$PWD/prog" -- "0 0 $(at prog 0) 0"
no='no regions were measured: ccprof(3) tells of CCPROF_REGION, and ccprof(1) of -fplugin-arg-ccprof-stopwatch, which goes by the names that -names plain shows'
refused "-regions: $no" -regions prog none
refused "-histogram: $no" -histogram . prog none
refused '-histogram nothing: no region that was measured matches' -histogram nothing prog one
refused '-histogram nothing: no region that was measured matches' -histogram nothing prog one -compare one
refused '-histogram: not all the runs have measured regions' -histogram . prog none -compare one
refused '-regions: regions are told apart by name, with -by copy, or with -paths' -regions -by line prog one
refused '-histogram: regions are told apart by name, with -by copy, or with -paths' -histogram . -by copy -paths true prog one
sed "s/^regions .*/regions tsc/" one >broken
refused "broken: line 8: it should be \`regions' and a clock, its speed, two costs" prog one broken

echo 'Functions of a program.'
if pcc -x c /dev/null -c -o empty.o 2>err; then
    cat >square.c <<'END'
static inline __attribute__((always_inline)) int square(int x)
{
    return x * x;
}
int main(void)
{
    volatile int sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += square(sum);
    for (int i = 0; i < 10; i++)
        sum += square(sum) / 2;
    return 0;
}
END
    pcc -O1 -fplugin-arg-ccprof-stopwatch=square square.c -o square
    CCPROF=output=square.out ./square
    run 0 "$MLPROF" -regions -csv table.csv square square.out
    cut -d , -f 1-4 table.csv | tr -d '\r' >got
    printf '%s\n' region,position,place,calls square,square.c:\ 1,,1010 >want
    same got want
    run 0 "$MLPROF" -regions -by copy -csv table.csv square square.out
    sed 's/, in [0-9]* pieces//; s/"//g; s/\r//' table.csv | cut -d , -f 1-4 | sort >got
    sort >want <<'END'
region,position,place,calls
square,square.c: 1,inlined in main at square.c: 9,1000
square,square.c: 1,inlined in main at square.c: 11,10
END
    same got want
fi

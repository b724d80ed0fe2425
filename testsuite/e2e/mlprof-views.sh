#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The views of calls: callers, callees, listing, call graph, flame graph.

. "$SRC/testsuite/mlprof.sh"
need readelf

# As in mlprof-stacks.sh: sq is 83 of 100 on the stack, main 96, main below itself.
example prog main sq
example lib other mid -shared
printf 'line %s\n' 1 2 >prog.c
printf '\tline %s\n' 3 4 5 6 7 8 >>prog.c
printf 'nine\001' >>prog.c
touch -r prog prog.c
STACK=yes
data one 100 2 "$PWD/prog" "$PWD/lib" -- \
    "0 1 0x1 0" "1 0 $(at prog 0) 10" "2 0 $(at prog 4) 30" "3 0 $(at prog 9) 20" \
    "4 1 0x1 8" "1 0 $(at prog 9) 0" "2 0 $(at prog 5) 25" \
    "0 - 0x0 0" "1 0 $(at prog 1) 3" "0 1 0x1 2"
# sq calls other; main calls itself by way of sq's call, and in the third other at once.
data two 100 1 "$PWD/prog" "$PWD/lib" -- "0 0 $(at prog 0) 40" "1 0 $(at prog 4) 0" \
    "2 1 $(at lib 0) 59"
data three 100 1 "$PWD/prog" "$PWD/lib" -- "0 0 $(at prog 0) 40" "1 0 $(at prog 4) 0" \
    "2 1 $(at lib 0) 58" "1 1 $(at lib 0) 1"
# The same, the direct call first.
data four 100 1 "$PWD/prog" "$PWD/lib" -- "0 0 $(at prog 0) 40" "1 1 $(at lib 0) 1" \
    "1 0 $(at prog 4) 0" "2 1 $(at lib 0) 58"

echo 'Callers and callees.'
run 0 $TABLE -callers main -callees 'sq  ' prog one
same err /dev/null
holds out <<'END'
1.00 seconds of CPU time (0.00 seconds GC)

callers of main
function  stack
--------- -----
<outside> 93.0%
main      83.0%
sq        28.0%
<deep>     3.0%

callees of sq
function stack
-------- -----
main     28.0%
END
run 0 $TABLE -raw true -show-line true -thresh 83 -callers main prog one
holds out <<'END'
1.00 seconds of CPU time (0.00 seconds GC)

callers of main  prog.c: 7
   function     stack   raw  
--------------- ----- -------
<outside>       93.0% (0.93s)
main  prog.c: 7 83.0% (0.83s)
END
# A beginning must match, and the position belongs to the text.
run 0 $TABLE -callees '.*prog\.c: [3-7]' prog one
[ "$(grep -c '^callees of ' out)" -eq 2 ]
for pattern in ain 'main ..main' 'sqx'; do
    run 1 $TABLE -callers "$pattern" prog one
    echo "mlprof: -callers $pattern: no function that was measured matches" >want
    same err want
done

echo 'Source.'
run 0 $TABLE -list 'main|<lost>' prog one
same err /dev/null
holds out <<'END'
1.00 seconds of CPU time (0.00 seconds GC)

main  prog.c: 7
   cur  stack  line
     .      .     7          line 7
     .      .     8          line 8
 41.0%  96.0%     9  nine\x01
END
run 0 $TABLE -raw true -list sq prog one
holds out <<'END'
1.00 seconds of CPU time (0.00 seconds GC)

sq  prog.c: 3
   cur       raw  stack       raw  line
 55.0%   (0.55s)  83.0%   (0.83s)     3          line 3
END
run 0 $TABLE -thresh 97 -list main prog one
hasnot out line
# Compiled elsewhere: the folder is in the tables.
mkdir elsewhere
(cd elsewhere && $TABLE -list 'sq' ../prog ../one) >out
has out '    3          line 3$'
# A file that was changed since is told of, once, and so is one that is gone.
touch -d "$(date -r prog '+%Y-%m-%d %H:%M:%S.%N') 1 second" prog.c
run 0 $TABLE -list 'main|sq' prog one
echo "mlprof: $PWD/prog.c: changed after prog was built; its lines may not be those that were measured" >want
same err want
has out '    9  nine'
has out '    3          line 3$'
mv prog.c gone.c
run 0 $TABLE -list 'main|sq' prog one
[ "$(grep -c 'No such file' err)" -eq 1 ] || fail "told of the same file again"
run 0 $TABLE -list main prog one
echo "mlprof: $PWD/prog.c: No such file or directory; its lines are listed without text" >want
same err want
holds out <<'END'
1.00 seconds of CPU time (0.00 seconds GC)

main  prog.c: 7
   cur  stack  line
 41.0%  96.0%     9
END
mkfifo prog.c
run 0 $TABLE -list main prog one
echo "mlprof: $PWD/prog.c: not a regular file; its lines are listed without text" >want
same err want
rm prog.c

echo 'Call graph.'
run 0 $TABLE -call-graph dot prog two
has out '^other    59.0% 59.0% 0.0%$'
holds dot <<'END'
digraph "prog call-stack graph" {
label = "prog call-stack graph\n"
n0 [shape = "box", label = "other\n59.0% 59.0% 0.0%\n", color = "black"]
n1 [shape = "box", label = "main\n40.0% 99.0% 0.0%\n", color = "black"]
n2 [shape = "box", label = "<lost>\n1.0% 1.0% 0.0%\n", color = "black"]
n3 [shape = "box", label = "sq\n0.0% 59.0% 0.0%\n", color = "black"]
n1 -> n1
n1 -> n3
n3 -> n0
}
END
run 0 $TABLE -call-graph dot2 -graph-title 'a "b" \c' -gray true -raw true -show-line true -thresh 1.1 prog two
holds dot2 <<'END'
digraph "a \"b\" \\c" {
label = "a \"b\" \\c\n"
n0 [shape = "box", label = "other\nlib.c: 7\n59.0% (0.59s) 59.0% (0.59s) 0.0% (0.00s)\n", color = "gray41"]
n1 [shape = "box", label = "main\nprog.c: 7\n40.0% (0.40s) 99.0% (0.99s) 0.0% (0.00s)\n", color = "gray1"]
n1 -> n0 [style = "dashed"]
n1 -> n1
}
END
# A way and a call: the call is drawn.
for data in three four; do
    run 0 $TABLE -call-graph dot3 -thresh 1.1 prog $data
    sed -n '/->/p' dot3 >got
    printf 'n1 -> n0\nn1 -> n1\n' >want
    same got want
done
if command -v dot >/dev/null; then
    for graph in dot dot2 dot3; do
        command dot -Tplain "$graph" >plain 2>err || fail "graphviz refuses $graph"
        same err /dev/null
        grep -c '^edge' plain >got
        grep -c -e '->' "$graph" >want
        same got want
    done
    command dot -Tplain dot2 >plain
    has plain '^edge n1 n0 .* dashed black'
    has plain '^edge n1 n1 .* solid black'
else
    echo "graphviz is not installed: the graphs were not drawn" >&2
fi

echo 'Flame graph.'
run 0 $TABLE -flame flame.svg prog one
# boxes FILE: depth from above, left, weight, name of each.
boxes() {
    sed -n 's/^<g class="b" data-l="\([0-9]*\)" data-w="\([0-9]*\)" data-n="\([^"]*\)".* y="\([0-9]*\)" width=.*/\4 \1 \2 \3/p' "$1" |
        sort -k1,1nr -k2,2n
}
boxes flame.svg >got
# Five boxes of 17 high.  main (10 of its own) calls main from two places, and that is one
# box; all samples of it are in sq, which calls main again.
cat >want <<'END'
112 0 100 all
95 0 3 &lt;deep&gt;
95 3 2 &lt;lost&gt;
95 5 2 &lt;unprofiled&gt;
95 7 93 main
78 0 3 main
78 7 83 main
61 7 83 sq
44 7 28 main
END
same got want
has flame.svg '<title>sq (83.0%, 0.83 s)</title><rect x="84.0" y="61" width="996.0" height="16"'
run 0 $TABLE -flame thick.svg -thresh 3 prog one
boxes thick.svg >got
sed '/ 2 /d' want >thick
same got thick
# Nothing of it comes from elsewhere, and it is the same each time.
sed 's,http://www.w3.org/2000/svg,,' flame.svg >stripped
hasnot stripped '://\|href\|@import\|src='
run 0 $TABLE -flame again.svg prog one
same again.svg flame.svg
# In a browser: a search for sq, then a click on it.
if command -v chromium >/dev/null; then
    sed 's#</svg>#<script>window.prompt = function () { return "^sq"; };\
document.getElementById("search").dispatchEvent(new Event("click"));\
document.querySelector("g[data-n=sq]").dispatchEvent(new Event("click"));</script></svg>#' \
        flame.svg >driven.svg
    if HOME=$PWD timeout 300 chromium --headless --no-sandbox --disable-gpu --dump-dom \
        "file://$PWD/driven.svg" >out 2>err; then
        has out 'class="b hit" data-l="7" data-w="83" data-n="sq">.*width="1200"'
        has out 'class="b below" data-l="7" data-w="93" data-n="main">.* x="0" .* width="1200"'
        has out 'data-n="&lt;lost&gt;" style="display: none;">'
        has out '>matched: 83.0%<'
        has out 'id="reset".* visibility="visible">'
    else
        echo "chromium does not run here: zoom and search were not tried" >&2
    fi
else
    echo "chromium is not installed: zoom and search were not tried" >&2
fi
# Names that mean something in XML, in JavaScript or in dot.
example prog 'f<&\"\\>'"'"']]>' 'g\377\001\303\251\355\240\200'
data odd 2 0 "$PWD/prog" -- "0 0 $(at prog 0) 1" "0 0 $(at prog 4) 1"
run 0 $TABLE -flame odd.svg -graph-title '<script>"&' -call-graph odd prog odd
has odd.svg 'data-n="f&lt;&amp;&quot;\\&gt;&#39;\]\]&gt;"><title>f&lt;&amp;&quot;'
has odd 'label = "f<&\\"\\\\>'"'"'\]\]>\\n50'
data nothing 0 0 "$PWD/prog" --
run 0 $TABLE -flame nothing.svg -call-graph nothing.dot prog nothing
run 0 $TABLE -flame none.svg -call-graph none.dot prog
boxes nothing.svg >got
echo '44 0 0 all' >want
same got want
if command -v xmllint >/dev/null; then
    xmllint --noout --nonet ./*.svg || fail "not well-formed"
    name=$(xmllint --xpath 'string((//*[@class="b"])[3]/@data-n)' odd.svg)
    [ "$name" = "$(printf 'g\357\277\275\\x01\303\251\357\277\275')" ] ||
        fail "another name: $name"
else
    echo "xmllint is not installed: the pictures were not parsed" >&2
fi
if command -v dot >/dev/null; then
    for graph in odd nothing.dot none.dot; do
        command dot -Tplain "$graph" >plain 2>err || fail "graphviz refuses $graph"
    done
fi

echo 'Data without stacks, and files that cannot be written.'
STACK=no
example prog main sq
data bare 2 0 "$PWD/prog" -- "0 0 $(at prog 0) 1" "0 0 $(at prog 4) 1"
for view in '-callers sq' '-callees main' '-call-graph g' '-flame f'; do
    run 0 $TABLE $view prog bare
    echo 'mlprof: the data have no stacks: calls are those of inlined functions' >want
    same err want
done
has g '^n0 -> n1$'
run 0 $TABLE -gray true -call-graph g prog bare
[ "$(grep -c 'color = "gray100"' g)" -eq 2 ] || fail "gray without stacks is not white"
for view in call-graph flame; do
    STACK=yes data whole 1 0 "$PWD/prog" -- "0 0 $(at prog 0) 1"
    refused 'no/where: No such file or directory' $TABLE -$view no/where prog whole
    [ ! -w /dev/full ] || refused '/dev/full: No space left on device' $TABLE -$view /dev/full prog whole
done

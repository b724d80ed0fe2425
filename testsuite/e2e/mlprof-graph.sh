#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The call graph: as text, and as a picture in a browser.

. "$SRC/testsuite/mlprof.sh"
need readelf

recursive
# sq calls other; main calls itself by way of sq's call, and in the third other at once.
data two 100 1 "$PWD/prog" "$PWD/lib" -- "0 0 $(at prog 0) 40" "1 0 $(at prog 4) 0" \
    "2 1 $(at lib 0) 59"
data three 100 1 "$PWD/prog" "$PWD/lib" -- "0 0 $(at prog 0) 40" "1 0 $(at prog 4) 0" \
    "2 1 $(at lib 0) 58" "1 1 $(at lib 0) 1"
# The same, the direct call first.
data four 100 1 "$PWD/prog" "$PWD/lib" -- "0 0 $(at prog 0) 40" "1 1 $(at lib 0) 1" \
    "1 0 $(at prog 4) 0" "2 1 $(at lib 0) 58"

echo 'Call graph.'
run 0 mlprof_short -call-graph dot prog two
has out '^ *59.0%  [0-9.-]*  59.0%  other$'
# Letters of 11 points and 13 times the root of cur by the largest cur; lines of 1 and 5
# times the part that went this way.
cat >fonts <<'END'
labelloc = "t"
fontname = "Helvetica,Arial,sans-serif"
node [fontname = "Helvetica,Arial,sans-serif", margin = "0.11,0.1"]
edge [fontname = "Helvetica,Arial,sans-serif", fontsize = "11"]
END
# plain FILE: it without what a browser shows under the pointer, and the spaces that keep labels
# away from the arrows.
plain() {
    sed 's/, tooltip = "[^"]*"\]$/]/; s/\xc2\xa0//g' "$1"
}
plain dot >got
{
    cat <<'END'
digraph "prog call-stack graph" {
label = "prog call-stack graph\nboxes: cur stack; arrows: stack\n"
END
    cat fonts - <<'END'
n0 [shape = "box", label = "other\n59.0% 59.0%\n", color = "black", fontsize = "24"]
n1 [shape = "box", label = "main\n40.0% 99.0%\n", color = "black", fontsize = "22"]
n2 [shape = "box", label = "<lost>\n1.0% 1.0%\n", color = "black", fontsize = "13"]
n3 [shape = "box", label = "sq\n0.0% 59.0%\n", color = "black", fontsize = "11"]
n1 -> n1 [label = "59.0%", penwidth = "3.95", weight = "60"]
n1 -> n3 [label = "59.0%", penwidth = "3.95", weight = "60"]
n3 -> n0 [label = "59.0%", penwidth = "3.95", weight = "60"]
}
END
} | holds got
has dot '^n3 .*, tooltip = "sq  prog.c: 3"\]$'
has dot '^n1 -> n3 .*, tooltip = "main  prog.c: 7 -> sq  prog.c: 3"\]$'
# MLton's threshold goes by cur, so that sq is left out: main has called other by way of it.
run 0 mlprof_short -layout mlton -call-graph dot2 -graph-title 'a "b" \c' -gray true -raw true -show-line true -thresh 1.1 prog two
plain dot2 >got
{
    cat <<'END'
digraph "a \"b\" \\c" {
label = "a \"b\" \\c\nboxes: cur raw stack raw GC raw; arrows: stack raw\n"
END
    cat fonts - <<'END'
n0 [shape = "box", label = "other\nlib.c: 7\n59.0% (0.59s) 59.0% (0.59s) 0.0% (0.00s)\n", color = "gray41", fontsize = "24"]
n1 [shape = "box", label = "main\nprog.c: 7\n40.0% (0.40s) 99.0% (0.99s) 0.0% (0.00s)\n", color = "gray1", fontsize = "22"]
n1 -> n0 [style = "dashed", label = "59.0% (0.59s)", penwidth = "3.95", weight = "60"]
n1 -> n1 [label = "59.0% (0.59s)", penwidth = "3.95", weight = "60"]
}
END
} | holds got
# A way and a call: the call is drawn, with the samples of both.
for data in three four; do
    run 0 mlprof_short -layout mlton -call-graph dot3 -thresh 1.1 prog $data
    plain dot3 | sed -n '/->/s/,.*//p' >got
    printf 'n1 -> n%s [label = "59.0%%"\n' 0 1 >want
    sed -i 's/n1 \[label = "59/n1 [label = "58/' want
    same got want
done
# The threshold goes by stack: what leads to something that costs is there, also if it costs nothing
# itself.  MLton's goes by cur.
run 0 mlprof_short -call-graph dot4 -thresh 5 prog two
plain dot4 | grep '^n[0-9]' >got
holds got <<'END'
n0 [shape = "box", label = "other\n59.0% 59.0%\n", color = "black", fontsize = "24"]
n1 [shape = "box", label = "main\n40.0% 99.0%\n", color = "black", fontsize = "22"]
n3 [shape = "box", label = "sq\n0.0% 59.0%\n", color = "black", fontsize = "11"]
n1 -> n1 [label = "59.0%", penwidth = "3.95", weight = "60"]
n1 -> n3 [label = "59.0%", penwidth = "3.95", weight = "60"]
n3 -> n0 [label = "59.0%", penwidth = "3.95", weight = "60"]
END
run 0 mlprof_short -layout mlton -call-graph dot3 -thresh 5 prog two
plain dot3 | grep -c '^n[0-9]* \[' >got
echo 2 >want
same got want
if have dot 'the graphs, drawn'; then
    for graph in dot dot2 dot3 dot4; do
        command dot -Tplain "$graph" >plain 2>err || fail "graphviz refuses $graph"
        same err /dev/null
        grep -c '^edge' plain >got
        grep -c -e '->' "$graph" >want
        same got want
    done
    command dot -Tplain dot2 >plain
    has plain '^edge n1 n0 .* dashed black'
    has plain '^edge n1 n1 .* solid black'
fi

echo 'A graph of what was not measured: all functions, and the calls that were inlined.'
run 0 mlprof_short -call-graph none.dot -show-line true prog
echo 'cur  95% range  function' >want
same out want
sed -n '/^n[0-9]/p' none.dot >got
holds got <<'END'
n0 [shape = "box", label = "main\nprog.c: 7\n", color = "black", tooltip = "main  prog.c: 7"]
n1 [shape = "box", label = "sq\nprog.c: 3\n", color = "black", tooltip = "sq  prog.c: 3"]
n0 -> n1
END
data nothing 0 0 "$PWD/prog" --
run 0 mlprof_short -call-graph nothing.dot -show-line true prog nothing
same nothing.dot none.dot
run 0 mlprof_short -call-graph none2.dot -show-line true -gray true prog
[ "$(grep -c 'color = "gray100"' none2.dot)" -eq 2 ] || fail "gray of nothing is not white"
run 0 mlprof_short -call-graph none2.dot -thresh 1 prog
hasnot none2.dot '^n[0-9]'

echo 'A graph as a picture.'
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/dot
chmod +x bin/dot
echo before >kept.svg
cp kept.svg want
run 1 env PATH="$PWD/bin" "$MLPROF" -call-graph kept.svg prog two
cmp -s kept.svg want || fail "a picture that could not be made was written"
echo 'mlprof: kept.svg: dot of graphviz has not drawn it' >want
same err want
refused 'kept.svg: dot of graphviz, which draws it, is not installed; a name that does not end in .svg gets the graph as text' \
    env PATH="$PWD/elsewhere" "$MLPROF" -call-graph kept.svg prog two
rm kept.svg
if have dot 'a graph as a picture'; then
    run 0 mlprof_short -call-graph graph.svg prog two
    same err /dev/null
    has graph.svg '<title>n3&#45;&gt;n0</title>'
    [ "$(grep -c '^</svg>' graph.svg)" -eq 1 ]
    ! have xmllint 'a graph as XML' || xmllint --noout --nonet graph.svg
fi
# In a browser: no arrow, as thick as it is, comes near a number beside one; the numbers are drawn
# behind all arrows; the lines in the boxes fit, also where the font is a wider one than that which
# dot has measured.
if [ -e graph.svg ] && browser 'the geometry of a graph'; then
    sed 's@font-family="[^"]*"@font-family="DejaVu Sans Mono,monospace"@
         s#^</svg>#<script><![CDATA[\
var cut = [], wide = [], all = Array.from(document.querySelectorAll("g.labels text, g.edge path"));\
document.querySelectorAll("g.labels text").forEach(function (t) {\
    var b = t.getBBox(), pad = t.getExtentOfChar(0).width * (/^\\u00a0*/.exec(t.textContent)[0].length);\
    document.querySelectorAll("g.edge path").forEach(function (p) {\
        var half = parseFloat(p.getAttribute("stroke-width") || 1) / 2;\
        for (var i = 0; i <= 200; i++) {\
            var at = p.getPointAtLength(p.getTotalLength() * i / 200);\
            if (at.x > b.x + pad - half \&\& at.x < b.x + b.width - pad + half \&\&\
                at.y > b.y \&\& at.y < b.y + b.height) { cut.push(t.textContent.trim()); break; }\
        }\
    });\
});\
document.querySelectorAll("g.node").forEach(function (g) {\
    var room = g.querySelector("polygon").getBBox();\
    g.querySelectorAll("text").forEach(function (t) {\
        var b = t.getBBox();\
        if (b.x < room.x || b.x + b.width > room.x + room.width) wide.push(t.textContent);\
    });\
});\
var order = all.map(function (e) { return e.tagName === "path" ? "p" : "t"; }).join("");\
document.documentElement.setAttribute("data-told", order + " cut:" + cut + " wide:" + wide);]]></script>\
</svg>#' graph.svg >driven.svg
    browse driven.svg
    has out ' data-told="p*t* cut: wide:"'
    has out ' data-told="ppptttt* cut:'
fi
# In a browser: 64 wide at 10 20, as dot might have drawn it; the wheel brings what is below
# the pointer nearer, a key moves by a tenth, dragging takes the picture along.
if [ -e graph.svg ] && browser 'zoom and search of a graph'; then
    sed 's/viewBox="[^"]*"/viewBox="10 20 64 32"/
         s#^</svg>#<script>\
function told(name) {\
    var b = document.documentElement.viewBox.baseVal;\
    document.documentElement.setAttribute(name, [b.x, b.y, b.width, b.height].map(Math.round).join(" "));\
}\
function key(k) { window.dispatchEvent(new KeyboardEvent("keydown", {key: k})); }\
function mouse(type, x, y, more) {\
    var m = document.documentElement.getScreenCTM();\
    var p = new DOMPoint(x, y).matrixTransform(m), C = more ? WheelEvent : MouseEvent;\
    document.documentElement.dispatchEvent(new C(type, Object.assign({clientX: p.x, clientY: p.y, bubbles: true}, more)));\
}\
key("-"); key("-"); told("data-out");\
key("0"); key("ArrowRight"); told("data-right");\
key("Escape"); told("data-home");\
mouse("wheel", 74, 20, {deltaY: -1}); told("data-wheel");\
key("0"); mouse("mousedown", 12, 22); mouse("mousemove", 32, 32); mouse("mouseup", 32, 32);\
mouse("mousemove", 12, 12); told("data-drag");</script>\
</svg>#' graph.svg >driven.svg
    browse driven.svg
    # 100 wide around the middle at 42 36; the corner at 74 20 stays where it is.
    has out ' data-out="-8 11 100 50"'
    has out ' data-right="16 20 64 32"'
    has out ' data-home="10 20 64 32"'
    has out ' data-wheel="23 20 51 26"'
    has out ' data-drag="-10 10 64 32"'
fi


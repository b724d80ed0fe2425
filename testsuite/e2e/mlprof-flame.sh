#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The flame graph; names that are odd, in it and in the call graph.

. "$SRC/testsuite/mlprof.sh"
need readelf

recursive

echo 'Flame graph.'
run 0 mlprof_short -flame flame.svg prog one
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
has flame.svg '<title>sq (83.0%, 0.83 s, 83 samples)</title><rect x="84.0" y="61" width="995.5" height="16"'
run 0 mlprof_short -flame thick.svg -thresh 3 prog one
boxes thick.svg >got
sed '/ 2 /d' want >thick
same got thick
# Nothing of it comes from elsewhere, and it is the same each time.
sed 's,http://www.w3.org/2000/svg,,' flame.svg >stripped
hasnot stripped '://\|href\|@import\|src='
run 0 mlprof_short -flame again.svg prog one
same again.svg flame.svg
has flame.svg '>sq  83.0%</text>'
# In a browser, as wide as its window: a search for sq, then a click on it.
sed 's#</svg>#<script>window.prompt = function () { return "^sq"; };\
document.getElementById("search").dispatchEvent(new Event("click"));\
document.querySelector("g[data-n=sq]").dispatchEvent(new Event("click"));</script></svg>#' \
    flame.svg >driven.svg
in_browser=
if browser 'zoom and search of the flame graph'; then
    browse driven.svg
    wide=$(sed -n 's/.*<svg [^>]*viewBox="0 0 \([0-9]*\) .*/\1/p' out)
    zoomed=$((wide - 1)).5
    [ "$wide" -ne 1200 ] || fail "the picture is not as wide as the window"
    has out 'class="b hit here" data-l="7" data-w="83" data-n="sq"[^>]*>.*width="'"$zoomed"'"'
    has out 'class="b below" data-l="7" data-w="93" data-n="main"[^>]*>.* x="0" .* width="'"$zoomed"'"'
    has out 'data-n="&lt;lost&gt;"[^>]* style="display: none;">'
    has out '>matched: 83.0%<'
    has out 'id="reset".* visibility="visible">'
    in_browser=yes
    # As wide as the window, also when that changes; no text is wider than its box, in whatever font.
    sed 's#font: 12px monospace#font: 12px serif#
         s#</svg>#<script><![CDATA[\
function tell(name) {\
    var wide = Array.from(document.querySelectorAll("g.b")).filter(function (g) {\
        return g.querySelector("text").getComputedTextLength() > g.querySelector("rect").getBBox().width;\
    });\
    document.documentElement.setAttribute(name, document.querySelector("g.b rect").getAttribute("width") +\
        " " + document.querySelector("g[data-n=sq] text").textContent + " " + wide.length);\
}\
tell("data-first");\
document.documentElement.style.width = "100px";\
window.dispatchEvent(new Event("resize"));\
tell("data-then");]]></script></svg>#' flame.svg >driven.svg
    browse driven.svg
    has out ' data-first="'"$zoomed"' sq  83.0% 0"'
    has out ' data-then="99.5 sq  83.0% 0"'
fi
# The same by keys: / asks, arrows go to `all', to the widest upon it, aside, up to sq, where
# none is on the left; enter makes sq as wide as the picture; escape undoes all.
sed 's#</svg>#<script>\
function tell(name) {\
    var here = Array.from(document.querySelectorAll(".here")).map(function (g) { return g.getAttribute("data-n"); });\
    document.documentElement.setAttribute(name, here.join("+") + "/" + document.getElementById("told").textContent);\
}\
function keys(list) {\
    list.split(" ").forEach(function (k) { window.dispatchEvent(new KeyboardEvent("keydown", {key: k})); });\
}\
window.prompt = function () { return "sq|other"; };\
keys("/ ArrowUp ArrowUp"); tell("data-main");\
keys("ArrowLeft ArrowLeft"); tell("data-left");\
keys("ArrowRight ArrowRight ArrowUp ArrowUp ArrowLeft"); tell("data-sq");\
keys("Enter ArrowDown"); tell("data-down");\
keys(AFTER); tell("data-end");</script></svg>#' flame.svg >keys.svg
sed 's/AFTER/"ArrowUp Enter"/' keys.svg >driven.svg
if [ "$in_browser" ]; then
    browse driven.svg
    has out ' data-main="main/main (93.0%, 0.93 s, 93 samples)"'
    has out ' data-left="&lt;lost&gt;/'
    has out ' data-sq="sq/sq (83.0%, 0.83 s, 83 samples)"'
    has out ' data-down="main/main (83.0%, 0.83 s, 83 samples)"'
    has out 'class="b hit here" data-l="7" data-w="83" data-n="sq"[^>]*>.*width="'"$zoomed"'"'
    has out '>matched: 83.0%<'
    sed 's/AFTER/"Escape"/' keys.svg >driven.svg
    browse driven.svg
    has out ' data-end="/"'
    has out 'class="b" data-l="7" data-w="83" data-n="sq"[^>]*>.* x="[0-9.]*" .*width="'"$(awk -v w="$wide" 'BEGIN { print w * 0.83 - 0.5 }')"'"'
    hasnot out '>matched:'
fi
# Names that mean something in XML, in JavaScript or in dot.
example prog 'f<&\"\\>'"'"']]>' 'g\377\001\303\251\355\240\200'
data odd 2 0 "$PWD/prog" -- "0 0 $(at prog 0) 1" "0 0 $(at prog 4) 1"
run 0 mlprof_short -flame odd.svg -graph-title '<script>"&' -call-graph odd.dot prog odd
has odd.svg 'data-n="f&lt;&amp;&quot;\\&gt;&#39;\]\]&gt;"[^>]*><title>f&lt;&amp;&quot;'
has odd.dot 'label = "f<&\\"\\\\>'"'"'\]\]>\\n50'
data nothing 0 0 "$PWD/prog" --
run 0 mlprof_short -flame nothing.svg -call-graph nothing.dot prog nothing
run 0 mlprof_short -mlmon /dev/null -flame none.svg prog
boxes nothing.svg >got
echo '44 0 0 all' >want
same got want
if have xmllint 'the pictures as XML'; then
    xmllint --noout --nonet ./*.svg || fail "not well-formed"
    name=$(xmllint --xpath 'string((//*[@class="b"])[3]/@data-n)' odd.svg)
    [ "$name" = "$(printf 'g\357\277\275\\x01\303\251\357\277\275\357\277\275\\x80')" ] ||
        fail "another name: $name"
fi
if have dot 'odd graphs, drawn'; then
    for graph in odd.dot nothing.dot; do
        command dot -Tplain "$graph" >plain 2>err || fail "graphviz refuses $graph"
    done
fi


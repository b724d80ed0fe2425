#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of hostile profiles: names, sources and titles with markup, quotes and control
# characters, a name of 1 MB, a stack of 20,000 functions.  Nothing of it runs, and the page opens.
. "$SRC/testsuite/mlprof.sh"
need readelf python3
need chromium

# opens NAME...: the page of what is in prog and prog.out.
opens() {
    run 0 "$MLPROF" -balance false -graph-title "$title" -html page.html prog prog.out
    python3 "$SRC/testsuite/page/hostile.py" page.html "$@" || fail "see above"
}

# opens_in_firefox NAME...: the last page once more.
opens_in_firefox() {
    have firefox-esr 'the page in Firefox' || return 0
    PAGE_BROWSER=firefox python3 "$SRC/testsuite/page/hostile.py" page.html "$@" || fail "see above, in Firefox"
}

# sampled: both functions of prog, the inner one twice.
sampled() {
    data prog.out 3 0 "$PWD/prog" -- "0 0 $(at prog 0) 1" "0 0 $(at prog 4) 2"
}

ran='document.body.dataset.ran=1'
title="</title></style><script>$ran</script>"

echo 'markup'
cat >prog.c <<END
</script><script>$ran</script><!-- <script>
<img src=x onerror=$ran> ' \` \${$ran} \\u003c
</pre><svg onload=$ran>



line 7 <b>of the source</b> &lt; &amp;
END
printf 'nul \000 and \377 no UTF-8 \303\244 \342\200\250\n' >>prog.c
example prog "</script><script>$ran</script>" "<img src=x onerror=$ran>'\`&quot;"
sampled
opens "</script><script>$ran</script>" "<img src=x onerror=$ran>'\`&quot;"
opens_in_firefox "</script><script>$ran</script>" "<img src=x onerror=$ran>'\`&quot;"

echo 'control characters, names of prototypes'
example prog '__proto__' 'a\nb\033[31m\342\200\256c'
sampled
opens __proto__ 'a\x0ab\x1b[31m'

echo 'a name of 1 MB'
long=$(head -c 1000000 /dev/zero | tr '\0' x)
example prog "$long" "constructor"
sampled
opens constructor

echo 'a stack of 20,000 functions'
example prog
seq 20000 | awk -v address="$(at prog 0)" '{ print $1 - 1, 0, address, ($1 == 20000) + 0 }' >points
STACK=yes
data prog.out 1 0 "$PWD/prog" -- "$(cat points)"
sed -i 's/^counts 1$/counts 20000/' prog.out
opens main

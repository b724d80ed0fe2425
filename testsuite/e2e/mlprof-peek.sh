#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# -peek: callers, function and callees in one table.

. "$SRC/testsuite/mlprof.sh"
need readelf

# peek OPTION...: what it prints behind the first lines.
peek() {
    run 0 "$MLPROF" -balance false "$@"
    sed '1,/^$/d' out >got
}

# Of 100 samples sq is 55 and 83 on the stack, main 41 and 96, itself below main, sq and <deep>.
recursive
peek -peek 'q$' prog one
holds got <<'END'
  cur  stack        function
       83.0%  from  main
55.0%  83.0%        sq
       28.0%  to    main
END
# The one that was most on the stack comes first, in each part those with most samples,
# then in the order of the table.
peek -peek '^main$|^sq$' -show-line true prog one
holds got <<'END'
  cur  stack        function
       93.0%  from  <outside>
       83.0%  from  main  prog.c: 7
       28.0%  from  sq  prog.c: 3
        3.0%  from  <deep>
41.0%  96.0%        main  prog.c: 7
       83.0%  to    sq  prog.c: 3
       83.0%  to    main  prog.c: 7

  cur  stack        function
       83.0%  from  main  prog.c: 7
55.0%  83.0%        sq  prog.c: 3
       28.0%  to    main  prog.c: 7
END
peek -peek 'prog[.]c: 3$' -thresh 30 -raw true prog one
holds got <<'END'
  cur  stack  seconds        function
       83.0%     0.83  from  main
55.0%  83.0%     0.83        sq
END
# What is hidden is not between them; ends of the stack are told, too.
peek -peek main -hide '^sq$' -top 1 prog one
holds got <<'END'
  cur  stack        function
       93.0%  from  <outside>
96.0%  96.0%        main
       83.0%  to    main
END
refused '-peek nobody: no function that was measured matches' "$MLPROF" -peek nobody prog one
hasnot got ' $'

echo 'Counted calls.'
if ! pcc -x c /dev/null -c -o empty.o 2>err; then
    skip "the plugin does not work: $(head -n 1 err)"
fi
cat >calls.c <<'END'
__attribute__((noipa)) void leaf(int n) { (void)n; }
__attribute__((noipa)) void mid(int n) { leaf(n); if (n % 2) leaf(n); }
int main(void)
{
    for (int i = 0; i < 10; i++)
        mid(i);
    leaf(0);
}
END
pcc -O1 -fplugin-arg-ccprof-profile=count -fplugin-arg-ccprof-blocks calls.c -o calls
./calls
peek -peek 'leaf|mid' calls mlmon.out
# leaf is called 10 + 5 + 1 times.
holds got <<'END'
calls        function
   15  from  mid
    1  from  main
   16        leaf

calls        function
   10  from  main
   10        mid
   15  to    leaf
END

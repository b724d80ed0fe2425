#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Stacks of a thousand to a million frames: all functions are on them, and what is left out has
# the functions that were there.
. "$SRC/testsuite/lib.sh"
. "$SRC/testsuite/rt/rt.sh"

pcc -O1 -fno-optimize-sibling-calls -fno-inline "$SRC/testsuite/deep/deep.c" -o deep
nm -n deep >deep.nm

# deep DEPTH SECONDS [turns]: runs it; its stacks where it had got down in `folded'.
deep() {
    rm -f mlmon.out
    run 0 env CCPROF=rate=200 ./deep "$@"
    [ ! -s err ] || fail "$* says: $(cat err)"
    valid mlmon.out
    between 0 "$(value mlmon.out lost)" 0 'lost samples'
    awk -f "$RT/folded.awk" deep.nm mlmon.out >all
    grep ';burn' all >folded || fail "no sample below $*"
}

# around FUNCTION...: these are on all stacks, but those of samples before main, and of main itself.
around() {
    for name; do
        table_rows cur stack <out | awk -v name="$name" '$1 == name { on = $3 } $1 == "<unprofiled>" { before += $2 }
            $1 == "main" && name != "main" { before += $2 }
            END { exit !(on + before >= 99.8) }' || {
            cat out >&2
            fail "$name is not on all stacks"
        }
    done
}

# table ARGUMENT...: the table, with nothing in it of which is not known what it was.
table() {
    run 0 table_of "$@" deep mlmon.out
    hasnot out '  <deep>$'
}

for depth in 1500 2000 20000 1000000; do
    deep $depth 0.4
    # From the start to main, then only what the program calls.
    bad=$(grep -cvE '^[^ ]*;main;start;down;([^ ;]*;)*burn[^ ]* [0-9]+$' folded) || :
    [ "$bad" -eq 0 ] || {
        sed 's/\(.\{300\}\).*\(.\{100\}\)$/\1 ... \2/' folded | head -n 5 >&2
        fail "depth $depth: $bad stacks are not from main"
    }
    grep -q '\[\.\.\.\]' folded && fail "depth $depth: frames left out, and not known which"
    # Down to 384 frames they are as they were: over at every fourth level.
    awk -F ';' '{
        for (i = NF - 370; i < NF - 18; i++)
            over += $i == "over"
        n += 352
    } END { exit !(over == n / 4) }' folded || fail "depth $depth: the innermost frames are others"
    [ "$(wc -l <mlmon.out)" -lt 4000 ] || fail "depth $depth: $(wc -l <mlmon.out) lines"
    table
    around main start down over
    table -unprofile '(down|over)  '
    around main start
    hasnot out '  <recursion>$'
    # Ways that never come again in the same order.
    deep $depth 0.2 turns
    bad=$(grep -cvE '^[^ ]*;main;start;turn;([^ ;]*;)*burn[^ ]* [0-9]+$' folded) || :
    [ "$bad" -eq 0 ] || fail "turns, depth $depth: $bad stacks are not from main"
    grep -q ';\[again\];' folded || fail "turns, depth $depth: nothing is told left out"
    table
    around main start turn left '<recursion>'
    table -unprofile '(left|turn)  '
    around main start
    hasnot out '  <recursion>$'
done

# Andrew Appel's example, with the recursion in isPrime itself.
cat >primes.c <<'END'
static int divides(int n, int d) { return n % d == 0; }
static int isPrime(int n, int d)
{
    return d * 2 > n ? 1 : !divides(n, d) & isPrime(n, d + 1);
}
static int filter(int n) { return isPrime(n, 2); }
int main(void)
{
    int primes = 0;
    for (int i = 0; i < 600; i++)
        primes += filter(200003 + 2 * (i % 3));
    return primes == 0;
}
END
pcc -O1 -fno-inline -fno-optimize-sibling-calls primes.c -o primes
rm -f mlmon.out
run 0 ./primes
run 0 table_of -unprofile 'isPrime  ' primes mlmon.out
hasnot out '  <deep>$'
has out '^[ ~]*[1-9].*  filter$'
around main filter

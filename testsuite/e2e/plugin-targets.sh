#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A processor for which nothing is made is an error that says so, not a broken object.
. "$SRC/testsuite/plugin/plugin.sh"

echo 'int f(int x) { return x + 1; }' >a.c

# as CPU PROFILE: compiles as if for that processor.
as() {
    rm -f a.o
    pcc -O2 "-fplugin-arg-ccprof-cpu=$1" "-fplugin-arg-ccprof-profile=$2" -c a.c -o a.o
}

# refused CPU PROFILE LINE...
refused() {
    run 1 as "$1" "$2"
    [ ! -e a.o ] || fail "an object after an error"
    shift 2
    printf '%s\n' "$@" >want
    sed -n "s/.*error: ccprof: //p" err | tr -d "'" >got
    same got want
    hasnot err 'internal compiler error'
}

for cpu in x86_64 aarch64 riscv64; do
    for kind in time time-label time-field call time,call count alloc time,count no drop; do
        run 0 as $cpu $kind
    done
done

for kind in time count call; do
    refused powerpc64le $kind "nothing can be measured on powerpc64le: only on x86_64, aarch64 and riscv64"
done
run 0 as powerpc64le no
run 0 as powerpc64le drop

echo 'An assembler that does not know what the tables are written with (riscv64, before binutils 2.41).'
cat >old <<END
#!/bin/sh
for word; do
    [ "\$word" != assembler ] || exit 1
done
exec "$CC" "\$@"
END
chmod +x old
run 0 env PLUGIN_GCC="$CC" "$SRC/testsuite/packages.sh" build
run 1 env PLUGIN_GCC=./old "$SRC/testsuite/packages.sh" build
echo 'The assembler of ./old cannot write the tables: that of binutils 2.41 or later is needed' >want
same out want

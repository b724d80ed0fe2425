#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 1800
# After make install both -fplugin=ccprof and, word for word, -fplugin=ccprof.so load the
# plugin of the compiler's own version, and a program finds its runtime.
. "$SRC/testsuite/plugin/plugin.sh"

# A copy of what is built: the prefix is compiled in.
mkdir -p build/obj
for part in plugin rt mlprof ccprof.so; do
    cp -a "$O/$part" build
done
cp -a "$O/obj/mlprof" build/obj

# make_install PREFIX DESTDIR [PLUGINDIR]
make_install() {
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" -s -C "$SRC" O="$PWD/build" \
        CC="$CC" CXX="$CXX" SAN= PREFIX="$1" DESTDIR="$2" PLUGINDIR="${3-}" install-plugin install-rt install-mlprof \
        >log 2>&1 || fail "make install: $(tail -n 5 log)"
}

cp "$SOURCES/stack.c" "$SOURCES/near.h" .
cp -r "$SOURCES/deep" .
folder=$("$CC" -print-file-name=plugin)

# stub_names OBJECT: the runtime's path, which stands first among the stub's texts.
stub_names() {
    objcopy -O binary --only-section=.rodata.ccprof_attach "$1" texts
    tr '\0' '\n' <texts >names
}

# would STATUS WORDS...: what make would do, into log.
would() {
    want=$1
    shift
    got=0
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS "${MAKE:-make}" -n -B V=1 -C "$SRC" O="$PWD/none" CC="$CC" CXX="$CXX" SAN= \
        "$@" >log 2>&1 || got=$?
    [ "$got" -eq "$want" ] || fail "make $*: $(tail -n 3 log)"
}

# The stub has the runtime's path, but in the very folders of the loader.
stub=$PWD/none/plugin/$("$CC" -dumpversion | sed 's/[.].*//')/attach.o
would 0 PREFIX=/usr LIBDIR=/usr/lib/profilers "$stub"
has log "RT_INSTALLED='\"/usr/lib/profilers/libccprof.so.1\"'"
for place in /usr/lib "/usr/lib/$("$CC" -print-multiarch)"; do
    would 0 LIBDIR="${place%/}" "$stub"
    has log "RT_INSTALLED='\"\"'"
done
# Where the compiler's libraries are in lib64, so are those of ccprof.
cat >cc64 <<END
#!/bin/sh
[ "\$*" = -print-multi-os-directory ] && echo ../lib64 || exec $CC "\$@"
END
chmod +x cc64
would 0 CC="$PWD/cc64" PREFIX=/usr install-rt "$stub"
has log "'/usr/lib64/libccprof.so.1'"
has log "RT_INSTALLED='\"\"'"
# The name of a compiler may have options; two of one version would be put into one folder.
would 0 CC="$CC -O1" all
would 2 PLUGIN_GCC="$CC $CC" all
has log 'two compilers of one major version in PLUGIN_GCC'

make_install /usr "$PWD/usr"

# By name, with the folder given.
"$CC" -iplugindir="$PWD/usr$folder" -fplugin=ccprof -O2 -c stack.c -o a.o
is_profiled a.o
# The loader looks into /usr/lib by itself, so the runtime's name is enough.
stub_names a.o
hasnot names '/'
has names '^libccprof\.so\.1$'
"$CC" a.o -o prog
rm -f mlmon.out
LD_LIBRARY_PATH=$PWD/usr/usr/lib ./prog 2>err || :
same err /dev/null
[ -f mlmon.out ] || fail "the runtime was not found by its name"

# The chooser, where the plugin is not installed for this compiler.
if [ ! -e "$folder/ccprof.so" ]; then
    LD_LIBRARY_PATH=$PWD/usr/usr/lib run 1 "$CC" -fplugin=ccprof.so -c stack.c -o none.o
    [ "$(grep -c '^ccprof: ' err)" -eq 1 ] || fail "not one line: $(cat err)"
    has err "^ccprof: no plugin for GCC [0-9.]* in $folder"
    [ ! -e none.o ] || fail "an object after an error"
else
    leave_out "the chooser without a plugin: ccprof is installed here"
fi
"$CC" -O -shared -fPIC "$SOURCES/other.c" -o other.so
# Beside the folder of this compiler, which has none, are those of two others that have.
mkdir -p gcc/11/plugin gcc/14/plugin gcc/9/plugin
touch gcc/14/plugin/ccprof.so gcc/9/plugin/ccprof.so
OTHER_PLUGIN=$PWD/usr/usr/lib/ccprof.so OTHER_VERSION=11.4.0 run 1 \
    "$CC" -iplugindir="$PWD/gcc/11/plugin" -fplugin=./other.so -c stack.c -o none.o
echo "ccprof: no plugin for GCC 11.4.0 in $PWD/gcc/11/plugin: it is installed for GCC 14, GCC 9" >want
grep '^ccprof: ' err >got
same got want
# In the folder that the compiler was told, there is one; the last word counts, as GCC does.
LD_LIBRARY_PATH=$PWD/usr/usr/lib "$CC" -iplugindir=gcc/11/plugin -iplugindir="$PWD/usr$folder" \
    -fplugin=ccprof.so -O2 -c stack.c -o told.o
is_profiled told.o

# Word for word, as a user would: the installed files over the machine's own, in a mount
# namespace.
cat >user.sh <<'END'
set -e
cd /user
for name in ccprof ccprof.so; do
    "$CC" -O2 -fplugin=$name prog.c -o prog
    rm -f mlmon.out
    ./prog 2>err
    cat err >&2
    [ ! -s err ]
    mlprof prog mlmon.out >table
    head -n 1 table
    mlprof -where prog "$(nm prog | sed -n 's/ T work$//p')"
done
# Ada's compiler is told no folder.
if [ "$GNATMAKE" ]; then
    "$CC" -O2 -fplugin=ccprof.so -c least.adb
    nm least.o | grep -q ccprof_attach
    echo Ada works
fi
END
cat >over.sh <<'END'
set -e
mkdir over
mount -t tmpfs tmpfs over
mkdir over/installed over/root over/upper over/work
cp -a usr/. over/installed
mkdir over/installed/user
cp -r user.sh near.h deep over/installed/user
cp stack.c over/installed/user/prog.c
cp least.adb over/installed/user
mount -t overlay overlay \
    -o "lowerdir=$PWD/over/installed:/,upperdir=$PWD/over/upper,workdir=$PWD/over/work" over/root
mount --bind /dev over/root/dev
mount -t proc proc over/root/proc 2>/dev/null || mount --bind /proc over/root/proc
chroot over/root "$CC" --version >/dev/null
touch ready
chroot over/root sh /user/user.sh
END
printf 'procedure Least is\nbegin\n   null;\nend Least;\n' >least.adb
have "$GNATMAKE" 'a program in Ada' || GNATMAKE=
export CC GNATMAKE
if unshare -m sh over.sh >out 2>err; then
    [ "$(grep -c ' seconds of CPU time' out)" -eq 2 ] || fail "$(cat out)"
    [ "$(grep -c ' near.h:7:[0-9]* < work prog.c:11:16$' out)" -eq 2 ] || fail "$(cat out)"
    [ ! "$GNATMAKE" ] || has out '^Ada works$'
elif [ -f ready ]; then
    fail "as a user would: $(cat out err)"
else
    leave_out "the installed files over the machine's own: no mount namespace: $(tail -n 1 err)"
fi

# Another prefix: the loader needs the whole path.
make_install "$PWD/own" "$PWD/stage"
mv "stage$PWD/own" own
"$CC" -iplugindir="$PWD/stage$folder" -fplugin=ccprof -O2 stack.c -o prog
"$CC" -iplugindir="$PWD/stage$folder" -fplugin=ccprof -O2 -c stack.c -o b.o
stub_names b.o
has names "^$PWD/own/lib/libccprof\.so\.1\$"
rm -f mlmon.out
./prog 2>err || :
same err /dev/null
own/bin/mlprof prog mlmon.out >table
has table ' seconds of CPU time'

# Plugins elsewhere than in the compilers' folders, of which the chooser was told.
make_install "$PWD/own" "" "$PWD/own/plugins"
"$CC" -fplugin="$PWD/own/lib/ccprof.so" -O2 -c stack.c -o c.o
is_profiled c.o
OTHER_PLUGIN=$PWD/own/lib/ccprof.so OTHER_VERSION=11.4.0 run 1 \
    "$CC" -iplugindir="$PWD/none" -fplugin=./other.so -c stack.c -o none.o
echo "ccprof: no plugin for GCC 11.4.0 in $PWD/none: it is installed for GCC $("$CC" -dumpversion | sed 's/\..*//')" >want
grep '^ccprof: ' err >got
same got want

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# rebuild.sh system|PACKAGE: in a clean system with the packages in /packages: prepares it; builds a package
# of the distribution without the plugin and with it, its own tests included, which are profiled, and says in
# which way what comes out differs. deb.sh calls it.
#
# What differs always: the stub in .text (1.7 KB), its data and its reference in .init_array, the tables, which
# are not loaded into memory, and that libc6 has to be 2.34 or later, where dlopen is in libc.

set -eu

system() {
    sed 's/^deb /deb-src /' /etc/apt/sources.list >>/etc/apt/sources.list.d/sources.list
    apt-get -q update
    # shellcheck disable=SC2046
    apt-get -q -y --no-install-recommends install fakeroot gfortran g++ $(find /packages -name '*.deb' ! -name '*dbgsym*')
}

# compile NAME: the package, in a folder of that name for what it makes, but always in the same one.
compile() {
    rm -rf /tmp/rebuild/work
    mkdir -p "/tmp/rebuild/$1"
    cp -a /tmp/rebuild/source /tmp/rebuild/work
    (cd /tmp/rebuild/work/*/ && dpkg-buildpackage -us -uc -b) >"/tmp/rebuild/$1/log" 2>&1 || {
        tail -n 20 "/tmp/rebuild/$1/log"
        echo "$package: $1: NOT BUILT"
        exit 1
    }
    for file in /tmp/rebuild/work/*.deb; do
        case $file in
        *dbgsym*) ;;
        *)
            mkdir -p "/tmp/rebuild/$1/files/$(basename "$file")"
            dpkg-deb -R "$file" "/tmp/rebuild/$1/files/$(basename "$file")"
            ;;
        esac
    done
}

# needs_libc: no earlier libc6 than the stub asks for.
needs_libc() {
    sed 's/libc6 (>= 2\.\([0-9]\|[12][0-9]\|3[0-3]\)\(\.[0-9.]*\)\{0,1\})/libc6 (>= 2.34)/'
}

# stub: the bytes of code that each program and shared object gets.
stub() {
    echo 'int stub(void) { return 1; }' >/tmp/rebuild/stub.c
    gcc -O2 -fPIC -fplugin=ccprof -c /tmp/rebuild/stub.c -o /tmp/rebuild/stub.o
    size -A /tmp/rebuild/stub.o | awk '$1 == ".text.ccprof_attach" { print $2 }'
}

# facts NAME: what of the packages must be the same, and in `sizes' the bytes of code of each file,
# of archives of objects without their stubs.
facts() (
    cd "/tmp/rebuild/$1/files"
    find . ! -type d ! -path '*/DEBIAN/*' -printf '%p %m\n' | sort
    grep -r '^\(Depends\|Provides\|Pre-Depends\):' ./*/DEBIAN/control | needs_libc
    find . -path '*/DEBIAN/symbols' -exec sort {} +
    find . -type f ! -path '*/DEBIAN/*' | sort | while read -r file; do
        ! readelf -h "$file" >/dev/null 2>&1 || {
            echo "$file"
            nm -D --defined-only "$file" 2>/dev/null | awk '{ print $NF }' | sort
            size -A "$file" | awk -v file="$file" '
                /^\.text/ && $1 != ".text.ccprof_attach" { n += $2 }
                END { print file, n + 0 }' >&3
            readelf -SW "$file" | grep -q '\.ccprof\.code' && echo "$file" >&4
        }
    done
    :
)

package=$1
if [ "$package" = system ]; then
    system
    exit
fi
rm -rf /tmp/rebuild
mkdir -p /tmp/rebuild/source
cd /tmp/rebuild/source
apt-get -q source "$package" >/tmp/rebuild/log 2>&1 || {
    tail -n 3 /tmp/rebuild/log
    echo "$package: NOT BUILT, there is no source"
    exit 1
}
find . -maxdepth 1 -type f -delete
compile plain
export DEB_CFLAGS_APPEND=-fplugin=ccprof DEB_CXXFLAGS_APPEND=-fplugin=ccprof DEB_FFLAGS_APPEND=-fplugin=ccprof \
    DEB_FCFLAGS_APPEND=-fplugin=ccprof CCPROF=output=/tmp/rebuild/profiles/%e.%p
mkdir -p /tmp/rebuild/profiles
compile profiled
profiles=$(find /tmp/rebuild/profiles -type f | wc -l)
export CCPROF=off
cd /tmp/rebuild
for name in plain profiled; do
    facts $name >$name.facts 3>$name.sizes 4>$name.tables
done
if diff plain.facts profiled.facts >different; then
    same='the same files, dependencies and symbols'
else
    same="DIFFERENT: $(head -n 5 different)"
fi
# Rules may set the flags of their own.
[ -s profiled.tables ] || same="NOT PROFILED, $same"
# Functions are aligned, so that what is behind the stub may move.
join plain.sizes profiled.sizes | awk -v most=$(($(stub) + 64)) '
    { added = $3 - $2; n += added != 0; if (added > longest) longest = added }
    added < 0 || added > most { printf "DIFFERENT: .text of %s has %d bytes, plain %d; ", $1, $3, $2 }
    END { printf "%d with another .text, at most %d bytes longer", n, longest }' >code
echo "$package: $(wc -l <profiled.sizes) files of code, $(wc -l <profiled.tables) with tables; $same;" \
    "$(cat code); $profiles profiles while it was built and tested"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed for the tests: the compilers of Fortran and Ada that were named, by their version, and
# none where they are there (gnat excludes gnat-16, which was taken away for it); and where no compiler is,
# what goes with the one that the release has.
. "$SRC/testsuite/lib.sh"

# A system without packages, and someone who cannot install them.
mkdir bin
printf '#!/bin/sh\n' >bin/dpkg-query
printf '#!/bin/sh\n' >bin/apt-get
printf '#!/bin/sh\n' >bin/apt-cache
printf '#!/bin/sh\necho 1000\n' >bin/id
printf '#!/bin/sh\n' >bin/gnatmake-99
chmod +x bin/*

# wanted FC GNATMAKE: of what is asked for, the packages of the two.
wanted() {
    run 1 env PATH="$PWD/bin:$PATH" CC="$CC" FC="$1" GNATMAKE="$2" "$SRC/testsuite/packages.sh" check
    mv out said
    grep 'apt-get install' said | tr ' ' '\n' | grep -E '^(gfortran|gnat)' | tr '\n' ' ' >out
}

wanted no-1/gfortran no-1/gnatmake
echo 'gfortran gnat ' | tr -d '\n' >want
same out want
wanted gfortran-98 gnatmake-98
echo 'gfortran-98 gnat-98 ' | tr -d '\n' >want
same out want
wanted gfortran-98 gnatmake-99
echo 'gfortran-98 ' | tr -d '\n' >want
same out want

# lacking WHAT CC PLUGIN_GCC: of what is asked for, the packages of these compilers, which are not there.
lacking() {
    run 1 env PATH="$PWD/bin:$PATH" CC="$2" PLUGIN_GCC="$3" "$SRC/testsuite/packages.sh" "$1"
    mv out said
    grep 'apt-get install' said | tr ' ' '\n' | grep '^gcc' | tr '\n' ' ' >out
}

# Of the release's own compiler apt's lists know the version.
printf '#!/bin/sh\n[ "$*" != "depends gcc" ] || printf "gcc\\n  Depends: cpp\\n  Depends: gcc-98\\n  Depends: gcc-98-base\\n"\n' \
    >bin/apt-cache
for what in build demo; do
    lacking $what no-1/gcc ''
    printf 'gcc gcc-98-plugin-dev ' >want
    same out want
    lacking $what no-1/gcc-97 'no-1/gcc-97 no-1/gcc-96'
    printf 'gcc-97 gcc-97-plugin-dev gcc-96-plugin-dev ' >want
    same out want
done
lacking check no-1/gcc ''
printf 'gcc gcc-98-plugin-dev gcc-98-source ' >want
same out want

# Where apt has no lists nobody knows.
printf '#!/bin/sh\nexit 100\n' >bin/apt-cache
for what in build demo; do
    run 1 env PATH="$PWD/bin:$PATH" CC=no-1/gcc PLUGIN_GCC= "$SRC/testsuite/packages.sh" $what
    has out '^    sudo apt-get update$'
    hasnot out 'apt-get install'
done

# All that make says then.
run 2 env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS PATH="$PWD/bin:$PATH" "${MAKE:-make}" -s -C "$SRC" O="$PWD/none" \
    CC=no-1/gcc CXX=no-1/g++ PLUGIN_GCC=no-1/gcc SAN=
sed '/Packages are missing[.] /d' err >said
cat >want <<'END'
Packages are missing, and apt has no lists of packages yet. To fetch these:
    sudo apt-get update
END
same said want

# Who may fetch them fetches them first.
cat >bin/apt-get <<'END'
#!/bin/sh
echo "$*" >>commands
[ "${*%update}" = "$*" ] || ln -sf "$PWD/bin/listed" bin/apt-cache
END
cat >bin/listed <<'END'
#!/bin/sh
[ "$*" != 'depends gcc' ] || echo '  Depends: gcc-98'
END
printf '#!/bin/sh\necho 0\n' >bin/id
chmod +x bin/listed
rm -f commands
run 0 env PATH="$PWD/bin:$PATH" CC=no-1/gcc PLUGIN_GCC= "$SRC/testsuite/packages.sh" demo
sed -n '$s/.*\( gcc-[^ ]*-plugin-dev\).*/ install\1/p; s/.* update$/update/p' commands >out
printf 'update\n install gcc-98-plugin-dev\n' >want
same out want

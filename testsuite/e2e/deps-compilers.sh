#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What is installed for the tests: the compilers of Fortran and Ada that were named, by their version, and
# none where they are there (gnat excludes gnat-16, which was taken away for it).
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

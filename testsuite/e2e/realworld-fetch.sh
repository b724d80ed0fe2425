#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fetch.sh of `make realworld`: makes lists for source packages out of a machine's
# entries for binary packages, of both forms, and leaves these alone.  apt is played by
# two scripts here, so no network is needed.
. "$SRC/testsuite/lib.sh"

mkdir -p bin etc/sources.list.d
cat >etc/sources.list <<'END'
# deb http://old.example/debian old main
deb [signed-by=/keys/a.gpg] http://one.example/debian stable main contrib
deb-src http://one.example/debian stable main
END
cat >etc/sources.list.d/two.sources <<'END'
Types: deb
URIs: http://two.example/debian
Suites: stable stable-updates
Components: main
Signed-By: /keys/b.gpg

Types: deb deb-src
URIs: http://three.example/debian
Suites: stable
Components: main
END
echo 'deb http://four.example/x y z' >etc/sources.list.d/four.list
echo 'deb http://never.example/x y z' >etc/sources.list.d/four.list.save
cp -r etc etc.before

cat >bin/apt-config <<END
#!/bin/sh
echo "list='$PWD/etc/sources.list'"
echo "parts='$PWD/etc/sources.list.d/'"
END
# Knows the package only with lists of its own and after an update.
cat >bin/apt-get <<'END'
#!/bin/sh
echo "$*" >>"$LOG"
for word; do
    case $word in
    Dir::Etc::sourcelist=*) list=${word#*=} ;;
    Dir::Etc::sourceparts=*) parts=${word#*=} ;;
    Dir::State::lists=*) lists=${word#*=} ;;
    esac
done
case " $* " in
*' update '*)
    cp "$list" "$SEEN/sources.list"
    cp "$parts"/* "$SEEN"
    touch "$lists/updated"
    ;;
*' --print-uris '*)
    [ -n "${KNOWN-}" ] || [ -f "${lists-}/updated" ] || exit 100
    echo "'http://one.example/pack_1.dsc' pack_1.dsc 1 -"
    ;;
*' source '*)
    mkdir pack-1
    echo source >pack-1/file
    ;;
esac
END
cat >bin/dpkg-source <<'END'
#!/bin/sh
END
chmod +x bin/*
mkdir seen
export LOG="$PWD/log" SEEN="$PWD/seen"
PATH=$PWD/bin:$PATH
export TMPDIR="$PWD/tmp"
mkdir tmp

run 0 "$SRC/testsuite/realworld/fetch.sh" here pack
has here/pack/pack-1/file '^source$'
diff -r etc etc.before || fail "apt's configuration was changed"
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
cat >want <<'END'
deb-src [signed-by=/keys/a.gpg] http://one.example/debian stable main contrib
deb-src http://one.example/debian stable main
END
same seen/sources.list want
sed 's/^Types:.*/Types: deb-src/' etc/sources.list.d/two.sources >want
same seen/two.sources want
echo 'deb-src http://four.example/x y z' >want
same seen/four.list want
[ ! -f seen/four.list.save ] || fail "a file was taken that apt ignores"

: >log
run 0 "$SRC/testsuite/realworld/fetch.sh" here pack
[ ! -s log ] || fail "fetched again: $(cat log)"

# A machine that knows source packages is asked as it is.
rm -rf here
KNOWN=1 run 0 "$SRC/testsuite/realworld/fetch.sh" here pack
hasnot log update
hasnot log Dir::

# What cannot be had is an error, and leaves nothing that looks fetched.
rm -rf here
cat >bin/apt-get <<'END'
#!/bin/sh
exit 100
END
run 1 "$SRC/testsuite/realworld/fetch.sh" here pack
has err 'no source package pack'
[ ! -e here/pack ] || fail "here/pack exists"

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fresh.sh: README's commands, word for word, each in a system of its own that has git and make and no compiler, as root
# and as another user, who does what is printed where packages are missing, and tries again. For root, on Debian
# and its like.
#
# Environment: SRC, this checkout, whose last commit is tried; FRESH, releases of Debian; CHROOTS, a folder for the systems,
#   five gigabytes while one is tried; MIRROR (system.sh); TESTS and JOBS, as for make check.
# Logs are $CHROOTS/fresh-RELEASE/USER-COMMAND.log; beside it is the system, where a command failed. Exit status 1
# where one did.

set -eu
export LC_ALL=C
: "${SRC:?}" "${FRESH:?}" "${CHROOTS:?}" "${TESTS:=}" "${JOBS:=$(nproc)}"
. "$SRC/testsuite/install/system.sh"

commands=$(sed -n '/^Build and try it$/,/^These targets/s/^    \(make\( [a-z][a-z]*\)*\)  .*/\1/p' "$SRC/README")
[ "$(echo "$commands" | wc -l)" -eq 3 ] || die "README has other commands: $commands"

# inside USER COMMAND: in the checkout.
inside() {
    system_inside "$system" "$CHROOTS/fresh-$release/archives" "$1" HOME="$home" TESTS="$TESTS" JOBS="$JOBS" \
        sh -ec "cd '$home/ccprof' && $2"
}

# clean: makes a fresh system with a checkout. For root it is like a container, without lists of
# packages.
clean() {
    rm -rf "$system"
    cp -a "$CHROOTS/$release-minimal" "$system"
    echo 'APT::Get::Assume-Yes "true";' >"$system/etc/apt/apt.conf.d/50yes"
    if [ "$user" = root ]; then
        rm -rf "$system"/var/lib/apt/lists/*
    else
        chroot "$system" useradd -m "$user"
    fi
    system_checkout "$system$home/ccprof"
    chroot "$system" chown -R "$user:" "$home"
}

# try COMMAND: until it is done, or tells nothing new to do before it. One command is enough where
# apt has lists.
try() {
    clean
    tries=1
    [ "$user" != root ] || tries=2
    while ! inside "$user" "$1"; do
        told=$(sed -n 's/^    sudo //p' "$log" | tail -n 1)
        [ "$told" ] && [ $tries -gt 0 ] || return 1
        tries=$((tries - 1))
        echo "As root: $told"
        inside root "$told"
        echo "And again: $1"
    done
}

bad=0
for release in $FRESH; do
    mkdir -p "$CHROOTS/fresh-$release"
    system_make "$CHROOTS/$release-minimal" "$release" --variant=minbase --include=ca-certificates,git,make
    for user in root builder; do
        home=/home/$user
        [ "$user" != root ] || home=/root
        while read -r command; do
            system=$CHROOTS/fresh-$release/$user-${command#make }
            log=$system.log
            # Not `if': inside of that -e would not hold.
            set +e
            (
                set -e
                try "$command"
            ) >"$log" 2>&1 </dev/null
            status=$?
            set -e
            if [ $status -eq 0 ]; then
                echo "$release, $user: $command: done"
                rm -rf "$system"
            else
                echo "$release, $user: $command: FAILED, see $log"
                bad=1
            fi
            grep -E '^As root: |^Going on without|^[0-9]+ passed' "$log" || :
        done <<END
$commands
END
    done
done
exit $bad

# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# system.sh makes systems of Debian's releases to build and test in, and runs commands there, for root. deb.sh,
# compilers.sh and fresh.sh source it. No file of ccprof names an archive.
#
# Environment: MIRROR, the archive that the systems are made from; if empty, the one that this machine's apt
#   takes Debian from.

: "${MIRROR:=}"

die() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 2
}

# system_make ROOT RELEASE OPTION...: makes the system with debootstrap if it does not exist. The
# log is ROOT.log.
system_make() {
    system_root=$1 system_release=$2
    shift 2
    [ ! -f "$system_root/.made" ] || return 0
    [ "$(id -u)" -eq 0 ] || die "only root can make systems"
    command -v debootstrap >/dev/null || die "debootstrap is not installed"
    # apt's own words, not the shell's.
    # shellcheck disable=SC2016
    [ "$MIRROR" ] || MIRROR=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
        grep -v security | head -n 1)
    [ "$MIRROR" ] || die "apt has no lists of Debian here: MIRROR is needed"
    echo "Making $system_root ... (some minutes)"
    rm -rf "$system_root"
    debootstrap "$@" "$system_release" "$system_root" "$MIRROR" >"$system_root.log" 2>&1 ||
        die "no $system_release: see $system_root.log"
    # A mirror may be one of some day, and its lists older than they should be.
    echo 'Acquire::Check-Valid-Until "false";' >"$system_root/etc/apt/apt.conf.d/50mirror"
    : >"$system_root/.made"
}

# system_inside ROOT ARCHIVES USER VARIABLE=VALUE... COMMAND...: in the system, with the folders that the kernel
# gives and the packages that are in the folder ARCHIVES, if it is not empty: what was fetched is not fetched
# again. They are seen by this command alone, so they are gone when it has ended.
system_inside() {
    # For the inner shell.
    # shellcheck disable=SC2016
    unshare --mount sh -ec 'root=$1 archives=$2 user=$3
        shift 3
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount --rbind /sys "$root/sys"
        if [ "$archives" ]; then
            mkdir -p "$archives/partial"
            mount --bind "$archives" "$root/var/cache/apt/archives"
        fi
        exec chroot --userspec="$user" "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive "$@"' inside "$@"
}

# system_checkout FOLDER: this commit of $SRC there, whatever was there is kept.
system_checkout() {
    { [ -d "$1" ] || git init -q "$1"; } &&
        git -C "$1" fetch -q "$SRC" HEAD &&
        git -C "$1" checkout -q --force FETCH_HEAD
}

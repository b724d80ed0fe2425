#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What it costs to train a program for -fprofile-use, and what that gives, beside GCC's own profile.
# shellcheck source=testsuite/bench/lib.sh
. "$(dirname "$0")/lib.sh"

# second NAME FOLDER FROM: built with the profile that the run in folder FROM has left. What was counted
# by several threads at once and not atomically may contradict itself, and GCC then refuses it.
second() {
    second=$1 folder=$2
    mkdir -p "$d/$folder"
    cp "$d/$3"/*.gcda "$d/$folder"
    if build "$folder" -fprofile-use -w 2>"$d/log"; then
        list="$list '$second' 'cd $d/$folder && exec ./prog $arguments'"
    else
        echo "$second: refused: $(grep -m 1 'error:' "$d/log")"
    fi
}

# automatic: built with what train has counted, by lines.
automatic() {
    "$O/mlprof" -afdo "$d/prog.afdo" "$d/train/prog" "$d/train/mlmon.out"
    mkdir -p "$d/auto"
    build auto "-fauto-profile=$d/prog.afdo" -w
    list="$list 'auto-profile, of train' 'cd $d/auto && exec ./prog $arguments'"
}

# one TITLE ARGUMENTS SOURCE...; `options` and `libraries` are set.
one() {
    title=$1 arguments=$2
    shift 2
    sources=$*
    d=$work/pgo/$(echo "$title" | tr -c 'a-z0-9\n' -)
    list=
    contender "plain" plain
    contender "train" train "$plugin" -fplugin-arg-ccprof-train
    contender "train, values" values "$plugin" -fplugin-arg-ccprof-train-values
    contender "train, order" order "$plugin" -fplugin-arg-ccprof-train-order
    contender "train, time" both "$plugin" -fplugin-arg-ccprof-train -fplugin-arg-ccprof-profile=time
    contender "generate" generate -fprofile-generate
    contender "generate, no values" arcs -fprofile-generate -fno-profile-values
    contender "generate, atomic" atomic -fprofile-generate -fprofile-update=atomic
    # One run of each, for the second builds.
    for folder in train values generate arcs; do
        (cd "$d/$folder" && rm -f ./*.gcda && eval "./prog $arguments" >out)
    done
    for folder in train values; do
        (cd "$d/$folder" && "$O/mlprof" -gcda beside prog mlmon.out)
    done
    mkdir -p "$d/profiles/generate" "$d/profiles/arcs"
    cp "$d"/generate/*.gcda "$d/profiles/generate"
    cp "$d"/arcs/*.gcda "$d/profiles/arcs"
    second "use, of generate" use "profiles/generate"
    second "use, without values" use-arcs "profiles/arcs"
    second "use, of train" use-ours train
    second "use, of train, values" use-values values
    automatic
    title "training and its gain: $title, $ROUNDS rounds"
    measure "$work/pgo" "$ROUNDS"
}

rm -rf "$work/pgo"
mkdir -p "$work/pgo"
echo "Aims: train at most 1.10 in the mean and never more than generate; ours gives what GCC's own does."
for program in ${PROGRAMS:-rays json threads lua sqlite zstd}; do
    usual "$program"
done
title "training: geometric mean of all, ratio to plain"
ratio_means "$work/pgo/all"

# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f rooms.awk rooms.txt FACTS: prints a line for each use of a room by one before it, and
# writes files edges.* of who uses whom. Facts, one a line; files without the root's path, modules
# without their ending:
#   file FILE                        there is this source file
#   include FILE NAME                it includes "NAME"
#   defines SET MODULE SYMBOL        in the program SET, objects that are linked together
#   uses SET MODULE SYMBOL

function program_of(file) {
    return substr(file, 1, index(file, "/") - 1)
}

# PROGRAM/ROOM.
function room_of(file,    parts, n) {
    n = split(file, parts, "/")
    return parts[1] "/" (n > 2 ? parts[2] : ".")
}

# What is written for others stands in the runtime's own folder.
function is_shared(file) {
    return file == "rt/format.h" || file == "rt/ccprof.h"
}

function check_order(from, to, what) {
    if (program_of(from) != program_of(to)) {
        if (!is_shared(to) && !(program_of(from) == "live" && program_of(to) == "mlprof"))
            print from " uses " to ", which is another program's" what
    } else if (room_of(from) in rank && room_of(to) in rank && rank[room_of(to)] > rank[room_of(from)])
        print from " uses " to ", which is in a later room" what
}

# For tsort.
function add_edge(graph, from, to) {
    if (from != to)
        print from, to >("edges." graph)
}

FNR == NR {
    if ($0 !~ /^#/)
        for (i = 2; i <= NF; i++) {
            rank[$1 "/" $i] = i
            is_empty[$1 "/" $i] = 1
        }
    next
}

$1 == "file" {
    is_file[$2] = 1
    if (room_of($2) in rank)
        delete is_empty[room_of($2)]
    else
        print $2 " is in no room of the list"
}

# GCC's headers have no path; attach.inc is made.
$1 == "include" && $3 in is_file {
    check_order($2, $3, "")
    if ($2 ~ /\.h$/ && $3 ~ /\.h$/)
        add_edge("headers", $2, $3)
    next
}
$1 == "include" && $2 !~ /^plugin\// {
    print $2 " includes \"" $3 "\", which is no file by its path from the root"
}
$1 == "include" && $2 ~ /^plugin\// && $3 ~ /^(rt|plugin|mlprof|live|\.\.)\// {
    print $2 " includes \"" $3 "\", which is not there"
}

# Names that several define, inline functions, tell nothing.
$1 == "defines" {
    if (($2, $4) in definer && definer[$2, $4] != $3)
        several[$2, $4] = 1
    definer[$2, $4] = $3
}
$1 == "uses" {
    use[++use_count] = $2 SUBSEP $3 SUBSEP $4
}

END {
    for (i in is_empty)
        print i " is in the list, and nothing is there"
    for (i = 1; i <= use_count; i++) {
        split(use[i], of, SUBSEP)
        if (!((of[1], of[3]) in definer) || (of[1], of[3]) in several)
            continue
        to = definer[of[1], of[3]]
        check_order(of[2], to, ": " of[3])
        add_edge(of[1], of[2], to)
    }
}

# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f rooms.awk rooms.txt FACTS: prints a line for each use of a room by one before it, and for
# each circle.  Facts, one a line; files without the root's path, modules without their ending:
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
        if (!is_shared(to))
            print from " uses " to ", which is another program's" what
    } else if (room_of(from) in rank && room_of(to) in rank && rank[room_of(to)] > rank[room_of(from)])
        print from " uses " to ", which is in a later room" what
}

function add_edge(graph, from, to, what) {
    if (from == to || (graph, from, to) in edge)
        return
    edge[graph, from, to] = what
    targets[graph, from] = targets[graph, from] " " to
    graphs[graph] = 1
    nodes[graph, from] = nodes[graph, to] = 1
}

# Takes away, over and over, what uses nothing that is left.  What then is left is in a circle or
# uses one: the first one that is come back to on a walk is told.
function check_circles(graph,    key, parts, changed, n, words, i, left, at, seen, path, circle) {
    for (key in nodes) {
        split(key, parts, SUBSEP)
        if (parts[1] == graph)
            left[parts[2]] = 1
    }
    do {
        changed = 0
        for (at in left) {
            n = split(targets[graph, at], words, " ")
            for (i = 1; i <= n && !(words[i] in left); i++)
                ;
            if (i > n) {
                delete left[at]
                changed = 1
            }
        }
    } while (changed)
    at = ""
    for (key in left)
        if (at == "" || key < at)
            at = key
    if (at == "")
        return
    while (!(at in seen)) {
        seen[at] = ++path
        order[path] = at
        n = split(targets[graph, at], words, " ")
        for (i = 1; !(words[i] in left); i++)
            ;
        at = words[i]
    }
    circle = ""
    for (i = seen[at]; i <= path; i++)
        circle = circle order[i] edge_text(graph, order[i], i < path ? order[i + 1] : at) " -> "
    print "a circle: " circle at
}

function edge_text(graph, from, to) {
    return edge[graph, from, to] == "" ? "" : " (" edge[graph, from, to] ")"
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
        add_edge("headers", $2, $3, "")
    next
}
$1 == "include" && $2 !~ /^plugin\// {
    print $2 " includes \"" $3 "\", which is no file by its path from the root"
}
$1 == "include" && $2 ~ /^plugin\// && $3 ~ /^(rt|plugin|mlprof|\.\.)\// {
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
        add_edge(of[1], of[2], to, of[3])
    }
    for (graph in graphs)
        check_circles(graph)
}

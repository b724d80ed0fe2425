#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ccprof(1) describes each argument of the plugin and each setting of the runtime, and no other; of a setting
# the words, bounds and default are those of the table.
# The manual pages have no warnings and fit into 80 columns; each name in SEE ALSO is a page.
. "$SRC/testsuite/lib.sh"
DOC=$SRC/doc

# section PAGE TITLE: its lines, without the title.
section() {
    awk -v want="$2" '/^\.S[Hh] / { inside = substr($0, 5) == want; next } inside' "$1"
}

# tagged: the line behind each .TP, fonts, blanks and quotes taken out.
tagged() {
    awk 'tag { print; tag = 0 } /^\.TP$/ { tag = 1 }' |
        sed 's/^\.[BI][RIB]* //; s/\\-/-/g; s/["\\ ]//g'
}

echo 'The arguments, as -fplugin-arg-ccprof-help lists them.'
echo 'int one;' >one.c
run 0 pcc -fplugin-arg-ccprof-help -c one.c
sed -n 's/^  \([a-z][^ ]*\) .*/\1/p' err | sort >listed
[ "$(wc -l <listed)" -eq $(($(wc -l <err) - 1)) ] || fail "a line of the help has another form"
section "$DOC/ccprof.1" ARGUMENTS | tagged | sort >told
same told listed

echo 'The settings, as CCPROF=help lists them.'
echo 'int main(void) { return 0; }' >empty.c
pcc empty.c -o empty
run 0 env CCPROF=help,off ./empty
sed -n 's/^ccprof: CCPROF: \([a-z][^ ]*\) .*/\1/p' err | sort >listed
[ "$(wc -l <listed)" -eq "$(wc -l <err)" ] || fail "a line of the help has another form"
section "$DOC/ccprof.1" ENVIRONMENT | tagged | sed '/^CCPROF$/d' | sort >told
same told listed
[ -s told ] || fail "no setting is told of"

# paragraphs NAME: what stands behind the tags of the setting, as one line without fonts.
paragraphs() {
    section "$DOC/ccprof.1" ENVIRONMENT | awk -v name="$1" '
        tag { line = $0; gsub(/^\.[BI][RIB]* |["\\ ]/, "", line)
              inside = line == name || index(line, name "=") == 1; tag = 0; next }
        /^\.TP$/ { tag = 1; next }
        /^\.RE$/ { inside = 0 }
        inside' |
        sed 's/\\f[BRI]//g; s/\\-/-/g; s/^\.[BI] //
            /^\.[BRI][BRI] /{ s/^\.[BRI]* //; s/ //g; }; s/"//g' | tr '\n' ' '
}

# picked WORDS-OF-A-PATTERN: each in one line of standard input; no line is none.
picked() {
    grep -o -E "$1" || :
}

# What a complaint says is right, and the end of the line in the help, come from the table.
echo 'The bounds, the words and the default of each setting.'
sed 's/=.*//' listed | sort -u >names
cp err help.txt
while read -r name; do
    run 0 env CCPROF="off,$name=//" ./empty
    paragraphs "$name" >paragraph
    [ -s paragraph ] || fail "$name: no paragraph"

    picked 'from 1 to [0-9]+' <err >bounds
    picked 'from 1 to [0-9]+' <paragraph >told-bounds
    same told-bounds bounds

    # Words are told as NAME=WORD, in the tag too, or by themselves where the tag is NAME=NAME.
    sed 's/.* right is: //' err | picked "$name=[a-z-]+" | sed 's/.*=//' | sort -u >words
    { picked "$name=[a-z-]+" <paragraph; grep -E "^$name=[a-z]" listed || :; } |
        sed 's/.*=//' | sort -u >told-words
    comm -13 words told-words >others
    [ ! -s others ] || fail "$name is not to be $(cat others)"
    comm -23 words told-words >missing
    while read -r word; do
        grep -q -E "(^| )$word " paragraph || fail "$name=$word is not told of"
    done <missing

    # The default, or what the name alone means.
    sed -n "s/^ccprof: CCPROF: ${name}[ =].*; \([^ ;]*\)$/\1/p" help.txt >default
    {
        picked "$name=[a-z-]+,? (is )?the default" <paragraph | sed 's/^[^=]*=//; s/,\{0,1\} .*//'
        picked '[0-9]+[KMG]? if it is not set' <paragraph | sed 's/ .*//'
        picked "[0-9]+ with $name alone" <paragraph | sed 's/ .*//'
    } | sort -u >told-default
    case $name in
    # No word is the default where ranks have another; the help tells so in words.
    every) has paragraph 'every=no is the default otherwise' ;;
    *) same told-default default ;;
    esac
done <names

echo 'The pages.'
for page in "$DOC"/*.[1-9]; do
    name=$(basename "$page")
    title=$(echo "${name%.*}" | tr '[:lower:]' '[:upper:]')
    sed 's/\\-/-/g' "$page" >plain
    has plain "^\\.TH $title ${name##*.} "
    section "$page" NAME >name
    sed 's/\\-/-/g' name >plain
    has plain "^${name%.*} - "
    # NAME(SECTION) in SEE ALSO: ours is there, and says so in turn.
    section "$page" 'SEE ALSO' | sed -n 's/\\-/-/g; s/^\.BR \([a-z.-]*\) (\([1-9]\)),\{0,1\}$/\1.\2/p' >also
    while read -r other; do
        case $other in
        ccprof.* | ccprof-verify.* | mlprof.* | mlprof-*.7 | mlmon.*)
            [ -f "$DOC/$other" ] || fail "$name: there is no $other"
            section "$DOC/$other" 'SEE ALSO' | sed 's/\\-/-/g' >back
            has back "^\\.BR ${name%.*} (${name##*.})"
            ;;
        esac
    done <also
    # Each names all others; a task of mlprof's only mlprof(1), which names all of these.
    case $name in
    mlprof-*.7) due=1 ;;
    mlprof.1) due=$((4 + $(find "$DOC" -name '*.7' | wc -l))) ;;
    *) due=4 ;;
    esac
    [ "$(grep -c -E '^(ccprof|mlprof|mlmon)' also)" -eq "$due" ] || fail "$name: see also $(cat also)"
done

# joints: a line for each place at which a macro of two fonts, which puts its words together
# without a blank, makes one word of two: a word and a letter behind it (`see' `also'), a mark
# alone and a letter (`.' `Each'), a mark and more than that (`a' `, then').
joints() {
    awk '
    # Splits what stands behind the macro as groff does; a quote that begins a word holds it
    # together, \ takes the blank behind it along.
    function split_words(text, i, c, quoted, started) {
        n = 0
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (!started) {
                if (c == " ") continue
                word[++n] = ""
                started = 1
                quoted = c == "\""
                if (quoted) continue
            }
            if (quoted && c == "\"" && substr(text, i + 1, 1) == c) i++
            else if (c == (quoted ? "\"" : " ")) { started = 0; continue }
            else if (c == "\\") { word[n] = word[n] c; c = substr(text, ++i, 1) }
            word[n] = word[n] c
        }
    }
    /^\.(BR|RB|IR|RI|BI|IB) / {
        split_words(substr($0, 5))
        for (i = 1; i < n; i++) {
            left = word[i]; right = word[i + 1]
            if (right ~ /^[A-Za-z0-9]/ && (left ~ /[A-Za-z0-9]$/ || left ~ /([])},;!?]|^[.])$/) ||
                right ~ /^[].,;!?)]+[A-Za-z]/)
                print FILENAME ":" FNR ": " left " + " right
        }
    }' "$@"
}
printf '.BR one (2), three\n.BR SEE . Each\n.RB ( A="b c" )\n.BR a ,then\n' >wrong
joints wrong | cut -d ' ' -f 1 | sort -u >got
printf 'wrong:%s:\n' 1 2 3 4 >want
same got want
printf '.BI mlmon.out. PID\n.BR one (2),\n.IR file :line\n.RB ( "a ""b c""" )\n.BR -x {a | b }\n' >right
joints right >got
same got /dev/null
joints "$DOC"/*.[1-9] >got
same got /dev/null

# Every file that a document names in doc/ is there.
grep -o -h 'doc/[a-z][a-z.-]*[a-z0-9]' "$SRC/README" "$DOC"/*.md | sort -u >named
[ -s named ] || fail "no document names another"
while read -r file; do
    [ -f "$SRC/$file" ] || fail "there is no $file"
done <named

have groff 'the pages, set' || exit 0
for page in "$DOC"/*.[1-9]; do
    run 0 groff -ww -man -Tascii "$page"
    same err /dev/null
done
# At 80 columns no line is longer, and no word is broken, so that an option can be searched for; at a hyphen of its own
# a word may be (lower-case), where groff breaks lines at other words than another version does.
for page in "$DOC"/*.[1-9]; do
    groff -man -Tascii -P-cbou -rLL=78n "$page" >laid-out
    [ "$(wc -l <laid-out)" -gt 50 ] || fail "$page: $(wc -l <laid-out) lines"
    awk -v page="$page" '
        FNR == NR { for (i = 1; i <= NF; i++) if ($i ~ /^[(]?[A-Za-z]+-[a-z]+[.,;:)]*$/) {
            gsub(/[^A-Za-z-]/, "", $i); own[$i] }; next }
        broken && match($1, /^[a-z]+/) && (word substr($1, 1, RLENGTH)) in own { broken = "" }
        broken { print page ": " broken }
        { broken = "" }
        length > 80 { print page ": " $0 }
        /[a-z]-$/ { broken = $0; word = $NF; sub(/^[^A-Za-z]*/, "", word) }' "$page" laid-out >long
    same long /dev/null
done

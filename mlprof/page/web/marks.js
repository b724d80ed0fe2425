// Signs next to the line numbers of the source. They show whether a line has machine code, whether
// the compiler removed all its code, or whether code was moved out of a loop. What GCC did with a
// loop is beside the line of the loop's head.

import {map_get, map_push} from './maps.js';
import {percent_text} from './numbers.js';
import {make} from './elements.js';
import {fortran_is, fortran_own, places_starts} from './places.js';

const marks_signs = {
    code: [
        '\u2022',
        'machine code',
        'the line has machine code of its own, or code that was inlined at it',
    ],
    moved: [
        '\u2191',
        'some moved before a loop',
        'some of its machine code was moved out of a loop, in front of it',
    ],
    gone: [
        '\u00d7',
        'none left of it',
        'it was code, but no machine code of its own is left: GCC has deleted it, ' +
            'joined it with other code, or moved it',
    ],
    none: [
        '\u25cb',
        'none, or a declaration',
        'no machine code of its own: GCC has deleted it, joined it with other code, ' +
            'or moved it, or it is a declaration',
    ],
};

// Returns the lines from FIRST to LAST that look like code. A line is not code if it has only
// comments, directives, braces, or a keyword such as `else'. FIRST must not be inside a comment.
function marks_code_lines(texts, path, first, last) {
    const ada = /\.(adb|ads)$/i.test(path);
    const found = [];
    const orders = new Set(
        (
            'else do try default public private protected ' +
            'begin end then contains implicit none'
        ).split(' ')
    );
    const fortran = fortran_is(path);
    const parts = fortran
        ? /(!).*/g
        : ada
          ? /(--).*/g
          : /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)+'|(\/\/).*|(\/\*)(?:.*?\*\/|.*)/g;
    for (let line = first, in_comment = false; line <= last; line++) {
        let text = fortran ? fortran_own(path, texts, line) : texts[line - 1] || '';
        if (in_comment) {
            const end = text.indexOf('*/');
            text = end < 0 ? '' : text.slice(end + 2);
            in_comment = end < 0;
        }
        const bare = text.replace(parts, function (part, to_end, comment) {
            in_comment =
                in_comment || (comment === '/*' && !(part.length > 3 && part.endsWith('*/')));
            return to_end || comment ? ' ' : '0';
        });
        if (
            !/^\s*#/.test(bare) &&
            (bare.match(/\w+/g) || []).some(word => !orders.has(word.toLowerCase()))
        )
            found.push(line);
    }
    return found;
}

// Returns the signs of a FILE by line, and for each line with moved code its loops.
export const marks_of = (model, file) =>
    map_get(model.marks, file, () => marks_make(model, file));

function marks_make(model, file) {
    const data = model.data;
    const coded = data.coded;
    const moved = data.code.moved;
    const signs = new Map();
    const loops = new Map();
    const spans = new Map();
    const counts = model.executions(file);
    const starts = places_starts(model, file);
    const texts = model.source(file) || [];
    // If a function has counts, the counts say which lines are code.
    const graphs = new Set(data.lines.function);
    coded.line.forEach(function (line, i) {
        if (coded.file[i] !== file)
            return;
        signs.set(line, 'code');
        const f = coded.function[i];
        const span = spans.get(f);
        if (f < 0 || data.functions.file[f] !== file || graphs.has(f))
            return;
        if (span)
            span.last = line;
        else
            spans.set(f, {first: line, last: line});
    });
    moved.line.forEach(function (line, i) {
        if (moved.file[i] !== file)
            return;
        signs.set(line, 'moved');
        map_get(loops, line, () => new Set()).add(
            (moved.loop_file[i] === file
                ? 'lines '
                : model.last(model.path(moved.loop_file[i])) + ', lines ') +
                moved.first[i] + ' to ' + moved.last[i]
        );
    });
    // The span of a function starts after the line with its opening brace and ends at its closing
    // brace.
    const indent = line => /^\s*/.exec(texts[line - 1] || '')[0].length;
    for (const [f, span] of spans) {
        for (let line = data.functions.line[f]; line <= span.last; line++)
            if (/{/.test(texts[line - 1])) {
                span.first = Math.max(span.first, line + 1);
                break;
            }
        for (
            let line = span.last + 1;
            line <= Math.min(texts.length, span.last + 200) && !starts.has(line);
            line++
        )
            if (/^\s*}/.test(texts[line - 1]) && indent(line) <= indent(data.functions.line[f])) {
                span.last = line;
                break;
            }
    }
    // If no positions are known, no line can be reported as missing.
    if (coded.line.length) {
        for (const line of counts.keys())
            if (
                !signs.has(line) &&
                !starts.has(line) &&
                (!texts.length || /\w/.test(texts[line - 1]))
            )
                signs.set(line, 'gone');
        for (const span of spans.values())
            for (const line of marks_code_lines(texts, model.path(file), span.first, span.last))
                if (!signs.has(line) && !counts.has(line) && !starts.has(line))
                    signs.set(line, 'none');
    }
    const never = Array.from(counts.values()).some(count => count === 0);
    return {signs: signs, loops: loops, never: never};
}

// Returns the explanation of a line's sign for its tip. HAS: the line has samples.
export function marks_tip(model, file, line, has) {
    const marks = marks_of(model, file);
    const sign = marks.signs.get(line);
    if (sign === 'moved')
        return (
            'some of its machine code was moved in front of the loop in ' +
            Array.from(marks.loops.get(line)).join('; ')
        );
    if (sign === 'code')
        return has || !model.measure.sampled ? '' : 'there is machine code, no samples';
    return sign ? marks_signs[sign][2] : '';
}

export function marks_span(model, file, line) {
    const sign = marks_of(model, file).signs.get(line);
    return make('span', {class: sign ? 'sign ' + sign : 'sign'}, sign ? marks_signs[sign][0] : '');
}

// Returns the legend for the signs that occur in a file.
export function marks_legend(model, file) {
    const marks = marks_of(model, file);
    const there = new Set(marks.signs.values());
    return make('span', {id: 'signs', class: 'faint'},
        ...Object.keys(marks_signs)
            .filter(sign => there.has(sign))
            .map(sign =>
                make('span', {title: marks_signs[sign][2]},
                    make('b', {}, marks_signs[sign][0]),
                    ' ' + marks_signs[sign][1]
                )
            ),
        marks.never
            ? make('span', {title: 'the counts say that the line was never executed'},
                  make('i', {class: 'never'}, 'grey'),
                  ' never executed'
              )
            : undefined
    );
}

// Returns the verdicts of FILE by line.
const verdicts_of = (model, file) =>
    map_get(model.verdicts, file, () => verdicts_make(model, file));

function verdicts_make(model, file) {
    const data = model.data.verdicts;
    const found = new Map();
    data.line.forEach(function (line, i) {
        if (data.file[i] !== file || data.text[i] < 0)
            return;
        map_push(found, line, {
            text: model.data.texts[data.text[i]],
            messages: data.messages[i] < 0 ? '' : model.data.texts[data.messages[i]],
            function: data.into[i],
            copies: data.copies[i],
            cur: data.cur[i],
        });
    });
    return found;
}

// Returns the function into which the copy of a verdict is compiled, and the number of others.
function verdicts_place(model, verdict) {
    return (
        (verdict.function < 0 ? '' : ' in ' + model.name(verdict.function)) +
        (verdict.copies > 1 ? ' and ' + (verdict.copies - 1) + ' more' : '')
    );
}

// Returns the verdicts about the loops in a line, or undefined if there are none.
export function verdicts_span(model, file, line) {
    const found = verdicts_of(model, file).get(line);
    if (!found)
        return undefined;
    return make('span', {class: 'verdict'},
        found
            .map(
                verdict =>
                    verdict.text +
                    (found.length > 1 ? ' (' + verdicts_place(model, verdict).trim() + ')' : '')
            )
            .join('; ')
    );
}

// Returns the lines about the loops in a line for its tip: also GCC's own words.
export function verdicts_tip(model, file, line) {
    return (verdicts_of(model, file).get(line) || [])
        .map(
            verdict =>
                'loop' +
                verdicts_place(model, verdict) +
                (verdict.cur ? ', ' + percent_text(verdict.cur, model.total) : '') +
                ': ' +
                verdict.text +
                (verdict.messages ? '\nGCC: ' + verdict.messages : '')
        )
        .join('\n');
}

// Finds the places of functions, rows and expressions in source files, for the views that show the
// text or name a place. For Fortran, the position that gfortran gives is not the start of a
// statement. It is the end of the statement's last line (including a comment), or column 72. So the
// first part of this file finds Fortran statements in the text.

import {map_push} from './maps.js';

const FORTRAN_FIXED = /\.(f|for|ftn|fpp)$/i;

export const fortran_is = path =>
    FORTRAN_FIXED.test(path) || /\.(f90|f95|f03|f08|f18)$/i.test(path);

// Returns the range of the code in a line, without a label, a continuation mark or a comment. In
// the fixed form, text after the column LAST is ignored. `start' and `end' are 0 if the line has no
// code. `goes_on': the statement continues on the next line. `goes_back': the line continues the
// statement of the previous line.
function fortran_line(text, fixed, last) {
    const none = {start: 0, end: 0, goes_on: false, goes_back: false};
    if (fixed && /^[C*!]/i.test(text))
        return none;
    const margin = fixed ? /^(?:[ \d]{5}[^ 0\t]|[ \d]*\t[1-9])/.exec(text) : /^\s*&/.exec(text);
    let end = fixed && !text.includes('\t') ? Math.min(last, text.length) : text.length;
    // Skip strings, because a `!' in a string does not start a comment.
    const parts = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|!/g;
    parts.lastIndex = margin ? margin[0].length : 0;
    for (let part; (part = parts.exec(text)) && part.index < end;)
        if (part[0] === '!')
            end = part.index;
    let code = text.slice(0, end).trimEnd();
    const goes_on = !fixed && code.endsWith('&');
    if (goes_on)
        code = code.slice(0, -1).trimEnd();
    const front = margin ? margin[0].length : /^(?:\s*\d+\s(?=\s*[a-z]))?/i.exec(code)[0].length;
    const start = front + code.slice(front).search(/\S|$/);
    return start < code.length
        ? {start: start, end: code.length, goes_on: goes_on, goes_back: Boolean(fixed && margin)}
        : Object.assign(none, {goes_on: goes_on});
}

// Returns the parts (line, start, end) of the statement that contains a line. In the fixed form,
// code ends at the column LAST.
function fortran_statement(path, texts, line, last) {
    const fixed = FORTRAN_FIXED.test(path);
    const line_code = number => fortran_line(texts[number - 1], fixed, last || 72);
    const part = number => Object.assign({line: number}, line_code(number));
    // Returns the next line with code in the direction STEP, or 0.
    function next(number, step) {
        const is_empty = code => !code.end && !code.goes_on;
        do
            number += step;
        while (number > 0 && number <= texts.length && is_empty(line_code(number)));
        return number <= texts.length ? number : 0;
    }
    const parts = [part(line)];
    for (;;) {
        const previous = next(parts[0].line, -1);
        if (!previous || !(parts[0].goes_back || line_code(previous).goes_on))
            break;
        parts.unshift(part(previous));
    }
    for (;;) {
        const end = parts[parts.length - 1];
        const following = next(end.line, 1);
        if (!following || !(end.goes_on || line_code(following).goes_back))
            return parts.filter(({end}) => end);
        parts.push(part(following));
    }
}

// Returns whether the PARTS are an ALLOCATE or DEALLOCATE statement, possibly after an IF.
const fortran_allocates = (parts, texts) =>
    /^(?:if\b.*\)\s*)?(?:de)?allocate\s*\(/i.test(
        parts.map(({line, start, end}) => texts[line - 1].slice(start, end)).join(' ')
    );

// Returns the code of a line if a statement ends on this line, otherwise ''. The machine code of a
// statement with several lines belongs to its last line.
export function fortran_own(path, texts, line) {
    const end = fortran_statement(path, texts, line).at(-1);
    return end && end.line === line ? texts[line - 1].slice(end.start, end.end) : '';
}

// Returns short names of source files. Each name has as many folders as it needs to be unique.
export function places_names(paths) {
    const words = paths.map(path => path.split('/'));
    const counts = words.map(() => 1);
    for (;;) {
        const names = words.map((folders, i) => folders.slice(-counts[i]).join('/'));
        const alike = new Map();
        for (const name of names)
            alike.set(name, (alike.get(name) || 0) + 1);
        let longer = false;
        names.forEach(function (name, i) {
            if (alike.get(name) < 2 || counts[i] >= words[i].length)
                return;
            counts[i]++;
            longer = true;
        });
        if (!longer)
            return names;
    }
}

// Removes the folders from a place.
export const place_short = place => place.replace(/[^ ]*\//g, '').replace(': ', ':');

export function place_text(model, table, r) {
    if (table.place && table.place[r] >= 0)
        return place_short(model.data.texts[table.place[r]]);
    const path = model.path(table.file[r]);
    return path ? model.last(path) + (table.line[r] ? ':' + table.line[r] : '') : '';
}

// Returns the functions of a file by their first line.
export function places_starts(model, file) {
    const starts = new Map();
    const functions = model.data.functions;
    for (let f = model.count; f-- > 0;)
        if (functions.file[f] === file && !functions.branch[f])
            starts.set(functions.line[f], f);
    return starts;
}

// Converts a COLUMN, which counts UTF-8 bytes from 1, to an index into the text.
export function places_column(text, column) {
    if (/^[\0-\x7f]*$/.test(text))
        return column - 1;
    let bytes = 1,
        index = 0;
    for (const letter of text) {
        if (bytes >= column)
            break;
        const code = letter.codePointAt(0);
        bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        index += letter.length;
    }
    return index;
}

// Returns the end of the token at START: a word, a parenthesized text, or a single character.
export function places_end(text, start) {
    const word = /^\w+/.exec(text.slice(start));
    if (word)
        return start + word[0].length;
    let depth = 0;
    let end = start;
    do {
        if (text[end] === '(')
            depth++;
        else if (text[end] === ')')
            depth--;
        end++;
    } while (depth > 0 && end < text.length);
    return end;
}

// Returns, for each position in Fortran code, the parts of the statement that the position
// represents. If there are positions at the end of the statement, the position with the most
// samples among them represents the statement, and the other positions at the end get no parts.
// Otherwise the position with the most samples represents the statement.
function places_statements(model, expressions, texts, path) {
    const positions = model.data.positions;
    const best = new Map();
    const statements = new Map();
    for (const [p, {cur}] of fortran_is(path) ? expressions : []) {
        const line = positions.line[p];
        const single =
            !positions.start_column[p] ||
            (positions.start_line[p] === positions.end_line[p] &&
                positions.start_column[p] === positions.end_column[p]);
        if (!single || !positions.column[p] || texts[line - 1] === undefined)
            continue;
        const parts = fortran_statement(path, texts, line, positions.column[p]);
        const line_part = parts.find(part => part.line === line);
        if (!line_part)
            continue;
        const found = {p: p, parts: parts, ends: positions.column[p] >= line_part.end, cur: cur};
        if (found.ends)
            statements.set(p, []);
        const known = best.get(parts[0].line);
        if (!known || (found.ends === known.ends ? cur > known.cur : found.ends))
            best.set(parts[0].line, found);
    }
    for (const {p, parts} of best.values())
        statements.set(p, parts);
    return statements;
}

// gfortran adds code to ALLOCATE and DEALLOCATE statements that runs only if the statement fails.
// Returns the positions of this code. They are inside the parentheses of the statement. If they
// were not removed, the statement would look as if it was never executed. EXECUTED has the number
// of executions by position.
export function places_failures(model, executed, texts, path) {
    const positions = model.data.positions;
    const failures = new Map();
    const succeeded = new Set();
    for (const [p, count] of fortran_is(path) ? executed : []) {
        const line = positions.line[p];
        if (texts[line - 1] === undefined)
            continue;
        const parts = fortran_statement(path, texts, line, positions.column[p]);
        const end = parts.at(-1);
        if (!end || !fortran_allocates(parts, texts))
            continue;
        if (count === 0)
            failures.set(p, parts[0].line);
        else if (line === end.line && positions.column[p] >= end.end)
            succeeded.add(parts[0].line);
    }
    return new Set(Array.from(failures.keys()).filter(p => succeeded.has(failures.get(p))));
}

// Returns, by line, the parts (from, to, position) of expressions in the file at PATH. Wider
// expressions come first, so that inner expressions are painted over them.
export function places_ranges(model, expressions, texts, path) {
    const positions = model.data.positions;
    const ranges = new Map();
    const statements = places_statements(model, expressions, texts, path);
    function put(parts, size) {
        for (const part of parts) {
            part.size = size;
            map_push(ranges, part.line, part);
        }
    }
    for (const p of expressions.keys()) {
        const single = !positions.start_column[p];
        const first = single ? positions.line[p] : positions.start_line[p];
        const last = single ? positions.line[p] : positions.end_line[p];
        if (!positions.column[p] || last - first > 1000)
            continue;
        const statement = statements.get(p);
        if (statement) {
            put(
                statement.map(({line, start, end}) => ({line, start, end, position: p})),
                statement.reduce((sum, {start, end}) => sum + end - start, 0)
            );
            continue;
        }
        let size = 0;
        const parts = [];
        for (let line = first; line <= last; line++) {
            const text = texts[line - 1];
            if (text === undefined)
                continue;
            let start = places_column(
                text,
                single ? positions.column[p] : line === first ? positions.start_column[p] : 1
            );
            let end =
                line === last && !single
                    ? places_column(text, positions.end_column[p] + 1)
                    : text.length;
            if (single || (first === last && end === start + 1))
                end = places_end(text, start);
            // For a macro the compiler gives the start of its name as its end.
            else if (line === last)
                end += /^\w*/.exec(/\w/.test(text[end - 1] || '') ? text.slice(end) : '')[0].length;
            if (line !== first)
                start = Math.max(start, text.search(/\S|$/));
            if (end <= start)
                continue;
            parts.push({line: line, start: start, end: end, position: p});
            size += end - start;
        }
        put(parts, size);
    }
    for (const list of ranges.values())
        list.sort((a, b) => b.size - a.size || a.position - b.position);
    return ranges;
}

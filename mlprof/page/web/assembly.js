// The machine code next to the source: a list of the copies of the file's functions. An open copy
// shows its instructions with their samples, and arrows for the jumps. The instructions of the
// chosen line are marked, and so is the line of a chosen instruction.

import {map_get} from './maps.js';
import {shorten} from './names.js';
import {amount_text, number_text, percent_text, plural_text} from './numbers.js';
import {button_make, draw, faint, make, rows_fill, tip_on} from './elements.js';
import {heat_colour} from './drawing.js';
import {times_whole} from './times.js';
import {NO_CODE, go, state} from './state.js';

// Returns the code with the samples that the transforms keep. The result is cached until the
// transforms change.
export function code_of(model) {
    if (model.code && model.code.counts_of === model.counts)
        return model.code;
    const code = model.data.code;
    const nodes = model.data.nodes;
    const copies = model.data.copies;
    const bodies = code.bodies;
    const size = code.insns.size;
    const first = [];
    const address = new Float64Array(size.length);
    const known = new Map();
    const counts = new Float64Array(size.length);
    for (let body = 0, i = 0; body < bodies.start.length; body++) {
        first.push(i);
        known.set(bodies.module[body] + ' ' + bodies.number[body], body);
        let next = bodies.start[body];
        for (const end = i + bodies.insns[body]; i < end; next += size[i++])
            address[i] = next;
    }
    for (let i = 0; i < model.size; i++) {
        const body =
            model.counts[i] && nodes.address[i]
                ? known.get(copies.module[nodes.copy[i]] + ' ' + copies.number[nodes.copy[i]])
                : undefined;
        if (body === undefined)
            continue;
        let low = first[body];
        let high = low + bodies.insns[body];
        while (high - low > 1) {
            const middle = (low + high) >> 1;
            if (address[middle] <= nodes.address[i])
                low = middle;
            else
                high = middle;
        }
        counts[low] += model.counts[i];
    }
    // Samples and instructions of each copy, including inlined code.
    const amount = new Float64Array(code.parts.body.length);
    const insns = new Int32Array(amount.length);
    for (let i = 0; i < size.length; i++)
        for (let part = code.insns.part[i]; part >= 0; part = code.parts.parent[part]) {
            amount[part] += counts[i];
            insns[part]++;
        }
    return (model.code = {
        counts_of: model.counts,
        first: first,
        address: address,
        counts: counts,
        amount: amount,
        insns: insns,
    });
}

// Returns the number of a copy among the parts of the page's code, or -1 if the page does not have
// its code.
export function code_part(model, module, number, copy) {
    const parts = model.data.code.parts;
    const bodies = model.data.code.bodies;
    if (!model.parts) {
        model.parts = new Map();
        parts.body.forEach((body, i) =>
            model.parts.set(
                bodies.module[body] + ' ' + bodies.number[body] + ' ' + parts.copy[i],
                i
            )
        );
    }
    const part = model.parts.get(module + ' ' + number + ' ' + copy);
    return part === undefined ? -1 : part;
}

function code_name(model, part) {
    const parts = model.data.code.parts;
    return parts.function[part] >= 0
        ? model.name(parts.function[part])
        : model.data.texts[parts.name[part]];
}

// Returns words for how GCC compiled a copy: own body, clone, or inlined, from the innermost
// function outwards. Names are shortened to ROOM characters.
export function code_origin(model, part, room) {
    const code = model.data.code;
    const parts = code.parts;
    const symbol = code.symbols[parts.body[part]] || '';
    const clone = /(\.(?:constprop|isra|part|cold)\b.*)/.exec(symbol);
    const words = [];
    if (parts.parent[part] < 0)
        return !clone
            ? 'own body'
            : clone[1] === '.cold'
              ? 'cold part'
              : (clone[1].startsWith('.part') ? 'split-off ' : 'clone ') + clone[1];
    for (let inner = part; parts.parent[inner] >= 0; inner = parts.parent[inner])
        words.push(
            'inlined in ' +
                shorten(code_name(model, parts.parent[inner]), room || 400) +
                (parts.parent[parts.parent[inner]] < 0 && clone ? clone[1] : '') +
                (parts.file[inner] >= 0
                    ? ' at ' + model.last(model.path(parts.file[inner])) + ':' + parts.line[inner]
                    : '')
        );
    return words.length > 3
        ? words.slice(0, 2).join(', ') + ', \u2026, ' + words[words.length - 1]
        : words.join(', ');
}

const code_is_at = (table, i, file, line) =>
    i >= 0 && table.file[i] === file && table.line[i] === line;

// Returns how an instruction belongs to a line: 2 if it is code of the line itself, 1 if it is code
// of a call on the line that was inlined, otherwise 0.
function code_line_relation(model, insn, file, line) {
    const code = model.data.code;
    if (code_is_at(code.places, code.insns.place[insn], file, line))
        return 2;
    for (let part = code.insns.part[insn]; part >= 0; part = code.parts.parent[part])
        if (code_is_at(code.parts, part, file, line))
            return 1;
    return 0;
}

// Returns whether a copy is of a function of the file.
const code_is_of = ({data}, part, file) =>
    data.code.parts.function[part] >= 0 &&
    data.functions.file[data.code.parts.function[part]] === file;

// Returns the copies of the file's functions, sorted by decreasing samples. If LINE is not 0,
// returns only copies with instructions of this line, sorted by the samples of the line.
export function code_copies(model, file, line) {
    const figures = code_of(model);
    const code = model.data.code;
    const parts = code.parts;
    const found = new Map();
    if (!line) {
        for (let part = 0; part < figures.amount.length; part++)
            if (code_is_of(model, part, file) && figures.insns[part])
                found.set(part, figures.amount[part]);
    } else
        for (let i = 0; i < figures.counts.length; i++) {
            const place = code.insns.place[i];
            let owner = code_is_at(code.places, place, file, line) ? code.insns.part[i] : -1;
            // Find the copy with the call on the line that was inlined.
            for (let part = code.insns.part[i]; owner < 0 && part >= 0; part = parts.parent[part])
                if (code_is_at(parts, part, file, line))
                    owner = parts.parent[part];
            if (owner >= 0)
                found.set(owner, (found.get(owner) || 0) + figures.counts[i]);
        }
    return Array.from(found).sort(
        (a, b) => b[1] - a[1] || figures.amount[b[0]] - figures.amount[a[0]] || a[0] - b[0]
    );
}

// Returns the instructions of a copy, including code inlined into it. A gap in these instructions
// has the number of instructions of other copies in the gap.
function code_rows(model, part) {
    const figures = code_of(model);
    const code = model.data.code;
    const body = code.parts.body[part];
    const rows = [];
    const is_in = inner => inner === part || (inner >= 0 && is_in(code.parts.parent[inner]));
    const end = figures.first[body] + code.bodies.insns[body];
    for (let i = figures.first[body], gap = 0; i < end; i++) {
        if (!is_in(code.insns.part[i])) {
            gap++;
            continue;
        }
        if (gap && rows.length)
            rows.push({gap: gap});
        gap = 0;
        rows.push({insn: i});
    }
    return rows;
}

const ASSEMBLY = {copies: 200, row: 18, lanes: 10};

// Fills PANE, which must already be in the page.
export function assembly_fill(pane, model, file) {
    const code = model.data.code;
    const figures = code_of(model);
    const line = Number(state.line);
    const copies = code_copies(model, file, line);
    // If a copy is inside another copy of the same file, do not add its samples again.
    const is_inner = function (part) {
        const outer = code.parts.parent[part];
        return outer >= 0 && (code_is_of(model, outer, file) || is_inner(outer));
    };
    const sum = copies
        .filter(([part]) => line || !is_inner(part))
        .reduce((total, copy) => total + copy[1], 0);
    let open = Number(state.part);
    if (open === -1 && copies.length)
        open = copies[0][0];
    if (!code.bodies.start.length)
        pane.append(
            make('div', {class: 'empty'},
                'No machine code: the program\u2019s file was not there when this page was made, ' +
                    'it is for another processor than x86-64, or nothing in it was measured.'
            )
        );
    else {
        const name = model.last(model.path(file)) + (line ? ':' + line : '');
        pane.append(
            make('div', {class: 'told'},
                copies.length
                    ? name + ': ' + number_text(copies.length) +
                          (copies.length === 1 ? ' copy' : ' copies') + ' in machine code, ' +
                          percent_text(sum, model.total) + (line ? ' on this line' : '')
                    : name + ': no machine code of it was measured. GCC has moved or deleted it, ' +
                          'or it was never executed.',
                line !== 0 &&
                    button_make(() => go({line: 0, ...NO_CODE}), {}, 'all of the file')
            )
        );
    }
    copies.slice(0, ASSEMBLY.copies).forEach(function ([part, amount], i) {
        const toggle = () => go({part: part === open ? -2 : part, insn: -1});
        pane.append(
            make('h3', {
                'data-part': part,
                'aria-expanded': part === open ? 'true' : 'false',
                tabindex: 0,
                title: code_name(model, part) + ': ' + code_origin(model, part),
                events: {
                    click: toggle,
                    keydown: event => event.key === 'Enter' && toggle(),
                },
            },
                (part === open ? '\u25be ' : '\u25b8 ') + percent_text(amount, model.total) + '  ' +
                    shorten(code_name(model, part), 40),
                faint(
                    '  copy ' + (i + 1) + ' of ' + copies.length + ', ' +
                        code_origin(model, part, 30) + ', ' +
                        plural_text(figures.insns[part], 'instruction')
                )
            )
        );
        if (part === open)
            pane.append(make('div', {class: 'code'}));
    });
    if (copies.length > ASSEMBLY.copies)
        pane.append(
            make('div', {class: 'faint told'},
                number_text(copies.length - ASSEMBLY.copies) + ' more, with less'
            )
        );
    if (code.left)
        pane.append(
            make('div', {class: 'faint told'},
                'Not in this page: the code of ' + number_text(code.left) +
                    ' functions, those with the least, ' +
                    percent_text(code.left_samples, model.data.total) + ' in all' +
                    times_whole(model) + '.'
            )
        );
    const box = pane.querySelector('.code');
    if (box)
        assembly_list(pane, box, model, file, line, open);
}

function assembly_list(pane, box, model, file, line, part) {
    const figures = code_of(model);
    const code = model.data.code;
    const insns = code.insns;
    const rows = code_rows(model, part);
    const chosen = Number(state.insn);
    const counted = model.data.lines.line.length > 0;
    const executions = new Map();
    const position = Number(state.position);
    const column = position >= 0 ? model.data.positions.column[position] : -1;
    const amount = row => (row.insn === undefined ? 0 : figures.counts[row.insn]);
    const most = rows.reduce((m, row) => Math.max(m, amount(row)), 1);
    const where = new Map();
    const index = rows.map((_, i) => i);
    rows.forEach((row, i) => {
        if (row.insn !== undefined)
            where.set(row.insn, i);
    });
    const list = make('div', {class: 'insns'});
    const executed = function (place) {
        const place_file = code.places.file[place];
        const counts = map_get(executions, place_file, () => model.executions(place_file));
        return counts.get(code.places.line[place]);
    };
    const uncounted =
        model.measure.word === 'instructions' &&
        "not in the numbers: never executed, a no-operation, or code of ccprof's counters";
    function row_of(row) {
        if (row.insn === undefined)
            return make('div', {class: 'gap'},
                '\u22ef ' + plural_text(row.gap, 'instruction') + ' of others'
            );
        const i = row.insn;
        const place = insns.place[i];
        const is = line ? code_line_relation(model, i, file, line) : 0;
        const count = figures.counts[i];
        const inner = insns.part[i];
        const position =
            place < 0
                ? ''
                : model.last(model.path(code.places.file[place])) + ':' + code.places.line[place];
        const exact = is === 2 && column > 0 && code.places.column[place] === column;
        const times = counted && place >= 0 ? executed(place) : undefined;
        const cost = make('span', {class: 'cost'}, count ? percent_text(count, model.total) : '');
        if (count)
            cost.style.backgroundColor = heat_colour(count / most);
        const row_element = make('div', {
            'data-insn': i,
            class:
                [is === 2 ? 'here' : is ? 'within' : '', exact || i === chosen ? 'chosen' : '']
                    .join(' ')
                    .trim() || undefined,
            events: {
                click: () =>
                    place >= 0 &&
                    go({
                        file: code.places.file[place],
                        line: code.places.line[place],
                        position: -1,
                        part: part,
                        insn: i,
                    }),
            },
        },
            cost,
            make('span', {class: 'address'}, figures.address[i].toString(16)),
            make('span', {class: 'label'}, insns.label[i] ? '.L' + insns.label[i] + ':' : ''),
            make('span', {class: 'text'}, model.data.texts[insns.text[i]]),
            faint((inner === part ? '' : shorten(code_name(model, inner), 24) + ' ') + position)
        );
        return tip_on(row_element, () =>
            [
                count
                    ? percent_text(count, model.total) + ', ' + amount_text(model, count)
                    : uncounted,
                code_name(model, inner) + (position && ', ' + position),
                code_origin(model, inner),
                times !== undefined &&
                    'its line was executed ' + number_text(times) + ' times',
            ]
                .filter(Boolean)
                .join('\n')
        );
    }
    box.append(assembly_jumps(rows, where, insns.to), list);
    rows_fill(
        pane,
        list,
        rows.length,
        ASSEMBLY.row,
        i => row_of(rows[i]),
        () => make('div', {class: 'rest'})
    );
    // Scroll to the chosen instruction. If there is none, scroll to the instruction with the most
    // samples. If a line is chosen, consider only instructions of this line.
    let best_row = where.has(chosen) ? where.get(chosen) : -1;
    for (const relation of [2, 1])
        if (best_row < 0 && line) {
            const candidates = index.filter(
                i =>
                    rows[i].insn !== undefined &&
                    code_line_relation(model, rows[i].insn, file, line) === relation
            );
            if (candidates.length)
                best_row = candidates.reduce((best, i) =>
                    amount(rows[i]) > amount(rows[best]) ? i : best
                );
        }
    if (best_row < 0)
        best_row = index.reduce((best, i) => (amount(rows[i]) > amount(rows[best]) ? i : best), 0);
    const scroll = best_row * ASSEMBLY.row - pane.clientHeight / 2;
    if (scroll > 0)
        pane.scrollTop = list.offsetTop - pane.offsetTop + scroll;
    if (pane.onscroll)
        pane.onscroll();
}

// Draws the jumps between the rows as arrows. Short jumps are drawn close to the code. Each jump
// uses the first lane in which it overlaps no other jump. If there is no such lane, it uses the
// last lane.
function assembly_jumps(rows, where, targets) {
    const jumps = [];
    const lanes = [];
    const width = 8 + 6 * ASSEMBLY.lanes;
    rows.forEach(function (row, i) {
        const target = row.insn === undefined ? undefined : where.get(targets[row.insn]);
        if (target !== undefined)
            jumps.push({
                source: i,
                target: target,
                low: Math.min(i, target),
                high: Math.max(i, target),
            });
    });
    jumps.sort((a, b) => a.high - a.low - (b.high - b.low));
    const svg = draw('svg', {class: 'jumps', width: width, height: rows.length * ASSEMBLY.row});
    for (const jump of jumps) {
        let lane = 0;
        while (
            lane < ASSEMBLY.lanes - 1 &&
            (lanes[lane] || []).some(other => other.low <= jump.high && jump.low <= other.high)
        )
            lane++;
        (lanes[lane] = lanes[lane] || []).push(jump);
        const y1 = (jump.source + 0.5) * ASSEMBLY.row - 2;
        const y2 = (jump.target + 0.5) * ASSEMBLY.row + 2;
        const x = width - 12 - 6 * lane;
        const right = width - 2;
        svg.append(
            draw('path', {
                class: jump.target <= jump.source ? 'back' : 'on',
                'data-from': rows[jump.source].insn,
                'data-to': rows[jump.target].insn,
                d:
                    'M' + right + ' ' + y1 + 'H' + x + 'V' + y2 + 'H' + right + 'm-5 -3l5 3l-5 3',
            },
                draw('title', {}, jump.target <= jump.source ? 'a jump back: a loop' : 'a jump')
            )
        );
    }
    return svg;
}

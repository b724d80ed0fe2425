// Facts about an expression or a line of the source: its tip and, below the source, its copies in
// machine code and the functions that it calls.

import {
    amount_text,
    cost_text,
    fixed_text,
    memory_text,
    number_text,
    percent_text,
    share_interval,
} from './numbers.js';
import {shorten} from './names.js';
import {button_make, make} from './elements.js';
import {times_whole} from './times.js';
import {code_copies, code_origin, code_of, code_part} from './assembly.js';
import {go, state} from './state.js';

export function expression_tip(model, row, count) {
    const lines = [];
    if (row && row.nodes.length) {
        const [least, most] = share_interval(row.cur, 0, 0, model.total);
        const range =
            model.measure.sampled
                ? ' (' + fixed_text(100 * least, 1) + ' to ' + fixed_text(100 * most, 1) + ')'
                : '';
        lines.push(
            'itself ' + percent_text(row.cur, model.total) + range + ', ' +
                amount_text(model, row.cur)
        );
        if (model.stacks)
            lines.push('with what it called ' + percent_text(row.stack, model.total));
    }
    if (count !== undefined)
        lines.push(
            count
                ? 'executed ' + number_text(count) + ' times' + times_whole(model)
                : 'never executed'
        );
    if (row && count && !model.range && model.measure.costs)
        lines.push('each time ' + cost_text(model, row.cur, count));
    return lines.join('\n');
}

export function expression_allocated(model, file, p) {
    const {bytes, blocks} = model.sites(file).get(p) || {};
    return blocks && '\n' + memory_text(model, bytes, blocks);
}

// Returns the copies of code that contain the nodes of GROUP. Each copy has its samples, counted
// once, and one of its nodes.
export function expression_copies(model, group) {
    const members = new Set(group.nodes);
    const copies = model.group(i => (members.has(i) ? model.data.nodes.copy[i] : -1));
    return Array.from(copies.values(), ({cur, stack, nodes}) => ({
        cur,
        stack,
        node: nodes[0],
    })).sort((a, b) => b.cur - a.cur || b.stack - a.stack);
}

// Returns, by function, the samples in functions that an expression or line called. Each sample
// counts once. IS(position, file) returns whether a place belongs to the expression or line.
function expression_callees(model, is) {
    const nodes = model.data.nodes;
    const callees = model.group(function (i) {
        const parent = nodes.parent[i];
        return parent >= 0 && is(nodes.position[parent], nodes.file[parent])
            ? model.function_of(i)
            : -1;
    });
    return Array.from(callees, ([f, {stack}]) => ({f, stack})).sort((a, b) => b.stack - a.stack);
}

// Returns words for how GCC compiled the copy of a node and, if the page has its code, the number
// of instructions.
function expression_origin(model, node) {
    const nodes = model.data.nodes;
    const copies = model.data.copies;
    const copy = nodes.copy[node];
    const callers = [];
    const part = code_part(model, copies.module[copy], copies.number[copy], copies.copy[copy]);
    if (part >= 0)
        return (
            code_origin(model, part, 60) + ', ' + number_text(code_of(model).insns[part]) +
            ' instructions'
        );
    for (let i = node; nodes.inlined[i] && nodes.parent[i] >= 0; i = nodes.parent[i])
        callers.push(
            'inlined in ' + model.name(model.function_of(nodes.parent[i])) + ' at ' +
                model.position_of(nodes.parent[i])
        );
    return callers.length ? callers.join(', ') : 'own body of the function';
}

// Returns a line that says that only one copy is shown, with a button to show all; undefined if all
// are shown.
export function expression_one_copy(model) {
    const copy = Number(state.copy);
    const node = model.data.nodes.copy.indexOf(copy);
    return copy < 0 || node < 0
        ? undefined
        : make('div', {class: 'bar-of', id: 'only'},
              'Figures and colours of one copy: ' +
                  shorten(model.name(model.function_of(node)), 50) + ', ' +
                  expression_origin(model, node),
              button_make(() => go({copy: -1}), {}, 'all copies merged')
          );
}

// Shows below the source the facts about expression P or, if P is less than 0, about the line.
export function expression_show(model, file, p, area, group) {
    const nodes = model.data.nodes;
    const line = Number(state.line);
    if (!group)
        return;
    const is = (position, place_file) =>
        place_file === file &&
        (p >= 0 ? position === p : model.data.positions.line[position] === line);
    const copies = expression_copies(model, group);
    // Count copies without samples, too, like the list next to the source.
    const all = Math.max(copies.length, code_copies(model, file, line).length);
    const callees = expression_callees(model, is);
    let bytes = 0,
        blocks = 0;
    for (const [position, site] of model.sites(file))
        if (is(position, file)) {
            bytes += site.bytes;
            blocks += site.blocks;
        }
    area.hidden = false;
    area.append(
        make('div', {},
            (p >= 0 ? 'Expression' : 'Line ' + line) +
                ': ' +
                expression_tip(model, group, p >= 0 ? model.executed(file).get(p) : undefined)
                    .split('\n')
                    .join('; ') +
                (blocks ? '; ' + memory_text(model, bytes, blocks) : '')
        )
    );
    area.append(
        make('table', {id: 'copies'},
            make('tbody', {},
                ...copies.map(function (copy, i) {
                    const number = nodes.copy[copy.node];
                    const chosen = String(number) === state.copy;
                    return make('tr', {
                        title: 'this copy alone',
                        'data-copy': number,
                        'aria-selected': String(chosen),
                        events: {click: () => go({copy: chosen ? -1 : number})},
                    },
                        make('td', {}, 'copy ' + (i + 1) + ' of ' + all),
                        make('td', {}, percent_text(copy.cur, model.total)),
                        make('td', {},
                            model.stacks ? percent_text(copy.stack, model.total) : ''
                        ),
                        make('td', {class: 'name'},
                            model.name(model.function_of(copy.node)) + ', ' +
                                expression_origin(model, copy.node)
                        )
                    );
                })
            )
        )
    );
    if (callees.length)
        area.append(
            make('div', {}, 'It calls:'),
            make('table', {id: 'calls'},
                make('tbody', {},
                    ...callees.map(({f, stack}) =>
                        make('tr', {
                            events: {click: () => go({view: 'callers', f: f})},
                        },
                            make('td', {}, percent_text(stack, model.total)),
                            make('td', {class: 'name function'}, model.name(f))
                        )
                    )
                )
            )
        );
}

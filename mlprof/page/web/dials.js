// The dials: each arc that the counts leave open has one, between its bounds. While a dial is
// turned, the other arcs move. Here are tables of arcs, and what the source tells of call sites and
// of who calls a function; the view of all arcs is in callsites.js.

import {fixed_text, number_text, plural_text} from './numbers.js';
import {button_make, make} from './elements.js';
import {OTHERS} from './arcs.js';
import {places_starts} from './places.js';
import {go, go_line, go_source, state_write} from './state.js';
import {table_column, table_name, table_place, table_show} from './table.js';

function dial_callee(model, a) {
    const {arcs, call_sites: sites, texts} = model.data;
    const callee = arcs.callee[a];
    if (callee === OTHERS)
        return '<others>';
    return callee < 0 && sites.outside[arcs.site[a]] >= 0
        ? texts[sites.outside[arcs.site[a]]]
        : model.name(callee);
}

const dial_caller = (model, a) =>
    model.name(
        model.data.arcs.site[a] < 0 ? -1 : model.data.call_sites.function[model.data.arcs.site[a]]
    );

function dial_place(model, a) {
    const sites = model.data.call_sites;
    const s = model.data.arcs.site[a];
    return s < 0
        ? ''
        : model.last(model.path(sites.file[s])) + ':' + (sites.line[s] || '?') +
              (sites.column[s] ? ':' + sites.column[s] : '');
}

// An arc's figures as mlprof -arcs has them.
function dial_figures(model, a) {
    const [least, most] = model.arcs.range(a);
    const turned = model.arcs.turned.has(a);
    const calls = model.arcs.turned.size
        ? Math.round(model.arcs.calls(a))
        : model.data.arcs.calls[a];
    return {
        calls: calls,
        least: least,
        most: most,
        turned: turned,
        text: (turned || least === most ? '' : '~') + number_text(calls),
        sure: turned ? 'set' : fixed_text(least === most ? 100 : (100 * least) / most, 0) + '%',
    };
}

export function dial_reset(model) {
    const button = button_make(() => go({dials: ''}), {
        id: 'reset',
        title: 'all dials back to the estimates',
    });
    dial_follows(button, function () {
        const turned = model.arcs.turned.size;
        button.disabled = !turned;
        button.textContent = turned
            ? 'reset ' + plural_text(turned, 'dial')
            : 'reset';
    });
    return button;
}

// Has UPDATE change ELEMENT now, and whenever a dial is turned.
export function dial_follows(element, update) {
    element.classList.add('follows');
    element.update = update;
    update();
}

// Turns the dial of arc A to CALLS; undefined: leaves the arc to the equations again. What is shown
// follows, and the address if it is KEPT.
function dial_turn(model, a, calls, kept) {
    const turned = new Map(model.arcs.turned);
    turned.delete(a);
    if (calls !== undefined)
        turned.set(a, calls);
    const text = model.arcs.write(turned);
    if (kept)
        state_write({dials: text});
    model.arcs.turn(text);
    for (const element of document.querySelectorAll('.follows'))
        element.update();
}

function dial_slider(model, a) {
    const slider = make('input', {
        type: 'range',
        class: 'dial',
        'data-arc': a,
        step: 1,
        'aria-label':
            'calls of ' + dial_callee(model, a) + ' by ' + dial_caller(model, a) + ' at ' +
            dial_place(model, a),
        on: {
            click: event => event.stopPropagation(),
            input: event => dial_turn(model, a, Number(event.target.value), false),
            change: event => dial_turn(model, a, Number(event.target.value), true),
            keydown: event => event.stopPropagation(),
        },
    });
    return slider;
}

// Fills the cell of the dial of an arc that has one: the dial, and a button that leaves the arc to
// the equations again.
function dial_cell(model, a, cell) {
    const slider = dial_slider(model, a);
    const free = function (event) {
        event.stopPropagation();
        dial_turn(model, a, undefined, true);
    };
    const title = 'leave it to the equations again';
    const bound = button_make(free, {class: 'free', title: title}, '\u00d7');
    cell.classList.add('dial');
    cell.append(slider, bound);
    dial_follows(cell, function () {
        const of = dial_figures(model, a);
        slider.min = of.least;
        slider.max = of.most;
        slider.value = of.calls;
        slider.disabled = of.least === of.most;
        bound.hidden = !of.turned;
    });
}

// Goes to the callee in the source or, from a list of CALLERS, to the call site.
function dial_go(model, a, callers) {
    const {call_sites: sites, arcs, functions} = model.data;
    const f = arcs.callee[a];
    const s = arcs.site[a];
    if (callers === true && s >= 0)
        go_source({file: sites.file[s], line: sites.line[s]}, {f: sites.function[s]});
    else if (callers !== true && f >= 0)
        go_source({file: functions.file[f], line: functions.line[f]}, {f: f});
}

// The columns of a table of arcs. CALLERS true: the callers of a function; false: the callees of a
// line; undefined: all arcs, with both sides.
export function dial_columns(model, callers) {
    const figure = (id, says, text, more) =>
        table_column(id, id, says, a => dial_figures(model, a)[id], text, {follows: true, ...more});
    const side = (id, head, says, name) =>
        table_name(head, a => name(model, a), {id: id, means: says});
    return [
        figure('calls', 'how often it was called', (_, a) => dial_figures(model, a).text, {
            first: true,
            value: a => model.data.arcs.calls[a],
        }),
        figure('least', 'what the counts leave as the least', number_text),
        table_column('dial', '', 'turn it, and the others follow', model.arcs.has_dial, () => ''),
        figure('most', 'what the counts leave as the most', number_text),
        figure('sure', 'the part that is certain', sure => sure),
        callers !== true && side('callee', 'calls whom', 'the function', dial_callee),
        callers !== false && side('caller', 'in', 'the one that calls it', dial_caller),
        table_place(a => dial_place(model, a)),
    ].filter(Boolean);
}

// Adds a table of arcs to MAIN. All cells follow the dials.
export function dial_table(main, model, list, id, callers) {
    const look = function (a, column, cell) {
        if (column.follows)
            dial_follows(cell, function () {
                cell.textContent = column.text(a);
                cell.classList.toggle('turned', dial_figures(model, a).turned);
            });
        if (column.id === 'dial' && model.arcs.has_dial(a))
            dial_cell(model, a, cell);
        if (column.id === 'caller')
            cell.onclick = function (event) {
                event.stopPropagation();
                dial_go(model, a, true);
            };
    };
    const columns = dial_columns(model, callers);
    return table_show(main, columns, list, look, a => dial_go(model, a, callers), {id: id});
}

// What stands in front of a line of source: a link if the line has call sites, whose tip lists whom
// they call, most calls first.
export function dial_mark(model, file, line) {
    const list = dial_line(model, file, line).sort(
        (a, b) => model.arcs.calls(b) - model.arcs.calls(a)
    );
    if (!list.length)
        return make('span', {class: 'sites'});
    const link = make('a', {
        class: 'sites',
        href: '#',
        on: {
            click: function (event) {
                event.preventDefault();
                event.stopPropagation();
                go_line(file, line);
            },
        },
    },
        '\u2192'
    );
    dial_follows(link, function () {
        link.title = list
            .slice(0, 20)
            .map(a => dial_callee(model, a) + ' ' + dial_figures(model, a).text)
            .join('\n');
    });
    return link;
}

// The arcs of a line, call site by call site, each with most calls first.
const dial_line = (model, file, line) =>
    (model.arcs.of_line.get(file + ':' + line) || []).flatMap(s =>
        (model.arcs.of_site.get(s) || [])
            .slice()
            .sort((a, b) => model.arcs.calls(b) - model.arcs.calls(a) || a - b)
    );

// Shows below the source whom the call sites of LINE call, and the call sites of a function that
// begins there, most calls first.
export function dial_below(model, file, line, below) {
    const f = places_starts(model, file).get(Number(line)) ?? -1;
    const callees = dial_line(model, file, line);
    const callers = ((f >= 0 && model.arcs.of_callee.get(f)) || [])
        .slice()
        .sort((a, b) => model.arcs.calls(b) - model.arcs.calls(a) || a - b);
    below.hidden = below.hidden && !callers.length && !callees.length;
    for (const [list, text, id] of [
        [callers, 'Who calls ' + model.name(f), 'callers'],
        [callees, 'Whom line ' + line + ' calls', 'reached'],
    ])
        if (list.length) {
            below.append(make('div', {}, text + ':'));
            dial_table(below, model, list, id, list === callers);
        }
    if (model.arcs.turned.size && callers.length + callees.length)
        below.append(dial_reset(model));
}

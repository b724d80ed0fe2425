// The dials, and the view of all call sites. If the counts leave the calls of an arc open, the arc
// has a dial between its bounds. When a dial is moved, the numbers of the other arcs change. The
// view has a table of arcs with their dials, and a table of the total times of functions, which
// depend on the dials. The source view shows tables of arcs, too.

import {fixed_text, number_text, percent_text, plural_text} from './numbers.js';
import {button_make, faint, make} from './elements.js';
import {OTHERS} from './arcs.js';
import {places_starts} from './places.js';
import {go, go_line, go_row, state, state_write} from './state.js';
import {
    table_column,
    table_name,
    table_place,
    table_rows,
    table_show,
    table_sort,
} from './table.js';
import {aggregates_dependent, aggregates_of, aggregates_own} from './aggregates.js';
import {choice_buttons} from './transformbar.js';
import {csv_button} from './clipboard.js';

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

// Returns the numbers of an arc in the same form as mlprof -arcs.
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

function dial_reset(model) {
    const button = button_make(() => go({dials: ''}), {
        id: 'reset',
        title: 'all dials back to the estimates',
    });
    dial_on_change(button, function () {
        const turned = model.arcs.turned.size;
        button.disabled = !turned;
        button.textContent = turned
            ? 'reset ' + plural_text(turned, 'dial')
            : 'reset';
    });
    return button;
}

// Calls UPDATE to fill ELEMENT now, and again whenever a dial is moved.
function dial_on_change(element, update) {
    element.classList.add('follows');
    element.update = update;
    update();
}

// Sets the dial of arc A to CALLS, or resets it to the estimate if CALLS is undefined. Updates the
// page and, if KEPT, the address.
function dial_set(model, a, calls, kept) {
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
        events: {
            click: event => event.stopPropagation(),
            input: event => dial_set(model, a, Number(event.target.value), false),
            change: event => dial_set(model, a, Number(event.target.value), true),
            keydown: event => event.stopPropagation(),
        },
    });
    return slider;
}

// Fills the cell of an arc's dial: the dial, and a button that resets it to the estimate.
function dial_cell(model, a, cell) {
    const slider = dial_slider(model, a);
    const free = function (event) {
        event.stopPropagation();
        dial_set(model, a, undefined, true);
    };
    const title = 'leave it to the equations again';
    const bound = button_make(free, {class: 'free', title: title}, '\u00d7');
    cell.classList.add('dial');
    cell.append(slider, bound);
    dial_on_change(cell, function () {
        const figures = dial_figures(model, a);
        slider.min = figures.least;
        slider.max = figures.most;
        slider.value = figures.calls;
        slider.disabled = figures.least === figures.most;
        bound.hidden = !figures.turned;
    });
}

// Shows the callee in the source or, in a list of CALLERS, the call site.
function dial_go(model, a, callers) {
    const {call_sites: sites, arcs, functions} = model.data;
    const f = arcs.callee[a];
    const s = arcs.site[a];
    if (callers === true && s >= 0)
        go_row(sites, s, {f: sites.function[s]});
    else if (callers !== true && f >= 0)
        go_row(functions, f, {f: f});
}

// Returns the columns of a table of arcs. CALLERS is true for the callers of a function, false for
// the callees of a line, and undefined for all arcs, with both sides.
function dial_columns(model, callers) {
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

// Adds a table of arcs to MAIN. All cells are updated when a dial is moved.
function dial_table(main, model, list, id, callers) {
    const look = function (a, column, cell) {
        if (column.follows)
            dial_on_change(cell, function () {
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

// Returns the mark in front of a line of source. If the line has call sites, the mark is a link,
// and its tip lists the callees by decreasing calls.
export function dial_mark(model, file, line) {
    const list = dial_sorted(model, dial_line(model, file, line));
    if (!list.length)
        return make('span', {class: 'sites'});
    const link = make('a', {
        class: 'sites',
        href: '#',
        events: {
            click: function (event) {
                event.preventDefault();
                event.stopPropagation();
                go_line(file, line);
            },
        },
    },
        '\u2192'
    );
    dial_on_change(link, function () {
        link.title = list
            .slice(0, 20)
            .map(a => dial_callee(model, a) + ' ' + dial_figures(model, a).text)
            .join('\n');
    });
    return link;
}

const dial_sorted = (model, list) =>
    list.slice().sort((a, b) => model.arcs.calls(b) - model.arcs.calls(a) || a - b);

// Returns the arcs of a line by call site, and for each call site by decreasing calls.
const dial_line = (model, file, line) =>
    (model.arcs.of_line.get(file + ':' + line) || []).flatMap(s =>
        dial_sorted(model, model.arcs.of_site.get(s) || [])
    );

// Shows below the source the functions that LINE calls and, if a function starts on LINE, its
// callers, both by decreasing calls.
export function dial_tables(model, file, line, area) {
    const f = places_starts(model, file).get(Number(line)) ?? -1;
    const callees = dial_line(model, file, line);
    const callers = dial_sorted(model, (f >= 0 && model.arcs.of_callee.get(f)) || []);
    area.hidden = area.hidden && !callers.length && !callees.length;
    for (const [list, text, id] of [
        [callers, 'Who calls ' + model.name(f), 'callers'],
        [callees, 'Whom line ' + line + ' calls', 'reached'],
    ])
        if (list.length) {
            area.append(make('div', {}, text + ':'));
            dial_table(area, model, list, id, list === callers);
        }
    if (model.arcs.turned.size && callers.length + callees.length)
        area.append(dial_reset(model));
}

// Returns the total time of each function before any dial is set.
function dial_estimates(model) {
    const {arcs} = model;
    if (!arcs.estimates) {
        const text = arcs.text;
        arcs.turn('');
        arcs.estimates = Float64Array.from(aggregates_of(model.data, arcs));
        arcs.turn(text);
    }
    return arcs.estimates;
}

// Adds a table of the functions LIST, whose total time depends on the dials. The table shows how
// the total time has changed compared to the state without dials.
function dial_aggregates(main, model, list) {
    const {data, total, arcs} = model;
    const self = aggregates_own(data);
    const before = dial_estimates(model);
    const value = f => aggregates_of(data, arcs)[f];
    // Mark estimates with `~'. A value equal to the self time or to the measured total is exact.
    const mark = text_of => f =>
        Number.isNaN(value(f))
            ? '-'
            : (value(f) > self[f] && value(f) < (1 - 1e-9) * total ? '~' : '') +
              text_of(value(f), f);
    const tip = f =>
        Number.isNaN(value(f))
            ? 'not known: the function is in a circle of more than ' + number_text(arcs.largest) +
              ' that call each other, for which this page does not solve the equations'
            : mark(String)(f)[0] === '~'
              ? 'shared out among callers by their calls'
              : '';
    const seconds = samples => fixed_text(model.seconds(samples), 2);
    const rounded = amount => number_text(Math.round(amount));
    const points = f => (100 * (value(f) - before[f])) / (total || 1);
    const column = (id, head, says, value_of, text, more) => ({
        ...table_column(id, head, says, value_of, text, more),
        follows: true,
    });
    const columns = [
        column(
            'aggregate',
            'aggregate',
            'with what it called, in proportion to calls (~)',
            value,
            (_, f) => mark(amount => percent_text(amount, total))(f),
            {bar: f => value(f) / (total || 1), title: tip}
        ),
        column(
            'amount',
            model.measure.digits ? 'seconds' : model.measure.unit,
            'the same',
            value,
            (_, f) => mark(model.measure.digits ? seconds : rounded)(f),
            {title: tip}
        ),
        column('moved', 'moved', 'points since the dials were turned', points, change =>
            Math.abs(change) >= 0.05 ? (change > 0 ? '+' : '') + fixed_text(change, 1) : ''
        ),
        table_column('own', 'self', 'its own', f => self[f], amount => percent_text(amount, total)),
        table_name('function', model.name),
    ];
    table_show(
        main,
        columns,
        table_sort(columns, list),
        (f, column, cell) =>
            column.follows &&
            dial_on_change(cell, function () {
                cell.textContent = column.text(f);
                cell.title = column.title ? column.title(f) : '';
                if (column.bar)
                    cell.style.backgroundSize = 100 * (column.bar(f) || 0) + '% 100%';
            }),
        f => go({view: 'callers', f: f}),
        {id: 'aggregates', word: 'f'}
    );
}

export const dials_view = {
    title: 'Call sites',
    key: 's',
    only: data => data.arcs.site.length,
    show: function (main, model) {
        const arcs = model.arcs;
        const open = state.of === 'open';
        const columns = dial_columns(model);
        const rows = table_rows(columns, arcs.count).filter(a => !open || arcs.has_dial(a));
        const pane = make('div', {});
        const {calls} = model.data.functions;
        const moving = aggregates_dependent(model.data, arcs).sort(
            (f, g) => calls[g] - calls[f] || f - g
        );
        const side = moving.length ? make('div', {}) : undefined;
        const dials = Array.from({length: arcs.count}, (_, a) => a).filter(arcs.has_dial).length;
        main.append(
            make('div', {class: 'pane'},
                make('div', {class: 'bar-of'},
                    ...choice_buttons(
                        'of',
                        [
                            ['all', 'all'],
                            ['open', 'with a dial'],
                        ],
                        open ? 'open' : 'all'
                    ),
                    faint(
                        number_text(rows.length) + ' arcs, ' + number_text(dials) +
                            ' between bounds' +
                            (side ? '' : ': the counts tell all') +
                            (dials ? ', guessed: types of pointers are not known' : '')
                    ),
                    dial_reset(model),
                    csv_button(
                        columns.filter(({id}) => id !== 'dial'),
                        rows
                    )
                ),
                make('div', {class: side ? 'split wide top' : 'split whole top'},
                    pane,
                    side
                )
            )
        );
        if (side)
            dial_aggregates(side, model, moving);
        return dial_table(pane, model, rows, 'arcs');
    },
};

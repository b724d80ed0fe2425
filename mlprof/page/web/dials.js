// The dials: each arc that the counts leave open has one, between its bounds. While a dial is
// turned, the other arcs move. Here are tables of arcs, and what the source tells of call sites and
// of who calls a function; the view of all arcs is in callsites.js.

import {fixed_text, number_text, plural_text} from './numbers.js';
import {button_make, make} from './elements.js';
import {OTHERS} from './arcs.js';
import {places_starts} from './places.js';
import {go, go_line, go_source, state, state_write} from './state.js';

export function dial_callee(model, a) {
    const {arcs, call_sites: sites, texts} = model.data;
    const callee = arcs.callee[a];
    if (callee === OTHERS)
        return '<others>';
    return callee < 0 && sites.outside[arcs.site[a]] >= 0
        ? texts[sites.outside[arcs.site[a]]]
        : model.name(callee);
}

export const dial_caller = (model, a) =>
    model.name(
        model.data.arcs.site[a] < 0 ? -1 : model.data.call_sites.function[model.data.arcs.site[a]]
    );

export function dial_place(model, a) {
    const sites = model.data.call_sites;
    const s = model.data.arcs.site[a];
    return s < 0
        ? ''
        : model.last(model.path(sites.file[s])) + ':' + (sites.line[s] || '?') +
              (sites.column[s] ? ':' + sites.column[s] : '');
}

// An arc's figures as mlprof -arcs has them.
export function dial_figures(model, a) {
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

// A row of an arc, with the arc's dial; the cells follow all dials.
export function dial_row(model, a, callers) {
    const {call_sites: sites, arcs} = model.data;
    const open = model.arcs.has_dial(a);
    const site = arcs.site[a];
    const cells = {
        text: make('td', {}),
        least: make('td', {}),
        most: make('td', {}),
        sure: make('td', {}),
    };
    const slider = open ? dial_slider(model, a) : undefined;
    const free = function (event) {
        event.stopPropagation();
        dial_turn(model, a, undefined, true);
    };
    const bound =
        open &&
        button_make(
            free,
            {class: 'free', title: 'leave it to the equations again'},
            '\u00d7'
        );
    const row = make('tr', {'data-arc': a, on: {click: () => dial_go(model, a, callers)}},
        cells.text,
        cells.least,
        make('td', {class: 'dial'}, slider, bound),
        cells.most,
        cells.sure,
        callers === true
            ? undefined
            : make('td', {class: 'name function', title: dial_callee(model, a)},
                  dial_callee(model, a)
              ),
        callers === false
            ? undefined
            : make('td', {
                  class: 'name function',
                  title: dial_caller(model, a) + ': to the call site',
                  on: {
                      click: function (event) {
                          event.stopPropagation();
                          dial_go(model, a, true);
                      },
                  },
              },
                  dial_caller(model, a)
              ),
        make('td', {class: 'place'}, dial_place(model, a))
    );
    dial_follows(row, function () {
        const of = dial_figures(model, a);
        cells.text.textContent = of.text;
        cells.least.textContent = number_text(of.least);
        cells.most.textContent = number_text(of.most);
        cells.sure.textContent = of.sure;
        row.classList.toggle('turned', of.turned);
        if (!slider)
            return;
        slider.min = of.least;
        slider.max = of.most;
        slider.value = of.calls;
        slider.disabled = of.least === of.most;
        bound.hidden = !of.turned;
    });
    return row;
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

// A table of arcs. CALLERS true: the callers of a function; false: the callees of a line;
// undefined: all arcs, with both sides, which can be sorted.
export function dial_table(model, list, id, callers) {
    const both = callers === undefined;
    const head = (sort, text, name) =>
        make('th', {
            class: name ? 'name' : undefined,
            'data-sort': both ? sort : undefined,
            'aria-sort': both && state.sort === sort ? 'descending' : undefined,
            on: both ? {click: () => go({sort: sort})} : {},
        },
            text
        );
    return make('table', {id: id},
        make('thead', {},
            make('tr', {},
                head('calls', 'calls'),
                head('calls', 'least'),
                make('th', {}, ''),
                head('calls', 'most'),
                head('calls', 'sure'),
                callers === true ? undefined : head('callee', 'calls whom', true),
                callers === false ? undefined : head('caller', 'in', true),
                head('site', 'place', true)
            )
        ),
        make('tbody', {}, ...list.map(a => dial_row(model, a, callers)))
    );
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
    const f = places_starts(model, file).get(Number(line));
    const callees = dial_line(model, file, line);
    const callers = (f === undefined ? [] : model.arcs.of_callee.get(f) || [])
        .slice()
        .sort((a, b) => model.arcs.calls(b) - model.arcs.calls(a) || a - b);
    if (callers.length)
        below.append(
            make('div', {}, 'Who calls ' + model.name(f) + ':'),
            dial_table(model, callers, 'callers', true)
        );
    if (callees.length)
        below.append(
            make('div', {}, 'Whom line ' + line + ' calls:'),
            dial_table(model, callees, 'reached', false)
        );
    if (model.arcs.turned.size && callers.length + callees.length)
        below.append(dial_reset(model));
    if (callers.length + callees.length)
        below.hidden = false;
}

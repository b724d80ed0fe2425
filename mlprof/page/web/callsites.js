// The view of all call sites: a table of arcs with their dials and, beside it, the aggregate times
// of functions, which depend on the dials.

import {fixed_text, number_text, percent_text} from './numbers.js';
import {make} from './elements.js';
import {aggregates_dependent, aggregates_of, aggregates_own} from './aggregates.js';
import {go, state} from './state.js';
import {choices} from './chosen.js';
import {csv_button} from './clipboard.js';
import {table_column, table_name, table_rows, table_show, table_sort} from './table.js';
import {dial_columns, dial_follows, dial_reset, dial_table} from './dials.js';

// By function its aggregate while no dial was turned.
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

// Adds a table of the functions LIST, whose aggregate depends on the dials, with how far it moved
// since no dial was turned.
function dial_aggregates(main, model, list) {
    const {data, total, arcs} = model;
    const own = aggregates_own(data);
    const before = dial_estimates(model);
    const value = f => aggregates_of(data, arcs)[f];
    // What is the function's own, and what is all there is, is no estimate.
    const mark = of => f =>
        Number.isNaN(value(f))
            ? '-'
            : (value(f) > own[f] && value(f) < (1 - 1e-9) * total ? '~' : '') + of(value(f), f);
    const tip = f =>
        Number.isNaN(value(f))
            ? 'not known: the function is in a circle of more than ' + number_text(arcs.largest) +
              ' that call each other, for which this page does not solve the equations'
            : mark(String)(f)[0] === '~'
              ? 'shared out among callers by their calls'
              : '';
    const seconds = of => fixed_text(model.seconds(of), 2);
    const points = f => (100 * (value(f) - before[f])) / (total || 1);
    const column = (id, head, says, of, text, more) => ({
        ...table_column(id, head, says, of, text, more),
        follows: true,
    });
    const columns = [
        column(
            'aggregate',
            'aggregate',
            'with what it called, in proportion to calls (~)',
            value,
            (_, f) => mark(of => percent_text(of, total))(f),
            {bar: f => value(f) / (total || 1), title: tip}
        ),
        column(
            'amount',
            model.measure.sampled ? 'seconds' : model.measure.unit,
            'the same',
            value,
            (_, f) => mark(model.measure.sampled ? seconds : of => number_text(Math.round(of)))(f),
            {title: tip}
        ),
        column('moved', 'moved', 'points since the dials were turned', points, by =>
            Math.abs(by) >= 0.05 ? (by > 0 ? '+' : '') + fixed_text(by, 1) : ''
        ),
        table_column('own', 'self', 'its own', f => own[f], of => percent_text(of, total)),
        table_name('function', model.name),
    ];
    table_show(
        main,
        columns,
        table_sort(columns, list),
        (f, column, cell) =>
            column.follows &&
            dial_follows(cell, function () {
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
        const beside = moving.length ? make('div', {}) : undefined;
        const dials = Array.from({length: arcs.count}, (_, a) => a).filter(arcs.has_dial).length;
        main.append(
            make('div', {class: 'pane'},
                make('div', {class: 'bar-of'},
                    ...choices(
                        'of',
                        [
                            ['all', 'all'],
                            ['open', 'with a dial'],
                        ],
                        open ? 'open' : 'all'
                    ),
                    make('span', {class: 'faint'},
                        number_text(rows.length) + ' arcs, ' + number_text(dials) +
                            ' between bounds' +
                            (beside ? '' : ': the counts tell all') +
                            (dials ? ', guessed: types of pointers are not known' : '')
                    ),
                    dial_reset(model),
                    csv_button(
                        columns.filter(({id}) => id !== 'dial'),
                        rows
                    )
                ),
                make('div', {class: beside ? 'split wide top' : 'split whole top'},
                    pane,
                    beside
                )
            )
        );
        if (beside)
            dial_aggregates(beside, model, moving);
        return dial_table(pane, model, rows, 'arcs');
    },
};

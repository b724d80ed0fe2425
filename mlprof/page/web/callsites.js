// The view of all call sites: a table of arcs with their dials and, beside it, the aggregate times
// of functions, which depend on the dials.

import {fixed_text, number_text, percent_text} from './numbers.js';
import {make} from './elements.js';
import {aggregates_dependent, aggregates_of, aggregates_own} from './aggregates.js';
import {go, state} from './state.js';
import {choices} from './chosen.js';
import {csv_button} from './clipboard.js';
import {table_rows} from './table.js';
import {dial_columns, dial_follows, dial_reset, dial_table} from './dials.js';

// A table of the functions whose aggregate depends on the dials, with how far it moved since no
// dial was turned; undefined if there are none.
function dial_aggregates(model) {
    const data = model.data;
    const MOST = 200;
    const total = model.total;
    const all = aggregates_dependent(data, model.arcs);
    const calls = data.functions.calls;
    const own = aggregates_own(data);
    const list = all.sort((f, g) => calls[g] - calls[f] || f - g).slice(0, MOST);
    const body = make('tbody', {});
    const before = model.arcs.estimates || (model.arcs.estimates = new Map());
    for (const f of list) {
        const now = make('td', {class: 'bar'});
        const amount = make('td', {});
        const moved = make('td', {});
        body.append(
            make('tr', {'data-f': f, on: {click: () => go({view: 'callers', f: f})}},
                now,
                amount,
                moved,
                make('td', {}, percent_text(own[f], total)),
                make('td', {class: 'name function'}, model.name(f))
            )
        );
        dial_follows(now, function () {
            const value = aggregates_of(data, model.arcs)[f];
            if (!model.arcs.turned.size && !before.size)
                aggregates_of(data, model.arcs).forEach((of, g) => before.set(g, of));
            if (!before.has(f)) {
                const text = model.arcs.text;
                model.arcs.turn('');
                aggregates_of(data, model.arcs).forEach((of, g) => before.set(g, of));
                model.arcs.turn(text);
            }
            const by = (100 * (value - before.get(f))) / (total || 1);
            if (Number.isNaN(value)) {
                now.textContent = amount.textContent = '-';
                now.title = amount.title =
                    'not known: the function is in a circle of more than ' +
                    number_text(model.arcs.largest) +
                    ' that call each other, for which this page does not solve the equations';
                return;
            }
            // What is the function's own, and what is all there is, is no estimate.
            const mark = value > own[f] && value < (1 - 1e-9) * total ? '~' : '';
            now.textContent = mark + percent_text(value, total);
            now.title = amount.title = mark && 'shared out among callers by their calls';
            now.style.backgroundSize = (100 * value) / (total || 1) + '% 100%';
            amount.textContent = mark + dial_amount(model, value);
            moved.textContent = Math.abs(by) < 0.05 ? '' : (by > 0 ? '+' : '') + fixed_text(by, 1);
        });
    }
    return !list.length
        ? undefined
        : make('div', {},
              make('table', {id: 'aggregates'},
                  make('thead', {},
                      make('tr', {},
                          make('th', {title: 'with what it called, in proportion to calls (~)'},
                              'aggregate'
                          ),
                          make('th', {}, model.measure.sampled ? 'seconds' : model.measure.unit),
                          make('th', {title: 'points since the dials were turned'}, 'moved'),
                          make('th', {}, 'self'),
                          make('th', {class: 'name'}, 'function')
                      )
                  ),
                  body
              ),
              all.length > MOST
                  ? make('div', {class: 'faint'},
                        number_text(all.length - MOST) +
                            ' functions with fewer calls are not shown.'
                    )
                  : undefined
          );
}

const dial_amount = (model, value) =>
    model.measure.sampled
        ? fixed_text(model.seconds(value), 2)
        : number_text(Math.round(value));

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
        const aggregates = dial_aggregates(model);
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
                            (aggregates ? '' : ': the counts tell all') +
                            (dials ? ', guessed: types of pointers are not known' : '')
                    ),
                    dial_reset(model),
                    csv_button(
                        columns.filter(({id}) => id !== 'dial'),
                        rows
                    )
                ),
                make('div', {class: aggregates ? 'split wide top' : 'split whole top'},
                    pane,
                    aggregates
                )
            )
        );
        return dial_table(pane, model, rows, 'arcs');
    },
};

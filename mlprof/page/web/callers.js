// Who called a function and whom it calls, as two tables side by side; callgraph.js has the graph.

import {number_text, percent_text} from './numbers.js';
import {make} from './elements.js';
import {times_whole} from './times.js';
import {chosen_function} from './chosen.js';
import {place_text} from './places.js';
import {go} from './state.js';
import {table_column, table_name, table_show, table_sort} from './table.js';

export const callers_view = {
    title: 'Callers',
    key: '7',
    needs: 'callers',
    show: function (main, model) {
        const f = chosen_function(model);
        const neighbours = model.neighbours(f);
        const of = model.data.functions;
        const own = model.functions().get(f) || {cur: 0, stack: 0};
        const calls = ({told}) =>
            told ? (told.least === told.most ? '' : '~') + number_text(told.calls) : '-';
        const bounds = ({told}) =>
            told && told.least !== told.most
                ? 'from ' + number_text(told.least) + ' to ' + number_text(told.most)
                : undefined;
        // A side: its functions, the one with most first.
        function side(title, list) {
            const pane = make('div', {}, make('h2', {}, title));
            const columns = [
                table_column(
                    'amount',
                    model.counts_alone ? 'share' : 'total',
                    model.counts_alone ? 'of all calls of the run' : 'with what it called, of all',
                    i => list[i].amount,
                    amount => percent_text(amount, model.total)
                ),
                model.data.calls.calls.length > 0 &&
                    table_column(
                        'calls',
                        'calls' + times_whole(model),
                        'how often',
                        i => (list[i].told ? list[i].told.calls : -1),
                        (_, i) => calls(list[i]),
                        {title: i => bounds(list[i])}
                    ),
                table_name('function', i => model.label(list[i].function)),
            ].filter(Boolean);
            const choose = i => list[i].function >= 0 && go({f: list[i].function});
            if (list.length)
                table_show(
                    pane,
                    columns,
                    table_sort(columns, Array.from(list.keys())),
                    () => undefined,
                    choose
                );
            else
                pane.append(make('div', {class: 'empty'}, 'None is known.'));
            return pane;
        }
        main.append(
            make('div', {class: 'pane'},
                make('h2', {},
                    model.label(f) + '  ',
                    model.grouped
                        ? ''
                        : make('a', {
                              href:
                                  '#view=source&f=' + f + '&file=' + of.file[f] + '&line=' +
                                  of.line[f],
                          },
                              place_text(model, of, f)
                          ),
                    '  ' +
                        (model.counts_alone ? number_text(own.cur) + ' calls, ' : '') +
                        percent_text(own.cur, model.total) +
                        (model.stacks ? ', total ' + percent_text(own.stack, model.total) : '')
                ),
                make('div', {class: 'split'},
                    side('Called by', neighbours.callers),
                    side('Calls', neighbours.callees)
                )
            )
        );
    },
};

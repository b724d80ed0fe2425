// Who called a function and whom it calls, as two tables side by side; callgraph.js has the graph.

import {number_text, percent_text} from './numbers.js';
import {make} from './elements.js';
import {times_whole} from './times.js';
import {place_text} from './places.js';
import {go, state} from './state.js';

export const callers_view = {
    title: 'Callers',
    key: '7',
    needs: 'callers',
    show: function (main, model) {
        let f = Number(state.f);
        if (!(f >= 0 && f < model.count))
            f = 0;
        if (model.stand[f + 1] >= 0)
            f = model.stand[f + 1];
        const neighbours = model.neighbours(f);
        const of = model.data.functions;
        const own = model.functions().get(f) || {cur: 0, stack: 0};
        function side(title, list) {
            const rows = list.map(function (row) {
                const told = row.told;
                const calls = !told
                    ? '-'
                    : (told.least === told.most ? '' : '~') + number_text(told.calls);
                return make('tr', {
                    'data-f': row.function,
                    on: {click: () => row.function >= 0 && go({f: row.function})},
                },
                    make('td', {}, percent_text(row.amount, model.total)),
                    model.data.calls.calls.length
                        ? make('td', {
                              title:
                                  told && told.least !== told.most
                                      ? 'from ' + number_text(told.least) + ' to ' +
                                        number_text(told.most)
                                      : undefined,
                          },
                              calls
                          )
                        : undefined,
                    make('td', {class: 'name function'}, model.label(row.function))
                );
            });
            return make('div', {},
                make('h2', {}, title),
                list.length
                    ? make('table', {},
                          make('thead', {},
                              make('tr', {},
                                  make('th', {
                                      title: model.counts_alone
                                          ? 'of all calls of the run'
                                          : 'with what it called, of all',
                                  },
                                      model.counts_alone ? 'share' : 'total'
                                  ),
                                  model.data.calls.calls.length
                                      ? make('th', {}, 'calls' + times_whole(model))
                                      : undefined,
                                  make('th', {class: 'name'}, 'function')
                              )
                          ),
                          make('tbody', {}, ...rows)
                      )
                    : make('div', {class: 'empty'}, 'None is known.')
            );
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

// The views of branches and of allocations: what mlprof -branches and -allocs list
// (mlprof/page/page-lists.c). A row opens its line in the source.

import {number_text} from './numbers.js';
import {make} from './elements.js';
import {times_whole} from './times.js';
import {place_text} from './places.js';
import {go, state} from './state.js';
import {clipboard_put, csv_text} from './clipboard.js';
import {table_columns, table_rows, table_show} from './table.js';

// The columns of a list. WHAT its rows are; those of types are nowhere in the source.
function lists_columns(model, list, what) {
    const texts = model.data.texts;
    const rows = list.rows;
    const name = i => texts[rows.name[i]];
    const place = i =>
        place_text(model, rows, i) + (rows.behind[i] < 0 ? '' : texts[rows.behind[i]]);
    return [
        ...table_columns(list.columns),
        {
            id: 'name',
            head: what,
            means: what === 'type' ? 'what is allocated' : 'the function that it is in',
            name: true,
            middle: true,
            of_functions: true,
            value: name,
            text: name,
        },
        what !== 'type' && {
            id: 'place',
            head: 'place',
            means: 'where it is in the source',
            place: true,
            value: place,
            text: place,
        },
    ].filter(Boolean);
}

// Shows a list in MAIN, below the elements in BAR.
function lists_show(main, model, list, what, bar) {
    const columns = lists_columns(model, list, what);
    const rows = list.rows;
    const order = table_rows(columns, rows.name.length);
    main.append(
        make('div', {class: 'bar-of'},
            ...bar,
            make('button', {
                id: 'copy',
                title: 'the rows as comma-separated values',
                on: {click: () => clipboard_put(csv_text(columns, order))},
            },
                'copy CSV'
            )
        )
    );
    return table_show(
        main,
        columns,
        order,
        function (i, column, cell) {
            if (column.of_texts || column.place)
                cell.title = column.text(i);
        },
        i =>
            rows.file[i] < 0
                ? go({row: i})
                : go({
                      row: i,
                      f: rows.function[i],
                      view: 'source',
                      file: rows.file[i],
                      line: rows.line[i],
                      position: -1,
                  })
    );
}

const lists_told = (model, text) => make('span', {class: 'faint'}, text + times_whole(model));

// Which rows stand first.
const lists_first = list =>
    list.columns.some(column => column.id === 'missed')
        ? ', the most mispredicted first'
        : ', those that go both ways first';

export const branches_view = {
    title: 'Branches',
    key: 'j',
    only: data => data.lists.branches,
    show: function (main, model) {
        const list = model.data.lists.branches;
        const told =
            number_text(list.decisions) + ' decisions by ' + number_text(list.rows.name.length) +
            ' branches' + (state.order ? '' : lists_first(list)) +
            (list.unreached ? '; ' + number_text(list.unreached) + ' never reached' : '');
        return lists_show(main, model, list, 'branch', [lists_told(model, told)]);
    },
};

export const allocations_view = {
    title: 'Allocations',
    key: 'p',
    only: data => data.lists.allocations,
    show: function (main, model) {
        const lists = model.data.lists.allocations;
        const by = Object.hasOwn(lists, state.allocs) ? state.allocs : 'site';
        const list = lists[by];
        const told =
            number_text(list.bytes) + ' bytes, ' + number_text(list.rows.name.length) + ' rows';
        return lists_show(main, model, list, by, [
            ...Object.keys(lists).map(kind =>
                make('button', {
                    'data-allocs': kind,
                    'aria-current': kind === by,
                    on: {click: () => go({allocs: kind, row: -1})},
                },
                    'by ' + kind
                )
            ),
            lists_told(model, told),
        ]);
    },
};

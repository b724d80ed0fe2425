// The views of branches and of allocations, the same lists as in mlprof -branches and -allocs. A
// row opens its line in the source.

import {number_text, plural_text} from './numbers.js';
import {make} from './elements.js';
import {times_whole} from './times.js';
import {place_text} from './places.js';
import {go, go_source, state} from './state.js';
import {choice_buttons} from './transformbar.js';
import {csv_button} from './clipboard.js';
import {table_columns, table_name, table_place, table_rows, table_show} from './table.js';

// Returns the columns of a list. WHAT is the word for a row. Types have no place in the source.
function lists_columns(model, list, what) {
    const texts = model.data.texts;
    const rows = list.rows;
    const name = i => texts[rows.name[i]];
    const place = i =>
        place_text(model, rows, i) + (rows.behind[i] < 0 ? '' : texts[rows.behind[i]]);
    return [
        ...table_columns(list.columns),
        table_name(what, name, {
            means: what === 'type' ? 'what is allocated' : 'the function that it is in',
            middle: true,
        }),
        what !== 'type' && table_place(place, {means: 'where it is in the source'}),
    ].filter(Boolean);
}

// Shows a list in MAIN, with the elements of BAR above it.
function lists_show(main, model, list, what, bar) {
    const columns = lists_columns(model, list, what);
    const rows = list.rows;
    const order = table_rows(columns, rows.name.length);
    main.append(
        make('div', {class: 'bar-of'},
            ...bar,
            csv_button(columns, order)
        )
    );
    return table_show(
        main,
        columns,
        order,
        () => undefined,
        i =>
            rows.file[i] < 0
                ? go({row: i})
                : go_source(
                      {file: rows.file[i], line: rows.line[i]},
                      {row: i, f: rows.function[i]}
                  )
    );
}

const lists_note = (model, text) => make('span', {class: 'faint'}, text + times_whole(model));

// Returns words for the initial order of the branches.
const lists_initial_order = list =>
    list.columns.some(column => column.id === 'missed')
        ? ', the most mispredicted first'
        : ', those that go both ways first';

export const branches_view = {
    title: 'Branches',
    key: 'j',
    only: data => data.lists.branches,
    show: function (main, model) {
        const list = model.data.lists.branches;
        const text =
            number_text(list.decisions) + ' decisions by ' + number_text(list.rows.name.length) +
            ' branches' + (state.sort ? '' : lists_initial_order(list)) +
            (list.unreached ? '; ' + number_text(list.unreached) + ' never reached' : '');
        return lists_show(main, model, list, 'branch', [lists_note(model, text)]);
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
        const text =
            number_text(list.bytes) + ' bytes, ' + plural_text(list.rows.name.length, 'row');
        return lists_show(main, model, list, by, [
            ...choice_buttons(
                'allocs',
                Object.keys(lists).map(kind => [kind, 'by ' + kind]),
                by,
                {row: -1}
            ),
            lists_note(model, text),
        ]);
    },
};

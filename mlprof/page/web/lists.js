// The view of branches, the same list as in mlprof -branches. A row opens its line in the source.

import {number_text} from './numbers.js';
import {bar_add, faint} from './elements.js';
import {times_whole} from './times.js';
import {place_text} from './places.js';
import {go_row, state} from './state.js';
import {csv_button} from './clipboard.js';
import {table_columns, table_name, table_place, table_rows, table_show} from './table.js';

// Returns the columns of a list of branches.
function lists_columns(model, list) {
    const texts = model.data.texts;
    const rows = list.rows;
    const name = i => texts[rows.name[i]];
    const place = i => place_text(model, rows, i) + texts[rows.behind[i]];
    return [
        ...table_columns(list.columns),
        table_name('branch', name, {means: 'the function that it is in', middle: true}),
        table_place(place, {means: 'where it is in the source'}),
    ];
}

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
        const columns = lists_columns(model, list);
        const rows = list.rows;
        const order = table_rows(columns, rows.name.length);
        const text =
            number_text(list.decisions) + ' decisions by ' + number_text(rows.name.length) +
            ' branches' + (state.sort ? '' : lists_initial_order(list)) +
            (list.unreached ? '; ' + number_text(list.unreached) + ' never reached' : '');
        bar_add(main, faint(text + times_whole(model)), csv_button(columns, order));
        return table_show(
            main,
            columns,
            order,
            () => undefined,
            i => go_row(rows, i, {row: i, f: rows.function[i]})
        );
    },
};

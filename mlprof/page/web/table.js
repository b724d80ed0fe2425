// A table that is sorted by any column, either way, with a cursor that keys move; for comparisons,
// growth, load, regions, branches and allocations.

import {matcher} from './names.js';
import {ROW, make, rows_fill, rows_scroll} from './elements.js';
import {go, state} from './state.js';

// The columns of a table that mlprof has declared (mlprof/table/data-table.c). The terminal's star
// is left out, since the page has a sign of its own. Lower chances are sorted first.
export const table_columns = list =>
    list.map(column => ({
        id: column.id,
        head: column.head.trim(),
        means: column.means,
        of_texts: column.of_texts,
        value: i =>
            column.of_texts
                ? column.texts[i]
                : column.id === 'chance' && column.values[i] !== null
                  ? -column.values[i]
                  : column.values[i],
        text: i => (column.of_texts ? column.texts[i] : column.texts[i].replace(/[ *]+$/, '')),
    }));

// The rows that match what is searched for, in the order of the chosen column; otherwise by the
// formula, or as mlprof has them.
export function table_rows(columns, count) {
    const name = columns.find(c => c.name);
    const place = columns.find(c => c.place);
    const matches = matcher(state.search);
    const rows = [];
    for (let i = 0; i < count; i++)
        if (matches(name.text(i)) || (place && matches(place.text(i))))
            rows.push(i);
    const order = state.order || 'value';
    const up = order[0] === '-';
    const column = columns.find(c => c.id === order.replace('-', ''));
    if (!column)
        return rows;
    const least = value => (value === null || Number.isNaN(value) ? -Infinity : value);
    rows.sort(function (a, b) {
        const x = least(column.value(a));
        const y = least(column.value(b));
        const order = x === y ? 0 : typeof x === 'string' ? (x < y ? -1 : 1) : x > y ? -1 : 1;
        return (up ? -order : order) || a - b;
    });
    return rows;
}

// Shows a table of which only the rows in view are elements. LOOK(i, column, cell) adds to a cell,
// and CHOOSE is called with a row that is chosen.
export function table_show(main, columns, rows, look, choose) {
    const order = (state.order || 'value').replace('-', '');
    const head = make('tr', {},
        ...columns.map(column =>
            make('th', {
                class: column.name || column.place || column.of_texts ? 'name' : undefined,
                'data-order': column.id,
                title: column.means + '; a click sorts by it, once more the other way round',
                'aria-sort':
                    column.id === order
                        ? state.order[0] === '-'
                            ? 'ascending'
                            : 'descending'
                        : undefined,
                on: {
                    click: () =>
                        go({order: state.order === column.id ? '-' + column.id : column.id}),
                },
            },
                column.head
            )
        )
    );
    const body = make('tbody', {});
    main.append(make('table', {id: 'changes-of'}, make('thead', {}, head), body));
    if (!rows.length)
        main.append(make('div', {class: 'empty'}, 'Nothing matches.'));
    const row = i =>
        make('tr', {
            'data-at': i,
            'aria-selected': String(i) === state.row ? 'true' : 'false',
            on: {click: () => choose(i)},
        },
            ...columns.map(function (column) {
                const cell = make('td', {
                    class: column.of_functions
                        ? 'name function' + (column.middle ? ' middle' : '')
                        : column.name
                          ? 'name'
                          : column.of_texts
                            ? 'text function middle'
                            : column.place
                              ? 'place'
                              : undefined,
                    title: column.name ? column.text(i) : undefined,
                },
                    column.text(i)
                );
                look(i, column, cell);
                return cell;
            })
        );
    rows_fill(
        main,
        body,
        rows.length,
        ROW,
        i => row(rows[i]),
        () => make('tr', {})
    );
    // Arrows move along the rows, and Enter opens one.
    return function (event) {
        const at = rows.indexOf(Number(state.row));
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (event.key === 'Enter' && at >= 0)
            choose(rows[at], true);
        else if (step && rows[at + step] !== undefined) {
            go({row: rows[at + step]}, true);
            rows_scroll(main, at + step, ROW);
        } else
            return false;
        return true;
    };
}

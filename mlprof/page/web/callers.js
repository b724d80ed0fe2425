// Callers and callees of one function, side by side; a click goes there.

page.views.callers = {
    title: 'Callers', key: '7',
    show: function (main, model) {
        let f = Number(page.state.f);
        if (!(f >= 0 && f < model.count)) f = 0;
        if (model.stand[f + 1] >= 0) f = model.stand[f + 1];
        const neighbours = model.neighbours(f), of = model.data.functions, own = model.functions().get(f) || {cur: 0, stack: 0};
        function side(title, list) {
            const rows = list.map(function (row) {
                const told = row.told;
                const calls = !told ? '-' : (told.least === told.most ? '' : '~') + page.number(told.calls);
                return page.make('tr', {'data-f': row.function, on: {click: () => row.function >= 0 && page.go({f: row.function})}},
                    page.make('td', {}, page.percent(row.amount, model.total)),
                    model.data.calls.calls.length ? page.make('td', {title: told && told.least !== told.most
                        ? 'from ' + page.number(told.least) + ' to ' + page.number(told.most) : undefined}, calls) : undefined,
                    page.make('td', {'class': 'name function'}, model.label(row.function)));
            });
            return page.make('div', {}, page.make('h2', {}, title), list.length
                ? page.make('table', {}, page.make('thead', {}, page.make('tr', {}, page.make('th', {}, 'stack'),
                    model.data.calls.calls.length ? page.make('th', {}, 'calls' + page.times_whole(model)) : undefined,
                    page.make('th', {'class': 'name'}, 'function'))), page.make('tbody', {}, ...rows))
                : page.make('div', {'class': 'empty'}, 'None is known.'));
        }
        main.append(page.make('div', {'class': 'pane'}, page.make('h2', {}, model.label(f) + '  ', model.grouped ? '' : page.make('a', {
            href: '#view=source&f=' + f + '&file=' + of.file[f] + '&line=' + of.line[f]}, page.summary_place(model, of, f)),
        '  ' + page.percent(own.cur, model.total) + (model.data.stacks ? ', stack ' + page.percent(own.stack, model.total) : '')),
        page.make('div', {'class': 'split'}, side('Called by', neighbours.callers), side('Calls', neighbours.callees))));
    },
};

// How the real time of regions changed between two sides (mlprof/compare/compare-page-regions.c): the table
// of mlprof -regions -compare, and both histograms of the chosen one above each other.

page.region_changes_columns = function (data) {
    const of = data.region_changes, name = i => data.texts[of.name[i]];
    return [...page.table_columns(of.table),
        {id: 'name', head: of.by === 'paths' ? 'path' : 'region', name: true, of_functions: of.by !== 'paths', value: name, text: name}];
};

page.region_changes_show = function (left, right, data) {
    const of = data.region_changes, columns = page.region_changes_columns(data), changes = columns.find(column => column.id === 'change'), words = ['before', 'after'];
    const order = page.compare_rows(columns, of.name.length), most = Math.max(...of.name.map((_, i) => Math.abs(changes.value(i))));
    page.regions_bar(left, data, () => page.csv(columns, order));
    left.append(page.make('pre', {id: 'sides'}, of.sides.map((side, i) => words[i].padEnd(6) + '  ' + side.program + ', ' + side.runs +
        (side.runs === 1 ? ' run' : ' runs')).join('\n') + '\nmean time of a call; \u25b2 more, \u25bc less: certain; \u00b7 grey: may be chance'));
    page.views.regions.keys = page.compare_table(left, columns, order, function (i, column, cell) {
        const change = changes.value(i);
        if (column !== changes || change === null) return;
        cell.prepend(page.compare_sign(change, of.certain[i]) + ' ');
        cell.classList.toggle('faint', !of.certain[i]);
        cell.style.backgroundColor = page.compare_colour(change, of.certain[i], Math.abs(change) / (most || 1));
    }, i => page.go({row: i}));
    const chosen = Number(page.state.row) in of.name ? Number(page.state.row) : order[0];
    if (chosen === undefined) return;
    const rows = [of.regions_before[chosen], of.regions_after[chosen]];
    right.append(page.make('h2', {}, data.texts[of.name[chosen]]), page.regions_plot(rows, words));
    rows.forEach((row, i) => right.append(page.make('div', {'class': 'faint region-side'}, words[i] + ': ' + (row ? page.number(row.calls) + ' calls; ' +
        page.regions_told(row) : 'no calls'))));
    right.append(page.make('button', {id: 'svg', on: {click: () => page.copy(page.picture(right.querySelector('#histogram')), 'histograms.svg')}}, 'copy SVG'));
    rows.forEach((row, i) => row && row.calls && right.append(page.make('h3', {}, words[i]), page.regions_numbers(row, 'buckets-' + words[i])));
};

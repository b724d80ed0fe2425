// What the source can be coloured by beside samples and executions: the calls of functions, the time
// of one execution, what was allocated where.

// Names and words of the metrics that the profile has.
page.source_metrics = function (model) {
    const data = model.data, lines = data.lines.line.length > 0, own = {bytes: 'bytes of its own', calls: 'calls'}[data.measure];
    return [['cur', own || 'time of its own'], data.stacks && ['stack', 'time with what it called'], lines && ['count', 'how often executed' + page.times_whole(model)],
        lines && data.timed && !model.range && ['each', 'time of one execution'],
        data.functions.calls.some(calls => calls >= 0) && ['calls', 'calls of functions' + page.times_whole(model)],
        data.allocated && data.measure !== 'bytes' && ['bytes', 'bytes allocated' + page.times_whole(model)],
        data.allocated && ['blocks', 'blocks allocated' + page.times_whole(model)],
        data.compare && data.compare.formula && ['value', 'value of the formula'],
        data.compare && ['change', 'change'], data.growth && ['exponent', 'growth']].filter(Boolean);
};

// What a metric that is no sample's or line's says of a file: by LINES, and by EXPRESSIONS where it
// tells these apart, with TEXT for a value, and the HEAT of one; null for the others.
page.metrics_of = function (model, file, by) {
    const data = model.data, lines = new Map(), expressions = new Map(), add = (map, key, value) => map.set(key, (map.get(key) || 0) + value);
    let text = page.number;
    if (!['each', 'calls', 'bytes', 'blocks'].includes(by) || !page.source_metrics(model).some(([name]) => name === by)) return null;
    if (by === 'bytes' || by === 'blocks')
        data.sites.position.forEach(function (p, i) {
            if (data.sites.file[i] !== file) return;
            add(lines, data.positions.line[p], data.sites[by][i]);
            add(expressions, p, data.sites[by][i]);
        });
    else if (by === 'calls')
        data.functions.calls.forEach(function (calls, f) {
            if (calls >= 0 && data.functions.file[f] === file && !data.functions.branch[f]) add(lines, data.functions.line[f], calls);
        });
    else {
        const counts = model.executions(file);
        for (const [line, row] of model.lines(file)) if (row.cur && counts.get(line)) lines.set(line, row.cur / counts.get(line));
        text = value => page.each(model, value, 1);
    }
    const most = Array.from(lines.values()).reduce((a, b) => Math.max(a, b), 0);
    // How often something was called differs by powers of ten.
    const share = by === 'calls' ? value => Math.log(value + 1) / Math.log(most + 1) : value => value / most;
    const words = page.source_metrics(model).find(([name]) => name === by)[1];
    return {lines: lines, expressions: expressions, text: text, words: words, whole: by !== 'each',
        heat: value => value ? page.heat(share(value)) : ''};
};

// What flame graphs and trees cannot tell, a line for the foot of the page.
page.metrics_note = function (data) {
    const others = [data.allocated && data.measure !== 'bytes' && 'bytes', data.counted && data.measure !== 'calls' && 'counts'].filter(Boolean);
    return others.length ? 'Flame graphs, trees and the map are of ' + (data.measure === 'samples' ? 'time' : data.measure) + ': stacks of ' +
        others.join(' and ') + ' are not kept. The source can be coloured by all.\n' : '';
};

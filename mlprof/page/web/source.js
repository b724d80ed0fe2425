// The view of the source. Expressions are coloured by their cost. The view also shows which code
// was executed and which never was.

import {number_text, percent_text} from './numbers.js';
import {matcher, shorten} from './names.js';
import {
    button_make,
    make,
    menu_make,
    rows_fill,
    rows_scroll,
    tip_on,
    tip_show,
} from './elements.js';
import {heat_colour} from './drawing.js';
import {places_failures, places_names, places_ranges, places_starts} from './places.js';
import {NO_CODE, go, go_line, state} from './state.js';
import {metrics_chosen, metrics_list, metrics_of, paint_of} from './paint.js';
import {
    marks_legend,
    marks_of,
    marks_span,
    marks_tip,
    verdicts_span,
    verdicts_tip,
} from './marks.js';
import {assembly_fill} from './assembly.js';
import {dial_tables, dial_mark} from './callsites.js';
import {
    expression_allocated,
    expression_copies,
    expression_one_copy,
    expression_show,
    expression_tip,
} from './expression.js';

const SOURCE_ROW = 20;

// Returns the samples of each file, or the counts of its functions.
function source_costs(model) {
    const {nodes, functions} = model.data;
    const cost = new Float64Array(model.data.files.path.length);
    if (model.counts_alone)
        functions[model.measure.unit].forEach(function (amount, f) {
            if (amount > 0 && !functions.branch[f] && functions.file[f] >= 0)
                cost[functions.file[f]] += amount;
        });
    for (let i = 0; i < model.size; i++)
        if (nodes.file[i] >= 0)
            cost[nodes.file[i]] += model.counts[i];
    return cost;
}

// Returns the expressions that allocate and the expressions with samples. If COPY is not negative,
// only samples of this copy count. If the source is coloured by executions or by a comparison,
// executed expressions are included.
function source_expressions(model, file, copy) {
    const expressions = model.expressions(file, copy);
    const put = function (p) {
        if (!expressions.has(p))
            expressions.set(p, {cur: 0, stack: 0, nodes: []});
    };
    for (const p of model.sites(file).keys())
        put(p);
    if (!['count', 'change', 'value', 'exponent'].includes(metrics_chosen(model)))
        return expressions;
    const executed = model.executed(file);
    const texts = model.source(file) || [];
    const failures = places_failures(model, executed, texts, model.path(file));
    for (const p of executed.keys())
        if (!failures.has(p))
            put(p);
    return expressions;
}

// Returns for each line the value by which the source is coloured, for the bars and for the hottest
// lines.
function source_amounts(model, file, metric_name, metric) {
    const counts = model.executions(file);
    if (metric)
        return metric.lines;
    if (metric_name === 'count' || model.counts_alone)
        return counts;
    const amounts = new Map();
    for (const [line, row] of model.lines(file, Number(state.copy)))
        amounts.set(line, row[metric_name === 'stack' ? 'stack' : 'cur']);
    return amounts;
}

// Returns the samples and the nodes of a line, or undefined if the line has neither samples nor
// allocations.
function source_line_group(model, file, line) {
    const {line: lines} = model.data.positions;
    return (
        model.lines(file).get(line) ||
        (Array.from(model.sites(file).keys()).some(p => lines[p] === line)
            ? {cur: 0, stack: 0, nodes: []}
            : undefined)
    );
}

function source_missing(model, file) {
    const files = model.data.files;
    const withheld = files.withheld[file];
    const subject = 'The text of ' + model.path(file);
    if (model.path(file).endsWith('<stdin>'))
        return subject + ' is not known: it was compiled from standard input.';
    if (withheld)
        return (
            subject + ' is not in this page: ' + withheld +
            ' is not known to be what was compiled; mlprof -source-text any shows it.'
        );
    return (
        subject + ' was not found when this page was made. It was looked for at ' +
        (files.looked[file] || model.path(file)) +
        '; mlprof -source-dir or -source-map tells where else it is.'
    );
}

// Returns the tip of a line.
function source_tip(model, file, line, row, count, metric) {
    const lines = [expression_tip(model, row, count)];
    if (metric && metric.lines.has(line))
        lines.push(
            metric.words +
                ': ' +
                metric.text(metric.lines.get(line)) +
                (metric.whole && model.transforms.length && !model.range
                    ? ' (of the whole run)'
                    : '')
        );
    lines.push(marks_tip(model, file, line, row));
    lines.push(verdicts_tip(model, file, line));
    return lines.filter(Boolean).join('\n');
}

// Returns a line in parts. Each part has the COLOUR of its innermost expression. KIND selects a
// sign that is shown in addition to the colour. If GONE, the line is struck out.
function source_line(model, file, text, ranges, expressions, gone, colour, kind) {
    const count = p => model.executed(file).get(p);
    const line = make('span', {class: 'text'});
    // Do not strike out the indentation.
    const indent = gone ? /^\s*/.exec(text)[0].length : 0;
    line.append(text.slice(0, indent));
    const element = gone ? line.appendChild(make('s', {})) : line;
    const inner = new Int32Array(text.length).fill(-1);
    for (const range of ranges || [])
        inner.fill(range.position, range.start, range.end);
    for (let start = indent; start < text.length;) {
        let end = start + 1;
        while (end < text.length && inner[end] === inner[start])
            end++;
        const part = text.slice(start, end);
        const p = inner[start];
        if (p < 0)
            element.append(part);
        else {
            const group = expressions.get(p);
            const span = make('span', {
                class: String(p) === state.position ? 'e chosen' : 'e',
                'data-position': p,
                events: {
                    click: function (event) {
                        event.stopPropagation();
                        const line = model.data.positions.line[p];
                        go({...NO_CODE, position: p, line: line, file: file});
                    },
                    mousemove: function (event) {
                        event.stopPropagation();
                        tip_show(
                            event,
                            [
                                expression_tip(model, group, count(p)),
                                group.nodes.length &&
                                    expression_copies(model, group).length +
                                        ' copies of its code have samples; a click tells all',
                                expression_allocated(model, file, p),
                            ]
                                .filter(Boolean)
                                .join('\n')
                        );
                    },
                },
            },
                part
            );
            span.style.backgroundColor = colour(group, p);
            if (kind && kind(p))
                span.classList.add(kind(p));
            element.append(span);
        }
        start = end;
    }
    return line;
}

// Returns the bar next to a line. PART is the line's share of the greatest value in the file.
function source_gauge(part) {
    const bar = make('span', {class: 'gauge'});
    if (part > 0)
        bar.style.backgroundSize = 'max(1px, ' + (100 * part).toFixed(2) + '%) 100%';
    return bar;
}

// Returns the source as rows: the displayed `lines', the lines that match the filter (`found'), and
// the function `row', which makes the row of a line.
function source_text(model, file) {
    const {data, measure} = model;
    const texts = model.source(file) || [];
    const lines = model.lines(file, Number(state.copy));
    const counts = model.executions(file);
    const metric_name = metrics_chosen(model);
    const metric = metrics_of(model, file, metric_name);
    const executed = model.executed(file);
    const expressions = source_expressions(model, file, Number(state.copy));
    const ranges = places_ranges(model, expressions, texts, model.path(file));
    const starts = places_starts(model, file);
    const matches = matcher(state.search);
    const paint = paint_of(model, file, metric_name, expressions);
    const amounts = source_amounts(model, file, metric_name, metric);
    const greatest = Array.from(amounts.values()).reduce((a, b) => Math.max(a, b), 0);
    let most = 1;
    for (const group of metric_name === 'count' || paint ? [] : expressions.values())
        most = Math.max(most, group[metric_name]);
    for (const count of metric_name === 'count' ? [...counts.values(), ...executed.values()] : [])
        most = Math.max(most, count);
    const often = count => heat_colour(Math.log((count || 0) + 1) / Math.log(most + 1));
    const text = {
        missing: texts.length ? '' : source_missing(model, file),
        lines: texts.length
            ? texts.map((_, i) => i + 1)
            : Array.from(
                  new Set([
                      ...lines.keys(),
                      ...counts.keys(),
                      ...(metric ? metric.lines.keys() : []),
                  ])
              ).sort((a, b) => a - b),
    };
    // Sorted by decreasing value, and equal values by line.
    text.hottest = Array.from(amounts)
        .filter(([, amount]) => amount > 0)
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .map(([line]) => line);
    text.found = state.search ? text.lines.filter(line => matches(texts[line - 1] || '')) : [];
    const found = new Set(text.found);
    // The numbers next to a line, each with its class, its heading and its text.
    const share = part => (_, row) =>
        row && row[part] ? percent_text(row[part], model.total) : '';
    const figures = [
        paint && ['count', metric_name, line => paint.brief(line)],
        measure.stacks && ['cost', 'self', share('cur')],
        model.stacks && ['cost', 'total', share('stack')],
        data.lines.line.length > 0 && [
            'count',
            'executed',
            line => (counts.has(line) ? number_text(counts.get(line)) : ''),
        ],
        metric && [
            'count',
            metric_name === 'each' ? 'each time' : metric_name,
            line => (metric.lines.has(line) ? metric.text(metric.lines.get(line)) : ''),
        ],
    ].filter(Boolean);
    text.heads = [...figures, ['gauge', ''], ['number', 'line']];
    text.row = function (line) {
        const row = lines.get(line);
        const count = counts.get(line);
        const f = starts.get(line);
        const kind =
            (count === 0 ? ' never' : '') + (String(line) === state.line ? ' here' : '') +
            (found.has(line) ? ' found' : '');
        const element = make('div', {
            'data-line': line,
            class: kind.trim() || undefined,
            events: {click: () => go_line(file, line)},
        },
            ...figures.map(([kind, , text_of]) =>
                make('span', {class: kind}, text_of(line, row))
            ),
            source_gauge(greatest > 0 ? (amounts.get(line) || 0) / greatest : 0),
            make('span', {class: 'number'}, String(line)),
            marks_span(model, file, line),
            dial_mark(model, file, line),
            source_line(
                model,
                file,
                texts[line - 1] || '',
                ranges.get(line),
                expressions,
                marks_of(model, file).signs.get(line) === 'gone',
                (group, p) =>
                    paint
                        ? paint.expression(p)
                        : metric
                          ? metric.heat(metric.expressions.get(p))
                          : metric_name === 'count'
                            ? often(executed.get(p))
                            : heat_colour(group[metric_name] / most),
                paint
                    ? paint.kind
                    : metric_name === 'count' && (p => (executed.get(p) === 0 ? 'never' : ''))
            ),
            verdicts_span(model, file, line),
            f === undefined || !(model.stacks || data.calls.calls.length)
                ? undefined
                : make('a', {
                      href: '#view=callers&f=' + f,
                      title: model.name(f) + ': callers and callees',
                  },
                      shorten(model.name(f), 40)
                  )
        );
        tip_on(element, () =>
            [source_tip(model, file, line, row, count, metric), paint && paint.tip(line)]
                .filter(Boolean)
                .join('\n')
        );
        if (metric && !metric.expressions.size)
            element.style.backgroundColor = metric.heat(metric.lines.get(line));
        // No expression is known on the line, so colour the whole line.
        if (metric_name === 'count' && count && !ranges.get(line))
            element.style.backgroundColor = often(count);
        if (paint)
            element.style.backgroundColor = paint.line(line);
        element.classList.toggle('heated', Boolean(element.style.backgroundColor));
        return element;
    };
    return text;
}

export const source_view = {
    title: 'Source',
    key: '2',
    show: function (main, model) {
        const data = model.data;
        const files = data.files.path;
        const names = places_names(files);
        const cost = source_costs(model);
        const list = files.map((path, i) => i).sort((a, b) => cost[b] - cost[a]);
        const toggle = () => go({asm: state.asm === '1' ? 0 : 1});
        let file = Number(state.file);
        let start = Number(state.line);
        const f = Number(state.f);
        // If another view has chosen a function, show its hottest line.
        if (file < 0 && f >= 0 && f < model.count)
            ({file, line: start} = model.hottest(f));
        if (!(file >= 0 && file < files.length))
            file = list[0];
        if (file === undefined) {
            main.append(make('div', {class: 'empty'}, 'No source file is known.'));
            return;
        }
        const top = make('div', {class: 'top'});
        const facts = make('div', {class: 'below', hidden: true});
        const pane = state.asm === '1' ? make('div', {id: 'assembly'}) : null;
        main.append(
            make('div', {class: 'pane'},
                make('div', {class: 'bar-of'},
                    menu_make(
                        chosen => go_line(chosen, 0),
                        {id: 'file', title: files[file]},
                        list.map(i => [
                            i,
                            percent_text(cost[i], model.total) + '  ' + names[i],
                            files[i],
                        ]),
                        file
                    ),
                    make('label', {},
                        'colour by ',
                        menu_make(
                            name => go({by: name}),
                            {id: 'by'},
                            metrics_list(model),
                            metrics_chosen(model)
                        )
                    ),
                    button_make(
                        toggle,
                        {
                            id: 'beside',
                            'aria-pressed': state.asm === '1' ? 'true' : 'false',
                            title: 'the machine code of the copies (a)',
                        },
                        'assembly'
                    ),
                    marks_legend(model, file)
                ),
                expression_one_copy(model),
                pane ? make('div', {class: 'beside'}, top, pane) : top,
                facts
            )
        );
        const text = source_text(model, file);
        const pre = make('pre', {class: 'source'});
        if (text.missing)
            pre.append(make('div', {class: 'empty'}, text.missing));
        const body = make('div', {class: 'lines'});
        pre.append(
            make('div', {class: 'heads'},
                ...text.heads.map(([kind, head]) => make('span', {class: kind}, head))
            ),
            body
        );
        top.append(pre);
        rows_fill(
            top,
            body,
            text.lines.length,
            SOURCE_ROW,
            i => text.row(text.lines[i]),
            () => make('div', {})
        );
        const position = Number(state.position);
        const line = position >= 0 ? data.positions.line[position] : start;
        const index = text.lines.indexOf(line > 0 ? line : text.hottest[0]);
        if (index >= 0)
            rows_scroll(top, index, SOURCE_ROW);
        const keys = function ({key}) {
            const next = text.lines[index + {ArrowDown: 1, ArrowUp: -1}[key]];
            const warm = {m: 1, M: -1}[key];
            const step = {n: 1, N: -1}[key];
            const {found, hottest} = text;
            if (key === 'a')
                toggle();
            else if (key === 'ArrowDown' || key === 'ArrowUp') {
                if (next)
                    go_line(file, next, true);
            } else if (warm && hottest.length) {
                const here = hottest.indexOf(Number(state.line));
                const next = here < 0 && warm < 0 ? -1 : here + warm;
                go_line(file, hottest.at(next) || hottest[0], true);
            } else if (step && found.length) {
                const next =
                    step > 0
                        ? found.find(i => i > Number(state.line))
                        : found.findLast(i => i < Number(state.line));
                go_line(file, next || found.at(step > 0 ? 0 : -1), true);
            } else
                return false;
            return true;
        };
        if (position >= 0 || Number(state.line) > 0)
            expression_show(
                model,
                file,
                position,
                facts,
                position >= 0
                    ? source_expressions(model, file).get(position)
                    : source_line_group(model, file, Number(state.line))
            );
        dial_tables(model, file, start, facts);
        if (pane)
            assembly_fill(pane, model, file);
        return keys;
    },
};

// The histogram of how long the calls of a region took, as a picture and as a table.

import {duration_text, number_text, percent_text} from './numbers.js';
import {draw, table_plain} from './elements.js';
import {profile} from './state.js';

// The text of a measured time. Of a time below a tick nothing more is known (regiontimes_text).
function measured_text(value) {
    const tick = profile().data.regions.tick;
    return value >= tick ? duration_text(value) : '<' + duration_text(tick);
}

// The text of a bucket's bound.
const bound_text = value => (value > 0 ? measured_text(value) : duration_text(0));

// The text about a row below its histogram.
export function histogram_told(row) {
    const time = measured_text;
    const told = [];
    if (row.calls)
        told.push(
            'median between ' + time(row.p50[0]) + ' and ' + time(row.p50[2]) +
                ', 99th percentile between ' + time(row.p99[0]) + ' and ' + time(row.p99[2])
        );
    if (row.cold_calls)
        told.push(
            number_text(row.cold_calls) + ' cold: mean ' + time(row.cold) + ', ' +
                time(row.cold_min) + ' to ' + time(row.cold_max) +
                (row.cold_calls < row.calls ? '; warm: mean ' + time(row.warm) : '')
        );
    if (row.left)
        told.push(number_text(row.left) + ' did not come to the end');
    if (row.open)
        told.push(
            number_text(row.open) + ' had not ended, and took ' + time(row.spent) + ' so far'
        );
    return told.join('\n');
}

// The buckets of a row. A bucket of which nothing is left, since measuring cost as much, is added
// to the next one.
function histogram_buckets(row) {
    const list = [];
    let before = 0;
    for (const [least, end, calls] of row.buckets) {
        if (end <= 0)
            before += calls;
        else
            list.push({least: Math.max(0, least), end: end, calls: calls + before});
        if (end > 0)
            before = 0;
    }
    if (before)
        list.push({least: 0, end: 1, calls: before});
    return list;
}

// The marks of the axis: powers of ten, on a short axis also 2 and 5 times these; or the beginning
// and a time near the end, if fewer than two powers are inside.
function histogram_ticks(least, most) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); power++)
        for (const of of most / least < 100 ? [1, 2, 5] : [1])
            ticks.push(of * 10 ** power);
    const inside = ticks.filter(value => value >= least && value <= most);
    return inside.length > 1 ? inside : [least, most * 0.9 > least ? most * 0.9 : most];
}

// The time from which on a bucket is drawn, since a logarithmic axis has no 0.
const histogram_from = bucket => Math.max(bucket.least, bucket.end / 2);

// The height of a bucket, for which its area is its share of all calls.
const histogram_height = (row, bucket) =>
    bucket.calls / row.calls / Math.log(bucket.end / histogram_from(bucket));

// Draws the histogram of a row from TOP on: an area for each bucket, with heights in proportion to
// MOST, on a logarithmic axis between the times of RANGE.
function histogram_panel(svg, row, top, range, most) {
    const W = 380;
    const H = top + 240;
    const L = 10;
    const R = 14;
    const T = top + 34;
    const B = 44;
    const buckets = histogram_buckets(row);
    const [x0, x1] = range;
    const x = value =>
        L + ((W - L - R) * Math.log(Math.min(Math.max(value, x0), x1) / x0)) / Math.log(x1 / x0);
    const line = (fromX, fromY, toX, toY, kind) =>
        svg.append(draw('line', {x1: fromX, y1: fromY, x2: toX, y2: toY, class: kind}));
    for (const bucket of buckets) {
        const tall = Math.max(1, ((H - B - T) * histogram_height(row, bucket)) / most);
        const from = x(histogram_from(bucket));
        svg.append(
            draw('rect', {
                x: from,
                y: H - B - tall,
                width: Math.max(1, x(bucket.end) - from),
                height: tall,
                class: 'bar',
            },
                draw('title', {},
                    bound_text(bucket.least) + ' to ' + bound_text(bucket.end) + ': ' +
                        number_text(bucket.calls)
                )
            )
        );
    }
    line(L, H - B, W - R, H - B, 'axis');
    let free = -1;
    for (const value of histogram_ticks(x0, x1)) {
        const text = duration_text(value).replace(/\.0+(?=[a-z])/, '');
        const half = 3.5 * text.length;
        const at = x(value);
        const middle = Math.max(half, Math.min(W - half, at));
        line(at, H - B, at, H - B + 5, 'axis');
        if (middle - half < free)
            continue;
        svg.append(draw('text', {x: middle, y: H - B + 18, 'text-anchor': 'middle'}, text));
        free = middle + half;
    }
    // A percentile's word stands to the right of its line, or to the left if there is no room.
    for (const [word, value, y] of [
        ['p50', row.p50[1], T - 18],
        ['p99', row.p99[1], T - 4],
    ]) {
        line(x(value), y, x(value), H - B, 'mark');
        const left = x(value) > W - 110;
        svg.append(
            draw(
                'text',
                {x: x(value) + (left ? -4 : 4), y: y + 4, 'text-anchor': left ? 'end' : 'start'},
                word + ' ' + measured_text(value)
            )
        );
    }
    if (row.cold_calls) {
        line(x(row.cold_min) - 1, H - B + 25, x(row.cold_max) + 1, H - B + 25, 'cold');
        svg.append(
            draw('text', {
                x: (x(row.cold_min) + x(row.cold_max)) / 2,
                y: H - 6,
                'text-anchor':
                    x(row.cold_min) + x(row.cold_max) < 60
                        ? 'start'
                        : x(row.cold_min) + x(row.cold_max) > 2 * W - 60
                          ? 'end'
                          : 'middle',
            },
                'cold'
            )
        );
    }
}

// The histograms of rows, one below the other over the same times, each below its word. Areas are
// shares of a row's calls.
export function histogram_plot(rows, words) {
    const H = 240;
    const HEAD = words ? 20 : 0;
    const called = rows.filter(row => row && row.calls);
    const all = called.flatMap(histogram_buckets);
    const tall = rows.reduce((sum, row) => sum + HEAD + (row && row.calls ? H : HEAD), 0) || H;
    const svg = draw('svg', {
        id: 'histogram',
        width: 380,
        height: tall,
        viewBox: '0 0 380 ' + tall,
        role: 'img',
        'aria-label':
            rows
                .map(
                    (row, i) =>
                        (words ? words[i] + ': ' : '') + 'how long ' +
                        number_text(row ? row.calls : 0) + ' calls ' +
                        (row ? 'of ' + row.name + ' ' : '') + 'took'
                )
                .join('; ') + '; the table below has the numbers',
    });
    const range = all.length && [
        Math.min(...all.map(histogram_from)),
        Math.max(...all.map(bucket => bucket.end)),
    ];
    const most = Math.max(
        ...called.flatMap(row =>
            histogram_buckets(row).map(bucket => histogram_height(row, bucket))
        )
    );
    let top = 0;
    rows.forEach(function (row, i) {
        if (words)
            svg.append(
                draw('text', {x: 10, y: top + 14, class: 'title'},
                    words[i] + (row && row.calls ? '' : ': no calls')
                )
            );
        top += HEAD;
        if (row && row.calls)
            histogram_panel(svg, row, top, range, most);
        else if (!words)
            svg.append(draw('text', {x: 10, y: H / 2}, 'No call has ended.'));
        top += row && row.calls ? H : HEAD;
    });
    return svg;
}

// The histogram of a row as a table.
export function histogram_numbers(row, id) {
    let sum = 0;
    return table_plain(
        {id: id || 'buckets', class: 'buckets'},
        ['from', 'below', 'calls', 'up to'],
        histogram_buckets(row).map(function ({least, end, calls}) {
            sum += calls;
            return [
                bound_text(least),
                bound_text(end),
                number_text(calls),
                percent_text(sum, row.calls),
            ];
        })
    );
}

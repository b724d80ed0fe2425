// When samples were taken: buckets of the time on the clock, and a range of them that all views
// show alone.  A range is a transform (transforms.js), `@0.8-1.2' in seconds from the run's start, or
// `@0.8-1.2 NAME'.

// How many there are; none of several runs.
page.times_count = data => data.bucket_width && !data.compare && !data.growth ? Math.floor(data.bucket_span / data.bucket_width) + 1 : 0;

// Seconds from the start to a bucket's, as few digits as tell it from its neighbours.
page.times_seconds = (data, bucket) => String(Number((bucket * data.bucket_width / 1e9).toFixed(6)));

// The buckets FROM up to but not TO that are asked for; null: all of them.
page.times_range = function (data, transforms) {
    const count = page.times_count(data);
    for (const transform of transforms) {
        const asked = /^@([\d.]+)-([\d.]+)(?: |$)/.exec(transform);
        if (!asked || !count) continue;
        const [first, last] = asked.slice(1).map(text => Math.round(Number(text) * 1e9 / data.bucket_width) || 0);
        const from = Math.max(0, Math.min(count - 1, first));
        return {from: from, to: Math.max(from + 1, Math.min(count, last))};
    }
    return null;
};

// What each node has in a range.
page.times_counts = function (data, range) {
    const counts = new Float64Array(data.nodes.parent.length), times = data.times;
    for (let i = 0; i < times.node.length; i++)
        if (times.bucket[i] >= range.from && times.bucket[i] < range.to) counts[times.node[i]] += times.count[i];
    return counts;
};

// What the bar above tells of a range.
page.times_text = function (data, transform) {
    const range = page.times_range(data, [transform]);
    if (!range) return transform + ': no such time';
    const all = page.times_unit(data.bucket_span), last = range.to * data.bucket_width >= data.bucket_span;
    const name = page.times_name(transform);
    return (name && name + ': ') + page.times_seconds(data, range.from) + ' s to ' + (last ? all : page.times_seconds(data, range.to) + ' s') + ' of ' + all;
};

// Nanoseconds in the unit in which they are neither 0 nor many digits.
page.times_unit = function (time) {
    const [unit, of] = time >= 1e8 || !time ? ['s', 1e9] : time >= 1e5 ? ['ms', 1e6] : ['us', 1e3];
    return Number((time / of).toFixed(unit === 's' ? 3 : 2)) + ' ' + unit;
};

// How a person calls a range; empty: not at all.
page.times_name = transform => transform.includes(' ') ? transform.slice(transform.indexOf(' ') + 1) : '';

page.times_rename = function (transform, name) {
    const words = name.replace(/[\0-\x1f\x7f]/g, ' ').trim().slice(0, 80), renamed = transform.split(' ')[0] + (words && ' ' + words);
    page.go({change: page.transforms_of(page.state).map(t => t === transform ? renamed : t).join('\n')});
};

// Where the name of a range is typed.
page.times_field = transform => page.make('input', {id: 'range', type: 'text', value: page.times_name(transform), size: 14, maxlength: 80,
    placeholder: 'name of the range', title: 'a name for this range: the address and what is copied have it',
    on: {change: event => page.times_rename(transform, event.target.value)}});

// What is said of a range in what is copied; empty: there is none.
page.times_title = function (model) {
    const transform = model.transforms.find(t => t[0] === '@');
    return transform ? page.times_text(model.data, transform) : '';
};

// Shows the buckets FROM up to but not TO alone, or all of them.  Its name stays with a range that is
// moved, the entry of the history being REPLACED.
page.times_choose = function (from, to, replaced) {
    const data = page.data.data, main = document.getElementById('main'), top = main.scrollTop;
    const before = page.transforms_of(page.state), all = before.filter(transform => transform[0] !== '@'), count = page.times_count(data);
    const name = replaced ? page.times_name(before.find(transform => transform[0] === '@') || '') : '';
    if (to > from && (from > 0 || to < count))
        all.push('@' + page.times_seconds(data, from) + '-' + page.times_seconds(data, to) + (name && ' ' + name));
    page.go({change: all.join('\n'), zoom: 0}, replaced);
    main.scrollTop = top;
    if (main.onscroll) main.onscroll();
};

// Figures without a time stay as they are in a range; this says so.
page.times_whole = model => model.range ? ' (whole run)' : '';

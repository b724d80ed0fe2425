// The differential tree: stacks as lines that open, along the greatest change at first, with what each
// has before and after and how it changed; what is not certain is grey.  Transforms have no effect,
// as in the differential flame graph (difference.js), whose tree this is.

page.difference_change = function (tree, at) {
    const {before, after} = page.difference_of(tree, at);
    return after - before;
};

// The children of a node, those that changed most first.
page.difference_children = (tree, at) => page.boxes_children(tree, at)
    .sort((a, b) => Math.abs(page.difference_change(tree, b)) - Math.abs(page.difference_change(tree, a)) || a - b);

page.difference_columns = function (model, tree) {
    const style = page.compare_style(model.data), of = tree.of, each = (at, text) => text(page.difference_of(tree, at));
    return [
        {head: 'before', text: at => each(at, ({before}) => style.plain(before))},
        {head: 'after', text: at => each(at, ({after}) => style.plain(after))},
        {head: 'change', text: at => page.difference_look.brief(model, tree, at), look: function (at, cell) {
            const {before, after, certain} = page.difference_of(tree, at), change = after - before;
            cell.classList.toggle('faint', !certain);
            cell.style.backgroundColor = page.compare_colour(change, certain, Math.min(1, Math.abs(change) / (Math.max(before, after) || 1)));
        }},
        {head: 'in %', text: at => each(at, ({before, after}) => page.compare_growth(before, after))},
        of.exact.some(exact => !exact) && {head: '95% range', text: at => of.exact[at - 1] ? 'exact'
            : style.signed(of.least[at - 1]) + ' to ' + style.signed(of.most[at - 1])},
    ].filter(Boolean);
};

page.views.changetree = {
    title: 'Change tree', key: 'e', only: data => page.views.difference && page.views.difference.only(data),
    show: page.tree_view(function (model, main) {
        const tree = page.difference_tree(model, 'after'), children = at => page.difference_children(tree, at);
        const all = page.difference_of(tree, 0), style = page.compare_style(model.data);
        main.append(page.make('div', {'class': 'bar-of'}, page.make('span', {}, 'all: before ' + style.plain(all.before) + ', after ' +
            style.plain(all.after) + ', ' + page.difference_look.brief(model, tree, 0)),
        page.make('span', {'class': 'faint'}, '\u25b2 more, \u25bc less: certain; \u00b7 grey: may be chance, or no change' +
            (model.transforms.length ? '; focus and the like have no effect here' : ''))));
        return {
            tree: tree, children: children, head: 'function',
            name: at => page.difference_look.name(model, tree, at),
            row: at => page.difference_look.row(model, tree, at),
            columns: page.difference_columns(model, tree),
            counts: () => true,
            next: function (at) {
                const first = children(at)[0];
                const size = node => Math.abs(page.difference_change(tree, node));
                return first !== undefined && size(first) > Math.max(size(at) / 3, size(0) / 20) ? first : -1;
            },
        };
    }),
};

// Rows of one height of which only those in view are elements, for tables and sources of any length.

// The height of a table's row (page.css).
const ROW = 24;

// Fills BODY, inside of the element that SCROLLS, with those of the COUNT rows that are in view, each
// of HEIGHT pixels and made by ROW of its number; MAKE makes what stands for the others.
// An even number is left out, so that every second row keeps its colour.
page.rows = function (scrolls, body, count, height, row, make) {
    const before = make(), after = make();
    let shown = '';
    function fill() {
        const top = Math.max(0, scrolls.getBoundingClientRect().top - body.getBoundingClientRect().top);
        const first = Math.min(count, Math.max(0, Math.floor(top / height) - 20)) & ~1;
        const last = Math.min(count, first + Math.ceil(scrolls.clientHeight / height) + 60);
        if (shown === first + '-' + last) return;
        shown = first + '-' + last;
        before.style.height = first * height + 'px';
        after.style.height = (count - last) * height + 'px';
        const rows = [];
        for (let i = first; i < last; i++) rows.push(row(i));
        body.replaceChildren(before, ...rows, after);
        page.fit_names(body);
    }
    scrolls.onscroll = fill;
    fill();
};

// Scrolls so that the row with the number AT is in the middle.
page.rows_to = function (scrolls, at, height) {
    scrolls.scrollTop = Math.max(0, at * height - scrolls.clientHeight / 2);
    if (scrolls.onscroll) scrolls.onscroll();
};

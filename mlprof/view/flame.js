(function () {
'use strict';
var svg = document.documentElement, view = svg.viewBox.baseVal, width = view.width;
var boxes = Array.prototype.map.call(svg.querySelectorAll('g.b'), function (g) {
    return {g: g, rect: g.querySelector('rect'), text: g.querySelector('text'),
            left: +g.getAttribute('data-l'), weight: +g.getAttribute('data-w'),
            name: g.getAttribute('data-n'), last: g.getAttribute('data-s'),
            percent: g.getAttribute('data-p'), y: +g.querySelector('rect').getAttribute('y')};
});
var total = boxes[0].weight || 1, marked = null;
function get(id) { return document.getElementById(id); }
/* Measures texts in the browser's font.  */
var ruler = svg.appendChild(document.createElementNS(svg.namespaceURI, 'text'));
ruler.setAttribute('visibility', 'hidden');
ruler.textContent = 'x';
var letter = ruler.getComputedTextLength() || 7.3;
function wide(text) {
    if (/^[ -~]*$/.test(text)) return text.length * letter;
    ruler.textContent = text;
    return ruler.getComputedTextLength();
}
function fit(b, room) {
    room -= 6;
    if (room < 3 * letter) return '';
    var whole = b.name + '  ' + b.percent, text = b.name;
    if (wide(whole) <= room) return whole;
    if (wide(text) > room && b.last) text = b.last;
    if (wide(text) <= room) return text;
    var all = Array.from(text);
    while (all.length && wide(all.join('') + '..') > room) all.pop();
    return all.length ? all.join('') + '..' : '';
}
var shown = {left: 0, weight: total};
function zoom(left, weight) {
    shown = {left: left, weight: weight};
    boxes.forEach(function (b) {
        var x = (b.left - left) / weight * width, w = b.weight / weight * width;
        var is_ancestor = b.left <= left && b.left + b.weight >= left + weight;
        var seen = b.left < left + weight && b.left + b.weight > left && w >= 0.1;
        if (is_ancestor) { x = 0; w = width; }
        b.g.style.display = is_ancestor || seen ? '' : 'none';
        b.g.classList.toggle('below', is_ancestor && b.weight > weight);
        b.rect.setAttribute('x', x);
        b.rect.setAttribute('width', w > 2 ? w - 0.5 : w);
        b.text.setAttribute('x', x + 3);
        b.text.textContent = fit(b, w);
    });
    get('reset').setAttribute('visibility', weight < total ? 'visible' : 'hidden');
}
/* Makes the picture as wide as the window.  */
function lay_out() {
    width = svg.getBoundingClientRect().width || width;
    view.width = width;
    ['search', 'matched'].forEach(function (id) { get(id).setAttribute('x', width - 3); });
    get('title').setAttribute('x', width / 2);
    zoom(shown.left, shown.weight);
}
function search(text) {
    var re = null, sum = 0, end = 0;
    if (text) {
        try { re = new RegExp(text); }
        catch (e) { get('matched').textContent = e.message; return; }
    }
    var hits = boxes.filter(function (b, i) {
        var hit = re !== null && i > 0 && re.test(b.name);
        b.g.classList.toggle('hit', hit);
        return hit;
    });
    hits.sort(function (a, b) { return a.left - b.left || b.weight - a.weight; });
    hits.forEach(function (b) {
        if (b.left >= end) { sum += b.weight; end = b.left + b.weight; }
    });
    get('matched').textContent =
        re ? 'matched: ' + (100 * sum / total).toFixed(1) + '%' : '';
}
function ask() {
    var text = window.prompt('Functions that match this regular expression:', '');
    if (text !== null) search(text);
}
function title(b) { return b.g.querySelector('title').textContent; }
function mark(b) {
    if (marked) marked.g.classList.remove('here');
    marked = b;
    if (b) b.g.classList.add('here');
    get('told').textContent = b ? title(b) : '';
}
function is_inside(b, outer) {
    return b.left >= outer.left && b.left + b.weight <= outer.left + outer.weight;
}
var row = +boxes[0].rect.getAttribute('height') + 1;
var ways = {
    ArrowUp: function (b) { return b.y === marked.y - row && is_inside(b, marked) ? b.weight : 0; },
    ArrowDown: function (b) { return b.y === marked.y + row && is_inside(marked, b) ? 1 : 0; },
    ArrowLeft: function (b) { return b.y === marked.y && b.left < marked.left ? b.left + 1 : 0; },
    ArrowRight: function (b) { return b.y === marked.y && b.left > marked.left ? 1 / b.left : 0; }
};
function step(good) {
    var best = null;
    if (!marked) return mark(boxes[0]);
    boxes.forEach(function (b) {
        if (b.g.style.display !== 'none' && good(b) > (best ? good(best) : 0)) best = b;
    });
    if (best) mark(best);
}
boxes.forEach(function (b) {
    b.g.addEventListener('click', function () {
        if (b.weight > 0) zoom(b.left, b.weight);
        mark(b);
    });
    b.g.addEventListener('mouseover', function () {
        get('told').textContent = title(b);
    });
    b.g.addEventListener('mouseout', function () {
        get('told').textContent = marked ? title(marked) : '';
    });
});
svg.setAttribute('width', '100%');
lay_out();
window.addEventListener('resize', lay_out);
/* Scrolls to the outermost calls, which are at the bottom.  */
window.scrollTo(0, svg.viewBox.baseVal.height);
get('reset').addEventListener('click', function () { zoom(0, total); });
get('search').addEventListener('click', ask);
window.addEventListener('keydown', function (e) {
    var find = e.ctrlKey || e.metaKey ? e.key === 'f' : e.key === '/';
    if (find) ask();
    else if (e.ctrlKey || e.metaKey || e.altKey) return;
    else if (e.key === 'Escape') { zoom(0, total); search(''); mark(null); }
    else if (e.key === 'Enter' && marked && marked.weight) zoom(marked.left, marked.weight);
    else if (ways[e.key]) step(ways[e.key]);
    else return;
    e.preventDefault();
});
}());

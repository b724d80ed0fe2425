// Pictures of views that can be kept: SVG as a file of its own, without the style of the page.

// What the page's style may say of an element of a picture.
const PICTURE = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'opacity'];

// The text of an svg element; one that is in the page is as it is seen there.  Names can hold what
// no file of XML may.
page.picture = function (svg) {
    const copy = svg.cloneNode(true);
    if (svg.isConnected) {
        const copies = copy.querySelectorAll('*'), box = svg.viewBox.baseVal;
        svg.querySelectorAll('*').forEach(function (element, i) {
            const style = getComputedStyle(element);
            if (element.tagName !== 'title') for (const name of PICTURE) copies[i].setAttribute(name, style[name]);
        });
        copy.setAttribute('width', svg.clientWidth);
        copy.setAttribute('height', svg.clientHeight);
        copy.prepend(page.draw('rect', {x: box.x, y: box.y, width: box.width, height: box.height,
            fill: getComputedStyle(document.body).backgroundColor}));
    }
    const range = page.times_title(page.data);
    if (range) {
        const title = document.createElementNS(svg.namespaceURI, 'title');
        title.textContent = page.data.data.title + ', ' + range;
        copy.prepend(title);
    }
    const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
        texts.currentNode.data = texts.currentNode.data.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd');
    return new XMLSerializer().serializeToString(copy);
};

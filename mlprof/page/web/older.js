// Tells of a browser that cannot show the page. It stands in front of the scripts and is no module:
// a browser that has no modules, or does not know the language of these, runs it, too.
if (typeof DecompressionStream === 'undefined')
    document.getElementById('main').textContent = 'Error: this browser cannot decompress data; ' +
        'Chromium 80, Firefox 113, Safari 16.4 and later ones can';

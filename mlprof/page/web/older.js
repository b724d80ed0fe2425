// Shows a message if the browser cannot show the page. This script stands in front of the others
// and is no module, so that it runs in browsers that have no modules, or do not know the language
// of these.
if (typeof DecompressionStream === 'undefined')
    document.getElementById('main').textContent = 'Error: this browser cannot decompress data; ' +
        'Chromium 80, Firefox 113, Safari 16.4 and later ones can';

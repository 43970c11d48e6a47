const asked = new URLSearchParams(location.search);
document.querySelector('code').textContent = asked.get('url');
document.querySelector('output').textContent = asked.get('why');

const LINKS = ['https://example.com/a b', 'HTTPS://EXAMPLE.com:443/./x/../a%20b', 'https://example.com/other'];

const claimed = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
await navigator.serviceWorker.register('bundle.js');
if (navigator.serviceWorker.controller === null) await claimed;

for (const link of LINKS) {
  const card = await fetch(`card.json?link=${encodeURIComponent(link)}`);
  const item = document.createElement('li');
  item.textContent = `${link}: from ${card.headers.get('x-from') ?? 'the network'}`;
  document.querySelector('ol').append(item);
}
document.querySelector('output').textContent = 'done';

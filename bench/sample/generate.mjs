// Writes urls.txt: 4000 URLs of our own, under names that nobody can own (RFC 2606), every kind of line among
// them in about the shares of real corpora. Run it from the project's folder to make the file again.
import { writeFileSync } from 'node:fs';

const HOSTS = [
  'example.com',
  'www.example.org',
  'news.example.net',
  'static.cdn.example.com',
  'shop.example',
  'a-b.example.org',
  'wiki.example',
  'api.v2.example.net',
];
const WORDS = [
  'article',
  'img',
  'tag',
  'user',
  'archive',
  'search',
  'watch',
  'p',
  'download',
  'en',
  'static',
  'story',
  'topics',
  'assets',
  'feed',
  'blog',
  'item',
  'view',
];
const ENDS = ['', '/', '.html', '.php', '.jpg', '.js', '/index.htm', '-2', '.pdf'];

let state = 20260701;
function pick(choices) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return choices[Math.floor((state / 2 ** 32) * choices.length)];
}

const digits = (count) => Array.from({ length: count }, () => pick([...'0123456789'])).join('');
const path = () =>
  Array.from(
    { length: pick([0, 1, 1, 2, 2, 3, 4]) },
    () => `/${pick(WORDS)}${pick(['', '', `-${digits(3)}`, `_${digits(5)}`])}`,
  ).join('');
const query = () =>
  pick([
    '',
    '',
    '',
    `?id=${digits(6)}`,
    `?q=${pick(WORDS)}&page=${digits(1)}`,
    `?utm_source=${pick(WORDS)}&ref=%2F${pick(WORDS)}`,
  ]);
const plain = () =>
  `${pick(['http', 'https', 'https'])}://${pick(HOSTS)}${path()}/${digits(4)}${pick(ENDS)}${query()}${pick(['', '', '', '#top'])}`;

// What needs more than a look, each with the reason beside it.
const ODD = [
  () => `https://${pick(HOSTS)}`, // no slash after the host
  () => `http://${pick(HOSTS)}:80/${pick(WORDS)}`, // the default port
  () => `http://${pick(HOSTS)}:8080/${pick(WORDS)}`,
  () => `http://${pick(HOSTS).toUpperCase()}/${pick(WORDS)}`,
  () => `http://192.0.2.${digits(2)}/${pick(WORDS)}`,
  () => `http://0xC0.0x00.0x02.${digits(1)}/`, // an IPv4 address in hex
  () => `http://[2001:DB8:0:0::${digits(3)}]/`,
  () => `https://bücher.example/${pick(WORDS)}/größe`,
  () => `https://例え.example/${pick(WORDS)}/東京?都市=東京`,
  () => `https://${pick(HOSTS)}/a/../b/./${pick(WORDS)}/%2e%2E/${digits(3)}`,
  () => `https://${pick(HOSTS)}/hello world?q="a b"#c d`,
  () => `https://${pick(HOSTS)}\\${pick(WORDS)}\\${digits(2)}`,
  () => `https://user:pass@${pick(HOSTS)}/${pick(WORDS)}`,
  () => `https://${pick(HOSTS)}?${pick(WORDS)}`,
  () => `file:///home/user/${pick(WORDS)}.txt`,
  () => `file:///C|/${pick(WORDS)}`,
  () => `mailto:someone-${digits(3)}@example.com`,
  () => `urn:example:${pick(WORDS)}:${digits(4)}`,
  () => `data:text/plain,${pick(WORDS)} ${digits(2)}`,
  () => `ftp://ftp.example.org/${pick(WORDS)}.tar.gz`,
  () => `  https://${pick(HOSTS)}/surrounded-by-spaces  `,
];
const BAD = [
  '',
  'no scheme at all',
  '//example.com/scheme-relative',
  'http://',
  'http://exa mple.com/',
  'http://[::1/',
  'http://999.0.0.1/',
  'http://example.com:port/',
];

const lines = Array.from({ length: 4000 }, (_, row) =>
  row % 500 === 499 ? pick(BAD) : row % 12 === 11 ? pick(ODD)() : plain(),
);
writeFileSync('bench/sample/urls.txt', `${lines.join('\n')}\n`);

// Writes urls.txt: 1000 URLs of our own, under names that nobody can own (RFC 2606), every kind of line among them in
// about the shares of real corpora. Run it from the project's folder to make the file again.
import { writeFileSync } from 'node:fs';

const listOf = (text) => text.split(' ');
const HOSTS = listOf(
  'example.com www.example.org news.example.net static.cdn.example.com shop.example a-b.example.org wiki.example api.v2.example.net',
);
const WORDS = listOf(
  'article img tag user archive search watch p download en static story topics assets feed blog item view',
);
const ENDS = listOf(' / .html .php .jpg .js /index.htm -2 .pdf');

let state = 20260701;
function pick(choices) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return choices[Math.floor((state / 2 ** 32) * choices.length)];
}

const host = () => pick(HOSTS);
const word = () => pick(WORDS);
const digits = (count) => Array.from({ length: count }, () => pick('0123456789')).join('');
const step = () => `/${word()}${pick(['', '', `-${digits(3)}`, `_${digits(5)}`])}`;
const path = () => Array.from({ length: pick([0, 1, 1, 2, 2, 3, 4]) }, step).join('');
const query = () =>
  pick(['', '', '', `?id=${digits(6)}`, `?q=${word()}&page=${digits(1)}`, `?utm_source=${word()}&ref=%2F${word()}`]);
const plain = () =>
  `${pick(['http', 'https', 'https'])}://${host()}${path()}/${digits(4)}${pick(ENDS)}${query()}${pick(['', '', '', '#top'])}`;

// What needs more than a look, each with the reason beside it.
const ODD = [
  () => `https://${host()}`, // no slash after the host
  () => `http://${host()}:80/${word()}`, // the default port
  () => `http://${host()}:8080/${word()}`,
  () => `http://${host().toUpperCase()}/${word()}`,
  () => `http://192.0.2.${digits(2)}/${word()}`,
  () => `http://0xC0.0x00.0x02.${digits(1)}/`, // an IPv4 address in hex
  () => `http://[2001:DB8:0:0::${digits(3)}]/`,
  () => `https://bücher.example/${word()}/größe`,
  () => `https://例え.example/${word()}/東京?都市=東京`,
  () => `https://${host()}/a/../b/./${word()}/%2e%2E/${digits(3)}`,
  () => `https://${host()}/hello world?q="a b"#c d`,
  () => `https://${host()}\\${word()}\\${digits(2)}`,
  () => `https://user:pass@${host()}/${word()}`,
  () => `https://${host()}?${word()}`,
  () => `file:///home/user/${word()}.txt`,
  () => `file:///C|/${word()}`,
  () => `mailto:someone-${digits(3)}@example.com`,
  () => `urn:example:${word()}:${digits(4)}`,
  () => `data:text/plain,${word()} ${digits(2)}`,
  () => `ftp://ftp.example.org/${word()}.tar.gz`,
  () => `  https://${host()}/surrounded-by-spaces  `,
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

const lines = Array.from({ length: 1000 }, (_, row) =>
  row % 125 === 124 ? BAD[(row - 124) / 125] : row % 12 === 11 ? pick(ODD)() : plain(),
);
writeFileSync('bench/sample/urls.txt', `${lines.join('\n')}\n`);

// URLs of our own, under names that nobody can own (RFC 2606), in about the shares of real corpora: most are
// canonical, some lack the slash after the host, one in fifty needs the parser.

import { randomFrom } from '../../test/support/random.ts';

const HOSTS = [
  'example.com',
  'www.example.org',
  'news.example.net',
  'static.cdn.example.com',
  'shop.example',
  'a-b.example.org',
];
const WORDS = [
  'article',
  'img',
  'tag',
  'user',
  'archive',
  'search',
  'watch',
  'download',
  'en',
  'static',
  'story',
  'topics',
];
const ENDS = ['', '/', '.html', '.php', '.jpg', '?id=1', '?q=a&page=2', '#top'];

export function generatedUrls(seed: number, urlCount: number): string[] {
  const next = randomFrom(seed);
  const pick = (choices: readonly string[]) => choices[next(choices.length)]!;
  const path = () => Array.from({ length: 1 + next(4) }, () => `/${pick(WORDS)}-${next(100_000)}`).join('');
  const ordinary = () => `https://${pick(HOSTS)}${path()}${pick(ENDS)}`;
  const odd = [
    () => `HTTP://${pick(HOSTS).toUpperCase()}:80${path()}`,
    () => `https://${pick(HOSTS)}/a/../b/./${pick(WORDS)} ${next(1000)}`,
    () => `http://192.0.2.${next(256)}${path()}`,
    () => `https://bücher.example/${pick(WORDS)}/größe`,
  ];
  return Array.from({ length: urlCount }, (_, index) => {
    if (index % 50 === 49) return odd[next(odd.length)]!();
    return index % 33 === 32 ? `https://${pick(HOSTS)}` : ordinary();
  });
}

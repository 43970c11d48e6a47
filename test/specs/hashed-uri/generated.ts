import fc from 'fast-check';

// URIs that RFC 2396 allows, out of pieces that the steps of appendix A act on.

const letters = (characters: string, maxLength: number) =>
  fc.array(fc.constantFrom(...characters), { maxLength }).map((all) => all.join(''));
const escape = fc.integer({ min: 0, max: 255 }).chain((byte) => {
  const hex = byte.toString(16).padStart(2, '0');
  return fc.constantFrom(`%${hex}`, `%${hex.toUpperCase()}`);
});
const word = fc.oneof(
  letters("aBz09-_.!~*'()", 5),
  fc.constantFrom(
    'index.html',
    'index.htm',
    'INDEX.HTML',
    'Image.jpeg',
    'a.text',
    'song.RAM',
    '.html',
    'x.html.html',
    '.',
    '..',
    '',
  ),
);
const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: word }, escape, letters(':@&=+$,;[]', 2)), { maxLength: 3 })
  .map((all) => all.join(''));

export const path = fc
  .array(text, { maxLength: 5 })
  .map((segments) => segments.map((segment) => `/${segment}`).join(''));
const host = fc.oneof(
  fc.constantFrom(
    'Example.COM',
    'a',
    'x_y.Z',
    '10.020.000.1',
    '999.1.1.1',
    '1.2.3',
    '[::1]',
    '[2001:0DB8::00a]',
    '[::ffff:1.2.3.4]',
  ),
  letters('aZ.-0', 6).filter((name) => name !== ''),
);
const port = fc.constantFrom('', ':', ':80', ':0080', ':443', ':021', ':0', ':000', ':8080');
const user = fc.oneof(
  fc.constantFrom('', '@', 'Fred@', 'a:B@', '%46red@'),
  escape.map((each) => `${each}@`),
);
const authority = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(user, host, port).map((all) => all.join('')) },
  fc.constantFrom('', 'Reg,Name', 'a@B@c', 'User@', ':80', 'Host:abc'),
);
const scheme = fc.constantFrom('http', 'HTTP', 'https', 'ftp', 'foo', 'File', 'x-Y.z+1');
const opaque = fc
  .tuple(
    fc.constantFrom('mailto:', 'NEWS:', 'urn:', 'http:'),
    letters('aZ@.%', 6).map((part) => part.replaceAll('%', '%41')),
    text,
  )
  .map(([name, first, rest]) => `${name}x${first}${rest}`);
const query = fc.oneof(
  fc.constant(''),
  fc.constant('?'),
  text.map((part) => `?${part}?`),
);
const fragment = fc.oneof(
  fc.constant(''),
  fc.constant('#'),
  text.map((part) => `#${part}`),
);

export const hierarchicalUri = fc
  .tuple(scheme, fc.option(authority), path, query, fragment)
  .map(
    ([name, net, segments, ...tail]) =>
      `${name}:${net === null ? segments.replace(/^\/+/, '/') : `//${net}${segments}`}${tail.join('')}`,
  );
export const absoluteUri = fc.oneof(
  { weight: 5, arbitrary: hierarchicalUri },
  fc.tuple(opaque, fragment).map((all) => all.join('')),
);
export const relativeReference = fc
  .tuple(fc.constantFrom('', '', '/', '//h', './', '../', '../../'), path, query, fragment)
  .map(
    ([start, segments, ...tail]) =>
      start +
      (start.endsWith('/') || start === '' ? segments.slice(1).replace(/^[^/]*:/, '') : segments) +
      tail.join(''),
  )
  .filter((reference) => !/^\/\/[^/?#]*[[\]]/.test(reference));

export const variant = fc.constantFrom<'N' | 'P'>('N', 'P');
export const keep = fc.subarray<'frag' | 'query'>(['frag', 'query']);

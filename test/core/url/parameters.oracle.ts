// A second reading of docs/parameters.md, written from that page alone and without regard to speed: each step of the
// definition is a line here, on arrays of byte values.

export interface Settings {
  readonly names: readonly string[];
  readonly isSorted: boolean;
}

/** The canonical form `url` with its parameters dropped and sorted. */
export function rewritten(url: string, { names, isSorted }: Settings): string {
  const [, scheme, rest] = /^([^:]*:)(.*)$/s.exec(url)!;
  if (!rest!.startsWith('/')) return url; // an opaque path
  const [beforeFragment, ...fragment] = rest!.split('#');
  const [path, ...queryParts] = beforeFragment!.split('?');
  if (queryParts.length === 0) return url;
  const given = queryParts.join('?').split('&');
  const kept = given.filter((parameter) => !names.some((name) => isNamed(nameOf(parameter), name)));
  const ordered = isSorted ? kept.slice().sort((a, b) => Buffer.compare(nameOf(a), nameOf(b))) : kept;
  const isGone = kept.length === 0 && given.length > 0;
  const query = isGone ? '' : `?${ordered.join('&')}`;
  return [scheme, path, query, ...(fragment.length > 0 ? ['#', fragment.join('#')] : [])].join('');
}

/** The bytes before the first `=`: `+` is a space, an escape is its byte. */
export function nameOf(parameter: string): Buffer {
  const spelled = parameter.split('=')[0]!.replaceAll('+', ' ');
  return Buffer.concat(
    spelled
      .split(/(%[0-9A-Fa-f]{2})/)
      .map((piece, index) => (index % 2 === 1 ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece, 'latin1'))),
  );
}

/** After a name that ends in a `*` which stands for itself. */
export const EXACT = '\0exact';

/** Whether a name on a list, which may end in `*`, is that of a parameter. */
export function isNamed(bytes: Buffer, name: string): boolean {
  if (name.endsWith(EXACT)) return bytes.equals(Buffer.from(name.slice(0, -EXACT.length), 'utf8'));
  if (!name.endsWith('*')) return bytes.equals(Buffer.from(name, 'utf8'));
  const prefix = Buffer.from(name.slice(0, -1), 'utf8');
  return bytes.subarray(0, prefix.length).equals(prefix);
}

import type { UrlRecord } from './record.ts';

// https://url.spec.whatwg.org/#concept-url-serializer
export function serialize(url: UrlRecord, excludeFragment = false): string {
  let output = `${url.scheme}:${authority(url)}${url.path}`;
  if (url.query !== null) output += `?${url.query}`;
  if (url.fragment !== null && !excludeFragment) output += `#${url.fragment}`;
  return output;
}

/** Without a host, `/.` keeps a path that begins with `//` from being read as one. */
function authority(url: UrlRecord): string {
  if (url.host === null) return !url.hasOpaquePath && url.path.startsWith('//') ? '/.' : '';
  const port = url.port === null ? '' : `:${url.port}`;
  return `//${credentials(url)}${url.host}${port}`;
}

function credentials({ username, password }: UrlRecord): string {
  if (username === '' && password === '') return '';
  return password === '' ? `${username}@` : `${username}:${password}@`;
}

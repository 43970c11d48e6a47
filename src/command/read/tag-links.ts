/** ASCII white space, as the inside of a character class. */
export const WHITE_SPACE = '\\t\\n\\f\\r ';
const TIME = new RegExp(`^[${WHITE_SPACE}]*[\\d.]+(?=[${WHITE_SPACE};,])`);
const BEFORE_URL = new RegExp(
  `^[${WHITE_SPACE}]*[;,]?[${WHITE_SPACE}]*(?:url[${WHITE_SPACE}]*=[${WHITE_SPACE}]*)?`,
  'i',
);
const CANDIDATE = new RegExp(`[${WHITE_SPACE},]*([^${WHITE_SPACE},][^${WHITE_SPACE}]*)`, 'y');

/**
 * Returns the links of a tag of HTML or XHTML: `href` of `a` and `area`, the candidates of `srcset`, and the URL of a
 * `meta` that refreshes.
 */
export function linksOfTag(name: string, valueOf: (attribute: string) => string | undefined): readonly string[] {
  if (name === 'a' || name === 'area') return given(valueOf('href'));
  if (name === 'img' || name === 'source') return candidatesOf(valueOf('srcset') ?? '');
  const isRefresh = name === 'meta' && valueOf('http-equiv')?.toLowerCase() === 'refresh';
  return isRefresh ? given(refreshedUrl(valueOf('content') ?? '')) : [];
}

function given(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}

/** https://html.spec.whatwg.org/#parse-a-srcset-attribute */
function candidatesOf(srcset: string): readonly string[] {
  const urls: string[] = [];
  for (let at = 0; ; ) {
    CANDIDATE.lastIndex = at;
    const url = CANDIDATE.exec(srcset)?.[1];
    if (url === undefined) return urls;
    at = CANDIDATE.lastIndex;
    urls.push(withoutCommas(url));
    if (!url.endsWith(',')) at = endOfDescriptors(srcset, at);
  }
}

function withoutCommas(url: string): string {
  let end = url.length;
  while (url[end - 1] === ',') end--;
  return url.slice(0, end);
}

/** Returns the place of the comma after the descriptors of a candidate: the first that is not in parentheses. */
function endOfDescriptors(srcset: string, start: number): number {
  let at = start;
  for (; at < srcset.length && srcset[at] !== ','; at++) {
    if (srcset[at] !== '(') continue;
    const end = srcset.indexOf(')', at);
    if (end === -1) return srcset.length;
    at = end;
  }
  return at;
}

/** https://html.spec.whatwg.org/#shared-declarative-refresh-steps */
function refreshedUrl(content: string): string | undefined {
  const [time] = TIME.exec(content) ?? [];
  if (time === undefined) return undefined;
  const url = content.slice(time.length).replace(BEFORE_URL, '');
  const [mark] = url;
  const unquoted = mark === '"' || mark === "'" ? url.slice(1).split(mark, 1)[0]! : url;
  return unquoted === '' ? undefined : unquoted;
}

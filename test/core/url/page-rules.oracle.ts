// A second reading of docs/parameters.md, written from that page alone and without regard to speed: each step of the
// definition is a line here, on strings and arrays; names of parameters are bytes.

export type Fold = 'empty-query' | 'escapes' | 'https' | 'index' | 'session' | 'slash' | 'www';

export interface Settings {
  readonly dropParams?: readonly string[];
  readonly keepParams?: readonly string[];
  readonly sortParams?: boolean;
  readonly fold?: readonly Fold[];
  readonly excludeFragment?: boolean | 'but-routes';
  /** Lines in any order; each `HOST[/PATH*] ACTION…`. */
  readonly siteRules?: readonly string[];
}

/** The list index-2026. */
const INDEX = [
  'index.html',
  'index.htm',
  'index.php',
  'index.cgi',
  'index.pl',
  'index.xhtml',
  'index.jsp',
  'default.htm',
  'default.asp',
  'default.aspx',
  'Default.htm',
  'Default.asp',
  'Default.aspx',
];

/** The list session-2026. */
const SESSION = ['jsessionid', 'phpsessid', 'aspsessionid*', 'cfid', 'cftoken'];

/** The form that `settings` make of the canonical form `url`. */
export function paged(url: string, settings: Settings): string {
  const [, scheme, rest] = /^([^:]*):(.*)$/s.exec(url)!;
  if (!rest!.startsWith('/')) return settings.excludeFragment ? url.split('#')[0]! : url; // an opaque path
  const [beforeFragment, ...fragmentParts] = rest!.split('#');
  const [beforeQuery, ...queryParts] = beforeFragment!.split('?');
  const given = queryParts.length === 0 ? undefined : queryParts.join('?').split('&');
  const fragment = fragmentParts.length === 0 ? '' : `#${fragmentParts.join('#')}`;
  if (scheme !== 'http' && scheme !== 'https')
    return `${scheme}:${beforeQuery}${queryOf(given, [settings], settings.sortParams === true)}${settings.excludeFragment ? '' : fragment}`;
  const firstFolds = settings.fold ?? [];
  if (firstFolds.includes('escapes')) {
    const [, start, rest] = /^(https?:\/\/[^/]*)(.*)$/s.exec(url)!;
    const others = { ...settings, fold: firstFolds.filter((fold) => fold !== 'escapes') };
    return paged(start + escapesFolded(rest!), others);
  }
  const [, user, host, port, given0] = /^\/\/([^/]*@)?(\[[^\]]*\]|[^:/]*)(:[0-9]+)?(\/.*)$/s.exec(beforeQuery!)!;
  const path = firstFolds.includes('session') ? withoutSessions(given0!) : given0!;
  const line = selected(settings.siteRules ?? [], host!, path!);
  const folds = new Set([...(settings.fold ?? []), ...(line?.fold ?? [])]);
  const isSorted = settings.sortParams === true || line?.sortParams === true;
  const newScheme = folds.has('https') && port === undefined ? 'https' : scheme;
  const newHost = folds.has('www') ? withoutWww(host!) : host;
  const newPath = foldedPath(path!, folds, line?.path.length ?? 1);
  const sessionless = folds.has('session') ? [{ dropParams: SESSION, ignoresCase: true }] : [];
  const filters = line === undefined ? [settings] : [settings, line];
  const left = queryOf(given, [...filters, ...sessionless], isSorted);
  const query = folds.has('empty-query') && left === '?' ? '' : left;
  const isRoute = settings.excludeFragment === 'but-routes' && namesRoute(fragment);
  const kept = settings.excludeFragment && !line?.keepsFragment && !isRoute ? '' : fragment;
  return `${newScheme}://${user ?? ''}${newHost}${port ?? ''}${newPath}${query}${kept}`;
}

/** Whether a fragment with its # is kept as a route. */
function namesRoute(fragment: string): boolean {
  return (fragment[1] === '!' || fragment[1] === '/') && !['#/', '#!', '#!/'].includes(fragment);
}

interface Line extends Settings {
  readonly keepsFragment: boolean;
  readonly host: string;
  readonly path: string;
}

function selected(lines: readonly string[], host: string, path: string): Line | undefined {
  const bare = withoutWww(host);
  const matching = lines
    .map(readLine)
    .filter(({ host: own }) => own === '' || bare === own || bare.endsWith(`.${own}`))
    .filter((line) => path.startsWith(line.path));
  const best = matching.sort((a, b) => b.host.length - a.host.length || b.path.length - a.path.length)[0];
  const same = matching.filter((line) => line.host === best?.host && line.path === best.path);
  return best === undefined ? undefined : same.reduce(together);
}

function together(one: Line, other: Line): Line {
  const keepParams = [...(one.keepParams ?? []), ...(other.keepParams ?? [])];
  return {
    ...one,
    dropParams: [...one.dropParams!, ...other.dropParams!],
    ...(keepParams.length > 0 && { keepParams }),
    sortParams: one.sortParams! || other.sortParams!,
    fold: [...one.fold!, ...other.fold!],
    keepsFragment: one.keepsFragment || other.keepsFragment,
  };
}

function readLine(line: string): Line {
  const [, host, path, actions] = /^([^/ \t]+)(?:(\/[^ \t]*)\*)?[ \t]+(.*)$/s.exec(line)!;
  const words = actions!.split(';').map((action) => action.split(/[ \t]+/).filter((word) => word !== ''));
  const of = (verb: string) => words.filter(([first]) => first === verb).flatMap(([, ...names]) => names);
  const keep = of('keep').map(nameIn);
  return {
    host: host === '*' ? '' : withoutWww(host!),
    path: path ?? '/',
    dropParams: of('drop').map(nameIn),
    ...(keep.length > 0 && { keepParams: keep }),
    sortParams: words.some(([verb]) => verb === 'sort'),
    fold: of('fold') as Fold[],
    keepsFragment: words.some(([verb]) => verb === 'fragment'),
  };
}

/**
 * Reads a name in a line, where a `*` that is escaped is the character: only a final one that is not stands for any
 * end.
 */
function nameIn(word: string): string {
  const name = decodeURIComponent(word.replace(/\*$/, ''));
  return word.endsWith('*') ? `${name}*` : name.replace(/\*$/, `*${EXACT}`);
}

function withoutWww(host: string): string {
  const rest = host.slice('www.'.length);
  const isLeading = host.startsWith('www.') && rest.split('.').filter((label) => label !== '').length >= 2;
  return isLeading ? withoutWww(rest) : host;
}

/** From left to right: what is written is what a later escape follows. */
function escapesFolded(text: string): string {
  const isEscape = (spelled: string) => /^%[0-9A-Fa-f]{2}$/.test(spelled);
  let written = '';
  for (let at = 0; at < text.length; ) {
    const escape = text.slice(at, at + 3);
    if (text[at] !== '%' || !isEscape(escape)) {
      written += text[at++];
      continue;
    }
    at += 3;
    const character = Buffer.from(escape.slice(1), 'hex').toString('latin1');
    const unescaped = written + character + text.slice(at, at + 2);
    // a % in one of the two places before it begins no escape yet
    const isCompleted = [written.length - 2, written.length - 1].some((place) => {
      const wasEscape = isEscape((written + escape).slice(Math.max(0, place), place + 3));
      const reachesIt = place + 3 > written.length;
      return place >= 0 && reachesIt && !wasEscape && isEscape(unescaped.slice(place, place + 3));
    });
    const isUnreserved = /^[A-Za-z0-9]$/.test(character) || '-._~'.includes(character);
    written += isUnreserved && !isCompleted ? character : escape.toUpperCase();
  }
  return written;
}

function withoutSessions(path: string): string {
  const segments = path.slice(1).split('/');
  const isSession = (parameter: string) =>
    isListed(parameter.toLowerCase(), SESSION, (text) => Buffer.from(text.split('=')[0]!));
  const kept = segments.map((segment) => {
    const [start, ...parameters] = segment.split(';');
    return [start!, ...parameters.filter((parameter) => !isSession(parameter))].join(';');
  });
  if (kept.join('/') === segments.join('/')) return path;
  const resolved: string[] = [];
  for (const [index, segment] of kept.entries()) {
    const plain = segment.replace(/%2e/gi, '.');
    if (plain === '..') resolved.pop();
    if (plain !== '.' && plain !== '..') resolved.push(segment);
    else if (index === kept.length - 1) resolved.push('');
  }
  return `/${resolved.join('/')}`;
}

function foldedPath(path: string, folds: ReadonlySet<Fold>, least: number): string {
  let folded = path;
  if (folds.has('slash')) while (folded.endsWith('/') && folded.length > least) folded = folded.slice(0, -1);
  const segments = folded.split('/');
  const parent = [...segments.slice(0, -1), ''].join('/');
  if (folds.has('index') && INDEX.includes(segments.at(-1)!) && parent.length >= least) folded = parent;
  return folded === path ? path : foldedPath(folded, folds, least);
}

interface Filter extends Settings {
  readonly ignoresCase?: boolean;
}

function queryOf(given: readonly string[] | undefined, filters: readonly Filter[], isSorted: boolean): string {
  if (given === undefined) return '';
  const lowerCase = (parameter: string) => Buffer.from(nameOf(parameter).toString('latin1').toLowerCase(), 'latin1');
  const stays = (parameter: string) =>
    filters.every(
      ({ dropParams = [], keepParams, ignoresCase }) =>
        !isListed(parameter, dropParams, ignoresCase ? lowerCase : nameOf) &&
        (keepParams === undefined || isListed(parameter, keepParams)),
    );
  const kept = given.filter(stays);
  const ordered = isSorted ? kept.slice().sort((a, b) => Buffer.compare(nameOf(a), nameOf(b))) : kept;
  return kept.length === 0 ? '' : `?${ordered.join('&')}`;
}

function isListed(parameter: string, names: readonly string[], read: (parameter: string) => Buffer = nameOf): boolean {
  return names.some((name) => isNamed(read(parameter), name));
}

/** The bytes before the first `=`: `+` is a space, an escape is its byte. */
function nameOf(parameter: string): Buffer {
  const spelled = parameter.split('=')[0]!.replaceAll('+', ' ');
  return Buffer.concat(
    spelled
      .split(/(%[0-9A-Fa-f]{2})/)
      .map((piece, index) => (index % 2 === 1 ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece, 'latin1'))),
  );
}

/** After a name that ends in a `*` which stands for itself. */
const EXACT = '\0exact';

/** Whether a name on a list, which may end in `*`, is that of a parameter. */
function isNamed(bytes: Buffer, name: string): boolean {
  if (name.endsWith(EXACT)) return bytes.equals(Buffer.from(name.slice(0, -EXACT.length), 'utf8'));
  if (!name.endsWith('*')) return bytes.equals(Buffer.from(name, 'utf8'));
  const prefix = Buffer.from(name.slice(0, -1), 'utf8');
  return bytes.subarray(0, prefix.length).equals(prefix);
}

/** The text of a URL that is read with a default scheme, character by character. */
export function withScheme(text: string, scheme: string): string {
  const read = Array.from(text).filter((each) => !'\t\n\r'.includes(each));
  while (read.length > 0 && read[0]! <= ' ') read.shift();
  while (read.length > 0 && read.at(-1)! <= ' ') read.pop();
  if (read.length === 0 || '/\\?#'.includes(read[0]!)) return text;
  const end = read.findIndex((each) => !/^[A-Za-z0-9+.-]$/.test(each));
  const hasScheme = /^[A-Za-z]$/.test(read[0]!) && read[end] === ':';
  if (!hasScheme) return `${scheme}://${read.join('')}`;
  const name = read.slice(0, end);
  const rest = read.slice(end + 1);
  const after = rest.findIndex((each) => !/^[0-9]$/.test(each));
  const digits = after === -1 ? rest.length : after;
  const isHost = name.includes('.') || name.join('').toLowerCase() === 'localhost';
  const isPort = digits > 0 && (after === -1 || '/?#'.includes(rest[after]!));
  return isHost && isPort ? `${scheme}://${read.join('')}` : text;
}

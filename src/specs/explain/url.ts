import { asciiLowercase, isAsciiDigit, isAsciiString } from '../../core/bytes/code-points.ts';
import { hexOfBytes } from '../../core/bytes/hex.ts';
import { asciiBytes } from '../../core/bytes/text.ts';
import { sha256 } from '../../core/kernel/js.ts';
import { parseBase, withRules } from '../../core/url/canonicalize.ts';
import { Failure } from '../../core/url/failure.ts';
import { formOf, type Options, type UrlForm } from '../../core/url/options.ts';
import { beforeLine, siteLineOf } from '../../core/url/page-rules.ts';
import { type Base, parsedUrl } from '../../core/url/parsed-url.ts';
import { withDefaultScheme, withoutC0ControlsAround, withoutTabsAndNewlines } from '../../core/url/parser.ts';
import { FORBIDDEN_DOMAIN, FORBIDDEN_HOST, isForbidden } from '../../core/url/percent.ts';
import { profileOfForm } from '../../core/url/profile.ts';
import { NO_PORT, serialize, type UrlRecord } from '../../core/url/record.ts';
import {
  documented,
  type ExplainedFailure,
  type ExplainedPart,
  type Explanation,
  type Span,
  Steps,
  standard,
} from './explanation.ts';
import { addRuleSteps } from './rule-steps.ts';
import {
  joined,
  PART_NAMES,
  type PartSpans,
  PartSteps,
  type Pieces,
  Reported,
  schemeIn,
  spansInInput,
  spansOf,
} from './url-parts.ts';

/** Explains what `canonicalize` of `urlsum` does. @throws {UrlError} where `base` is not a URL */
export function explainUrl(input: string, { base: givenBase, defaultScheme, ...options }: Options): Explanation {
  const form = formOf(options);
  const base = parseBase({ base: givenBase, defaultScheme }, form);
  const baseRecord = typeof base === 'string' ? undefined : base;
  const steps = new Steps(input);
  addCleaning(steps, input);
  const schemeLength = addDefaultScheme(steps, base);
  const read = steps.text;
  const reported = new Reported();
  const record = parsedUrl(read, baseRecord, form.unicode, reported);
  const spans = spansOf(read, schemeIn(read, baseRecord?.scheme), reported);
  const given = spansInInput(input, spans, schemeLength);
  const partSteps = new PartSteps(steps, piecesOf(read, spans), unread(read, spans, record));
  const explained = { specification: 'url', profile: profileOfForm(form), input, steps: steps.list } as const;
  if (record instanceof Failure) {
    addScheme(partSteps);
    addDomain(partSteps, reported);
    return { ...explained, parts: partsOf(given, new Map()), failure: explainedFailure(record, input, given) };
  }
  addPartSteps(partSteps, record, baseRecord, reported);
  const canonical = addFormSteps(partSteps, record, form);
  const parts = partsOf(given, joined(partSteps.pieces).spans);
  return { ...explained, parts, canonical, hash: sha256Hex(canonical), expressions: [] };
}

function addCleaning(steps: Steps, input: string): void {
  const trimmed = withoutC0ControlsAround(input);
  steps.add(trimmed, 'spaces and control characters around it removed', standard('concept-basic-url-parser'));
  steps.add(withoutTabsAndNewlines(trimmed), 'tabs and newlines removed', standard('concept-basic-url-parser'));
}

/** Adds the scheme that the options give, and returns how many characters it takes. */
function addDefaultScheme(steps: Steps, base: Base | undefined): number {
  if (typeof base !== 'string') return 0;
  const { length } = steps.text;
  steps.add(
    withDefaultScheme(steps.text, base),
    `read with the default scheme ${base}`,
    documented('Hosts without a scheme'),
  );
  return steps.text.length - length;
}

function piecesOf(text: string, spans: PartSpans): Pieces {
  return Object.fromEntries(Array.from(spans, ([name, [start, end]]) => [name, text.slice(start, end)]));
}

/** Returns what comes after the last part that the parser got to. */
function unread(text: string, given: PartSpans, record: UrlRecord | Failure): string {
  if (!(record instanceof Failure)) return '';
  const end = Math.max(0, ...Array.from(given.values(), ([, partEnd]) => partEnd));
  return text.slice(end);
}

function partsOf(given: PartSpans, canonical: PartSpans): ExplainedPart[] {
  return PART_NAMES.filter((name) => given.has(name) || canonical.has(name)).map((name) => {
    return { name, given: given.get(name), canonical: canonical.get(name) };
  });
}

/** Says why the input has no canonical form, and where: at its start, unless a part of it is at fault. */
function explainedFailure({ reason, sentence, place }: Failure, input: string, given: PartSpans): ExplainedFailure {
  const inputStart = Math.max(0, input.search(/[^\0- ]/));
  const [start, end] = given.get(place) ?? [inputStart, inputStart];
  const [from, to] = offendingSpan(input.slice(start, end), reason);
  return { reason, sentence, place, span: [start + from, start + to] };
}

/** Returns the span of the character, or its escape, that a reason is about, or of the whole part. */
function offendingSpan(part: string, reason: string): Span {
  if (reason === 'host-invalid-code-point') return spanOfFirst(part, (code) => isForbidden(code, FORBIDDEN_HOST));
  if (reason === 'port-invalid') return spanOfFirst(part, (code) => !isAsciiDigit(code));
  if (reason !== 'domain-invalid-code-point') return [0, part.length];
  for (const { 0: text, index } of part.matchAll(/%[0-9A-Fa-f]{2}|./gs)) {
    const character = text.length === 1 ? text : String.fromCharCode(Number.parseInt(text.slice(1), 16));
    if (isForbidden(character.charCodeAt(0), FORBIDDEN_DOMAIN)) return [index, index + text.length];
  }
  return [0, part.length];
}

/** Returns the span of the first offending UTF-16 unit, or of the whole part. */
function spanOfFirst(part: string, isOffending: (code: number) => boolean): Span {
  for (let at = 0; at < part.length; at++) if (isOffending(part.charCodeAt(at))) return [at, at + 1];
  return [0, part.length];
}

/** Returns the SHA-256 of an ASCII text, computed in JavaScript, so that one build serves all hosts. */
export function sha256Hex(text: string): string {
  return hexOfBytes(sha256(asciiBytes(text)));
}

/** Adds what the form leaves out of the serialization, and returns the canonical form. */
function addFormSteps(steps: PartSteps, record: UrlRecord, form: UrlForm): string {
  const canonical = withRules(serialize(record, form.excludeFragment), form);
  const isExcluded = form.options.excludeFragment !== undefined && !canonical.includes('#');
  if (isExcluded) steps.change('fragment', undefined, 'left out, as asked for', 'url-serializing');
  const serialized = serialize(record, isExcluded);
  const line = siteLineOf(beforeLine(serialized, form.options.fold ?? []), form.rules?.sites);
  addRuleSteps(steps, serialized, canonical, line, form);
  return canonical;
}

/** Adds what happens to the parts, in the order of the parser, on their way to `record`. */
function addPartSteps(steps: PartSteps, record: UrlRecord, base: UrlRecord | undefined, reported: Reported): void {
  addScheme(steps);
  if (base !== undefined && isRelative(steps.pieces, record)) addResolved(steps, record, reported);
  addSlashes(steps, record);
  addCredentials(steps, record);
  addHost(steps, record, reported);
  addPort(steps, record);
  if (record.hasOpaquePath) steps.change('path', record.path, 'percent-encoded', 'cannot-be-a-base-url-path-state');
  else addPath(steps, record, reported);
  addEncoded(steps, 'query', record.query, record.isSpecial ? 'special-query' : 'query');
  addEncoded(steps, 'fragment', record.fragment, 'fragment');
}

function addScheme(steps: PartSteps): void {
  const { scheme } = steps.pieces;
  if (scheme !== undefined) steps.change('scheme', asciiLowercase(scheme), 'lower-cased', 'scheme-state');
}

/** Whether the input has no scheme, or no authority where the record has one: `http:x` and `file:/x` with a base. */
function isRelative(pieces: Pieces, { scheme, host }: UrlRecord): boolean {
  return pieces.scheme === undefined || (scheme !== '' && pieces.slashes === undefined && host !== null);
}

/** Takes from the base what the input lacks. */
function addResolved(steps: PartSteps, record: UrlRecord, { writtenPath: written }: Reported): void {
  const { pieces } = steps;
  const isSameDocument = pieces.path === '' && pieces.slashes === undefined;
  const inherited = pieces.slashes === undefined ? writtenAuthority(record) : {};
  const query = isSameDocument && pieces.query === undefined ? (record.query ?? undefined) : pieces.query;
  const given = pieces.path ?? '';
  const tail = /^[/\\]/.test(given) && (record.isSpecial || given.startsWith('/')) ? given.slice(1) : given;
  const raw = written === undefined ? record.path : `${written[0]}/${tail}`;
  const resolved = pieces.slashes === undefined ? raw : given;
  steps.changeAll(
    { ...inherited, scheme: record.scheme, path: resolved, query },
    'resolved against the base URL',
    'relative-state',
  );
}

/** Returns the parts of an authority as the serializer writes them, or none. */
function writtenAuthority({ username, password, host, port }: UrlRecord): Pieces {
  if (host === null) return { slashes: undefined };
  const hasCredentials = username !== '' || password !== '';
  return {
    slashes: '//',
    username: hasCredentials ? username : undefined,
    password: password === '' ? undefined : password,
    host,
    port: port === NO_PORT ? undefined : String(port),
  };
}

function addSlashes(steps: PartSteps, { isSpecial, scheme, host }: UrlRecord): void {
  const state = scheme === 'file' ? 'file-slash-state' : 'special-authority-ignore-slashes-state';
  if (isSpecial)
    steps.change('slashes', steps.pieces.slashes?.replaceAll('\\', '/'), 'backslashes read as slashes', state);
  const written = host === null ? undefined : '//';
  steps.change('slashes', written, 'two slashes written before the authority', 'concept-url-serializer');
}

function addCredentials(steps: PartSteps, { username, password }: UrlRecord): void {
  const { pieces } = steps;
  const leftOut = 'left out, because it is empty';
  if (pieces.username !== undefined)
    steps.change('username', username, 'percent-encoded', 'userinfo-percent-encode-set');
  if (pieces.password !== undefined)
    steps.change('password', password, 'percent-encoded', 'userinfo-percent-encode-set');
  if (password === '') steps.change('password', undefined, leftOut, 'concept-url-serializer');
  if (password === '' && username === '') steps.change('username', undefined, leftOut, 'concept-url-serializer');
}

function addHost(steps: PartSteps, { host, isSpecial, scheme }: UrlRecord, reported: Reported): void {
  const given = steps.pieces.host;
  if (given === undefined || host === null) return;
  if (given.startsWith('['))
    return steps.change('host', host, 'written as the shortest form of the IPv6 address', 'concept-ipv6-serializer');
  if (!isSpecial) return steps.change('host', host, 'percent-encoded', 'concept-opaque-host-parser');
  addDomain(steps, reported);
  if (scheme === 'file' && host === '')
    return steps.change('host', host, 'left empty, because localhost is the empty host of a file', 'file-host-state');
  steps.change('host', host, 'written as the four decimal parts of the IPv4 address', 'concept-ipv4-serializer');
}

function addDomain(steps: PartSteps, reported: Reported): void {
  const { decodedDomain, asciiDomain } = reported;
  if (decodedDomain !== undefined) steps.change('host', decodedDomain, 'percent-decoded', 'concept-host-parser');
  if (asciiDomain === undefined) return;
  const hasOnlyCase = isAsciiString(decodedDomain ?? '');
  const note = asciiDomain.includes('xn--') ? ', labels beyond ASCII in Punycode' : '';
  const change = hasOnlyCase ? 'lower-cased' : `mapped and normalized by UTS #46${note}`;
  steps.change('host', asciiDomain, change, 'concept-domain-to-ascii');
}

function addPort(steps: PartSteps, { port, scheme }: UrlRecord): void {
  const { pieces } = steps;
  if (pieces.port === '') return steps.change('port', undefined, 'left out, because it is empty', 'port-state');
  if (port !== NO_PORT) return steps.change('port', String(port), 'leading zeroes removed', 'port-state');
  if (pieces.port !== undefined)
    steps.change('port', undefined, `left out, because it is the default port of ${scheme}`, 'port-state');
}

function addPath(steps: PartSteps, { path, host, isSpecial, scheme }: UrlRecord, reported: Reported): void {
  const given = steps.pieces.path ?? '';
  const [base, slashed, encoded] = reported.writtenPath ?? ['', path.slice(1), path.slice(1)];
  const written = path === '' ? '' : `${base}/${encoded}`;
  if (given === '') steps.change('path', path, 'an empty path written as a slash', 'path-start-state');
  else if (!given.startsWith('/') && !(isSpecial && given.startsWith('\\')))
    steps.change('path', `/${given}`, 'begun with a slash', 'path-start-state');
  if (isSpecial) steps.change('path', `${base}/${slashed}`, 'backslashes read as slashes', 'path-state');
  steps.change('path', written, 'percent-encoded', 'path-percent-encode-set');
  steps.change('path', path, resolvingChange(written, path, scheme), 'path-state');
  if (host === null && path.startsWith('//'))
    steps.change('path', `/.${path}`, 'written after /. so that // begins no authority', 'concept-url-serializer');
}

function resolvingChange(written: string, path: string, scheme: string): string {
  if (scheme !== 'file' || !/^\/[A-Za-z]:/.test(path)) return 'dot segments resolved';
  const drive = 'drive letter written with a colon';
  if (written.replace('|', ':') === path) return drive;
  return written.includes('|') ? `dot segments resolved, ${drive}` : 'dot segments resolved';
}

function addEncoded(steps: PartSteps, part: 'query' | 'fragment', text: string | null, set: string): void {
  if (text !== null) steps.change(part, text, 'percent-encoded', `${set}-percent-encode-set`);
}

import type { UrlForm } from '../../core/url/options.ts';
import { beforeLine } from '../../core/url/page-rules.ts';
import { documented } from './explanation.ts';
import type { PartSteps } from './url-parts.ts';

/**
 * Adds the steps from a full serialization to its canonical form under rules, in the order of docs/parameters.md. `line`
 * is the line of the rules for sites that applies, if one does.
 */
export function addRuleSteps(
  steps: PartSteps,
  given: string,
  canonical: string,
  line: string | undefined,
  { options: { fold: folds = [] }, rules }: UrlForm,
): void {
  const { path, query, fragment } = partsOf(folds.includes('escapes') ? beforeLine(given, ['escapes']) : given);
  const before = partsOf(beforeLine(given, folds));
  const after = partsOf(canonical);
  const asked = line === undefined ? 'as asked for' : `as asked for, with the line '${line}'`;
  const spelled = 'escapes spelled as RFC 3986 has them, as asked for';
  steps.changeAll({ path, query, fragment }, spelled, documented('escapes'));
  steps.change('path', before.path, 'sessions removed from the path, as asked for', documented('session'));
  steps.change('scheme', after.scheme, `http folded to https, ${asked}`, documented('https'));
  steps.change('host', hostIn(after.authority), `leading www labels removed, ${asked}`, documented('www'));
  addPathSteps(steps, before.path, after.path, asked);
  if (rules?.variance === undefined) addQuerySteps(steps, before.query, after.query, asked);
  else steps.change('query', after.query, 'as the header No-Vary-Search has it', documented('No-Vary-Search'));
}

/** Adds final slashes and index files that were removed, which may take turns. */
function addPathSteps(steps: PartSteps, before: string, after: string, asked: string): void {
  for (let path = before; path.length > after.length; ) {
    const isSlash = path.endsWith('/');
    const left = isSlash ? withoutFinalSlashes(path) : path.slice(0, path.lastIndexOf('/') + 1);
    path = left.length < after.length ? after : left;
    steps.change('path', path, `${isSlash ? 'final slashes' : 'an index file'} removed, ${asked}`, documented('Path'));
  }
}

function addQuerySteps(steps: PartSteps, before: string | undefined, after: string | undefined, asked: string): void {
  if (before === '' && after === undefined)
    return steps.change('query', undefined, `an empty query removed, ${asked}`, documented('Result'));
  steps.change('query', staying(before, after), `parameters dropped, ${asked}`, documented('What stays'));
  steps.change('query', after, `parameters sorted by name, ${asked}`, documented('Sorting'));
}

interface Parts {
  readonly scheme: string;
  readonly authority: string | undefined;
  readonly path: string;
  /** The query without its `?`. */
  readonly query: string | undefined;
  /** The fragment without its `#`. */
  readonly fragment: string | undefined;
}

function partsOf(canonical: string): Parts {
  const [, scheme, authority, path, query, fragment] =
    /^([^:]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(canonical)!;
  return { scheme: scheme!, authority, path: path!, query, fragment };
}

function hostIn(authority: string | undefined): string | undefined {
  return authority === undefined ? undefined : /^(?:.*@)?(\[.*\]|[^:]*)/.exec(authority)![1];
}

/** Returns the parameters of one query that are in another, too, in their order. */
function staying(given: string | undefined, left: string | undefined): string | undefined {
  if (given === undefined || left === undefined) return undefined;
  const counts = new Map<string, number>();
  for (const parameter of left.split('&')) counts.set(parameter, (counts.get(parameter) ?? 0) + 1);
  const isLeft = (parameter: string) => {
    const count = counts.get(parameter) ?? 0;
    counts.set(parameter, count - 1);
    return count > 0;
  };
  return given.split('&').filter(isLeft).join('&');
}

function withoutFinalSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}

import type { Clause } from './explanation.ts';
import type { PartSteps } from './url-steps.ts';

/**
 * Adds what rules make of a serialization, in the order of the definition, from what they left of it. `line` is that of
 * the rules for sites, if one applies.
 */
export function addRuleSteps(steps: PartSteps, serialized: string, canonical: string, line: string | undefined): void {
  const [from, to] = [partsOf(serialized), partsOf(canonical)];
  const asked = line === undefined ? 'as asked for' : `as asked for, with the line '${line}'`;
  steps.change('scheme', to.scheme, `http folded to https, ${asked}`, clause('4, https'));
  steps.change('host', hostIn(to.authority), `leading www labels removed, ${asked}`, clause('5, www'));
  for (let path = from.path; path.length > to.path.length; ) {
    const isSlash = path.endsWith('/');
    const left = isSlash ? path.replace(/\/+$/, '') : path.slice(0, path.lastIndexOf('/') + 1);
    path = left.length < to.path.length ? to.path : left;
    steps.change('path', path, `${isSlash ? 'final slashes' : 'an index file'} removed, ${asked}`, clause('6, Path'));
  }
  const dropped = `parameters dropped, ${asked}`;
  steps.change('query', staying(from.query, to.query), dropped, clause('9, What stays'));
  steps.change('query', to.query, `parameters sorted by name, ${asked}`, clause('10, Sorting'));
}

interface Parts {
  readonly scheme: string;
  readonly authority: string | undefined;
  readonly path: string;
  /** Without its `?`. */
  readonly query: string | undefined;
}

function partsOf(canonical: string): Parts {
  const [, scheme, authority, path, query] = /^([^:]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/.exec(canonical)!;
  return { scheme: scheme!, authority, path: path!, query };
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

/** Cites a page that comes with the package, and has no address of its own. */
function clause(name: string): Clause {
  return { name: `docs/parameters.md, ${name}`, address: undefined };
}

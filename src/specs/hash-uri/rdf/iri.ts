// IRIs of RDF documents: RDF 1.1 Concepts, section 3.2, has absolute ones only, and Turtle, section 6.3, resolves
// relative ones by "only the basic algorithm in section 5.2" of RFC 3986. That of hashed URIs is RFC 2396, which keeps
// a `..` that has nothing to climb, and to which URIs such as `urn:isbn:1` are opaque: no step of it is the same.

const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]*:/;
/** Turtle, production [18] IRIREF: what no IRI in angle brackets holds. */
const NOT_IN_IRI = /[\0- <>"{}|^`\\]/;

/** Whether it begins with a scheme. */
export function isAbsoluteIri(iri: string): boolean {
  return ABSOLUTE.test(iri);
}

/** Whether an IRI could be written in angle brackets. */
export function hasIriCharacters(iri: string): boolean {
  return !NOT_IN_IRI.test(iri);
}

/**
 * Characters that may stand anywhere in an IRI (RFC 3987, section 2.2): unreserved characters, delimiters of parts, and
 * those of the Basic Multilingual Plane beyond ASCII. Brackets are for addresses, and a percent sign needs two digits.
 */
const SINGLE = /^[\w.~!$&'()*+,;=:@/?#\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef-]$/;

/** Whether it is one character, of one UTF-16 unit, that an IRI may hold. */
export function isIriCharacter(text: string): boolean {
  return SINGLE.test(text);
}

/** RFC 3986, appendix B, with a scheme that is one; an absent part is undefined, which an empty one is not. */
const PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

interface Parts {
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

function partsOf(iri: string): Parts & { readonly scheme: string | undefined } {
  const [, scheme, authority, path = '', query, fragment] = PARTS.exec(iri)!;
  return { scheme, authority, path, query, fragment };
}

/** An absolute IRI that relative ones of a document are resolved against. */
export class BaseIri {
  readonly #scheme: string;
  readonly #parts: Parts;

  constructor(iri: string) {
    const { scheme, ...parts } = partsOf(iri);
    this.#scheme = scheme!;
    this.#parts = parts;
  }

  /**
   * RFC 3986, section 5.2.2: the IRI that a relative reference stands for; undefined where it is none, since its first
   * segment has a colon (4.2), or where the result would be read with other parts, as a path that begins with `//`
   * would become an authority (3.3).
   */
  resolve(reference: string): string | undefined {
    const parts = partsOf(reference);
    if (parts.authority === undefined && /^[^/]*:/.test(parts.path)) return undefined;
    const { authority, path, query } = this.#target(parts);
    if (authority === undefined && path.startsWith('//')) return undefined;
    return `${this.#scheme}:${written('//', authority)}${path}${written('?', query)}${written('#', parts.fragment)}`;
  }

  #target({ authority, path, query }: Parts): Omit<Parts, 'fragment'> {
    const base = this.#parts;
    if (authority !== undefined) return { authority, path: withoutDotSegments(path), query };
    if (path === '') return { ...base, query: query ?? base.query };
    return {
      authority: base.authority,
      path: withoutDotSegments(path.startsWith('/') ? path : this.#merged(path)),
      query,
    };
  }

  /** Section 5.2.3. */
  #merged(path: string): string {
    const base = this.#parts;
    if (base.authority !== undefined && base.path === '') return `/${path}`;
    return base.path.slice(0, base.path.lastIndexOf('/') + 1) + path;
  }
}

function written(mark: string, part: string | undefined): string {
  return part === undefined ? '' : mark + part;
}

/**
 * Section 5.2.4, a segment at a time: what its steps A to E make of a buffer, in linear time. `..` takes the segment
 * before it away with its slash, so that the next begins with one, also where the path did not: `a/../b` becomes `/b`.
 */
function withoutDotSegments(path: string): string {
  const segments = path.split('/');
  const start = segments.findIndex((segment) => !isDots(segment)); // A, D: dots that no slash precedes
  if (start === -1) return '';
  const kept = [segments[start]!];
  for (let at = start + 1; at < segments.length; at++) {
    const segment = segments[at]!;
    if (segment === '..') kept.pop(); // C
    if (!isDots(segment)) kept.push(`/${segment}`);
    else if (at === segments.length - 1) kept.push('/'); // B, C: a folder
  }
  return kept.join('');
}

function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

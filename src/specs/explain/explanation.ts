import type { Profile } from '../safe-browsing/host.ts';

/** UTF-16 units [start, end) of a text. */
export type Span = readonly [start: number, end: number];

/** The place where a rule is written. */
export interface Clause {
  /** The name to cite it by: `URL Standard, scheme-state`. */
  readonly name: string;
  /** The address where it can be read; undefined where it has no address of its own. */
  readonly address: string | undefined;
}

/** Cites a clause of the URL Standard by the fragment of its address. */
export function standard(fragment: string): Clause {
  return { name: `URL Standard, ${fragment}`, address: `https://url.spec.whatwg.org/#${fragment}` };
}

/** Cites a section of docs/parameters.md, which comes with the package and has no address of its own. */
export function documented(name: string): Clause {
  return { name: `docs/parameters.md, ${name}`, address: undefined };
}

/** A step of a specification, and the URL that it left. */
export interface Step {
  /** The whole URL as the step leaves it, and never as it was before. */
  readonly text: string;
  /** The change, in words: `lower-cased`. */
  readonly change: string;
  /** The rule that asks for it. */
  readonly clause: Clause;
  /** The part it was done to; undefined where it was the whole. */
  readonly part: string | undefined;
  /** The place where that part lies in `text`; undefined where the step left it out, or was of the whole. */
  readonly span: Span | undefined;
}

/** A part of a URL, its delimiters left out. */
export interface ExplainedPart {
  /**
   * The name that the URL Standard gives it: `scheme`, `slashes`, `username`, `password`, `host`, `port`, `path`,
   * `query`, `fragment`.
   */
  readonly name: string;
  /** The place where it lies in the input; undefined where the input has none. */
  readonly given: Span | undefined;
  /** The place where it lies in the canonical form; undefined where that has none. */
  readonly canonical: Span | undefined;
}

/** An expression to look up in lists of unsafe sites. */
export interface ExplainedExpression {
  /** The host's suffix and the path's prefix: `example.com/a/`. */
  readonly expression: string;
  /** The SHA-256, 64 hex digits, which begin with every prefix of it. */
  readonly hash: string;
  /** The readings of the input, of four, that look it up, the explained one among them. */
  readonly readings: readonly {
    /** The page whose steps are taken. */
    readonly profile: Profile;
    /** The input that the steps are taken on. */
    readonly mode: 'spec' | 'browser';
  }[];
}

/** The reason why an input has no canonical form. */
export interface ExplainedFailure {
  /** The name of the reason, as in the error that `canonicalize` throws. */
  readonly reason: string;
  /** The meaning of the reason: `the host is empty`. */
  readonly sentence: string;
  /** The part that it lies in. */
  readonly place: string;
  /**
   * The place where it lies in the input: an empty span where something is missing; undefined where it is in no one
   * place.
   */
  readonly span: Span | undefined;
}

/** The specifications that `explain` knows. */
export type Specification = 'url' | 'web-risk' | 'v5';

/**
 * The explanation of how an input comes to its canonical form, or why it has none. Its two kinds have no names, which
 * the declarations of programs that return one of them would need.
 */
export type Explanation = {
  /** The one that was asked for. */
  readonly specification: Specification;
  /** The name of the canonical form: `url/1+unicode18`, `v5/browser`. */
  readonly profile: string;
  /** The input as it was given. Bytes that are not UTF-8 stand as `\xHH`, here as in every step. */
  readonly input: string;
  /**
   * The steps in the order they were taken; the last one leaves the canonical form. Empty where the input is canonical.
   */
  readonly steps: readonly Step[];
  /** The parts in their order; empty for specifications without parts of their own. */
  readonly parts: readonly ExplainedPart[];
} & (
  | {
      /** The canonical form. */
      readonly canonical: string;
      /** The SHA-256 in hex; undefined where the specification has no one hash. */
      readonly hash: string | undefined;
      /** The expressions in their order; empty for specifications without them. */
      readonly expressions: readonly ExplainedExpression[];
      /** Absent where there is a canonical form. */
      readonly failure?: undefined;
    }
  | {
      /** Absent where there is none. */
      readonly canonical?: undefined;
      /** Absent where there is none. */
      readonly hash?: undefined;
      /** Absent where there is none. */
      readonly expressions?: undefined;
      /** The reason why there is no canonical form. */
      readonly failure: ExplainedFailure;
    }
);

/** Collects steps; one that leaves the text as it was is left out. */
export class Steps {
  readonly list: Step[] = [];
  #text: string;

  constructor(given: string) {
    this.#text = given;
  }

  /** The text as the last step left it. */
  get text(): string {
    return this.#text;
  }

  add(text: string, change: string, clause: Clause, part?: string, span?: Span): void {
    if (text !== this.#text) this.list.push({ text, change, clause, part, span });
    this.#text = text;
  }
}

import type { Trace as TraceOf } from '../../core/url/trace.ts';

/** The steps and findings of the canonicalizer, in their order. */
export type TracedStep =
  | 'tabs and line ends removed'
  | 'fragment removed'
  | 'visited by a browser'
  | 'spaces around removed'
  | 'unescaped'
  | 'scheme'
  | 'authority'
  | 'host'
  | 'host in Punycode'
  | 'host without surplus dots'
  | 'host as an address'
  | 'host lower-cased'
  | 'host canonicalized'
  | 'path'
  | 'path without dot segments'
  | 'path canonicalized'
  | 'path of an empty path'
  | 'canonical';

/** The bytes [start, end) after each step. */
export type Trace = TraceOf<Record<TracedStep, [bytes: Uint8Array, start: number, end: number]>>;

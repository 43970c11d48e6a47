/** What a line of a block list says. Lines are given as latin1, in which a position is that of a byte. */
export type BlockListLine = Listed | Refusal;

/** What it lists, and what it has besides. */
export interface Listed {
  /** Where each URL or host lies in the line: [start, end). */
  readonly urls: readonly Span[];
  readonly leftOut: readonly LeftOutKind[];
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Why it cannot be listed; nothing of it is. */
export interface Refusal {
  readonly reason: string;
  readonly sentence: string;
}

/** Reads the lines of one kind of block list. */
export type ReadLine = (line: string) => BlockListLine;

/** What entries stand for, in the words of the summary: one, and several. */
export const ENTRY_KINDS = {
  hosts: ['host', 'hosts'],
  folders: ['folder', 'folders'],
  pages: ['page', 'pages'],
} as const;

/** What is not listed, in the same words. */
export const LEFT_OUT_KINDS = {
  comments: ['comment', 'comments'],
  localNames: ['local name', 'local names'],
  exceptions: ['exception', 'exceptions'],
  cosmeticRules: ['cosmetic rule', 'cosmetic rules'],
  rulesWithOptions: ['rule with options', 'rules with options'],
  regularExpressions: ['regular expression', 'regular expressions'],
  pathRules: ['rule for a path', 'rules for paths'],
  patterns: ['other pattern', 'other patterns'],
  directives: ['directive', 'directives'],
} as const;

export type EntryKind = keyof typeof ENTRY_KINDS;
export type LeftOutKind = keyof typeof LEFT_OUT_KINDS;

export function leftOut(...kinds: readonly LeftOutKind[]): Listed {
  return { urls: [], leftOut: kinds };
}

/** The line without the white space around it. */
export function contentOf(line: string): Span {
  const start = line.search(/\S/);
  return start === -1 ? { start: line.length, end: line.length } : { start, end: line.trimEnd().length };
}

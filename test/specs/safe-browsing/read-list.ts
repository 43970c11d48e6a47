import { expressions, listEntries, SafeBrowsingUrlError } from '../../../src/entries/safe-browsing.ts';
import { BLOCK, type Rule } from '../../../src/specs/safe-browsing/block-list.ts';
import { BlockListReader, type EntryInput } from '../../../src/specs/safe-browsing/block-list-reader.ts';
import { EntryReader } from '../../../src/specs/safe-browsing/list-entry.ts';
import { effectsOf, type RuleEntries } from '../../../src/specs/safe-browsing/list-rules.ts';

const expressionReader = new EntryReader({ profile: 'v5', mode: 'spec' });

/** A list as look-ups find it. */
export interface ReadList {
  /** The rules of the lines, in order. */
  readonly rules: readonly RuleEntries[];
  /** Whether no part of a line is refused or left out, but for directives. */
  readonly isWhole: boolean;
  /** Lines that cannot be listed. */
  readonly refused: readonly string[];
  /** The exceptions without effect. */
  readonly idle: readonly string[];
  /** Returns the entries that a look-up of a URL finds, with their rules. */
  finders(url: string): readonly { readonly rule: Rule; readonly expression: string }[];
  /** Whether a look-up of a URL would find what an exception names. */
  isExempt(url: string): boolean;
}

export function readList(lines: readonly string[], input: EntryInput): ReadList {
  const reader = new BlockListReader({ input, ignoresExceptions: false, refangs: false });
  let isWhole = true;
  const refused: string[] = [];
  const rules = lines.flatMap((line): RuleEntries[] => {
    const found = reader.read(line);
    const isRefused = 'reason' in found;
    if (isRefused) refused.push(line);
    if (isRefused || found.leftOut.some((kind) => kind !== 'directives')) isWhole = false;
    if (isRefused || found.urls.length === 0) return [];
    const texts = found.urls.map((url) => Buffer.from(expressionReader.expressionOf(url) as Uint8Array).toString());
    return [{ rule: found.rule ?? BLOCK, key: found.key ?? '', expressions: texts }];
  });
  const { stands, idle } = effectsOf(rules);
  const blocks = rules.filter(({ rule }) => rule.effect === 'block');
  const entries = blocks.flatMap(({ rule, expressions: all }) => all.map((expression) => ({ rule, expression })));
  const listed = entries.filter((_, at) => stands[at]);
  return {
    rules,
    isWhole,
    refused,
    idle,
    finders(url) {
      const found = expressions(url);
      return listed.filter(({ expression }) => found.includes(expression));
    },
    isExempt(url) {
      const found = new Set(expressions(url));
      return rules.some(
        ({ rule, expressions: all }) => rule.effect === 'exception' && all.some((each) => found.has(each)),
      );
    },
  };
}

type Options = Parameters<typeof listEntries>[1];

/** The entries of a line, or the kinds of what is left out, or the reason of a refusal. */
export function readEntries(line: string, options: Options): readonly string[] {
  try {
    const { entries, leftOut } = listEntries(line, options);
    return entries.length > 0 ? entries.map(({ expression }) => expression) : leftOut;
  } catch (error) {
    if (!(error instanceof SafeBrowsingUrlError)) throw error;
    return [error.reason, error.message];
  }
}

import { contentOf, type LeftOutKind, leftOut, type ReadLine, type Refusal } from './line.ts';

export const EXCEPTION: Refusal = {
  reason: 'exception',
  sentence: 'a list has no exceptions; --ignore-exceptions leaves them out, and lists what they except',
};

/** `||host^`: the host and all hosts under it, which is what an entry stands for. */
const HOST_RULE = /^\|\|([\w.\x80-\xff-]+)\^$/;

/** Rules of other kinds, of which a list of expressions would say more or less than they do; the first kind applies. */
const OTHER_RULES: readonly (readonly [kind: LeftOutKind, pattern: RegExp])[] = [
  ['directives', /^!#/],
  ['comments', /^(?:!|\[.*\]$|#(?![#@?$%]))/],
  ['exceptions', /^@@/],
  ['cosmeticRules', /#@?[?$%]{0,2}#|\$@?\$/],
  ['regularExpressions', /^\/.*\/(?:\$|$)/],
  ['rulesWithOptions', /\$[~\w]/],
  ['pathRules', /\//],
  ['patterns', /./],
];

/** One rule, in the syntax that Adblock Plus, uBlock Origin and AdGuard share. */
export function readAdblockLine(ignoresExceptions: boolean): ReadLine {
  return (line) => {
    const { start, end } = contentOf(line);
    const rule = line.slice(start, end);
    if (rule === '') return leftOut();
    const host = HOST_RULE.exec(rule)?.[1];
    if (host !== undefined) return { urls: [{ start: start + 2, end: start + 2 + host.length }], leftOut: [] };
    const kind = OTHER_RULES.find(([, pattern]) => pattern.test(rule))?.[0] ?? 'patterns';
    return kind === 'exceptions' && !ignoresExceptions ? EXCEPTION : leftOut(kind);
  };
}

import { nameOfCharacter } from '../../core/quote.ts';

/** The result of reading a line of a block list. Lines are texts in which a unit is a byte. */
export type BlockListLine = LineContent | Refusal;

/** The URLs or hosts that a line names, and the kinds of what is left out. */
export interface LineContent {
  readonly urls: readonly string[];
  readonly leftOut: readonly LeftOutKind[];
  /** The effect of the line on others; a line without a rule blocks what it names, and all under that. */
  readonly rule?: Rule;
  /** Equal for rules that say the same; of a `badfilter`, that of the rule which it cancels. */
  readonly key?: string;
}

/** The part of a line in its list: the URLs of the line are blocked, exempt, or those of a cancelled rule. */
export interface Rule {
  readonly effect: 'block' | 'exception' | 'badfilter';
  readonly reach: Reach;
  /** Whether an exception lifts all that it covers. That of a name server yields to lines for longer names. */
  readonly overrules: boolean;
  /** Whether no exception lifts it that is not important itself. */
  readonly isImportant: boolean;
  /** Whether no exception of a name server lifts it. */
  readonly withstands?: boolean;
}

/** The hosts that a line means by a name: that host and those under it, that host alone, or only those under it. */
export type Reach = 'whole' | 'alone' | 'below';

/** Blocks hosts and all under them. */
export const BLOCK: Rule = { effect: 'block', reach: 'whole', overrules: true, isImportant: false };

/** Returns a line of hosts that is a rule among others. */
export function ruleFor(urls: readonly string[], rule: Rule, key: string): LineContent {
  return { urls, leftOut: [], rule, key };
}

/** The reason why a line cannot be listed, not even in part: no URL would ever match the entry. */
export type EntryReason =
  | 'comment'
  | 'adblock-rule'
  | 'exception'
  | 'hosts-file-line'
  | 'resolver-line'
  | 'unknown-answer'
  | 'outside-zone'
  | 'defanged'
  | 'email-address'
  | 'text-before-scheme'
  | 'json'
  | 'unbalanced'
  | 'table-row'
  | 'tab'
  | 'space-in-host'
  | 'space-after-host'
  | 'wildcard-host'
  | 'wildcard-path'
  | 'address-range'
  | 'scheme-without-colon'
  | 'host-character'
  | 'no-address'
  | 'no-host'
  | 'not-a-host'
  | 'address-in-use';

/** A failure as a value, like those of URLs without a host. */
export interface Refusal {
  readonly reason: EntryReason;
  readonly place: 'input' | 'host';
  readonly sentence: string;
}

const REFUSALS: Readonly<Record<Exclude<EntryReason, 'unbalanced'>, readonly [Refusal['place'], sentence: string]>> = {
  comment: ['input', 'it is a comment'],
  'adblock-rule': ['input', 'it is an ad-block rule'],
  exception: ['input', 'a list cannot hold exceptions'],
  'hosts-file-line': ['input', 'it is an address and a host'],
  'resolver-line': ['input', 'it is a line of a name server: RPZ, unbound or dnsmasq'],
  'unknown-answer': ['input', 'it names no answer that a name server knows'],
  'outside-zone': ['host', 'its name does not end in that of the zone'],
  defanged: ['input', 'its scheme or host is defanged'],
  'email-address': ['input', 'it is an e-mail address, whose host has others'],
  'text-before-scheme': ['input', 'there is text before its scheme'],
  json: ['input', 'it is JSON'],
  'table-row': ['host', 'it is a row of a table'],
  tab: ['input', 'it contains a tab or a line end'],
  'space-in-host': ['host', 'a host cannot contain spaces'],
  'space-after-host': ['input', 'it is more than a URL, in which a space is written %20'],
  'wildcard-host': ['host', 'a host cannot contain *; the name after *. already covers all hosts under it'],
  'wildcard-path': ['input', 'its path ends in *; the path without it already covers all that is under it'],
  'address-range': ['host', 'it is a range of addresses, and a list has single ones'],
  'scheme-without-colon': ['input', 'the colon after its scheme is missing'],
  'host-character': ['host', 'a host cannot contain < > [ ] \\ @ : or control characters'],
  'no-address': ['input', 'a line of a hosts file begins with an address'],
  'no-host': ['input', 'there is no host after the address'],
  'not-a-host': ['input', 'only hosts can follow the address'],
  'address-in-use': [
    'input',
    'it maps a host to an address but blocks none; blocking takes 0.0.0.0, 127.0.0.1, :: or ::1',
  ],
};

export type PlainReason = keyof typeof REFUSALS;

export function refusal(reason: PlainReason): Refusal {
  const [place, sentence] = REFUSALS[reason];
  return { reason, place, sentence };
}

export function refusalOfCharacter(character: string): Refusal {
  return { reason: 'host-character', place: 'host', sentence: `a host cannot contain ${nameOfCharacter(character)}` };
}

/** Reads the lines of one kind of block list. */
export type ReadLine = (line: string) => BlockListLine;

/** The kinds of lines of block lists that are not entries. */
export type LeftOutKind =
  | 'comments'
  | 'localNames'
  | 'exceptions'
  | 'badfilters'
  | 'cosmeticRules'
  | 'rulesForTypes'
  | 'rulesForSites'
  | 'rulesForRequests'
  | 'rulesThatChange'
  | 'unknownModifiers'
  | 'regularExpressions'
  | 'pathRules'
  | 'portRules'
  | 'patterns'
  | 'continuedRules'
  | 'otherBlockers'
  | 'unknownConditions'
  | 'otherAnswers'
  | 'includes'
  | 'directives'
  | 'unclear'
  | 'otherTypes';

export function leftOut(...kinds: readonly LeftOutKind[]): LineContent {
  return { urls: [], leftOut: kinds };
}

/**
 * White space of ASCII, and in UTF-8 the spaces, marks and joiners that nobody sees around a pasted line: U+0085,
 * U+00A0, U+00AD, U+061C, U+1680, U+180E, U+2000 to U+200F, U+2028 to U+202F, U+205F to U+206F, U+3000 and U+FEFF.
 */
const UNSEEN = String.raw`[\t-\r ]|\xc2[\x85\xa0\xad]|\xd8\x9c|\xe1(?:\x9a\x80|\xa0\x8e)|\xe2(?:\x80[\x80-\x8f\xa8-\xaf]|\x81[\x9f-\xaf])|\xe3\x80\x80|\xef\xbb\xbf`;
const UNSEEN_BEFORE = new RegExp(`(?:${UNSEEN})*`, 'y');
const UNSEEN_CHARACTER = new RegExp(`^(?:${UNSEEN})$`);

/** Returns the text without what nobody sees around it. */
export function trimmed(text: string): string {
  UNSEEN_BEFORE.lastIndex = 0;
  UNSEEN_BEFORE.test(text);
  const start = UNSEEN_BEFORE.lastIndex;
  let end = text.length;
  for (let width = 1; width <= 3 && end - width >= start; width++) {
    if (!UNSEEN_CHARACTER.test(text.slice(end - width, end))) continue;
    end -= width;
    width = 0;
  }
  return text.slice(start, end);
}

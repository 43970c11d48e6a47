import { type BlockListLine, contentOf, leftOut, type ReadLine, type Refusal } from './line.ts';

const ADBLOCK: Refusal = {
  reason: 'adblock-rule',
  sentence: 'it is a rule of an ad blocker; --input adblock reads those',
};
const HOSTS: Refusal = {
  reason: 'hosts-file-line',
  sentence: 'it is an address and a host, as in hosts files; --input hosts reads those',
};
const TABLE: Refusal = {
  reason: 'table-row',
  sentence: 'it is a row of a table; --csv, --tsv or --delimiter with --column reads those',
};
const TAB: Refusal = {
  reason: 'tab',
  sentence: 'a tab or the end of a line is in it; --input hosts reads hosts files, --column a column of a table',
};
const SPACE: Refusal = {
  reason: 'space-in-host',
  sentence: 'a host has no spaces; --input hosts reads hosts files, --column a column of a table',
};
const WILDCARD: Refusal = {
  reason: 'wildcard-host',
  sentence: 'a host has no *; the name after *. stands for all hosts under it, too',
};
const NO_COLON: Refusal = { reason: 'scheme-without-colon', sentence: 'the colon after its scheme is missing' };
const CHARACTER: Refusal = { reason: 'host-character', sentence: 'a host has none of < > [ ] \\ @ :' };

/** What a line begins with that is not a URL, but would pass for one: a fragment, a tab within a host, a path. */
const NOT_URLS: readonly (readonly [pattern: RegExp, refusal: Refusal])[] = [
  [/^(?:!|@@|\|)/, ADBLOCK],
  [/^[^/:]*#@?[?$%]{0,2}#/, ADBLOCK],
  [/^(?:0|\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*)[\t ]+\S/i, HOSTS],
  [/^https?\/\//i, NO_COLON],
  [/[\t\r\n]/, TAB],
];

/** What no canonical host has. The first that applies is the reason: of `||*.a.example^`, that it is a rule. */
const NOT_HOSTS: readonly (readonly [pattern: RegExp, refusal: Refusal])[] = [
  [/[|^]|^!/, ADBLOCK],
  [/\*/, WILDCARD],
  [/[",;]/, TABLE],
  [/%20/, SPACE],
  [/[<>[\]\\@:]/, CHARACTER],
];

/** The host as it is written: after a scheme and user information. */
const GIVEN_HOST = /^(?:[a-z][a-z0-9+.-]*:)?[\\/]*(?:[^\\/?#]*@)?([^\\/?#]*)/i;

/** A line has one URL, or begins with # as a comment; so does what comes after white space. */
export const readUrlLine: ReadLine = (line) => {
  const comment = /[\t ]#/.exec(line)?.index ?? line.length;
  return readUrl(line.slice(0, comment), line);
};

/** The same of a column or a JSON field, where a URL may have white space. */
export const readUrlValue: ReadLine = (value) => readUrl(value, value);

function readUrl(text: string, line: string): BlockListLine {
  const { start, end } = contentOf(text);
  if (line[contentOf(line).start] === '#') return leftOut('comments');
  const content = text.slice(start, end);
  return NOT_URLS.find(([pattern]) => pattern.test(content))?.[1] ?? { urls: [{ start, end }], leftOut: [] };
}

/** Why a canonical host, which is not an address, matches no URL. */
export function refusalOfHost(host: string): Refusal | undefined {
  return NOT_HOSTS.find(([pattern]) => pattern.test(host))?.[1];
}

/** The same of a URL that has no canonical form, as what is wrong with its host may tell what it is. */
export function refusalOfGiven(url: string): Refusal | undefined {
  return refusalOfHost(GIVEN_HOST.exec(url)![1]!.replaceAll(' ', '%20').replace(/:\d*$/, ''));
}

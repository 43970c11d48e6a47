// The text of site rules, line by line; docs/parameters.md defines it.

import { FOLD_EMPTY_QUERY, LIST_QUERIES } from '../../../assembly/layout.ts';
import { SPACE, TAB } from '../bytes/code-points.ts';
import { FOLD_NAMES, RUN_FOLDS, withoutWww } from '../url/folds.ts';
import { DEFAULT_UNICODE } from '../url/idna.ts';
import { foldsOf, PageSettings } from '../url/page-settings.ts';
import { compareNames, escapedName, nameProblem, unescapedName } from '../url/parameter-names.ts';
import { parseUrl } from '../url/parser.ts';
import { escapeOf } from '../url/percent.ts';
import { NO_PORT, serialize } from '../url/record.ts';

/** HOST of lines for the URLs that no line with another HOST matches. */
export const EVERY_SITE: string = '*';

/** A line: a canonical host without leading `www` labels, '' for every site, and the beginning of a path, `/` for all. */
export class SiteLine {
  readonly host: string;
  readonly path: string;
  readonly settings: PageSettings = new PageSettings();
  /** The line as it stands in the canonical text. */
  text: string = '';
  /** The number of its rule. */
  rule: i32 = 0;

  constructor(host: string, path: string) {
    this.host = host;
    this.path = path;
    this.settings.pathLength = path.length;
  }

  get address(): string {
    return (this.host === '' ? EVERY_SITE : this.host) + (this.path === '/' ? '' : `${this.path}*`);
  }

  /** The bits of the messages that `Kernel.classifyRows` lists. */
  get lists(): i32 {
    // the kernel looks for empty queries before it selects a line: those of a line are found with the queries
    const emptyQueries: i32 = (this.settings.folds & FOLD_EMPTY_QUERY) !== 0 ? LIST_QUERIES : 0;
    return this.settings.lists | emptyQueries;
  }

  /** Brings all that was read of the line to its canonical order, and writes it. */
  finish(): void {
    const settings = this.settings;
    settings.drop = sortedWords(settings.drop);
    settings.keep = sortedWords(settings.keep);
    const actions: string[] = [];
    if (settings.drop.length > 0) actions.push(`drop ${settings.drop.join(' ')}`);
    if (settings.folds !== 0) actions.push(`fold ${foldsOf(settings.folds).join(' ')}`);
    if (settings.keepsFragment) actions.push('fragment');
    if (settings.keep.length > 0) actions.push(`keep ${settings.keep.join(' ')}`);
    if (settings.isSorted) actions.push('sort');
    this.text = `${this.address} ${actions.join('; ')}`;
  }
}

/** Reads the lines of a text, those of one address as one. */
export class SiteLineReader {
  /** Why the line that was read last is refused, or ''. */
  reason: string = '';
  problem: string = '';
  /** The text that has the problem; null where the problem names it. */
  subject: string | null = null;
  /** The line that was read last, and its number: the first is 1. */
  line: string = '';
  lineNumber: i32 = 0;
  /** The lines in the order in which their addresses were met, and their places by these. */
  private readonly lines: SiteLine[] = [];
  private readonly places: Map<string, i32> = new Map<string, i32>();

  /** Returns the lines in the order of their addresses' bytes; null where one is refused. */
  read(text: string): SiteLine[] | null {
    const given = (text.startsWith('\ufeff') ? text.slice(1) : text).split('\n');
    for (let at = 0; at < given.length; at++) {
      const isEnded = at < given.length - 1 && given[at]!.endsWith('\r');
      this.line = isEnded ? given[at]!.slice(0, -1) : given[at]!;
      this.lineNumber = at + 1;
      this.readLine(this.line);
      if (this.reason !== '') return null;
    }
    for (let at = 0; at < this.lines.length; at++) this.lines[at]!.finish();
    return this.lines.sort((one, other) => (one.address < other.address ? -1 : 1));
  }

  private readLine(given: string): void {
    const words = wordsOf(given);
    if (words.length === 0 || words[0]!.startsWith('#')) return;
    const written = words[0]!;
    const slash = written.indexOf('/');
    const end = slash === -1 ? written.length : slash;
    const host = this.hostOf(written.slice(0, end));
    const path = this.reason === '' ? this.pathOf(written.slice(end)) : '';
    if (this.reason !== '') return;
    const line = this.lineOf(new SiteLine(host, path));
    const settings = line.settings;
    const actions = given.slice(given.indexOf(written) + written.length).split(';');
    for (let at = 0; at < actions.length && this.reason === ''; at++) this.addAction(settings, wordsOf(actions[at]!));
    if (this.reason === '' && settings.keep.length > 0 && settings.drop.length > 0)
      this.refuse('contradiction', `${line.address} is told to keep some parameters and to drop others`, null);
  }

  /** Returns the line of an address that is known, or the one given. */
  private lineOf(line: SiteLine): SiteLine {
    if (this.places.has(line.address)) return this.lines[this.places.get(line.address)!]!;
    this.places.set(line.address, this.lines.length);
    this.lines.push(line);
    return line;
  }

  private refuse(reason: string, problem: string, subject: string | null): string {
    this.reason = reason;
    this.problem = problem;
    this.subject = subject;
    return '';
  }

  private hostOf(given: string): string {
    if (given === EVERY_SITE) return '';
    const url = parseUrl(`http://${given}/`, null, '', DEFAULT_UNICODE, null);
    if (given.includes('*') || url.reason !== '' || serialize(url, false) !== `http://${given}/`)
      return this.refuse('host', "HOST must be a canonical host in ASCII, such as shop.example, or '*'", given);
    if (url.username !== '' || url.password !== '' || url.port !== NO_PORT)
      return this.refuse('host', 'HOST must not have a user or a port', given);
    return withoutWww(url.host!);
  }

  /** A path is canonical if it stays as it is with a letter after it: a prefix of a path may end within a segment. */
  private pathOf(given: string): string {
    if (given === '') return '/';
    if (!given.endsWith('*')) return this.refuse('path', "PATH must end in '*'", given);
    const path = given.slice(0, -1);
    const url = parseUrl(`http://h${path}x`, null, '', DEFAULT_UNICODE, null);
    const hasOthers = path.includes('*') || path.includes('?') || path.includes('#');
    if (hasOthers || url.reason !== '' || url.path !== `${path}x`)
      return this.refuse('path', "PATH must be the beginning of a canonical path and a '*'", given);
    return path;
  }

  private addAction(settings: PageSettings, words: string[]): void {
    const verb = words.length > 0 ? words[0]! : '';
    if (words.length === 1 && verb === 'sort') settings.isSorted = true;
    else if (words.length === 1 && verb === 'fragment') settings.keepsFragment = true;
    else if (words.length < 2 || (verb !== 'drop' && verb !== 'keep' && verb !== 'fold')) {
      const known = "'keep NAME…', 'drop NAME…', 'sort', 'fragment' or 'fold RULE…'";
      this.refuse('action', `an action must be ${known}`, words.join(' '));
    } else {
      for (let at = 2; at < words.length && this.reason === ''; at++) this.refuseAction(words[at]!);
      for (let at = 1; at < words.length && this.reason === ''; at++) this.addWord(settings, verb, words[at]!);
    }
  }

  /** Refuses a word that is an action, among those of another. */
  private refuseAction(word: string): void {
    if (!ACTIONS.includes(word)) return;
    this.refuse('action', `an action begins after ';': write ';' before ${word}, or it as ${nameWord(word)}`, null);
  }

  private addWord(settings: PageSettings, verb: string, word: string): void {
    if (verb === 'fold') {
      const bit = 1 << FOLD_NAMES.indexOf(word); // of an unknown one the sign bit
      if (bit < 0 || (bit & RUN_FOLDS) !== 0)
        this.refuse('fold', `a RULE must be one of ${foldsOf(~RUN_FOLDS).join(', ')}`, word);
      else settings.folds |= bit;
      return;
    }
    const problem = wordProblem(word);
    if (problem !== '') this.refuse('name', `a NAME must ${problem}`, word);
    else if (verb === 'drop') settings.drop.push(canonicalWord(word));
    else settings.keep.push(canonicalWord(word));
  }
}

const ACTIONS: string[] = ['drop', 'fold', 'fragment', 'keep', 'sort'];

/** Returns the words of a text, which spaces and tabs alone divide: other white space is part of a name. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (let at = 0, start = 0; at <= text.length; at++) {
    const code: i32 = at < text.length ? text.charCodeAt(at) : SPACE;
    if (code !== SPACE && code !== TAB) continue;
    if (at > start) words.push(text.slice(start, at));
    start = at + 1;
  }
  return words;
}

/** Says what a NAME must and is not; ''. A comment after a rule would be names, and bytes that are not UTF-8 one name. */
function wordProblem(word: string): string {
  if (word.includes('#')) return "have '#' as %23: a comment is a line of its own";
  if (word.includes('\ufffd')) return 'be UTF-8, or have U+FFFD as %EF%BF%BD';
  return nameProblem(unescapedName(word.endsWith('*') ? word.slice(0, -1) : word) === '' ? '' : word);
}

/** Returns a NAME as the canonical text has it. */
function canonicalWord(word: string): string {
  return word.endsWith('*') ? `${nameWord(unescapedName(word.slice(0, -1)))}*` : nameWord(unescapedName(word));
}

/** Returns a name as a word of a line, in which a `*` stands for itself, and that is not an action. */
export function nameWord(name: string): string {
  const escaped = escapedName(name);
  const word = escaped.endsWith('*') ? `${escaped.slice(0, -1)}%2A` : escaped;
  return ACTIONS.includes(word) ? escapeOf(word.charCodeAt(0)) + word.slice(1) : word;
}

/** Returns each word once, in the order of the bytes that they spell. */
function sortedWords(words: string[]): string[] {
  const sorted = words.slice(0).sort((one, other) => {
    const order = compareNames(unescapedName(one), unescapedName(other));
    return order !== 0 ? order : compareNames(one, other);
  });
  const once: string[] = [];
  for (let at = 0; at < sorted.length; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) once.push(sorted[at]!);
  return once;
}

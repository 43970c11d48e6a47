// Rules for sites, read as src/core/sites/site-rules.ts reads them; docs/parameters.md defines them.

import { LIST_QUERIES, HOST_BITS_BYTES, SITES, SITES_BYTES, SLACK_BYTES, SLOTS } from '../layout';
import { HostRule, hostTable } from '../../src/core/sites/host-table';
import { FOLD_EMPTY_QUERY, FOLD_NAMES, RUN_FOLDS, withoutWww } from '../../src/core/url/folds';
import { compareNames, escapedName, nameProblem, unescapedName } from '../../src/core/url/parameter-names';
import { parseUrl } from '../../src/core/url/parser';
import { escapeOf } from '../../src/core/url/percent';
import { NO_PORT, serialize } from '../../src/core/url/record';
import { sha256 } from '../sha256';
import { Buffer } from './memory';
import { foldsOf, PageSettings } from './page-settings';

const ACTIONS: string[] = ['drop', 'fold', 'fragment', 'keep', 'sort'];
class Line extends HostRule {
  readonly settings: PageSettings = new PageSettings();
  text: string = '';

  constructor(host: string, path: string) { super(host, path, 0, 0); }

  get address(): string { return (this.host == '' ? '*' : this.host) + (this.path == '/' ? '' : this.path + '*'); }
}

export class SiteRules {
  /** The first half of the SHA-256 of the canonical text, in hex. */
  id: string = '';
  size: i32 = 0;
  /** Settings of lines, and the lengths of their paths, by the numbers of rules. */
  readonly rules: PageSettings[] = [];
  readonly pathLengths: i32[] = [];
  keepsFragments: bool = false;
  /** Lines of one host follow each other, that with the longest path first. */
  private lines: Line[] = [];
  private readonly firstOf: Map<string, i32> = new Map<string, i32>();
  private longestHost: i32 = 0;
  private table: Uint8Array = new Uint8Array(0);

  constructor(lines: Line[]) {
    let text = '', keepsFragments = false;
    for (let index = 0; index < lines.length; ++index) {
      finish(lines[index]);
      text += lines[index].text + '\n';
      if (lines[index].settings.keepsFragment) keepsFragments = true;
    }
    const numbers = new Map<string, i32>();
    lines.sort((one, other) => one.host == other.host ? other.path.length - one.path.length : one.host < other.host ? -1 : 1);
    for (let index = 0; index < lines.length; ++index) {
      const line = lines[index];
      const key = line.path.length.toString() + line.text.slice(line.text.indexOf(' '));
      if (!numbers.has(key)) {
        numbers.set(key, this.rules.length);
        this.rules.push(line.settings);
        this.pathLengths.push(line.path.length);
      }
      line.rule = numbers.get(key);
      if (!this.firstOf.has(line.host)) this.firstOf.set(line.host, index);
      this.longestHost = max(this.longestHost, line.host.length);
    }
    this.id = idOf(text);
    this.size = lines.length;
    this.keepsFragments = keepsFragments;
    this.lines = lines;
    const rules: HostRule[] = [];
    for (let index = 0; index < lines.length; ++index) rules.push(lines[index]);
    this.table = hostTable(rules);
  }

  get asksForParameters(): bool {
    for (let index = 0; index < this.rules.length; ++index) if (this.rules[index].asksForParameters) return true;
    return false;
  }

  /** Returns the number of the rule for a page, or -1: of the lines that fit, that with the longest host, then path. */
  ruleFor(host: string, path: string): i32 {
    let at = 0;
    do {
      const rule = host.length - at <= this.longestHost ? this.ruleOfHost(host.slice(at), path) : -1;
      if (rule != -1) return rule;
      at = host.indexOf('.', at) + 1;
    } while (at > 0);
    return this.ruleOfHost('', path);
  }

  private ruleOfHost(host: string, path: string): i32 {
    if (!this.firstOf.has(host)) return -1;
    for (let index = this.firstOf.get(host); index < this.lines.length && this.lines[index].host == host; ++index)
      if (path.startsWith(this.lines[index].path)) return this.lines[index].rule;
    return -1;
  }

  /** Puts the table where the kernel reads it, unless it is there; of one that is too long, the bits alone and a 0. */
  load(): void {
    if (loaded === this) return;
    const fits = <u32>this.table.length <= SITES_BYTES;
    memory.copy(SITES, this.table.dataStart, fits ? this.table.length : HOST_BITS_BYTES);
    if (!fits) memory.fill(SITES + HOST_BITS_BYTES, 0, SLOTS - HOST_BITS_BYTES);
    loaded = this;
  }
}

/** The rules that the kernel reads. */
let loaded: SiteRules | null = null;

let problem: string = '';

/** Says which line was refused last, and why, in a word. */
export function siteRulesProblem(): string { return problem; }

/** Reads lines of rules; null where one is refused. */
export function siteRulesOf(text: string): SiteRules | null {
  const given = (text.startsWith('\ufeff') ? text.slice(1) : text).split('\n');
  const lines = new Map<string, Line>();
  for (let index = 0; index < given.length; ++index) {
    const isEnded = index < given.length - 1 && given[index].endsWith('\r');
    problem = '';
    readLine(isEnded ? given[index].slice(0, -1) : given[index], lines);
    if (problem == '') continue;
    problem = 'line ' + (index + 1).toString() + ' of the site rules: ' + problem;
    return null;
  }
  return new SiteRules(lines.values().sort((one, other) => one.address < other.address ? -1 : 1));
}

function readLine(given: string, lines: Map<string, Line>): void {
  const words = wordsOf(given);
  if (words.length == 0 || words[0].startsWith('#')) return;
  const written = words[0];
  const slash = written.indexOf('/');
  const end = slash == -1 ? written.length : slash;
  const host = hostOf(written.slice(0, end)), path = pathOf(written.slice(end));
  if (host === null || path === null) {
    problem = host === null ? 'host' : 'path';
    return;
  }
  let line = new Line(host, path);
  if (lines.has(line.address)) line = lines.get(line.address);
  else lines.set(line.address, line);
  const actions = given.slice(given.indexOf(written) + written.length).split(';');
  for (let index = 0; index < actions.length && problem == ''; ++index) addAction(line.settings, wordsOf(actions[index]));
  if (problem == '' && line.settings.keep !== null && line.settings.drop.length > 0) problem = 'contradiction';
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (let at = 0, start = 0; at <= text.length; ++at) {
    const code = at < text.length ? text.charCodeAt(at) : 0x20;
    if (code != 0x20 && code != 0x09) continue;
    if (at > start) words.push(text.slice(start, at));
    start = at + 1;
  }
  return words;
}

function hostOf(given: string): string | null {
  if (given == '*') return '';
  if (given.includes('*')) return null;
  const url = parseUrl('http://' + given + '/', null, '', 18, null);
  if (url.reason != '' || serialize(url, false) != 'http://' + given + '/') return null;
  if (url.username != '' || url.password != '' || url.port != NO_PORT) return null;
  return withoutWww(url.host!);
}

/** A path is canonical if it stays as it is with a letter after it: a prefix of a path may end within a segment. */
function pathOf(given: string): string | null {
  if (given == '') return '/';
  if (!given.endsWith('*')) return null;
  const path = given.slice(0, -1);
  if (path.includes('*') || path.includes('?') || path.includes('#')) return null;
  const url = parseUrl('http://h' + path + 'x', null, '', 18, null);
  return url.reason == '' && url.path == path + 'x' ? path : null;
}

function addAction(settings: PageSettings, words: string[]): void {
  const verb = words.length > 0 ? words[0] : '';
  if (words.length == 1 && verb == 'sort') settings.isSorted = true;
  else if (words.length == 1 && verb == 'fragment') settings.keepsFragment = true;
  else if (words.length < 2 || (verb != 'drop' && verb != 'keep' && verb != 'fold')) problem = 'action';
  else {
    for (let index = 2; index < words.length; ++index) if (ACTIONS.includes(words[index])) problem = 'action';
    for (let index = 1; index < words.length && problem == ''; ++index) addWord(settings, verb, words[index]);
  }
}

function addWord(settings: PageSettings, verb: string, word: string): void {
  if (verb == 'fold') {
    const fold = FOLD_NAMES.indexOf(word);
    if (fold == -1 || ((1 << fold) & RUN_FOLDS) != 0) problem = 'fold';
    else settings.folds |= 1 << fold;
    return;
  }
  const name = nameOf(word);
  if (name == '') problem = 'name';
  else if (verb == 'drop') settings.drop.push(name);
  else {
    const keep = settings.keep;
    if (keep === null) settings.keep = [name];
    else keep.push(name);
  }
}

/** Returns a NAME as the canonical text has it, or ''. */
function nameOf(word: string): string {
  const isPrefix = word.endsWith('*');
  const name = unescapedName(isPrefix ? word.slice(0, -1) : word);
  if (word.includes('#') || word.includes('\ufffd') || name == '' || nameProblem(word) != '') return '';
  return nameWord(name) + (isPrefix ? '*' : '');
}

/** Returns a name as a word of a line, in which a `*` stands for itself, and that is not an action. */
function nameWord(name: string): string {
  const escaped = escapedName(name);
  const word = escaped.endsWith('*') ? escaped.slice(0, -1) + '%2A' : escaped;
  if (!ACTIONS.includes(word)) return word;
  return escapeOf(word.charCodeAt(0)) + word.slice(1);
}

/** Puts a line in its canonical order, and writes it. */
function finish(line: Line): void {
  const settings = line.settings;
  const keep = settings.keep;
  settings.drop = sortedWords(settings.drop);
  if (keep !== null) settings.keep = sortedWords(keep);
  line.asked = settings.asked | ((settings.folds & FOLD_EMPTY_QUERY) != 0 ? LIST_QUERIES : 0);
  const actions: string[] = [];
  if (settings.drop.length > 0) actions.push('drop ' + settings.drop.join(' '));
  if (settings.folds != 0) actions.push('fold ' + foldsOf(settings.folds).join(' '));
  if (settings.keepsFragment) actions.push('fragment');
  const kept = settings.keep;
  if (kept !== null) actions.push('keep ' + kept.join(' '));
  if (settings.isSorted) actions.push('sort');
  line.text = line.address + ' ' + actions.join('; ');
}

/** Returns each word once, in the order of the bytes that they spell. */
function sortedWords(words: string[]): string[] {
  const sorted = words.slice(0).sort((one, other) => {
    const order = compareNames(unescapedName(one), unescapedName(other));
    return order != 0 ? order : one < other ? -1 : one == other ? 0 : 1;
  });
  const once: string[] = [];
  for (let index = 0; index < sorted.length; ++index)
    if (index == 0 || sorted[index] != sorted[index - 1]) once.push(sorted[index]);
  return once;
}

function idOf(text: string): string {
  const message = new Buffer();
  message.appendAscii(text);
  const digest = new Uint8Array(32 + SLACK_BYTES);
  sha256(message.address, message.length, digest.dataStart, 16);
  message.free();
  let id = '';
  for (let index = 0; index < 16; ++index) id += (<u32>digest[index] + 0x100).toString(16).slice(1);
  return id;
}

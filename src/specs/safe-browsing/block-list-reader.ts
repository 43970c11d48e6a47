import { hasOwn } from '../../core/argument.ts';
import { adblockLineReader } from './ad-block-rule.ts';
import { type BlockListLine, leftOut, type ReadLine, trimmed } from './block-list.ts';
import { readHostsLine } from './hosts-line.ts';
import { type Condition, conditionOf } from './list-condition.ts';
import { isResolverLine, readResolverLine } from './resolver-line.ts';
import { isZoneLine, NO_ZONE, ResponsePolicyZone, type ZoneState } from './response-policy-zone.ts';
import { isPlainUrl, urlLineReader } from './url-line.ts';

/** The kinds of block lists. */
export type EntryInput = 'lines' | 'hosts' | 'adblock' | 'auto';

export interface BlockListOptions {
  readonly input: EntryInput;
  readonly ignoresExceptions: boolean;
  readonly refangs: boolean;
}

/** The facts that the lines above give about a line: plain data, which another thread can go on with. */
export interface BlockListState {
  /** The condition of each `!#if` that is open, the outermost first. */
  readonly conditions: readonly Condition[];
  /** Whether the line before goes on in the next. */
  readonly isContinued: boolean;
  readonly zone: ZoneState;
}

const START: BlockListState = { conditions: [], isContinued: false, zone: NO_ZONE };

/**
 * The directives that lines below depend on, and how a rule goes on in the next line, in which four spaces come first.
 */
const CONDITION = /^!#(if|else|endif)(?:[\t ]+(.*))?$/s;
const CONTINUATION = /^ {4}/;

/** Marks of lines that others depend on: a block without these needs no look. */
const MARKS = ['!#', '$ORIGIN', '$origin', ' SOA', '\tSOA', ' soa', '\tsoa', ' \\\n', ' \\\r\n'];
const MARKED = /!#|^[\t ]*\$ORIGIN|[\t ]SOA[\t ]| \\$/i;
/** The condition that `!#else` makes of another. */
const OTHER: Readonly<Record<Condition, Condition>> = { holds: 'fails', fails: 'holds', unknown: 'unknown' };

const WILDCARD = /^(?:[*+]\.|\*?:\/\/)/;

/** Reads the lines of one list, one after another. Each is listed, exempt, left out or refused. */
export class BlockListReader {
  readonly #input: EntryInput;
  readonly #readUrl: ReadLine;
  readonly #readRule: ReadLine;
  readonly #zone = new ResponsePolicyZone();
  /** The condition of each `!#if` that is open, together with those around it. */
  #conditions: Condition[] = [];
  #isContinued = false;

  constructor({ input, ignoresExceptions, refangs }: BlockListOptions) {
    this.#input = input;
    this.#readUrl = urlLineReader(refangs);
    this.#readRule = adblockLineReader(ignoresExceptions);
  }

  get state(): BlockListState {
    return { conditions: [...this.#conditions], isContinued: this.#isContinued, zone: this.#zone.state };
  }

  set state({ conditions, isContinued, zone }: BlockListState) {
    this.#conditions = [...conditions];
    this.#isContinued = isContinued;
    this.#zone.state = zone;
  }

  /** Starts another list. */
  begin(): void {
    this.state = START;
  }

  read(line: string): BlockListLine {
    if (this.#input === 'hosts') return readHostsLine(line);
    if (this.#input === 'lines') return this.#readUrl(line);
    return this.#readContinued(line) ?? this.#readConditional(line) ?? this.#readAny(line);
  }

  /** Reads lines for what they say about those below them. */
  pass(block: Buffer): void {
    if (this.#input === 'hosts' || this.#input === 'lines') return;
    const isPlain = !this.#isContinued && !this.#zone.state.isOpen && !MARKS.some((mark) => block.includes(mark));
    if (isPlain) return;
    const text = block.toString('latin1');
    for (const each of (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')) {
      const line = each.endsWith('\r') ? each.slice(0, -1) : each;
      if (this.#zone.state.isOpen || MARKED.test(line)) this.read(line);
      else this.#isContinued = false;
    }
  }

  /** A rule that goes on is missed, and counted once. */
  #readContinued(line: string): BlockListLine | undefined {
    const goesOn = this.#isContinued && CONTINUATION.test(line);
    this.#isContinued = line.endsWith(' \\');
    return goesOn ? leftOut() : this.#isContinued ? leftOut('continuedRules') : undefined;
  }

  #readConditional(line: string): BlockListLine | undefined {
    const [, directive, expression = ''] = line.includes('!#') ? (CONDITION.exec(trimmed(line)) ?? []) : [];
    if (directive !== undefined) {
      this.#ask(directive, expression);
      return leftOut('directives');
    }
    const condition = this.#conditions.at(-1) ?? 'holds';
    return condition === 'holds' ? undefined : leftOut(condition === 'unknown' ? 'unknownConditions' : 'otherBlockers');
  }

  #ask(directive: string, expression: string): void {
    const own = directive === 'if' ? conditionOf(expression) : this.#conditions.pop();
    const around = this.#conditions.at(-1) ?? 'holds';
    if (own === undefined || directive === 'endif') return;
    const condition = directive === 'if' ? own : OTHER[own];
    this.#conditions.push(around === 'holds' ? condition : around);
  }

  #readAny(line: string): BlockListLine {
    if (this.#input === 'adblock') return this.#readRule(line);
    if (this.#zone.state.isOpen) return this.#zone.read(line);
    if (line.startsWith('||')) return this.#readRule(line);
    if (isPlainUrl(line)) return this.#readUrl(line);
    const text = trimmed(line);
    if (WILDCARD.test(text) && !isZoneLine(text)) return this.#readRule(text);
    const found = this.#readUrl(line);
    const reason = hasOwn(found, 'reason') ? found.reason : '';
    if (reason === 'hosts-file-line') return readHostsLine(line);
    if (reason === 'adblock-rule') return this.#readRule(line);
    if (reason !== 'resolver-line') return found;
    return isZoneLine(text) && !isResolverLine(text) ? this.#zone.read(line) : readResolverLine(line);
  }
}

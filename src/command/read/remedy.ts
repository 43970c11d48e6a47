import { type Call, shellText, wordsOf } from '../arguments/call.ts';

/** What makes rows of a file that is not what the run reads; plain data, which threads post. */
export interface Remedy {
  /** The command line of a program that prints rows of FILE, or of standard input without that word. */
  readonly program?: string;
  /** What urlsum is given in place of all options that say how rows are read, or of those with the names `without`. */
  readonly options?: readonly string[];
  readonly without?: readonly string[];
  /** Whether the program reads no standard input. */
  readonly needsFile?: boolean;
}

/** An input is of another kind than the run reads. Whoever knows its name says what reads it. */
export class WrongKind extends Error {
  readonly remedy: Remedy | undefined;

  constructor(sentence: string, remedy?: Remedy) {
    super(sentence);
    this.remedy = remedy;
  }
}

/** What a remedy is for. */
export interface RemediedInput {
  readonly name: string;
  /** How its bytes are packed: the name of the program that unpacks them. */
  readonly packing?: string | undefined;
  /** The command line that reads it, if it is one of its operands. */
  readonly call?: Call | undefined;
}

/** Options that say how rows are read. */
const ROW_OPTIONS = ['column', 'csv', 'tsv', 'delimiter', 'json', 'cdx', 'log', 'links'];

/** Returns `; try: ` and a command line for this file with the options of this run, or nothing if none is right. */
export function trying(remedy: Remedy | undefined, { name, packing, call }: RemediedInput): string {
  if (remedy === undefined || call === undefined) return '';
  const { program, options, without = options && ROW_OPTIONS, needsFile = false } = remedy;
  const file = name === '-' ? '' : operandText(name);
  const isUnpacked = packing !== undefined;
  const isOfRows = options?.some((option) => ROW_OPTIONS.includes(option.replace('--', ''))) === true;
  if ((needsFile && (file === '' || isUnpacked)) || (isOfRows && call.command === '--check')) return '';
  const urlsum = [...wordsOf(call, without), ...(options ?? []).map(shellText)];
  if (program === undefined) return `; try: ${[...urlsum, ...(file === '' ? [] : [file])].join(' ')}`;
  const unpacking = isUnpacked ? [withFile(`${packing} -dc FILE`, file)] : [];
  const reading = withFile(program, isUnpacked ? '' : file);
  return `; try: ${[...unpacking, reading, urlsum.join(' ')].join(' | ')}`;
}

/** A name that begins with a hyphen would be an option. */
function operandText(name: string): string {
  return shellText(name.startsWith('-') ? `./${name}` : name);
}

function withFile(program: string, file: string): string {
  return program.replace(/ (< )?FILE/, (_, arrow = '') => (file === '' ? '' : ` ${arrow}${file}`));
}

/** Returns the command line of jq with an expression, which prints JSON, or texts as they are with the option -r. */
export function jq(option: '-c' | '-r', expression: string): string {
  const quoted = /^[\w.]+$/.test(expression) ? expression : `'${expression.replaceAll("'", "'\\''")}'`;
  return `jq ${option} ${quoted} FILE`;
}

/** Returns an expression of jq for what lies at a path of names. */
export function jqPath(names: readonly string[]): string {
  const spelled = names.map((name, at) => {
    const isWord = /^[A-Za-z_]\w*$/.test(name);
    return isWord ? `.${name}` : `${at === 0 ? '.' : ''}[${JSON.stringify(name)}]`;
  });
  return spelled.join('') || '.';
}

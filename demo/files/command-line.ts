import { DEFAULT, type FileOptions } from '../state.ts';
import { textName } from './preview.ts';

/** What a shell takes as it stands. */
const PLAIN = /^[\w./:@%+=,-]+$/;

const EXTENSIONS = { text: 'urlsum', hex: 'hex', bin: 'bin' } as const;

/** The command that writes the same file. */
export function commandLine(options: FileOptions, name: string): string {
  return ['urlsum', ...flagsOf(options), name, '>', resultName(options, name)]
    .map((word) => (PLAIN.test(word) || word === '>' ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

function flagsOf({ base, rows, column, format, width }: FileOptions): string[] {
  return [
    ...(base === '' ? [] : ['--base', base]),
    ...(rows === 'csv' ? ['--csv', '-f', column] : []),
    ...(rows === 'json' ? ['--json', column] : []),
    ...(rows === 'lines' && format !== DEFAULT.format ? ['--format', format] : []),
    ...(width === DEFAULT.width ? [] : ['--width', String(width)]),
  ];
}

/** As users of the command would choose it. */
export function resultName({ rows, format }: FileOptions, name: string): string {
  const text = textName(name);
  return rows === 'lines' ? `${text}.${EXTENSIONS[format]}` : text.replace(/(?:\.[^.]*)?$/, '.urlsum$&');
}

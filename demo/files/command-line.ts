import { formFlags, shellWords } from '../../src/command/arguments/shell.ts';
import { formOptions } from '../form.ts';
import { DEFAULT, type FileOptions } from '../state.ts';
import { textName } from './preview.ts';

const EXTENSIONS = { text: 'urlsum', hex: 'hex', bin: 'bin' } as const;

/** The command that writes the same file. */
export function commandLine(options: FileOptions, name: string): string {
  return `${shellWords(['urlsum', ...flagsOf(options), name])} > ${shellWords([resultName(options, name)])}`;
}

function flagsOf(options: FileOptions): string[] {
  const { base, rows, column, format, width } = options;
  return [
    ...(base === '' ? [] : ['--base', base]),
    ...formFlags(formOptions(options)),
    ...(rows === 'csv' ? ['--csv', '-f', column] : []),
    ...(rows === 'json' ? ['--json', column] : []),
    ...(rows === 'lines' && format !== DEFAULT.format ? ['--format', format] : []),
    ...(width === DEFAULT.width ? [] : ['--width', String(width)]),
  ];
}

/** Returns the name of the result, as users of the command would choose it. */
export function resultName({ rows, format }: FileOptions, name: string): string {
  const text = textName(name);
  return rows === 'lines' ? `${text}.${EXTENSIONS[format]}` : text.replace(/(?:\.[^.]*)?$/, '.urlsum$&');
}

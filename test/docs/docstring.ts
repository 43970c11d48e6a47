import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The code after `@example` in a docstring. */
export interface DocExample {
  readonly path: string;
  /** The line of the tag, from 1. */
  readonly line: number;
  readonly text: string;
}

const DOCSTRING = /\/\*\*.*?\*\//gs;

/** All examples in the docstrings of src. */
export function docExamples(): DocExample[] {
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.ts'));
  return paths.map((each) => join('src', each)).flatMap(examplesIn);
}

function examplesIn(path: string): DocExample[] {
  const source = readFileSync(path, 'utf8');
  return [...source.matchAll(DOCSTRING)].flatMap(({ 0: docstring, index }) => {
    const lines = docstring
      .slice(0, -'*/'.length)
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''));
    const tag = lines.indexOf('@example');
    if (tag === -1) return [];
    const after = lines.slice(tag + 1);
    const end = after.findIndex((line) => line.startsWith('@'));
    const line = source.slice(0, index).split('\n').length + tag;
    return [
      {
        path,
        line,
        text: `${after
          .slice(0, end === -1 ? undefined : end)
          .join('\n')
          .trim()}\n`,
      },
    ];
  });
}

/** The docstring of what a module exports by a name, or undefined. */
export function docstringOf(index: string, name: string): string | undefined {
  const exported = new RegExp(`export \\{[^}]*?\\b(?:(\\w+) as )?${name}\\b[^}]*\\} from '(\\.[^']+)'`);
  const [, inSource = name, from] = exported.exec(readFileSync(index, 'utf8')) ?? [];
  const source = readFileSync(from === undefined ? index : join(index, '..', from), 'utf8');
  const declared = new RegExp(`export (?:async |abstract )*(?:function\\*?|class|const) ${inSource}\\b`).exec(source);
  const before = source.slice(0, declared?.index ?? 0);
  return before.trimEnd().endsWith('*/') ? before.slice(before.lastIndexOf('/**')) : undefined;
}

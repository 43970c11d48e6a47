import { formFlags, shellWords } from '../../src/command/arguments/shell.ts';
import type { State } from '../state.ts';
import { element } from '../widgets/element.ts';
import { code } from '../widgets/text.ts';
import { rows, value } from '../widgets/value.ts';
import type { LineOptions } from './form.ts';

/** Programs that compute a result, one for each language. */
export interface Programs {
  readonly command: string;
  readonly javascript: string;
  /** Undefined where the package does not compute it. */
  readonly python?: string | undefined;
}

/** A program for each language, to be copied. */
export function programsView({ command, javascript, python }: Programs): HTMLElement[] {
  const lines = (text: string) =>
    code(
      ...text
        .split('\n')
        .flatMap((line) => [line, element('br')])
        .slice(0, -1),
    );
  const row = (name: string, text: string): [string, HTMLElement] => [
    name,
    value(`the ${name} program`, text, lines(text)),
  ];
  return [
    element('h3', {}, 'The same in code'),
    rows(
      row('command', command),
      row('JavaScript', javascript),
      python === undefined ? undefined : row('Python', python),
    ),
  ];
}

export function urlPrograms(url: string, { base, siteRules, ...form }: LineOptions): Programs {
  const rules = siteRules === undefined ? [] : [`siteRules: SiteRules.parse(${literal(siteRules.text)})`];
  const importRules = siteRules === undefined ? '' : "import { SiteRules } from 'urlsum/site';\n";
  const keywords = keywordsOf({ base, ...form, siteRules: siteRules?.text });
  return {
    command: commandOn(url, [...(base === undefined ? [] : ['--base', base]), ...formFlags({ ...form, siteRules })]),
    javascript: `import { UrlHash } from 'urlsum';
${importRules}console.log(UrlHash.of(${argumentsOf(url, { base, ...form }, ...rules)}).hex);`,
    python: `import urlsum
print(urlsum.hash_one(${literal(url)}${keywords}).hex())`,
  };
}

export function safeBrowsingPrograms(url: string, { profile, mode }: Pick<State, 'profile' | 'mode'>): Programs {
  const options = { profile: profile === 'v5' ? undefined : profile, mode: mode === 'spec' ? undefined : mode };
  const flags = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  return {
    command: commandOn(url, ['expressions', '--hash', ...flags]),
    javascript: `import { expressions } from 'urlsum/safe-browsing';
console.log(expressions(${argumentsOf(url, options)}));`,
  };
}

export function hashedUriPrograms(uri: string, { keep, excluded }: Pick<State, 'keep' | 'excluded'>): Programs {
  const escapes = excluded === 'escape';
  const flags = [
    ...(keep.length > 0 ? ['--keep', keep.join()] : []),
    ...(escapes ? ['--reading', 'excluded=escape'] : []),
  ];
  const options = {
    variant: 'N',
    algorithm: 'sha1',
    keep: keep.length > 0 ? keep : undefined,
    readings: escapes ? { excluded } : undefined,
  };
  return {
    command: commandOn(uri, ['hashed-uri', ...flags]),
    javascript: `import { hash } from 'urlsum/hashed-uri';
console.log(hash(${argumentsOf(uri, options)}).toString());`,
  };
}

export function hashUriPrograms(uri: string): Programs {
  return {
    command: commandOn(uri, ['hash-uri', 'parse']),
    javascript: `import { isPotentialHashUri } from 'urlsum/hash-uri';
console.log(isPotentialHashUri(${literal(uri)}));`,
  };
}

/** Returns a command on a URL: what has no scheme would be the name of a file. */
function commandOn(url: string, words: readonly string[]): string {
  if (/^[a-z][a-z\d+.-]*:/i.test(url)) return shellWords(['urlsum', ...words, url]);
  return `printf '%s\\n' ${shellWords([url])} | ${shellWords(['urlsum', ...words])}`;
}

/** A text or a list as JavaScript and Python both write it. */
function literal(value: unknown): string {
  return JSON.stringify(value);
}

/** Returns the arguments of a function of JavaScript: the URL, and the options that are given. */
function argumentsOf(url: string, options: object, ...others: readonly string[]): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const members = [...given.map(([name, value]) => `${name}: ${literal(value)}`), ...others];
  return members.length === 0 ? literal(url) : `${literal(url)}, { ${members.join(', ')} }`;
}

/** The same options, as Python names and writes them. */
function keywordsOf(options: object): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return given.map(([name, value]) => `, ${snake(name)}=${value === true ? 'True' : literal(value)}`).join('');
}

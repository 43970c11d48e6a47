import { parseArgs } from 'node:util';
import { KERNEL_NAMES } from '../kernel/index.ts';
import { formOf, type UrlForm } from '../url/index.ts';
import { FORMATS, type GivenOptions, OUTPUTS, PROFILES, ServeError, WIDTHS } from './options.ts';

const FLAGS = {
  format: { type: 'string' },
  output: { type: 'string', default: 'hash' },
  profile: { type: 'string' },
  width: { type: 'string' },
  nullable: { type: 'boolean', default: false },
  kernel: { type: 'string' },
  'exclude-fragment': { type: 'boolean', default: false },
  'drop-param': { type: 'string', multiple: true },
  'drop-list': { type: 'string' },
  'sort-params': { type: 'boolean', default: false },
} as const;

/** Parses the command line of urlsum-serve.mjs. @throws {ServeError} on an unknown option or a wrong value */
export function givenOptions(args: readonly string[]): GivenOptions {
  const { format, output, profile, width, nullable, kernel, ...form } = parsed(args);
  return {
    format: format === undefined ? format : oneOf('format', format, FORMATS),
    output: oneOf('output', output, OUTPUTS),
    profile: profile === undefined ? profile : oneOf('profile', profile, PROFILES),
    width: width === undefined ? width : oneOf('width', width, WIDTHS),
    nullable,
    kernel: kernel === undefined ? kernel : oneOf('kernel', kernel, KERNEL_NAMES),
    form: urlForm(form),
  };
}

function urlForm(
  values: Pick<ReturnType<typeof parsed>, 'exclude-fragment' | 'drop-param' | 'drop-list' | 'sort-params'>,
): UrlForm {
  const { 'drop-list': dropList } = values;
  try {
    return formOf({
      excludeFragment: values['exclude-fragment'],
      dropParams: values['drop-param'] ?? [],
      ...(dropList !== undefined && { dropList }),
      sortParams: values['sort-params'],
    });
  } catch (error) {
    if (error instanceof RangeError) throw new ServeError(error.message);
    throw error;
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new ServeError(error.message.split('. ')[0]);
    throw error;
  }
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new ServeError(`--${name} must be one of ${choices.join(', ')}, not '${value}'`);
  return choice;
}

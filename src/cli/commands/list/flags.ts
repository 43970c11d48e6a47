import { group, text } from '../../terminal/flag.ts';
import { UsageError } from '../../terminal/usage-error.ts';

export const OUT_FLAG = group('Output', {
  out: text('FILE', 'the file to write, which appears only once it is complete; - is standard output', {
    short: 'o',
    isPath: true,
  }),
});

export const NAME_FLAG = group('Output', {
  name: text('NAME', 'what the list is called; none by default'),
});

export function mustHaveOut(command: string, out: string | undefined): string {
  if (out !== undefined) return out;
  throw new UsageError(`${command} needs --out FILE`);
}

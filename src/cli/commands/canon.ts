import { decodeLine } from '../../bytes/utf8.ts';
import { canonicalForm } from '../../url/canonicalize.ts';
import { UrlError } from '../../url/error.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';
import { ON_ERROR, oneOf, parseOptions } from '../terminal/options.ts';
import { UsageError } from '../terminal/usage.ts';
import { type LineForm, runLines } from './line-run.ts';

const PROFILES = ['url', 'web-risk', 'safe-browsing', 'hashed-uri-n', 'hashed-uri-p'] as const;
type Profile = (typeof PROFILES)[number];

/** `urlsum canon`: the canonical form of each line. */
export async function canon(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    profile: { type: 'string', default: 'url' },
    mode: { type: 'string' },
    'on-error': { type: 'string', default: 'null' },
    zero: { type: 'boolean', short: 'z', default: false },
    out: { type: 'string' },
  });
  const form = await formOf(oneOf('profile', values.profile, PROFILES), values.mode);
  const onError = oneOf('on-error', values['on-error'], ON_ERROR);
  await runLines(positionals, form, { onError, isZero: values.zero, out: values.out }, diagnostics);
}

async function formOf(profile: Profile, mode: string | undefined): Promise<LineForm> {
  if (profile === 'web-risk' || profile === 'safe-browsing') {
    return (await import('./expressions.ts')).canonicalLine(
      profile,
      oneOf('mode', mode ?? 'spec', ['spec', 'browser']),
    );
  }
  if (mode !== undefined) throw new UsageError('--mode belongs to the profiles web-risk and safe-browsing');
  if (profile === 'url') return urlForm;
  return (await import('./hashed-uri.ts')).canonicalLine({ variant: profile === 'hashed-uri-n' ? 'N' : 'P' });
}

function urlForm(bytes: Uint8Array): string | Error {
  const line = decodeLine(bytes);
  const canonical = canonicalForm(line);
  return typeof canonical === 'string' ? canonical : UrlError.from(line, canonical);
}

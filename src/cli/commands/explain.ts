import { hexOfBytes } from '../../bytes/hex.ts';
import { digestOfString } from '../../digest/digest.ts';
import { openKernel } from '../../kernel/open.ts';
import { canonicalForm } from '../../safe-browsing/canonicalize.ts';
import { explain as explainReading, READINGS, readingsOfExpressions } from '../../safe-browsing/explain.ts';
import type { Reading, Settings } from '../../safe-browsing/settings.ts';
import { PUBLIC_SUFFIX_LIST } from '../../safe-browsing/suffix-list.ts';
import type { Diagnostics } from '../terminal/diagnostics.ts';

/** `urlsum expressions --explain URL`: every step of the reading asked for, then what the four readings make of it. */
export function explain(url: string, settings: Settings, diagnostics: Diagnostics): void {
  const isAskedFor = ({ profile, mode }: Reading) =>
    profile === settings.profile && (mode === settings.mode || settings.mode === 'union');
  const readings = READINGS.filter(isAskedFor);
  const parts = [
    ...readings.map((reading) => steps(url, reading)),
    canonicalForms(url),
    expressionTable(url, settings),
  ];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (READINGS.every((reading) => typeof canonicalForm(url, reading) !== 'string')) diagnostics.failed();
}

function nameOf({ profile, mode }: Reading): string {
  return `${profile === 'v5' ? 'safe-browsing' : profile} ${mode}`;
}

function steps(url: string, reading: Reading): string {
  const { steps, failure } = explainReading(url, reading);
  const rows = steps.map(({ step, text }): [string, string] => [step, text]);
  if (failure !== undefined) rows.push(['rejected', `${failure.sentence} (${failure.reason})`]);
  return section(`Steps, ${nameOf(reading)}`, rows);
}

function canonicalForms(url: string): string {
  return section(
    'Canonical forms',
    READINGS.map((reading) => {
      const canonical = canonicalForm(url, reading);
      return [nameOf(reading), typeof canonical === 'string' ? canonical : `rejected: ${canonical.reason}`];
    }),
  );
}

/** Each expression with its hash and the readings that look it up. */
function expressionTable(url: string, settings: Settings): string {
  const rows = [...readingsOfExpressions(url, settings)].map(([expression, readings]): [string, string] => {
    const hex = hexOfBytes(digestOfString(openKernel(), expression, 32), 0, 32);
    return [expression, `${hex}  ${readings.length === READINGS.length ? 'all' : readings.map(nameOf).join(', ')}`];
  });
  return section(`Expressions, SHA-256, and who looks them up (suffix list ${PUBLIC_SUFFIX_LIST})`, rows);
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(60, Math.max(0, ...rows.map(([label]) => label.length)));
  return [title, ...rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)].join('\n');
}

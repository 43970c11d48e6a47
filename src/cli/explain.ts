import { digestOfString } from '../digest/digest.ts';
import { hexOfBytes } from '../digest/hex.ts';
import { openKernel } from '../kernel/open.ts';
import { CanonicalUrl } from '../safe-browsing/canonical-url.ts';
import { canonicalForm } from '../safe-browsing/canonicalize.ts';
import { Canonicalizer } from '../safe-browsing/canonicalizer.ts';
import { expressionList } from '../safe-browsing/expressions.ts';
import { InputBytes } from '../safe-browsing/input.ts';
import type { Reading, Settings } from '../safe-browsing/settings.ts';
import { PUBLIC_SUFFIX_LIST } from '../safe-browsing/suffix-list.ts';
import type { Diagnostics } from './diagnostics.ts';
import { UsageError } from './usage.ts';

const READINGS: readonly Reading[] = [
  { profile: 'web-risk', mode: 'spec' },
  { profile: 'web-risk', mode: 'browser' },
  { profile: 'v5', mode: 'spec' },
  { profile: 'v5', mode: 'browser' },
];

/** `urlsum expressions --explain URL`: every step of the reading asked for, then what the four readings make of it. */
export function explain(url: string, settings: Settings, positionals: readonly string[], diagnostics: Diagnostics): void {
  if (positionals.length > 0) throw new UsageError(`--explain takes one URL and no files, got '${positionals[0]}' too`);
  const isAskedFor = ({ profile, mode }: Reading) => profile === settings.profile && (mode === settings.mode || settings.mode === 'union');
  const readings = READINGS.filter(isAskedFor);
  const parts = [...readings.map((reading) => steps(url, reading)), canonicalForms(url), expressionTable(url, settings)];
  process.stdout.write(`${parts.join('\n\n')}\n`);
  if (READINGS.every((reading) => typeof canonicalForm(url, reading) !== 'string')) diagnostics.failed();
}

function nameOf({ profile, mode }: Reading): string {
  return `${profile === 'v5' ? 'safe-browsing' : profile} ${mode}`;
}

/** What each step left, from the canonicalizer itself. */
function steps(url: string, reading: Reading): string {
  const rows: [string, string][] = [];
  const canonicalizer = new Canonicalizer((step, bytes, start, end) => rows.push([step, visible(bytes, start, end)]));
  const input = new InputBytes();
  input.set(url);
  const failed = canonicalizer.runSteps(input.bytes, input.start, input.end, reading, new CanonicalUrl());
  if (failed !== undefined) rows.push(['rejected', `${failed.sentence} (${failed.reason})`]);
  return section(`Steps, ${nameOf(reading)}`, rows);
}

function canonicalForms(url: string): string {
  return section('Canonical forms', READINGS.map((reading) => {
    const canonical = canonicalForm(url, reading);
    return [nameOf(reading), typeof canonical === 'string' ? canonical : `rejected: ${canonical.reason}`];
  }));
}

/** Each expression with its hash and the readings that look it up. */
function expressionTable(url: string, settings: Settings): string {
  const readings = new Map<string, string[]>();
  for (const reading of READINGS) {
    const list = expressionList(url, { ...settings, ...reading });
    if (!Array.isArray(list)) continue;
    for (const expression of list) readings.set(expression, [...(readings.get(expression) ?? []), nameOf(reading)]);
  }
  const rows = [...readings].map(([expression, names]): [string, string] => {
    const hex = hexOfBytes(digestOfString(openKernel(), expression, 32), 0, 32);
    return [expression, `${hex}  ${names.length === READINGS.length ? 'all' : names.join(', ')}`];
  });
  return section(`Expressions, SHA-256, and who looks them up (suffix list ${PUBLIC_SUFFIX_LIST})`, rows);
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(60, Math.max(0, ...rows.map(([label]) => label.length)));
  return [title, ...rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)].join('\n');
}

/** Bytes that a terminal would not show as they are, as \xHH. */
function visible(bytes: Uint8Array, start: number, end: number): string {
  return Array.from(bytes.subarray(start, end), (byte) => {
    return byte > 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}

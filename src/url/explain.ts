import { Failure } from './failure.ts';
import { parseUrl, withoutC0ControlsAround, withoutTabsAndNewlines } from './parser.ts';
import { type Part, type PartName, partsOf } from './parts.ts';
import type { UrlRecord } from './record.ts';
import { serialize } from './serializer.ts';
import {
  credentialSteps,
  fragmentSteps,
  hostSteps,
  pathSteps,
  portSteps,
  querySteps,
  type Step,
  Steps,
  schemeSteps,
  slashesSteps,
} from './steps.ts';

/** A part of a URL on its way from the input to the canonical form. */
export interface ExplainedPart {
  readonly name: PartName;
  /** undefined: the input has none, and the canonical form does. */
  readonly given: Part | undefined;
  /** As it is written in the canonical form, its delimiters left out; undefined: not at all. */
  readonly canonical: string | undefined;
  /** From given to canonical; empty where nothing changed. */
  readonly steps: readonly Step[];
}

export interface Explanation {
  /** What was removed before parsing. */
  readonly cleaning: readonly Step[];
  /** In the order of the canonical form. */
  readonly parts: readonly ExplainedPart[];
  readonly record: Readonly<UrlRecord>;
  readonly canonical: string;
}

const STEPS: Readonly<Record<PartName, (given: string, url: UrlRecord) => Steps>> = {
  scheme: schemeSteps,
  slashes: slashesSteps,
  username: credentialSteps,
  password: credentialSteps,
  host: hostSteps,
  port: portSteps,
  path: pathSteps,
  query: querySteps,
  fragment: fragmentSteps,
};

const NAMES = Object.keys(STEPS) as PartName[];

/** How `canonicalize` gets to its result: what each part was given as, what it became, and why. */
export function explain(text: string): Explanation | Failure {
  const record = parseUrl(text, undefined);
  if (record instanceof Failure) return record;
  const given = new Map(partsOf(text).map((part) => [part.name, part]));
  const parts = NAMES.filter((name) => given.has(name) || isAdded(name, record));
  return {
    cleaning: cleaningSteps(text),
    parts: parts.map((name) => explained(name, given.get(name), record)),
    record,
    canonical: serialize(record),
  };
}

/** `file:` URLs get an authority that the input may lack. */
function isAdded(name: PartName, { host }: UrlRecord): boolean {
  return name === 'slashes' && host !== null;
}

function explained(name: PartName, given: Part | undefined, record: UrlRecord): ExplainedPart {
  const steps = STEPS[name](given?.text ?? '', record);
  return { name, given, canonical: isWritten(name, steps.text) ? steps.text : undefined, steps: steps.list };
}

/** Credentials and a port are left out where they are empty; a query and a fragment are not. */
function isWritten(name: PartName, canonical: string): boolean {
  return canonical !== '' || !['username', 'password', 'port'].includes(name);
}

function cleaningSteps(text: string): readonly Step[] {
  const steps = new Steps(text).to(
    withoutC0ControlsAround(text),
    'spaces and control characters around it removed',
    'concept-basic-url-parser',
  );
  return steps.to(withoutTabsAndNewlines(steps.text), 'tabs and newlines removed', 'concept-basic-url-parser').list;
}

import { otherVersion } from '../../core/url/key-origin.ts';
import type { Base, DefaultScheme, UnicodeVersion } from '../../core/url/parsed-url.ts';
import { shownProfile } from '../../core/url/profile.ts';
import type { Framing } from './framing.ts';
import { withKnownStart } from './lines.ts';

/** The settings that a list of hashes was made with. */
export interface SumTag {
  readonly profile: string;
  /** Bytes of each hash. */
  readonly width: number;
  /** The scheme of URLs without one: under another, the same text has another hash. */
  readonly defaultScheme?: DefaultScheme | undefined;
}

/** The form by which a run checks hashes. */
interface TaggedForm {
  readonly profile: string;
  readonly base: Base | undefined;
}

/** `# urlsum profile=url/1+unicode18 width=32`: no line of the text format begins with a number sign. */
const TAG = /^# urlsum profile=(\S+) width=(\d+)(?: default-scheme=(https?))?\r?$/;

/** A line with more bytes than this is not a tag. */
const TAG_BYTES = 1 << 14;
/** The most bytes of a tag's profile, which names parameters: the rest of the line has 57. */
export const TAG_PROFILE_BYTES = TAG_BYTES - 64;

/** The comment line of `--tag`. */
export function tagLine({ profile, width, defaultScheme }: SumTag, lineEnd: number): Uint8Array {
  const reading = defaultScheme === undefined ? '' : ` default-scheme=${defaultScheme}`;
  return Buffer.from(`# urlsum profile=${profile} width=${width}${reading}${String.fromCharCode(lineEnd)}`);
}

/** Returns the tag in a line, or undefined if the line is not a tag. */
export function tagOf(line: Uint8Array): SumTag | undefined {
  const [, profile, width, scheme] = TAG.exec(Buffer.from(line.subarray(0, TAG_BYTES)).toString('latin1')) ?? [];
  if (profile === undefined) return undefined;
  return { profile, width: Number(width), ...(scheme !== undefined && { defaultScheme: scheme as DefaultScheme }) };
}

/** Says why hashes after a tag cannot be checked by a run; undefined where they can. */
export function tagProblem(tag: SumTag, profile: string, base: Base | undefined): string | undefined {
  if (otherVersion(tag.profile, profile) === undefined) return profileProblem(tag.profile, profile);
  const scheme = typeof base === 'string' ? base : undefined;
  if (tag.defaultScheme === scheme) return undefined;
  return `made ${schemeFlag(tag.defaultScheme)}, but this run is ${schemeFlag(scheme)}`;
}

function schemeFlag(scheme: DefaultScheme | undefined): string {
  return scheme === undefined ? 'without --default-scheme' : `with --default-scheme ${scheme}`;
}

/** Says why hashes of one profile cannot be checked with another. */
export function profileProblem(made: string, checked: string): string {
  return `made with the profile ${shownProfile(made)}, but this run uses ${checked}`;
}

/**
 * Lines of hashes. The tag at the head of an input, if there is one, says how all of its lines were made: the tag of
 * another profile is refused before any answer is written, unless it differs only by its version of Unicode.
 *
 * @param use is told the version of an input before each of its blocks, in whatever thread
 */
export function taggedLines(
  lines: Framing,
  lineEnd: number,
  { profile, base }: TaggedForm,
  use: (unicode: UnicodeVersion) => void = () => undefined,
): Framing {
  const known = withKnownStart(lines, (start) => {
    if (!start.includes(lineEnd)) return start.length >= TAG_BYTES;
    const tag = tagAtHead(start, lineEnd);
    const problem = tag && tagProblem(tag, profile, base);
    if (problem !== undefined) throw new Error(problem);
    return true;
  });
  return {
    ...known,
    stateOf: (block, before) => before ?? otherVersion(tagAtHead(block, lineEnd)?.profile ?? profile, profile),
    *batches(block, unicode) {
      if (unicode !== undefined) use(unicode as UnicodeVersion);
      yield* lines.batches(block, undefined);
    },
  };
}

/** Returns the tag in the first line. */
function tagAtHead(start: Uint8Array, lineEnd: number): SumTag | undefined {
  const end = start.indexOf(lineEnd);
  return tagOf(end === -1 ? start : start.subarray(0, end));
}

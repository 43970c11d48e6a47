import type { Base, DefaultScheme, UnicodeVersion } from '../../core/url/parsed-url.ts';
import { otherVersion, shownProfile } from '../../core/url/profile.ts';
import type { Framing } from './framing.ts';
import { withKnownStart } from './lines.ts';

/** The settings that a list of hashes was made with. */
export interface SumTag {
  readonly profile: string;
  /** Bytes of each hash. */
  readonly width: number;
  /** How what has no scheme was read: under another, the same text has another hash. */
  readonly defaultScheme?: DefaultScheme | undefined;
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
 * Lines of hashes. An input that begins with the tag of another profile is refused before any answer is written, unless
 * that differs only by its version of Unicode. Outputs can be joined, so a tag may stand before any line: the lines of a
 * batch are after the same tag.
 */
export function taggedLines(lines: Framing, lineEnd: number, profile: string, base?: Base): Framing {
  const known = withKnownStart(lines, (start) => {
    const end = start.indexOf(lineEnd);
    if (end === -1 && start.length < TAG_BYTES) return undefined;
    const tag = end === -1 ? undefined : tagOf(start.subarray(0, end));
    const problem = tag && tagProblem(tag, profile, base);
    if (problem !== undefined) throw new Error(problem);
    return true;
  });
  return {
    ...known,
    stateOf(block, before): TagState {
      const first = (before as TagState | undefined)?.next ?? otherVersion(profile, profile);
      return { first, next: [...versionsIn(block, lineEnd, profile)].at(-1)?.unicode ?? first };
    },
    *batches(block, state) {
      const parts = [{ start: 0, unicode: (state as TagState).first }, ...versionsIn(block, lineEnd, profile)];
      let firstNumber = 0;
      for (const [index, { start, unicode }] of parts.entries()) {
        let length = 0;
        for (const batch of lines.batches(block.subarray(start, parts[index + 1]?.start), undefined)) {
          yield { ...batch, firstNumber: firstNumber + batch.firstNumber, unicode };
          length = batch.firstNumber + batch.length;
        }
        firstNumber += length;
      }
    },
  };
}

/** The versions of Unicode that tags name before a block, and before the next: those of the run where none does. */
interface TagState {
  readonly first: UnicodeVersion | undefined;
  readonly next: UnicodeVersion | undefined;
}

const TAG_START = '# urlsum profile=';

/** Finds the tags in a block that differ from the profile at most by their version of Unicode. */
function* versionsIn(block: Uint8Array, lineEnd: number, profile: string) {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
  for (let start = -1; (start = bytes.indexOf(TAG_START, start + 1, 'latin1')) !== -1; ) {
    if (start > 0 && block[start - 1] !== lineEnd) continue;
    const end = block.indexOf(lineEnd, start);
    const tag = tagOf(block.subarray(start, end === -1 ? undefined : end));
    const unicode = tag && otherVersion(tag.profile, profile);
    if (unicode !== undefined) yield { start, unicode };
  }
}

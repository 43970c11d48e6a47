import { otherVersion } from '../../core/url/compatible.ts';
import { ProfileError } from '../../core/url/profile.ts';
import type { UnicodeVersion } from '../../core/url/unicode.ts';
import { flagsOfProfile } from '../arguments/form-advice.ts';
import type { Framing } from './framing.ts';
import { withKnownStart } from './lines.ts';

/** The settings that a list of hashes was made with. */
export interface SumTag {
  readonly profile: string;
  /** Bytes of each hash. */
  readonly width: number;
}

/** `# urlsum profile=url/1+unicode18 width=32`: no line of the text format begins with a number sign. */
const TAG = /^# urlsum profile=(\S+) width=(\d+)\r?$/;

/** A line with more bytes than this is not a tag. */
const TAG_BYTES = 1 << 14;
/** The most bytes of a tag's profile, which names parameters: the rest of the line has 35. */
export const TAG_PROFILE_BYTES = TAG_BYTES - 64;

/** The comment line of `--tag`. */
export function tagLine({ profile, width }: SumTag, lineEnd: number): Uint8Array {
  return Buffer.from(`# urlsum profile=${profile} width=${width}${String.fromCharCode(lineEnd)}`);
}

/** Returns the tag in a line, or undefined if the line is not a tag. */
export function tagOf(line: Uint8Array): SumTag | undefined {
  const [, profile, width] = TAG.exec(Buffer.from(line.subarray(0, TAG_BYTES)).toString('latin1')) ?? [];
  return profile === undefined ? undefined : { profile, width: Number(width) };
}

/** Says why hashes of one profile cannot be checked with another. */
export function profileProblem(made: string, checked: string): string {
  try {
    const flags = flagsOfProfile(made);
    if (flags === '') return 'made without options that change the canonical form: check without them, too';
    return `made with ${flags}: pass --check the same options`;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    if (error.reason === 'unknown-rules') return `made with other site rules (${made}): pass --check the same`;
    return `made with the profile ${made}, which this urlsum does not compute (${checked})`;
  }
}

/**
 * Lines of hashes. An input that begins with the tag of another profile is refused before any answer is written, unless
 * that differs only by its version of Unicode. Each block says which version the last tag before it names.
 */
export function taggedLines(lines: Framing, lineEnd: number, profile: string): Framing {
  const known = withKnownStart(lines, (start) => {
    const end = start.indexOf(lineEnd);
    if (end === -1 && start.length < TAG_BYTES) return undefined;
    const tag = end === -1 ? undefined : tagOf(start.subarray(0, end));
    if (tag !== undefined && otherVersion(tag.profile, profile) === undefined)
      throw new Error(profileProblem(tag.profile, profile));
    return true;
  });
  return {
    ...known,
    stateOf(block, before): TagState {
      const first = (before as TagState | undefined)?.next ?? otherVersion(profile, profile);
      return { first, next: lastVersionIn(block, lineEnd, profile) ?? first };
    },
    *batches(block, state) {
      let unicode: TagState['first'] = (state as TagState).first;
      for (const batch of lines.batches(block, undefined)) {
        yield { ...batch, unicode };
        unicode = undefined; // the stage has read the tags since
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

function lastVersionIn(block: Uint8Array, lineEnd: number, profile: string): UnicodeVersion | undefined {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
  let at = bytes.length;
  while (at > 0 && (at = bytes.lastIndexOf(TAG_START, at - 1, 'latin1')) !== -1) {
    const end = block.indexOf(lineEnd, at);
    const tag =
      at > 0 && block[at - 1] !== lineEnd ? undefined : tagOf(block.subarray(at, end === -1 ? undefined : end));
    const version = tag && otherVersion(tag.profile, profile);
    if (version !== undefined) return version;
  }
  return undefined;
}

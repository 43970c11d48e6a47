import type { Cutter } from '../../bulk/line-blocks.ts';
import { profileOf } from '../../url/profile.ts';
import type { Framing } from './framing.ts';

/** What a list of hashes was made with. */
export interface SumTag {
  readonly profile: string;
  /** Bytes of each hash. */
  readonly width: number;
}

/** `# urlsum profile=url/1+unicode17 width=32`: no line of the text format begins with a number sign. */
const TAG = /^# urlsum profile=(\S+) width=(\d+)\r?$/;

/** More than any tag has. */
const TAG_BYTES = 256;

/** The comment line of `--tag`. */
export function tagLine({ profile, width }: SumTag, lineEnd: number): Uint8Array {
  return Buffer.from(`# urlsum profile=${profile} width=${width}${String.fromCharCode(lineEnd)}`);
}

/** The tag in a line, or undefined where it holds something else. */
export function tagOf(line: Uint8Array): SumTag | undefined {
  const [, profile, width] = TAG.exec(Buffer.from(line.subarray(0, TAG_BYTES)).toString('latin1')) ?? [];
  return profile === undefined ? undefined : { profile, width: Number(width) };
}

/** Why hashes of one profile cannot be checked with another. */
export function profileProblem(made: string, checked: string): string {
  const whole = profileOf();
  const without = profileOf({ excludeFragment: true });
  if (made === without && checked === whole) return 'made with --exclude-fragment: check with that option, too';
  if (made === whole && checked === without) return 'made without --exclude-fragment: check without that option, too';
  return `made with the profile ${made}, which this run does not compute: it computes ${checked}`;
}

/** Lines of hashes: an input that begins with the tag of another profile is refused before any answer comes out. */
export function taggedLines(lines: Framing, lineEnd: number, profile: string): Framing {
  return { ...lines, cutter: () => refusingOthers(lines.cutter(), lineEnd, profile) };
}

function refusingOthers(endOf: Cutter, lineEnd: number, profile: string): Cutter {
  let isKnown = false;
  return (bytes, from) => {
    if (isKnown) return endOf(bytes, from);
    const end = bytes.indexOf(lineEnd);
    if (end === -1 && bytes.length < TAG_BYTES) return 0;
    const tag = end === -1 ? undefined : tagOf(bytes.subarray(0, end));
    if (tag !== undefined && tag.profile !== profile) throw new OtherProfileError(tag.profile, profile);
    isKnown = true;
    return endOf(bytes, 0);
  };
}

/** The hashes of an input are of another canonical form. */
class OtherProfileError extends Error {
  constructor(made: string, checked: string) {
    super(profileProblem(made, checked));
  }
}

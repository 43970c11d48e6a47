import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { executable } from '../executable.ts';
import { absent, type Found, joined } from '../found.ts';
import { MANIFEST } from './crates.ts';
import { FOLDER, failureOf, MISSING, outcomeOf, reasonIn } from './tool.ts';

/** As ada's crate builds it. OpenSSL calls its fastest functions for short messages deprecated. */
const FLAGS = ['-std=c++20', '-DADA_INCLUDE_URL_PATTERN=0', '-DOPENSSL_SUPPRESS_DEPRECATED'];

/** One of the ways to build the program. */
interface Build {
  readonly name?: string;
  readonly program: string;
  readonly flags: readonly string[];
}

const PORTABLE: Build = { program: `${FOLDER}/cpp`, flags: ['-O3'] };
/** For no other processor than this one. */
const NATIVE: Build = { name: '-march=native', program: `${FOLDER}/cpp-native`, flags: ['-O3', '-march=native'] };
/** A third of the time to build, and slow. */
const UNOPTIMIZED: Build = { program: `${FOLDER}/cpp-unoptimized`, flags: ['-O0'] };

export async function cpp(isSmoke: boolean): Promise<Found> {
  const ada = await adaFolder(isSmoke ? ['--offline'] : []);
  if (ada === undefined)
    return absent("C++ is left out: Cargo does not have the crate ada-url, which brings ada's source");
  const builds = isSmoke ? [UNOPTIMIZED] : [PORTABLE, NATIVE];
  return joined(await Promise.all(builds.map((build) => built(build, ada))));
}

/** ada as one file, which comes with the crate that the program in Rust uses: both have the same version of it. */
async function adaFolder(flags: readonly string[]): Promise<string | undefined> {
  const outcome = await outcomeOf('cargo', ['metadata', '--format-version', '1', ...flags, ...MANIFEST]);
  if ('failure' in outcome) return undefined;
  const { packages } = JSON.parse(outcome.output) as Metadata;
  return join(dirname(packages.find(({ name }) => name === 'ada-url')!.manifest_path), 'deps');
}

interface Metadata {
  readonly packages: readonly { readonly name: string; readonly manifest_path: string }[];
}

async function built({ name, program, flags }: Build, ada: string): Promise<Found> {
  mkdirSync(FOLDER, { recursive: true });
  const sources = ['bench/native/cpp/main.cpp', join(ada, 'ada.cpp')];
  const failure = await failureOf('c++', [...FLAGS, ...flags, '-I', ada, '-o', program, ...sources, '-lcrypto']);
  if (failure === MISSING) return absent('C++ is left out: the command c++ is not installed');
  if (failure !== undefined)
    return absent(`C++ does not build: ${reasonIn(failure)} (Debian's libssl-dev has OpenSSL's headers)`);
  return { starts: [{ ...executable(program), build: name, bytesCommand: `'${program}' --bin` }], absent: [] };
}

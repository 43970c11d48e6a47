import { executable } from '../executable.ts';
import { absent, type Found, joined } from '../found.ts';
import { MANIFEST } from './crates.ts';
import { FOLDER, failureOf, MISSING, reasonIn } from './tool.ts';

/** One of the ways to build the program. */
interface Build {
  readonly name?: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const PORTABLE: Build = { folder: `${FOLDER}/rust`, environment: {} };
/** For no other processor than this one; ada, which is C++, likewise. */
const NATIVE: Build = {
  name: 'target-cpu=native',
  folder: `${FOLDER}/rust-native`,
  environment: { RUSTFLAGS: '-C target-cpu=native', CXXFLAGS: '-march=native' },
};

/** What is missing may also be the crates, where no registry is within reach, a C++ compiler, or OpenSSL's headers. */
export async function rust(): Promise<Found> {
  const failure = await failureOf('cargo', ['fetch', '--quiet', ...MANIFEST]);
  if (failure === MISSING) return absent('Rust is not here');
  if (failure !== undefined) return absent(`Rust's crates cannot be fetched: ${reasonIn(failure)}`);
  return joined(await Promise.all([PORTABLE, NATIVE].map(built)));
}

async function built(build: Build): Promise<Found> {
  const start = { ...executable(`${build.folder}/release/urlsum-rivals`), build: build.name };
  if ((await cargoFailure(build, ['--features', 'openssl'])) === undefined) return { starts: [start], absent: [] };
  const failure = await cargoFailure(build, []);
  if (failure !== undefined) return absent(`Rust's program does not build: ${reasonIn(failure)}`);
  return { starts: [start], absent: ["Rust does not build with OpenSSL: Debian's libssl-dev has its headers"] };
}

function cargoFailure({ folder, environment }: Build, features: readonly string[]): Promise<string | undefined> {
  const args = ['build', '--release', '--quiet', '--target-dir', folder, ...MANIFEST, ...features];
  return failureOf('cargo', args, environment);
}

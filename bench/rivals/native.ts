import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { absent, type Found, joined } from './found.ts';

const FOLDER = resolve('build/native');
const CARGO = ['--locked', '--quiet', '--manifest-path', 'bench/native/rust/Cargo.toml'];

/** Builds bench/native/ into build/native/, where there are toolchains. */
export function natives(isSmoke: boolean): Found {
  return joined([go(), isSmoke ? absent('Rust is left out of a smoke run: its build takes a minute') : rust()]);
}

function go(): Found {
  const program = `${FOLDER}/go`;
  const failure = failureOf('go', ['build', '-C', 'bench/native/go', '-o', program, '.']);
  if (failure === MISSING) return absent('Go is not here');
  if (failure !== undefined) throw new Error(failure);
  return { starts: [{ command: program, args: [] }], absent: [] };
}

/** What is missing may also be the crates, where no registry is within reach, a C++ compiler, or OpenSSL's headers. */
function rust(): Found {
  const fetching = failureOf('cargo', ['fetch', ...CARGO]);
  if (fetching === MISSING) return absent('Rust is not here');
  if (fetching !== undefined) return absent(`Rust's crates cannot be fetched: ${fetching.split('\n')[0]}`);
  const build = ['build', '--release', '--target-dir', `${FOLDER}/rust`, ...CARGO];
  const starts = [{ command: `${FOLDER}/rust/release/urlsum-rivals`, args: [] }];
  if (failureOf('cargo', [...build, '--features', 'openssl']) === undefined) return { starts, absent: [] };
  const failure = failureOf('cargo', build);
  if (failure !== undefined) return absent(`Rust's program does not build: ${failure.split('\n')[0]}`);
  return { starts, absent: ["Rust does not build with OpenSSL: Debian's libssl-dev has its headers"] };
}

const MISSING = 'the command does not exist';

function failureOf(command: string, args: readonly string[]): string | undefined {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined) return MISSING;
  return status === 0 ? undefined : stderr;
}

// The programs in other languages, as rows: what builds each, and what it needs. They are built in the user's cache, so
// that a build of the project does not remove them: Rust's take minutes.

import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { absent, executable, type Found, joined } from './program.ts';

const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
const FOLDER = join(XDG_CACHE_HOME, 'urlsum-rivals');
const MANIFEST = ['--manifest-path', 'bench/rivals/rust/Cargo.toml'];
const CARGO = ['build', '--release', '--quiet', ...MANIFEST, '--target-dir'];
/** As ada's crate builds it. OpenSSL calls its fastest functions for short messages deprecated. */
const CPP = ['-std=c++20', '-DADA_INCLUDE_URL_PATTERN=0', '-DOPENSSL_SUPPRESS_DEPRECATED'];

interface Native {
  readonly language: string;
  /** How it is built, where there are several ways. */
  readonly build?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly program: string;
  /** What most likely is missing where it does not build. */
  readonly needs: string;
  /** Can it also write the digests of a file to standard output? */
  readonly writesBytes?: boolean;
}

const GO: Native = {
  language: 'Go',
  command: 'go',
  args: ['build', '-C', 'bench/rivals/go', '-o', `${FOLDER}/go`, '.'],
  program: `${FOLDER}/go`,
  needs: 'Go 1.22',
};
const RUST_NEEDS = 'its crates, and a C++ compiler for ada';
const RUST: Native = {
  language: 'Rust',
  command: 'cargo',
  args: [...CARGO, `${FOLDER}/rust`],
  program: `${FOLDER}/rust/release/urlsum-rivals`,
  needs: RUST_NEEDS,
};
/** For no other processor than this one; ada, which is C++, likewise. */
const RUST_NATIVE: Native = {
  ...RUST,
  build: 'target-cpu=native',
  args: [...CARGO, `${FOLDER}/rust-native`],
  environment: { RUSTFLAGS: '-C target-cpu=native', CXXFLAGS: '-march=native' },
  program: `${FOLDER}/rust-native/release/urlsum-rivals`,
};

/** ada comes as one file with the crate that the program in Rust uses: both have the same version of it. */
function cpp(ada: string, flags: readonly string[], build?: string): Native {
  const program = `${FOLDER}/cpp${flags.join('')}`;
  const sources = ['bench/rivals/cpp/main.cpp', join(ada, 'ada.cpp')];
  return {
    language: 'C++',
    ...(build !== undefined && { build }),
    command: 'c++',
    args: [...CPP, ...flags, '-I', ada, '-o', program, ...sources, '-lcrypto'],
    program,
    needs: "OpenSSL's headers, which Debian's libssl-dev has",
    writesBytes: true,
  };
}

/** A smoke run omits Rust, whose build takes a minute, and builds C++ without optimization, in a third of the time. */
export async function builtNatives(isSmoke: boolean): Promise<Found> {
  mkdirSync(FOLDER, { recursive: true });
  const rust = isSmoke ? [] : [RUST, RUST_NATIVE];
  const ada = await adaFolder(isSmoke ? ['--offline'] : []);
  const ofCpp = ada === undefined ? [] : isSmoke ? [cpp(ada, ['-O0'])] : cppBuilds(ada);
  const found = await Promise.all([GO, ...rust, ...ofCpp].map(built));
  if (ada === undefined) found.push(absent('C++ is left out: Cargo does not have the crate that brings ada'));
  return joined(found);
}

function cppBuilds(ada: string): Native[] {
  return [cpp(ada, ['-O3']), cpp(ada, ['-O3', '-march=native'], '-march=native')];
}

async function built({ language, build, command, args, environment, program, needs, writesBytes }: Native) {
  const outcome = await outcomeOf(command, args, environment);
  if ('failure' in outcome) return absent(`${language} is left out, which needs ${needs}: ${outcome.failure}`);
  const bytesCommand = writesBytes ? `'${program}' --bin` : undefined;
  return { starts: [{ ...executable(program), build, bytesCommand }], absent: [] };
}

async function adaFolder(flags: readonly string[]): Promise<string | undefined> {
  const outcome = await outcomeOf('cargo', ['metadata', '--format-version', '1', ...flags, ...MANIFEST]);
  if ('failure' in outcome) return undefined;
  const { packages } = JSON.parse(outcome.output) as {
    packages: readonly { readonly name: string; readonly manifest_path: string }[];
  };
  return join(dirname(packages.find(({ name }) => name === 'ada-url')!.manifest_path), 'deps');
}

type Outcome = { readonly output: string } | { readonly failure: string };

/** What a tool printed, or the first line of what it said that names an error. */
async function outcomeOf(command: string, args: readonly string[], environment = {}): Promise<Outcome> {
  const options = { env: { ...process.env, ...environment }, maxBuffer: 1 << 26 };
  try {
    return { output: (await promisify(execFile)(command, args, options)).stdout };
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { readonly stderr?: string };
    if (code === 'ENOENT') return { failure: `the command ${command} does not exist` };
    const lines = (stderr || message).trim().split('\n');
    return { failure: lines.find((line) => line.includes('error')) ?? lines[0]! };
  }
}

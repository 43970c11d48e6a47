// The programs in other languages, as rows: what builds each, and what it needs. They are built in the user's cache, so
// that a build of the project does not remove them: Rust's take minutes.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isSmoke } from '../corpus.ts';
import { absent, executable, type Found, joined } from './program.ts';

const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env;
const FOLDER = join(XDG_CACHE_HOME, 'urlsum-rivals');
const MANIFEST = ['--manifest-path', 'bench/rivals/rust/Cargo.toml'];
/** Flags as ada's crate has them. OpenSSL calls its fastest functions for short messages deprecated. */
const CPP = ['-std=c++20', '-DADA_INCLUDE_URL_PATTERN=0', '-DOPENSSL_SUPPRESS_DEPRECATED'];

type Language = 'Go' | 'Rust' | 'C++';

interface Native {
  readonly language: Language;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly program: string;
  /** The package that most likely is missing where it does not build. */
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
/** Flags for no other processor than this one; ada, which is C++, likewise. */
const RUST: Native = {
  language: 'Rust',
  command: 'cargo',
  args: ['build', '--release', '--quiet', ...MANIFEST, '--target-dir', `${FOLDER}/rust`],
  environment: { RUSTFLAGS: '-C target-cpu=native', CXXFLAGS: '-march=native' },
  program: `${FOLDER}/rust/release/urlsum-rivals`,
  needs: 'its crates, and a C++ compiler for ada',
};

/** ada comes as one file with the crate that the program in Rust uses: both have the same version of it. */
function cpp(ada: string, flags: readonly string[]): Native {
  const program = `${FOLDER}/cpp${flags.join('')}`;
  const sources = ['bench/rivals/cpp/main.cpp', join(ada, 'ada.cpp')];
  return {
    language: 'C++',
    command: 'c++',
    args: [...CPP, ...flags, '-I', ada, '-o', program, ...sources, '-lcrypto'],
    program,
    needs: "OpenSSL's headers, which Debian's libssl-dev has",
    writesBytes: true,
  };
}

/** A smoke run omits Rust, whose build takes a minute, and builds C++ without optimization, in a third of the time. */
const LANGUAGES: readonly Language[] = isSmoke ? ['Go', 'C++'] : ['Go', 'Rust', 'C++'];
const CPP_FLAGS = isSmoke ? ['-O0'] : ['-O3', '-march=native'];

export async function builtNatives(languages = LANGUAGES): Promise<Found> {
  mkdirSync(FOLDER, { recursive: true });
  const natives = [GO, RUST].filter(({ language }) => languages.includes(language));
  const ada = languages.includes('C++') ? await adaFolder(isSmoke ? ['--offline'] : []) : undefined;
  if (ada !== undefined) natives.push(cpp(ada, CPP_FLAGS));
  const found = await Promise.all(natives.map(built));
  if (languages.includes('C++') && ada === undefined)
    found.push(absent('C++ is left out: Cargo does not have the crate that brings ada'));
  return joined(found);
}

async function built({ language, command, args, environment, program, needs, writesBytes }: Native): Promise<Found> {
  const outcome = isCurrent(program, args) ? undefined : await outcomeOf(command, args, environment);
  if (outcome !== undefined && 'failure' in outcome)
    return absent(`${language} is left out, which needs ${needs}: ${outcome.failure}`);
  const bytesCommand = writesBytes ? `'${program}' --bin` : undefined;
  return { starts: [{ ...executable(program), bytesCommand }], absent: [] };
}

/** Go and Cargo know it themselves; `c++` would take ten seconds for each question. */
function isCurrent(program: string, args: readonly string[]): boolean {
  const sources = args.filter((each) => each.endsWith('.cpp'));
  if (sources.length === 0 || !existsSync(program)) return false;
  const timeOf = (path: string) => statSync(path).mtimeMs;
  return [...sources, 'bench/rivals/rust/Cargo.toml'].every((path) => timeOf(path) < timeOf(program));
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

/** Returns what a tool printed, or the first line of what it said that names an error. */
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

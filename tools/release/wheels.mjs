// Makes the Python package: the source distribution, and a wheel per platform around the library that zig, of PyPI's
// `ziglang`, compiles for it on any machine.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildLibrary, writeSources } from '../native.mjs';

const FOLDER = 'build/release-python';
const PACKAGES = ['hatchling==1.33.0', 'ziglang==0.17.1'];
/** The level of tools/native.mjs, as zig spells it. */
const X86 = ['-march=x86_64_v2'];

/** Platforms, as zig and as wheels name them. */
const PLATFORMS = [
  { target: 'x86_64-linux-gnu.2.17', wheel: 'manylinux_2_17_x86_64', library: 'liburlsum.so', processor: X86 },
  { target: 'aarch64-linux-gnu.2.17', wheel: 'manylinux_2_17_aarch64', library: 'liburlsum.so', processor: [] },
  { target: 'x86_64-linux-musl', wheel: 'musllinux_1_2_x86_64', library: 'liburlsum.so', processor: X86 },
  { target: 'aarch64-linux-musl', wheel: 'musllinux_1_2_aarch64', library: 'liburlsum.so', processor: [] },
  { target: 'x86_64-macos.11.0', wheel: 'macosx_11_0_x86_64', library: 'liburlsum.dylib', processor: X86 },
  { target: 'aarch64-macos.11.0', wheel: 'macosx_11_0_arm64', library: 'liburlsum.dylib', processor: [] },
  { target: 'x86_64-windows-gnu', wheel: 'win_amd64', library: 'urlsum.dll', processor: X86 },
];

const run = (command, args, options = {}) =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });

/** Writes the packages to a folder. @throws {Error} where Python is not there, or one cannot be built */
export async function writePythonPackages(folder) {
  const python = resolve(FOLDER, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
  if (!existsSync(python)) run(process.env.PYTHON ?? 'python3', ['-m', 'venv', FOLDER]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]);
  const build = (kind, named = {}) =>
    run(python, ['-m', 'hatchling', 'build', '-t', kind, '-d', resolve(folder)], {
      cwd: 'engines/python',
      env: { ...process.env, ...named },
    });
  await writeSources();
  build('sdist');
  for (const { target, wheel, library, processor } of PLATFORMS) {
    const zig = [python, '-m', 'ziglang', 'cc', '-s', '-target', target];
    const path = buildLibrary(join('build', 'native'), zig, library, processor);
    build('wheel', { URLSUM_LIBRARY: resolve(path), URLSUM_PLATFORM: wheel });
  }
}

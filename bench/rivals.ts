// The built package in every JavaScript runtime at hand, against what its users would write instead and against native
// programs, in one run: `npm run bench:rivals` prints the tables and writes them to build/bench-results/rivals/. With
// --publish it writes to bench/results/rivals/; with --smoke it takes a few lines and one round, and writes nothing.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UrlHasher } from '../src/index.ts';
import { corpusLines, LINE_KIND } from './corpus.ts';
import { isPublished, isSmoke, LINE_COUNT, ROUNDS } from './extent.ts';
import { Report } from './report.ts';
import { agreementOf, type Opinion } from './rivals/agreement.ts';
import { type BytesCommand, fileMeasures } from './rivals/files.ts';
import { joined } from './rivals/found.ts';
import { natives } from './rivals/native.ts';
import { Program } from './rivals/program.ts';
import { alternate, type Turn } from './rivals/rounds.ts';
import { runtimes } from './rivals/runtimes.ts';
import { filesSection, sectionsOf } from './rivals/sections.ts';

const folder = mkdtempSync(join(tmpdir(), 'urlsum-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true }));

const { starts, absent } = joined([runtimes(), await natives(isSmoke)]);
const notes = [...absent];
const hasher = new UrlHasher();
const candidates = validLines();
const lines = await agreedLines();
const programs = await started(lines);
await checkDigests();
const machine = `${cpus()[0]?.model.trim()} (${cpus().length} cores), medians of ${ROUNDS} rounds`;
const report = new Report(machine, [...programs.map(versionOf), ...notes]);
const measures = await alternate(programs.flatMap(turnsOf), ROUNDS);
stopAll(programs);
for (const section of sectionsOf(measures, what())) report.add(section);
const commands = programs.flatMap(bytesCommandsOf);
if (commands.length > 0) {
  const hashing = measures.filter(({ name, group }) =>
    commands.some((command) => command.name === `${name}, ${group}`),
  );
  report.add(filesSection(fileMeasures(lines, commands, ROUNDS, folder), hashing, what()));
}
if (!isSmoke) report.write(isPublished ? 'bench/results/rivals' : 'build/bench-results/rivals');

/** What is not a URL costs an exception in some, and nothing in others. */
function validLines(): string[] {
  const all = corpusLines('main').slice(0, LINE_COUNT);
  const invalid = new Set(hasher.hashMany(all).invalid);
  return all.filter((_, row) => !invalid.has(row));
}

async function started(some: readonly string[]): Promise<Program[]> {
  const path = join(folder, 'lines');
  writeFileSync(path, `${some.join('\n')}\n`);
  return Promise.all(starts.map((start) => Program.start(start, path)));
}

function stopAll(some: readonly Program[]): void {
  for (const program of some) program.stop();
}

async function opinionsOf(some: readonly Program[]): Promise<Opinion[]> {
  const opinions: Opinion[] = [];
  for (const program of some)
    for (const way of program.introduction.ways)
      opinions.push({ name: `${program.title}, ${way}`, digests: await program.digests(way) });
  return opinions;
}

/** Lines on which all agree: all do the same work. Those that differ are noted, with the number of their lines. */
async function agreedLines(): Promise<string[]> {
  const all = await started(candidates);
  const { rows, differing } = agreementOf(hasher.hashMany(candidates).bytes, await opinionsOf(all));
  stopAll(all);
  for (const [name, count] of differing) notes.push(`${name}: ${count} of ${candidates.length} digests differ`);
  return rows.map((row) => candidates[row]!);
}

/** In the very processes that are timed next. */
async function checkDigests(): Promise<void> {
  const { differing } = agreementOf(hasher.hashMany(lines).bytes, await opinionsOf(programs));
  for (const [name, count] of differing)
    if (count < lines.length) throw new Error(`${name}: ${count} digests differ from those of the run before`);
}

function turnsOf(program: Program): Turn[] {
  const { title, introduction } = program;
  return introduction.ways.map((way) => ({ name: way, group: title, round: () => program.round(way) }));
}

/** Of a program of one way. */
function bytesCommandsOf({ title, introduction, start }: Program): BytesCommand[] {
  const { bytesCommand } = start;
  return bytesCommand === undefined ? [] : [{ name: `${introduction.ways[0]}, ${title}`, command: bytesCommand }];
}

function versionOf({ title, introduction }: Program): string {
  return title === introduction.name ? `${title}: ${introduction.version}` : title;
}

function what(): string {
  const byteLength = (Buffer.byteLength(lines.join('\n')) / lines.length).toFixed(0);
  return `${lines.length.toLocaleString('en-US')} ${LINE_KIND} URLs, ${byteLength} bytes on average`;
}

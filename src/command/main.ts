import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { type Diagnostics, exiting, printVersion } from './arguments/diagnostics.ts';
import { nearest } from './arguments/did-you-mean.ts';
import { optionsEnd, parseArguments } from './arguments/flag.ts';
import { helpFor } from './commands/command.ts';
import { COMMANDS, commandName, commandOf } from './commands/commands.ts';
import { mustNotClash } from './commands/named-files.ts';
import { isFault, usageFault } from './fault.ts';
import { Input, type ReadFiles } from './read/inputs.ts';
import { print } from './write/output.ts';

/** Carries out a command line and leaves its exit status in process.exitCode. */
export function run(args: readonly string[]): Promise<void> {
  return exiting(
    (diagnostics) => main(args, diagnostics),
    (error) => hint(args, error),
  );
}

async function main(args: readonly string[], diagnostics: Diagnostics): Promise<void> {
  const options = args.slice(0, optionsEnd(args));
  const others = options.filter((option) => option !== '--help' && option !== '-h'); // of `-h canon`: canon
  if (others.length < options.length) return print(await helpFor(commandName(others), COMMANDS));
  if (options.includes('--version') || options.includes('-V')) return printVersion();
  const valued = options.find((option) => /^--(?:help|version)=/.test(option));
  if (valued !== undefined) throw usageFault(`${valued.split('=')[0]} takes no value`);
  const { entry, rest } = commandOf(args);
  if (entry.name === '') mustNotBeCommand(args, options); // before its options are unknown ones
  const command = await entry.load();
  const files: ReadFiles = new Map();
  const { values, operands } = parseArguments(command.flags, rest, files);
  mustNotBeEmpty(operands, command.operands);
  mustNotClash(command.flags, values, operands, 'plan' in command && values['explain'] === undefined);
  if ('run' in command) return command.run(values, operands, { diagnostics, commands: COMMANDS });
  const { explain } = values;
  if (typeof explain === 'string') {
    if (operands.length > 0) throw usageFault(`--explain takes one URL and no files, got '${operands[0]}' too`);
    const { text, hasFailed } = await command.explain!(explain, values);
    await print(text);
    if (hasFailed) diagnostics.failed();
    return;
  }
  if (entry.name === '') mustNotBeCommand(operands, options);
  const inputs = operands.map((name) => new Input(name));
  try {
    const plan = await command.plan(values, inputs, diagnostics);
    const { runPipeline } = await import('./pipeline.ts');
    await runPipeline(plan, { args, inputs: inputs.length === 0 ? [new Input('-')] : inputs, files }, diagnostics);
  } finally {
    for (const input of inputs) await input.close(); // the plan may have opened an input that the run has not read
  }
}

/** Refuses empty operands, of which BASE alone has a meaning: nothing comes before the code. @throws {Fault} */
function mustNotBeEmpty(operands: readonly string[], names: string): void {
  const empty = operands.findIndex((operand, index) => operand === '' && names.split(' ')[index] !== 'BASE');
  if (empty !== -1) throw usageFault("an argument is empty: '' names neither a file nor a URL");
}

/** Names of commands that hash in other tools; here none is needed. */
const HASHING = ['hash', 'sum', 'sha256', 'digest'];

/** Reports a command that is misspelt or misplaced, not a file that does not exist. @throws {Fault} */
function mustNotBeCommand([word = '-']: readonly string[], args: readonly string[]): void {
  if (!/^[a-z][a-z0-9-]*$/.test(word) || existsSync(word) || !args.includes(word)) return; // `-- canon` is a file
  if (HASHING.includes(word))
    throw usageFault(`'${word}' is not a command; no command is needed to hash: urlsum https://example.com`);
  const names = COMMANDS.flatMap(({ name }) => [name.split(' ')[0]!, name]);
  if (names.includes(word)) throw usageFault(`'${word}' is a command, and a command comes before its options`);
  const near = nearest(word, [...names, '--version', '--dedup']);
  if (near === undefined) return;
  const meant = near.startsWith('-') ? `urlsum ${near}` : near;
  throw usageFault(`'${word}' is neither a file, a URL nor a command: did you mean '${meant}'?`);
}

/** Names the help to read after a wrong call. */
function hint(args: readonly string[], error: unknown): string {
  if (!isFault(error, 'usage')) return '';
  return `Try '${['urlsum', commandName(args), '--help'].filter((word) => word !== '').join(' ')}'.\n`;
}

/** The threads of -j load this file, too: nearly all of their code is the same. */
if (!isMainThread) await (await import('./threads.ts')).answerJobs();

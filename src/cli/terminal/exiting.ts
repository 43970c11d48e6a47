import { Diagnostics, TROUBLE } from './diagnostics.ts';

/** Does the work of a command, and leaves its exit status; `hint` may add to the message of an error. */
export async function exiting(
  work: (diagnostics: Diagnostics) => Promise<void>,
  hint: (error: unknown) => string = () => '',
): Promise<void> {
  Error.stackTraceLimit = 0; // messages are all that is shown, and a stack takes 4 µs per bad line
  process.stderr.on('error', () => undefined); // closed: the data and the status are still right
  const diagnostics = new Diagnostics();
  try {
    await work(diagnostics);
    process.exitCode = diagnostics.status;
  } catch (error) {
    diagnostics.showStatusLine('');
    await diagnostics.tell([error instanceof Error ? error.message : String(error)]);
    process.stderr.write(hint(error));
    process.exitCode = TROUBLE;
  }
}

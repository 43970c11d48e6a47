import { executable } from '../executable.ts';
import { absent, type Found } from '../found.ts';
import { FOLDER, failureOf, MISSING } from './tool.ts';

export async function go(): Promise<Found> {
  const program = `${FOLDER}/go`;
  const failure = await failureOf('go', ['build', '-C', 'bench/native/go', '-o', program, '.']);
  if (failure === MISSING) return absent('Go is not here');
  if (failure !== undefined) throw new Error(failure);
  return { starts: [executable(program)], absent: [] };
}

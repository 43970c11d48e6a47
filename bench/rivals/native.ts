import { absent, type Found, joined } from './found.ts';
import { cpp } from './toolchains/cpp.ts';
import { go } from './toolchains/go.ts';
import { rust } from './toolchains/rust.ts';

/** Builds bench/native/ into build/native/, where there are toolchains. */
export async function natives(isSmoke: boolean): Promise<Found> {
  const noRust = absent('Rust is left out of a smoke run: its build takes a minute');
  return joined(await Promise.all([go(), isSmoke ? noRust : rust(), cpp(isSmoke)]));
}

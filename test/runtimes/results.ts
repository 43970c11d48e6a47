import type { Material, Outcome } from './probe/outcome.ts';
import type { Runtime } from './runtime.ts';
import type { Timings } from './checks/workerd-timing.ts';
export function resultsText(material: Material, runtimes: readonly Runtime[], outcomes: ReadonlyMap<Runtime, Outcome>, timings: Timings | undefined): string {
  return JSON.stringify([material.files.length, runtimes.map((r) => [r.host, outcomes.get(r)?.own]), timings]);
}

// Runs the packed package in every runtime there is to be had: a line each, and `N passed, N failed` as the last.
import { examples } from './checks/examples.ts';
import { importing } from './checks/importing.ts';
import { treeShaking } from './checks/tree-shaking.ts';
import { makeConsumers } from './consumer.ts';
import { readMaterial } from './material.ts';
import { probe } from './probe/probe.ts';
import type { Outcome } from './probe/outcome.ts';
import { judge, type Row } from './row.ts';
import { browsers } from './rows/browsers.ts';
import { denoAndBun } from './rows/deno-bun.ts';
import { edges } from './rows/edge.ts';
import { nodes } from './rows/node.ts';
import { testRunners } from './rows/test-runners.ts';
import { type Runtime, runtimeRow } from './runtime.ts';

const material = readMaterial();
const reference = await probe(material);
const consumers = await makeConsumers(material);
const browserRows = await browsers(consumers);
const outcomes = new Map<Runtime, Outcome>();
const runtimes = [...(process.argv[2] ? [] : [...nodes(consumers), ...denoAndBun(consumers)]), ...edges(consumers, material), ...testRunners(consumers), ...browserRows.flatMap(({ runtimes }) => runtimes)];
const rows: Row[] = [...runtimes.map((runtime) => runtimeRow(runtime, reference, (each, outcome) => outcomes.set(each, outcome))), ...browserRows.map(({ serviceWorker }) => serviceWorker), ...examples(consumers), ...treeShaking(consumers), importing(consumers)];
for (const row of rows) { const v = await judge(row); console.log(process.uptime() | 0, v.name, v.state, v.note); }

// Runs the packed package in every runtime there is to be had: a line each, and `N passed, N failed` as the last.
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
const outcomes = new Map<Runtime, Outcome>();
const runtimes = [...(process.argv[2] ? [] : [...nodes(consumers), ...denoAndBun(consumers)]), ...edges(consumers, material), ...testRunners(consumers), ...(await browsers(consumers))];
const rows: Row[] = [...runtimes.map((runtime) => runtimeRow(runtime, reference, (each, outcome) => outcomes.set(each, outcome)))];
for (const row of rows) { const v = await judge(row); console.log(process.uptime() | 0, v.name, v.state, v.note); }

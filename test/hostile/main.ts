// What the command, the checker and the readers of lists must survive, at the length that takes minutes: `npm run
// test:long -- hostile`.

import { clockJumps, clockOrders } from '../service/check/clock-jumps.ts';
import { lies } from '../service/check/lies.ts';
import { load } from '../service/check/load.ts';
import { damagedMessages } from '../service/lists/damage.ts';
import { linearGrowth } from '../service/lists/growth.ts';
import { compareMutatedLines } from '../specs/safe-browsing/mutated-lines.ts';
import { runAll } from '../support/long-runs.ts';
import { memberPollution, pollution } from '../support/pollution.ts';
import { random } from '../support/seed.ts';
import { cuts } from './cuts.ts';
import { damage } from './damage.ts';
import { fullDisks } from './full-disks.ts';
import { halfOpen } from './half-open.ts';
import { damagedIndexes, flooding, fullIndexDisks, indexKills, indexRaces } from './indexes.ts';
import { kills } from './kills.ts';
import { pipelining, replacedFiles } from './list-server.ts';
import { longLines } from './long-lines.ts';
import { lookUpKills, lookUpLoad } from './look-ups.ts';
import { manyLines } from './many-lines.ts';
import { packedBodies } from './packed-bodies.ts';
import { replacedTables } from './replaced-tables.ts';

await runAll([
  ['cuts of CSV', 400_000, cuts],
  ['damaged inputs', 400, damage],
  ['a polluted Object.prototype: several names at once', 100_000, (count) => pollution(count, random())],
  ['a polluted Object.prototype: each member', 10_000, (count) => memberPollution(count, random())],
  ['kills at random moments', 100, kills],
  ['full disks', 1, fullDisks],
  ['long lines', 1, longLines],
  ['indexes: kills while spilling and merging', 50, indexKills],
  ['indexes: full disks', 1, fullIndexDisks],
  ['indexes: runs at once', 10, indexRaces],
  ['indexes: damaged', 200, damagedIndexes],
  ['URLs whose hashes begin alike', 200_000, flooding],
  ['checks under load and faults', 100_000, load],
  ['checks by a clock that jumps', 200_000, clockJumps],
  ['every order of what clocks and checkers do', 5, clockOrders],
  ['checks by a server that lies', 1000, lies],
  ['look-ups under load: seconds', 600, lookUpLoad],
  ['kills of a server of look-ups', 100, lookUpKills],
  ['clients of list serve that send all at once', 20, pipelining],
  ['clients of both servers that never close their side', 1000, halfOpen],
  ['packed bodies of both servers', 2000, packedBodies],
  ['tables that are replaced while they are read', 200, replacedTables],
  ['files of list serve that are rewritten', 50, replacedFiles],
  ['messages of lists: bytes, and four times as many', 1 << 17, linearGrowth],
  ['messages of lists: damaged', 1_000_000, damagedMessages],
  ['expressions of mutated lines', 3_000_000, mutatedExpressions],
  ['many lines', 100_000_000, manyLines],
]);

/** Mutated lines by the million: each has the hashes of its expressions, however they were found. */
function mutatedExpressions(count: number): string {
  const { lines, expressions, proven } = compareMutatedLines(count);
  return `${expressions} expressions of ${lines} lines compared, ${((100 * proven) / lines).toFixed(1)} % took no steps`;
}

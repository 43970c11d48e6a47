// A column that was posted to another thread is one again; its clone does the same for look-ups.
import { deepEqual, equal, throws } from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { HashColumn, UrlHasher } from 'urlsum';

const column = new UrlHasher({ width: 16 }).hashMany(['https://a.example/', 'no URL']);
const echo = new Worker(
  "const { parentPort } = require('worker_threads'); parentPort.once('message', (v) => parentPort.postMessage(v));",
  { eval: true },
);
const posted = await new Promise<HashColumn<16>>((resolve) => {
  echo.once('message', resolve);
  echo.postMessage(column);
});
throws(() => posted.at(0), TypeError);
const revived: HashColumn<16> = HashColumn.from(posted);
equal(revived.at(0)?.equals(column.at(0)!), true);
equal(revived.errorAt(1)?.message, column.errorAt(1)?.message);
deepEqual(revived.bytes, column.bytes);
throws(() => HashColumn.from({ ...posted, width: 8, bytes: new Uint8Array(9) } as never), RangeError);

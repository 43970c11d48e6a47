// What a user would write without urlsum: readline and the fastest one-liner, the packed digests to a file.
import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const empty = Buffer.alloc(32);
let digests = [];
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  digests.push(URL.canParse(line) ? Buffer.from(hash('sha256', new URL(line).href, 'hex'), 'hex') : empty);
  if (digests.length === 4096) {
    process.stdout.write(Buffer.concat(digests));
    digests = [];
  }
}
process.stdout.write(Buffer.concat(digests));

// Serves a folder that Next has built until it is killed; says where.
import { createServer } from 'node:http';
import next from 'next';

const { log } = console;
console.log = console.error; // what Next says of itself is not the address

const app = next({ dev: false, dir: process.argv[2] });
await app.prepare();
const server = createServer(app.getRequestHandler());
server.listen(0, '127.0.0.1', () => log(`http://127.0.0.1:${server.address().port}`));

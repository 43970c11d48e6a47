// What the command imports from src/service/http: the servers. It is a file of its own in dist/esm, which takes the library
// from the package's entries.

export { CheckServer } from './check-server.ts';
export { HostedList, ListServer } from './list-server.ts';
export { OwnList } from './url-checks.ts';

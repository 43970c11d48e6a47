// The kernel's exports. It imports nothing from its host.
export { hash } from './batch';
export { scan } from './scan';
export { absorb, begin, finish, sha256 } from './sha256';

// The kernel's exports. It imports nothing from its host.
export { hash } from './batch';
export { classifyRows, findLines, separateRows } from './scan';
export { final, init, sha256, update } from './sha256';

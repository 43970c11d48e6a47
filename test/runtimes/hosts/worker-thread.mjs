// Runs the module given in a thread; what it prints goes to the same standard output.
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

new Worker(pathToFileURL(process.argv[2]));

#!/usr/bin/env node
// The command, and each thread of its -j: one file, because nearly all of their code is the same.
import { isMainThread } from 'node:worker_threads';

await (isMainThread ? import('./main.ts') : import('./worker.ts'));

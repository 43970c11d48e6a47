#!/usr/bin/env node
// A small file of its own that imports nothing before it knows its Node: an older one would stop at the syntax of
// another file. --version needs little, and everything else is loaded with main.ts.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`urlsum needs Node 20.19 or newer; this is ${process.versions.node}`);
  process.exit(2);
}

if (['--version', '-V'].includes(process.argv[2] ?? '')) {
  const { exiting, printVersion } = await import('./arguments/diagnostics.ts');
  await exiting(printVersion);
} else {
  const { run } = await import('./main.ts');
  await run(process.argv.slice(2));
}

export {};

// `node run.mjs BUNDLER ENTRY OUTFILE`: bundles for browsers, minified, with what each bundler does by default.
const [bundler, entry, outfile] = process.argv.slice(2);
const { bundle } = await import(`./${bundler}.mjs`);
await bundle(entry, outfile);

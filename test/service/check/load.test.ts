import { suite } from 'uvu';
import { halvedCases } from '../../support/seed.ts';
import { load } from './load.ts';

const tests = suite('safe-browsing/check: load and faults');

tests('no answer is wrong, and where there is none it says so', async () => {
  console.log(await load(halvedCases(9000)));
});

tests.run();

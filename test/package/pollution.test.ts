import { suite } from 'uvu';
import { memberPollution, pollution } from '../support/pollution.ts';
import { cases, random } from '../support/seed.ts';

const tests = suite('a polluted Object.prototype');

tests('changes nothing that the package makes, whatever it is called', async () => {
  console.log(await pollution(500, random()));
});

tests('whatever member of whatever object it is called as', async () => {
  console.log(await memberPollution(cases(10), random()));
});

tests.run();

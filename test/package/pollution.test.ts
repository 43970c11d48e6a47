import { suite } from 'uvu';
import { pollution } from '../pollution.ts';
import { random } from '../seed.ts';

const tests = suite('a polluted Object.prototype');

tests('changes nothing that the package makes, whatever it is called', async () => {
  console.log(await pollution(500, random()));
});

tests.run();

import { suite } from 'uvu';
import { halvedCases } from '../../support/seed.ts';
import { damagedMessages } from './damage.ts';

const test = suite('safe-browsing: damaged messages of lists');

test('a typed error or the right list', () => console.log(damagedMessages(halvedCases(10_000))));

test.run();

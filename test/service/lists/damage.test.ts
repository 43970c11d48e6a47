import { suite } from 'uvu';
import { cases } from '../../seed.ts';
import { damagedMessages } from './damage.ts';

const test = suite('safe-browsing: damaged messages of lists');

test('a typed error or the right list', () => console.log(damagedMessages(cases(10_000))));

test.run();

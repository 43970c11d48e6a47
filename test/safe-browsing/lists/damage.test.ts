import { suite } from 'uvu';
import { damagedMessages } from './damage.ts';

const test = suite('safe-browsing: damaged messages of lists');

test('20 000: a typed error or the right list', () => console.log(damagedMessages(20_000)));

test.run();

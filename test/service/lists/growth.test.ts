import { suite } from 'uvu';
import { linearGrowth } from './growth.ts';

const test = suite('safe-browsing: messages of lists that grow');

test('a message of every kind takes linear time', () => console.log(linearGrowth(1 << 14)));

test.run();

import { suite } from 'uvu';
import { lies } from './lies.ts';

const tests = suite('safe-browsing/check: a server that lies');

tests('each lie once', async () => console.log(await lies(28)));

tests.run();

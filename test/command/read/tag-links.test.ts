import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linksOfTag } from '../../../src/command/read/tag-links.ts';

const tests = suite('links of a tag');

function linksOf(name: string, attributes: Readonly<Record<string, string>>): readonly string[] {
  return linksOfTag(name, (attribute) => attributes[attribute]);
}

tests('of srcset and of a refresh are cut as their algorithms have it', () => {
  for (const [srcset, urls] of [
    ['http://a/', ['http://a/']],
    [' http://a/ 1x , http://b/ 2x', ['http://a/', 'http://b/']],
    ['http://a/,b 1x,http://c/,, http://d/', ['http://a/,b', 'http://c/', 'http://d/']],
    [',http://a/ (x, http://no/) 2x,http://b/', ['http://a/', 'http://b/']],
    ['http://a/ (http://no/, ', ['http://a/']],
    [' , ,', []],
  ] as const) {
    assert.equal(linksOf('img', { srcset }), urls, srcset);
    assert.equal(linksOf('source', { srcset }), urls, srcset);
  }
  for (const [content, urls] of [
    ['0;url=http://a/', ['http://a/']],
    [' 1.5 , URL = "http://a/"x', ['http://a/']],
    [".5 'http://a/' x", ['http://a/']],
    ['5; http://a/', ['http://a/']],
    ['5;url http://a/', ['url http://a/']],
    ['5', []],
    ['5;', []],
    ['5;url=', []],
    ['x;url=http://a/', []],
    ['5x;url=http://a/', []],
  ] as const)
    assert.equal(linksOf('meta', { 'http-equiv': 'REFRESH', content }), urls, content);
});

tests.run();

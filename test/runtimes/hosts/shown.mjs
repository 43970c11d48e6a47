import { UrlHash } from 'urlsum';

console.log(UrlHash.of('https://example.com/'));

import { DEFAULT } from './state.ts';

/** What each specification is there for, by name. */
export const EXAMPLES: readonly (readonly [name: string, text: string])[] = [
  ['every part', DEFAULT.text],
  ['beyond ASCII', 'https://Bücher.example/straße/例え?größe=1 2'],
  ['two hosts in one', 'http://good.example%2F@evil.example/'],
  ['IPv4 in hex', 'http://0xC0.0x02.1/'],
  ['IPv6', 'http://[2001:DB8:0:0:0:0:0:1]:8080/'],
  ['deep escapes', 'http://host.example/%25%32%35%2e/%2E%73ecure/'],
  ['Windows drive', 'file:C|\\temp\\..\\a.txt'],
  ['not a URL', 'http://exa mple.com/'],
  ['several', 'https://example.com\nHTTPS://EXAMPLE.COM:443/\nnot a url\nhttps://例え.example/東京\nhttp://999.0.0.1/'],
];

import { DEFAULT, type State } from './state.ts';

export interface Example {
  readonly name: string;
  /** The lesson of its result. */
  readonly lesson: string;
  readonly state: Partial<State>;
}

/** Examples of what each specification is there for. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'one page',
    lesson:
      'Five spellings of one URL get one key. The sixth has a tracking parameter, so it is another URL. ' +
      'Choose the preset, and it has the same key.',
    state: { text: DEFAULT.text },
  },
  {
    name: 'every part',
    lesson:
      'Scheme and host lose their capitals, 443 is the port of https anyway, and “/a/..” leads back to where it began. ' +
      'The B stays: to a server, B and b are two pages.',
    state: { text: 'HTTPS://Example.com:443/a/../B?q=1#top' },
  },
  {
    name: 'relative',
    lesson: 'A relative link needs the address of its page, which is its base.',
    state: { text: '../c?page=2', base: 'https://example.com/a/b/' },
  },
  {
    name: 'beyond ASCII',
    lesson:
      'Letters beyond ASCII become Punycode in the host and percent-encoded UTF-8 elsewhere. ' +
      'Unicode decides which letters count as the same; urlsum pins one version of it.',
    state: { text: 'https://Bücher.example/straße/例え?größe=1 2' },
  },
  {
    name: 'IPv4 in hex',
    lesson: 'In hex, and with two numbers in one, it is still 192.0.2.1: a filter that compares texts misses it.',
    state: { text: 'http://0xC0.0.0x201/' },
  },
  {
    name: 'IPv6',
    lesson: 'The longest run of zeros becomes “::”, so an address has one spelling.',
    state: { text: 'http://[2001:DB8:0:0:0:0:0:1]:8080/' },
  },
  {
    name: 'Windows drive',
    lesson: 'In file URLs “\\” is “/” and “C|” is the drive “C:”, which “..” cannot leave.',
    state: { text: 'file:C|\\temp\\..\\a.txt' },
  },
  {
    name: 'two hosts in one',
    lesson:
      'Which host is it? For a browser, evil.example; by the letter of Safe Browsing, good.example. ' +
      'Look up the expressions of both to miss neither.',
    state: { panel: 'safe-browsing', text: 'http://good.example%2F@evil.example/', mode: 'union' },
  },
  {
    name: 'deep escapes',
    lesson:
      'To the URL Standard “%25%32%35” is text like any other, and stays. Safe Browsing decodes until nothing is left ' +
      'to decode, so escapes hide nothing.',
    state: { panel: 'safe-browsing', text: 'http://host.example/%25%32%35%2e/%2E%73ecure/' },
  },
  {
    name: 'named by content',
    lesson: 'The last 45 characters hold a hash of the content: anyone who fetches it can verify it.',
    state: { panel: 'hash-uri', text: 'https://example.org/hello.FAf4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk' },
  },
  {
    name: 'not a URL',
    lesson: 'No browser opens this. The page marks the place and names the reason from the URL Standard.',
    state: { text: 'http://exa mple.com/' },
  },
  {
    name: 'several',
    lesson: 'One row per line: a bad line has a reason in place of its hash, and never affects the others.',
    state: {
      text: [
        'https://example.com',
        'HTTPS://EXAMPLE.COM:443/',
        'not a url',
        'https://例え.example/東京',
        'http://999.0.0.1/',
      ].join('\n'),
    },
  },
];

/** The example that is shown, if it is one. */
export function exampleOf({ text, base }: State): Example | undefined {
  return EXAMPLES.find(({ state }) => state.text === text && (state.base ?? '') === base);
}

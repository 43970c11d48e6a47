/** A wrong call: reported with a pointer to --help, exit status 2. */
export class UsageError extends Error {}

export const HELP = `Usage: urlsum [OPTION]… [FILE…]
       urlsum canon [OPTION]… [FILE…]
       urlsum expressions [OPTION]… [FILE…]

Prints the SHA-256 of the canonical form of each URL: one line out per line in, in order.
Without FILE, or where FILE is -, reads standard input.

      --format FORMAT    text    <hex>  <line as given> (default)
                         hex     <hex>
                         u64     the words in decimal, joined by -
                         tsv     line, canonical form, hex, profile; \\t \\n \\r and \\\\ escaped
                         ndjson  url, canonical, hash, u64 (strings), profile, error
                         bin     the packed bytes and nothing else
      --width BYTES      bytes of each SHA-256 that are kept: 8, 16 or 32 (default)
      --on-error WAY     what a line that is no URL becomes:
                         null    an empty hash field; zero bytes in bin (default)
                         keep    the hash of the line as given
                         skip    nothing: the only way that drops lines
                         fail    the end of the run
  -c, --check            read FILE as text format and check each hash
      --quiet            with --check, print no line for each match
      --status           with --check, print nothing: the exit status tells
      --version          version, profile and kernel
  -h, --help             this text

urlsum canon prints the canonical form instead: --profile url (default), web-risk or safe-browsing,
--on-error as above, where null gives an empty line and keep the line as given.

urlsum expressions prints what Web Risk or Safe Browsing look up for each URL: the line's number, counted
through all files, a tab, and the expression; a line without a host gives none.
      --profile PROFILE  safe-browsing (default): version 5; web-risk: also Safe Browsing version 4
      --mode MODE        spec (default): the page's steps on the line as given; browser: on what a browser
                         would visit (both for canon too); union: the expressions of both
      --hash             add a tab and the SHA-256 of the expression in hex
      --prefix BYTES     add its first 4 to 32 bytes instead
      --icann-suffixes   leave the private section of the Public Suffix List out: github.io is no suffix
      --explain URL      print the result of each step for one URL, and where profiles and modes differ

Reasons for bad lines go to standard error as FILE:LINE: REASON.
Exit status: 0 all fine; 1 some lines invalid, or some checks failed or none made; 2 wrong usage,
or a file that could not be read or written.
`;

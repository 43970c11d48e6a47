/** A wrong call: reported with a pointer to --help, exit status 2. */
export class UsageError extends Error {}

export const HELP = `Usage: urlsum [OPTION]… [FILE…]
       urlsum canon [OPTION]… [FILE…]

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

urlsum canon prints the canonical form instead: --profile url (default), --on-error as above,
where null gives an empty line and keep the line as given.

Reasons for bad lines go to standard error as FILE:LINE: REASON.
Exit status: 0 all fine; 1 some lines invalid, or some checks failed or none made; 2 wrong usage,
or a file that could not be read or written.
`;

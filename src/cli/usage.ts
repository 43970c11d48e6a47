/** A wrong call: reported with a pointer to --help, exit status 2. */
export class UsageError extends Error {}

export const HELP = `Usage: urlsum [OPTION]… [FILE…]
       urlsum canon [OPTION]… [FILE…]

Prints the SHA-256 of the canonical form of each URL: one line out per line in, in order.
Without FILE, or where FILE is -, reads standard input. Inputs packed with gzip or zstd are unpacked,
whatever their names.

      --format FORMAT    text    <hex>  <line as given> (default)
                         hex     <hex>
                         u64     the words in decimal, joined by -
                         tsv     line, canonical form, hex, profile; \\t \\n \\r and \\\\ escaped
                         ndjson  url, canonical, hash, u64 (strings), profile, error
                         bin     the packed bytes and nothing else
                         arrow   an Arrow IPC stream of url, hash, u64, i64 (needs apache-arrow)
                         parquet the same as a Parquet file (needs hyparquet-writer)
      --width BYTES      bytes of each SHA-256 that are kept: 8, 16 or 32 (default)
      --on-error WAY     what a line that is no URL becomes:
                         null    an empty hash field; zero bytes in bin (default)
                         keep    the hash of the line as given
                         skip    nothing: the only way that drops lines
                         fail    the end of the run
  -z, --zero             lines end in NUL, on input and output
  -f, --column COLUMN    hash this column of a table, by its number from 1 or its name in the header;
                         records pass through, the hash behind them as a last column (named urlsum)
      --csv, --tsv       what the table is, where the names of the files do not say: CSV as in
                         RFC 4180, or TSV, a line a record without quoting or escapes
      --dedup            only the first line of each hash, across all inputs; lines without a hash
                         all come out. Takes up to 2.7 times --width bytes a different hash: at 8 bytes
                         2.1 GB for 10^8, at 32 8.5 GB
      --against FILE     only lines whose first word is in FILE, ascending little-endian unsigned
                         64-bit words; up to 1 GiB of them are kept in memory, else a 512th
      --not              with --against, only the other lines, those without a hash among them
      --out FILE         write to FILE instead of standard output: it appears when it is whole, and
                         not at all where the run fails or an input cannot be read to its end
      --stats[=json]     at the end, counts, time, memory and the expected number of collisions on
                         standard error
  -c, --check            read FILE as text format and check each hash
      --quiet            with --check, print no line for each match
      --status           with --check, print nothing: the exit status tells
      --version          version, profile and kernel
  -h, --help             this text

urlsum canon prints the canonical form instead: --profile url (default), --on-error as above,
where null gives an empty line and keep the line as given; --zero and --out as above.

Reasons for bad lines go to standard error as FILE:LINE: REASON; in a table, LINE counts records.
Exit status: 0 all fine; 1 some lines invalid, or some checks failed or none made; 2 wrong usage,
or a file that could not be read or written.
`;

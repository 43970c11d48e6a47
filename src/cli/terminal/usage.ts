/** A wrong call: reported with a pointer to --help, exit status 2. */
export class UsageError extends Error {}

export const HELP = `Usage: urlsum [OPTION]… [FILE…]
       urlsum canon [OPTION]… [FILE…]
       urlsum expressions [OPTION]… [FILE…]
       urlsum hashed-uri [OPTION]… [FILE…]
       urlsum hash-uri make BASE FILE | name FILE… | check FILE… | parse [FILE…] | find [FILE…]

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
  -j, --jobs N           hash on N threads; 0: as many as the machine runs at once. Default 1. Not with
                         --column; what comes slowly from a pipe is answered some blocks later
      --version          version, profile and kernel
  -h, --help             this text

urlsum canon prints the canonical form instead: --profile url (default), web-risk, safe-browsing,
hashed-uri-n or hashed-uri-p; --on-error as above, where null gives an empty line and keep the line
as given; --zero and --out as above.

urlsum hashed-uri prints the hashed URI of each URI (draft-feather-hashed-uri-03):
      --variant V        N (default): rather too few URIs are the same; P: rather too many
      --algorithm NAME   sha1 (default) or md5; neither hides a URI that can be guessed
      --keep PARTS       what is not removed: frag, query, or frag,query
      --base URI         what relative URIs are resolved against
      --match HASHED     print match, no-match or unsupported and the line instead; may be repeated.
                         Flags and algorithm are those of HASHED, --variant is N, P or both (default)
      --match-file LIST  the same for each line of LIST

urlsum hash-uri works on content named by its hash (module FA: SHA-256 of the bytes):
      make BASE FILE     the hash-URI of FILE: BASE, a dot where it needs one, and the code
      name FILE…         the name each FILE has with its code in it: file.txt, file.FA….txt
      check FILE…        OK where FILE is the content that its name says
      parse [FILE…]      the parts of each line as JSON, null for what is no hash-URI
      find [FILE…]       each code in each line, and the line

urlsum expressions prints what Web Risk or Safe Browsing look up for each URL: the line's number, counted
through all files, a tab, and the expression; a line without a host gives none.
      --profile PROFILE  safe-browsing (default): version 5; web-risk: also Safe Browsing version 4
      --mode MODE        spec (default): the page's steps on the line as given; browser: on what a browser
                         would visit (both for canon too); union: the expressions of both
      --hash             add a tab and the SHA-256 of the expression in hex
      --prefix BYTES     add its first 4 to 32 bytes instead
      --icann-suffixes   leave the private section of the Public Suffix List out: github.io is no suffix
      --explain URL      print the result of each step for one URL, and where profiles and modes differ

Reasons for bad lines go to standard error as FILE:LINE: REASON; in a table, LINE counts records.
Exit status: 0 all fine; 1 some lines invalid, or some checks failed or none made; 2 wrong usage,
or a file that could not be read or written.
`;

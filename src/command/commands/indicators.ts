/** Names of the columns that say what the indicators of a table are: of ThreatFox, OTX, MISP and their like. */
export const TYPE_COLUMNS: readonly string[] = ['type', 'ioc_type', 'indicator_type'];

/** Types of URLs and hosts, without case and what separates words: others are of files, people and systems. */
const LISTED_TYPES: ReadonlySet<string> = new Set(
  (
    'url uri domain domainname fqdn host hostname hostnameport domainip ip ipport ipv4 ipv6 ipaddress ipv4addr ipv6addr ' +
    'ipdst ipdstport ipsrc ipsrcport ipaddr'
  ).split(' '),
);

/** Whether indicators of a type are URLs or hosts. */
export function isListedType(type: string): boolean {
  return LISTED_TYPES.has(type.toLowerCase().replace(/[ _:|-]/g, ''));
}

/** Returns the host of a pair, as in `evil.example|192.0.2.1`. */
export function firstOfPair(value: string, type: string): string {
  return type.includes('|') ? value.split('|', 1)[0]! : value;
}

/** Ends of names of files that no top-level domain has, and `zip` and `mov`, which are domains by now. */
const FILE_NAME =
  /^[^\s/:?#]+\.(?:7z|apk|bat|bin|bmp|bz2|chm|cmd|conf|cpl|csv|dat|deb|dll|dmg|doc|docm|docx|elf|eml|exe|gif|gz|hta|html?|ico|img|inf|ini|iso|jar|jpe?g|js|json|jse|lnk|log|msg|msi|one|pdf|php|png|ppt|pptx|ps1|psm1|rar|reg|rtf|scr|swf|sys|tar|tgz|tmp|txt|vbe|vbs|vhdx?|wsf|xlam|xls|xlsb|xlsm|xlsx|xml|zip|mov)$/i;
/** MD5, SHA-1 and SHA-256 in hexadecimal digits. */
const HASH = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})$/i;

/** Whether a word of a table could be the name of a file, or a hash of one. */
export function isUnclear(value: string): boolean {
  return FILE_NAME.test(value) || HASH.test(value);
}

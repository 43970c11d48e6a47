import { INPUT_KINDS, type InputKind, wrongKind } from './input-kind.ts';
import { hasLinks, otherXml } from './xml-links.ts';

/** Elements of HTML by which a fragment is told, the obsolete ones too. */
const ELEMENTS = new Set(
  (
    'html head body title base link meta style script noscript template slot article section nav aside header footer ' +
    'main search h1 h2 h3 h4 h5 h6 hgroup address p hr pre blockquote ol ul menu li dl dt dd figure figcaption div a em ' +
    'strong small s cite q dfn abbr ruby rt rp data time code var samp kbd sub sup i b u mark bdi bdo span br wbr ins ' +
    'del picture source img iframe embed object video audio track map area table caption colgroup col tbody thead ' +
    'tfoot tr td th form label input button select datalist optgroup option textarea output progress meter fieldset ' +
    'legend details summary dialog canvas svg math center font nobr tt big strike marquee frameset frame noframes ' +
    'applet basefont dir acronym bgsound image isindex listing plaintext xmp'
  ).split(' '),
);

const BEFORE_ROOT = /\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE(?:[^>[]|\[[^\]]*\])*>/iy;
const HTML_DOCTYPE = /^<!DOCTYPE\s+(?:html|netscape)/i;
const NAME = /^<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)[\s/>]/;

/** Links in the syntax of Markdown, which a page has as text: `](url`, `[name]: url`, `<url>`. */
const MARKDOWN =
  /\]\(<?(?:https?:|[./#?]|[\w-]+[./])|^ {0,3}\[[^\]\n\r\u2028\u2029]+\]:[ \t]*\S|<https?:\/\/[^\s<>]*>|<[\w.+-]+@[\w.-]+>/m;
/** An attribute of HTML in quoted-printable (RFC 2045, 6.7), in which `=` is `=3D`. */
const QUOTED_PRINTABLE = /\s(?:href|src|class|style|content|http-equiv|name|id|lang|width|align)=3D["'\w]/i;

const MAIL_FIELD = /^(?:from|to|date|subject|received|return-path|delivered-to|message-id|mime-version|content-type):/i;

/** Kinds of text that are not markup, by how they begin. */
const OTHERS: readonly (readonly [kind: InputKind, isOne: (text: string) => boolean])[] = [
  [INPUT_KINDS.urls, (text) => /^[a-z][a-z0-9+.-]*:\/\/\S*[ \t\r]*(?:\n|$)/i.test(text)],
  [INPUT_KINDS.jsonLines, (text) => /^\{[^\n]*\}\s*(?:\n|$)/.test(text)],
  [INPUT_KINDS.json, (text) => /^(?:\{|\[\s*["[{\]\d-])/.test(text)],
  [INPUT_KINDS.markdown, (text) => /^<(?:https?:\/\/|[\w.+-]+@)/i.test(text)],
  [INPUT_KINDS.mail, isMail],
  [INPUT_KINDS.base64, (text) => /^(?:[A-Za-z0-9+/]{60,76}\r?\n){2}/.test(text)],
  [INPUT_KINDS.markdown, (text) => /^(?:#{1,6} |```)/m.test(text) || MARKDOWN.test(text)],
];

/** Returns the kind of a document that begins with this text. @throws where it is not markup with links */
export function markupOf(start: string): 'html' | 'xml' {
  const text = start.trimStart();
  if (text === '') return 'html'; // which has no links either
  if (text.startsWith('<') && QUOTED_PRINTABLE.test(text)) throw wrongKind(INPUT_KINDS.quotedPrintable);
  if (/^<\?xml\s/.test(text)) return 'xml';
  if (/^<\?(?:php|=)/i.test(text)) throw wrongKind(INPUT_KINDS.php);
  const root = rootOf(text);
  if (root === undefined || root === 'html') return 'html';
  if (root !== '' && hasLinks(root)) return 'xml';
  if (ELEMENTS.has(root.toLowerCase())) {
    if (MARKDOWN.test(text) && !/^(?:html|head|body)$/i.test(root)) throw wrongKind(INPUT_KINDS.markdown);
    return 'html';
  }
  if (root !== '') throw otherXml(root);
  throw wrongKind(OTHERS.find(([, isOne]) => isOne(text))?.[0] ?? INPUT_KINDS.text);
}

/**
 * Returns the name of the root or first element, `html` after its doctype, '' where there is none; undefined if it takes
 * more of the text to tell.
 */
function rootOf(text: string): string | undefined {
  for (let at = 0; at < text.length; at = BEFORE_ROOT.lastIndex) {
    const rest = text.slice(at, at + 200);
    if (HTML_DOCTYPE.test(rest)) return 'html';
    BEFORE_ROOT.lastIndex = at;
    if (BEFORE_ROOT.test(text)) continue;
    return /^<[!?]/.test(rest) ? undefined : (NAME.exec(rest)?.[1] ?? '');
  }
  return undefined;
}

/** RFC 5322, 2.1: fields, of which one is a mail's, up to an empty line; a folder of mails has a line before them. */
function isMail(text: string): boolean {
  const [head] = text.split(/\r?\n\r?\n/, 1) as [string];
  const lines = head.split(/\r?\n/);
  const fields = lines[0]!.startsWith('From ') ? lines.slice(1) : lines;
  return fields.every((line) => /^(?:[!-9;-~]+:|[ \t])/.test(line)) && fields.some((line) => MAIL_FIELD.test(line));
}

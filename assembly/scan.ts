// Finds the canonical forms of rows, as far as the kernel can, and the rows that need the parser.

import { EXCLAMATION_MARK, isDigit, NUMBER_SIGN, PERCENT, SLASH } from './bytes';
import {
  LEAVE_FRAGMENTS, LEAVE_HOSTS, LEAVE_ROUTES, LISTED_COUNT, PENDING, PENDING_COUNT, REWRITTEN_COUNT, ROOM_END, ROW_ENDS,
  ROW_STARTS, SPANS, TEXT, UNICODE_ROWS, UNICODE_ROWS_BYTES,
} from './layout';
import { mark } from './marks';
import { foldPage, partEnd, RARE_FOLDS, rareMark } from './pages';
import { provenEnd } from './proof';
import { endInPlace, isUnicodeHost, rewrite, unknownDomain, unknownDomainEnd } from './rewrite';
import { afterScheme, schemeEnd } from './scheme';

/**
 * Gives each row its message: the row itself if it is canonical, or its rewritten form, which is written from `room`
 * on. PENDING lists the rows that need the parser; the span of one whose domain memory lacks is that domain. The rows
 * are in ascending order between TEXT and `room`, in no more than MARKED_BYTES. After each is a byte that no URL has: a
 * bare host gets its slash there. The FOLD_, LIST_ and LEAVE_ bits of layout.ts say what foldPage does with pages, which
 * messages it lists, and which rows the parser gets, though the kernel could read them.
 */
export function classifyRows(
  rowCount: u32, room: usize, excludeFragment: bool, folds: u32, lists: u32, leaves: u32,
): void {
  const leavesHosts = (leaves & LEAVE_HOSTS) != 0, leavesRoutes = (leaves & LEAVE_ROUTES) != 0;
  const leavesFragments = (leaves & LEAVE_FRAGMENTS) != 0;
  excludeFragment = excludeFragment || leavesRoutes;
  store<u32>(LISTED_COUNT, 0);
  for (let at: u32 = 0; at < UNICODE_ROWS_BYTES; at += 16) v128.store(UNICODE_ROWS + at, i8x16.splat(0));
  const textEnd = room;
  let pendingCount: u32 = 0, rewrittenCount: u32 = 0;
  const rareFolds = folds & RARE_FOLDS, otherFolds = folds & ~RARE_FOLDS;
  const readsPages = (otherFolds | lists) != 0;
  let marked = TEXT, rare: usize = rareFolds != 0 ? 0 : textEnd;
  for (let row: u32 = 0; row < rowCount; ++row) {
    const line: usize = load<u32>(ROW_STARTS + (row << 2));
    const lineEnd: usize = load<u32>(ROW_ENDS + (row << 2));
    if (lineEnd >= marked) marked = mark(marked, lineEnd, textEnd, excludeFragment);
    let message = line;
    let messageEnd = provenEnd(line, lineEnd, excludeFragment);
    if (rare < line) rare = rareMark(line, textEnd, rareFolds);
    const isRare = rare < lineEnd;
    let isPending = (isRare && load<u8>(rare) != PERCENT) || (leavesHosts && isHostAndPort(line))
      || (leavesRoutes && messageEnd < lineEnd && mayHaveRoute(messageEnd == 0 ? line : messageEnd, lineEnd));
    if (messageEnd == 0) {
      const formEnd = rewrite(line, lineEnd, room, excludeFragment);
      if (formEnd == 0) {
        messageEnd = lineEnd;
        isPending = true;
        if (unknownDomain != 0) {
          message = unknownDomain;
          messageEnd = unknownDomainEnd;
        }
      } else if ((messageEnd = endInPlace(line, lineEnd, room, formEnd, excludeFragment)) == 0) {
        message = room;
        messageEnd = room = formEnd;
        if (isUnicodeHost) addUnicodeRow(row);
      }
    }
    store<u32>(SPANS + (row << 3), message);
    store<u32>(SPANS + (row << 3), messageEnd - message, 4);
    if ((readsPages || isRare) && !isPending) {
      store<u32>(ROOM_END, room);
      isPending = (leavesFragments && partEnd(message, messageEnd, NUMBER_SIGN) != messageEnd)
        || !foldPage(row, message, messageEnd, isRare ? folds : otherFolds, lists);
      room = load<u32>(ROOM_END);
    }
    if (isPending) store<u32>(PENDING + (pendingCount++ << 2), row);
    else rewrittenCount += <u32>(message != line);
  }
  store<u32>(ROOM_END, room);
  store<u32>(PENDING_COUNT, pendingCount);
  store<u32>(REWRITTEN_COUNT, rewrittenCount);
}

/**
 * Writes the form of a row that was left to the parser for its domain alone, which memory has by now. Returns false if
 * it does not, or if the row needs the parser after all.
 */
export function rewriteRow(row: u32, excludeFragment: bool): bool {
  const line: usize = load<u32>(ROW_STARTS + (row << 2)), room: usize = load<u32>(ROOM_END);
  const end = rewrite(line, load<u32>(ROW_ENDS + (row << 2)), room, excludeFragment);
  if (end == 0) return false;
  store<u32>(SPANS + (row << 3), room);
  store<u32>(SPANS + (row << 3), end - room, 4);
  store<u32>(ROOM_END, end);
  addUnicodeRow(row);
  return true;
}

function addUnicodeRow(row: u32): void {
  const byte = UNICODE_ROWS + (row >> 3);
  store<u8>(byte, load<u8>(byte) | <u8>(<u32>1 << (row & 7)));
}

/**
 * Whether the first fragment from `at` on begins with `!` or `/`, perhaps after tabs and line ends, which the parser
 * skips. What is not proven is searched; the message of what is proven ends before its fragment.
 */
function mayHaveRoute(at: usize, end: usize): bool {
  at = partEnd(at, end, NUMBER_SIGN) + 1;
  if (at >= end) return false;
  const byte: u32 = load<u8>(at);
  return byte == EXCLAMATION_MARK || byte == SLASH || byte < 0x20;
}

/** Whether a line may be `host:port`: what would be its scheme is neither `http` nor `https`, and a digit follows. */
function isHostAndPort(line: usize): bool {
  return afterScheme(line) == 0 && isDigit(load<u8>(schemeEnd(line, 0x20), 1));
}

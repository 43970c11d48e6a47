// GET /hash?url=…: the identity of a URL, in Vercel's edge runtime.
import { canonicalize, UrlError, UrlHash } from 'urlsum';

export const runtime = 'edge';

export function GET(request) {
  const url = new URL(request.url).searchParams.get('url') ?? '';
  try {
    return Response.json({ canonical: canonicalize(url), sha256: UrlHash.of(url).hex });
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return Response.json({ error: error.message, place: error.place, reason: error.reason }, { status: 400 });
  }
}

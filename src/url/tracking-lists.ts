/** What strips a parameter from every URL, or says that it exists to track. */
const GOOGLE_ANALYTICS = 'https://support.google.com/analytics/answer/10917952';
const FIREFOX = 'https://firefox-source-docs.mozilla.org/toolkit/components/antitracking/anti-tracking/query-stripping';
const TIKTOK = 'https://ads.tiktok.com/help/article/tiktok-click-id';
const LINKEDIN = 'https://learn.microsoft.com/linkedin/marketing/conversions/enabling-first-party-cookies';
const brave = (issue: number) => `https://github.com/brave/brave-browser/issues/${issue}`;

/**
 * Lists of parameters that exist only to track, each with the public source that says so. A list never changes: what
 * was hashed with it would get another hash. A later one has another name. Left out is what a site may use for content
 * or function, and what browsers strip from some URLs only (`mkt_tok`, without which a page to unsubscribe breaks).
 */
export const TRACKING_LISTS: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  'tracking-2026': /* @__PURE__ */ new Map([
    ['utm_campaign', GOOGLE_ANALYTICS],
    ['utm_content', GOOGLE_ANALYTICS],
    ['utm_creative_format', GOOGLE_ANALYTICS],
    ['utm_id', GOOGLE_ANALYTICS],
    ['utm_marketing_tactic', GOOGLE_ANALYTICS],
    ['utm_medium', GOOGLE_ANALYTICS],
    ['utm_source', GOOGLE_ANALYTICS],
    ['utm_source_platform', GOOGLE_ANALYTICS],
    ['utm_term', GOOGLE_ANALYTICS],
    ['__hsfp', brave(9019)],
    ['__hssc', brave(9019)],
    ['__hstc', brave(9019)],
    ['__s', brave(8975)],
    ['_hsenc', brave(9019)],
    ['_openstat', brave(11579)],
    ['dclid', brave(9879)],
    ['fbclid', brave(4239)],
    ['gbraid', brave(18758)],
    ['gclid', brave(4239)],
    ['hsCtaTracking', brave(9019)],
    ['li_fat_id', LINKEDIN],
    ['mc_eid', brave(4239)],
    ['msclkid', brave(4239)],
    ['oly_anon_id', brave(13644)],
    ['oly_enc_id', brave(13644)],
    ['ttclid', TIKTOK],
    ['twclid', brave(18020)],
    ['vero_id', brave(11817)],
    ['wbraid', brave(18758)],
    ['wickedid', brave(13647)],
    ['yclid', brave(11578)],
    ['ysclid', FIREFOX],
  ]),
};

/**
 * Lists of parameters that exist only to track; docs/parameters.md has the public source that says so of each. A list
 * never changes: what was hashed with it would get another hash. A later one has another name. Left out is what a site
 * may use for content or function, and what browsers strip from some URLs only (`mkt_tok`, without which a page to
 * unsubscribe breaks).
 */
export const TRACKING_LISTS: Readonly<Record<string, string>> = {
  'tracking-2026':
    'utm_campaign utm_content utm_creative_format utm_id utm_marketing_tactic utm_medium utm_source ' +
    'utm_source_platform utm_term __hsfp __hssc __hstc _hsenc __s hsCtaTracking _openstat dclid fbclid gclid ttclid ' +
    'twclid yclid ysclid msclkid gbraid wbraid oly_anon_id oly_enc_id vero_id li_fat_id mc_eid wickedid',
};

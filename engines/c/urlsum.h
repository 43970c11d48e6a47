/*
 * Canonical forms of URLs and their SHA-256, as docs/module.md defines them: the module urlsum.wasm as C, without a
 * runtime, a thread, a file or a signal handler.
 *
 * A handle serves one thread at a time; several handles are independent. A call that runs out of memory, or whose code
 * traps, returns an error, and the handle goes on as it was configured.
 */
#ifndef URLSUM_H
#define URLSUM_H

#include <stddef.h>
#include <stdint.h>

/* Exports the functions, where urlsum.c is compiled. */
#ifndef URLSUM_API
#define URLSUM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this interface. It changes where a program that was built with another one would break. */
#define URLSUM_ABI 1
URLSUM_API uint32_t urlsum_abi(void);

typedef struct urlsum urlsum;

/** What URLs become. Every result has reasons, too. */
enum urlsum_output {
  URLSUM_REASON = 0,
  URLSUM_FORM = 1,
  URLSUM_HOST = 2,
  URLSUM_SITE = 3,
  URLSUM_SURT = 4,
  /** The first bytes of the SHA-256 of the canonical form; zeros for what is not a URL. */
  URLSUM_DIGEST_8 = 8,
  URLSUM_DIGEST_16 = 16,
  URLSUM_DIGEST_32 = 32
};

/** What a call returns. */
enum urlsum_status {
  URLSUM_OK = 0,
  /** The profile, base, default scheme or site rules cannot be; urlsum_last_error says why. */
  URLSUM_REFUSED = -1,
  URLSUM_OUT_OF_MEMORY = -2,
  URLSUM_TRAP = -3,
  /** An output that does not exist, or offsets that do not ascend. */
  URLSUM_INVALID = -4
};

/** The reason of a URL that has no value of the kind asked for: mailto:a@b.example has no host. */
#define URLSUM_NO_VALUE 255

/** The values of rows, which belong to the handle until the next call. */
typedef struct urlsum_result {
  size_t row_count;
  /** Of each row 0 for a URL, or the number of the reason why it is not one, or URLSUM_NO_VALUE. */
  const uint8_t *reasons;
  /** Digests one after another, or the bytes of texts, which are ASCII. */
  const uint8_t *values;
  /** Of texts, row_count + 1 offsets in values; otherwise NULL. */
  const int64_t *offsets;
} urlsum_result;

/** Opens a handle for the profile url/1+unicode18; NULL without memory for it. */
URLSUM_API urlsum *urlsum_open(void);
URLSUM_API void urlsum_close(urlsum *handle);

/**
 * Chooses the canonical form by its profile, such as "url/1+unicode18;exclude-fragment;drop-list=tracking-2026", the
 * base of relative URLs, or what a URL gets that lacks a scheme: "http" or "https". Length 0 stands for none, of the
 * profile for url/1+unicode18. What is refused changes nothing.
 */
URLSUM_API int urlsum_configure(urlsum *handle, const char *profile, size_t profile_length, const char *base,
                                size_t base_length, const char *default_scheme, size_t default_scheme_length);

/** Reads rules for sites, which a profile may name from then on, and writes their id: 32 hex digits and a NUL. */
URLSUM_API int urlsum_site_rules(urlsum *handle, const char *text, size_t length, char id[33]);

/** The lines of a text, which end with LF or CR LF; the last one need not. */
URLSUM_API int urlsum_lines(urlsum *handle, const void *text, size_t length, int output, urlsum_result *result);

/** Rows [offsets[r], offsets[r + 1]) of `bytes`: row_count + 1 ascending offsets of offset_bytes each, 4 or 8. */
URLSUM_API int urlsum_rows(urlsum *handle, const void *bytes, const void *offsets, int offset_bytes, size_t row_count,
                           int output, urlsum_result *result);

/**
 * Points to a text of one URL, which ends with NUL and belongs to the handle until the next call, or to the name of its
 * reason; NULL where it has none. Returns its reason, or a negative status.
 */
URLSUM_API int urlsum_text(urlsum *handle, const void *url, size_t length, int output, const char **text);

/** Writes the first `width` bytes, 8, 16 or 32, of one URL's hash; returns its reason, or a negative status. */
URLSUM_API int urlsum_digest(urlsum *handle, const void *url, size_t length, int width, uint8_t *digest);

/** Says why the last call failed; '' after one that did not. It belongs to the handle until the next call. */
URLSUM_API const char *urlsum_last_error(const urlsum *handle);

/** The name of a reason, such as "host-missing"; NULL for a number that is not one. */
URLSUM_API const char *urlsum_reason_name(int reason);

#ifdef __cplusplus
}
#endif
#endif

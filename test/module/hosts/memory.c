/*
 * Each call with memory for its first 0, 1, 2, … allocations. Prints a line for each call: its name, how many
 * allocations it makes, and how many runs did not fail or did not leave the handle as it was configured.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urlsum.h"

#define PROFILE "url/1+unicode18"

/* The number of allocations that there is memory for, unless negative; whether one was refused. */
static long left = -1;
static int refused;
static int fails(void) {
  if (left == 0) refused = 1;
  else if (left > 0) --left;
  return left == 0 && refused;
}
void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *bytes, size_t size) { return fails() ? NULL : __real_realloc(bytes, size); }

static const char *rules = "example.com drop b";
static char before_id[33], after_id[33], *long_line;
static const size_t LONG = 3000000;

static int configure(urlsum *handle, const char *id, const char *base) {
  char profile[100] = PROFILE;
  if (id != NULL) snprintf(profile, sizeof profile, PROFILE ";site-rules=%s", id);
  return urlsum_configure(handle, profile, strlen(profile), base, strlen(base), "", 0);
}

/* The calls. Each returns 0 or a negative status. */
static int call_configure(urlsum *handle) { return configure(handle, after_id, "http://after.example/"); }
static int call_site_rules(urlsum *handle) {
  char id[33];
  return urlsum_site_rules(handle, rules, strlen(rules), id);
}
static int call_lines(urlsum *handle) {
  urlsum_result result;
  return urlsum_lines(handle, long_line, LONG, URLSUM_FORM, &result);
}
static int call_rows(urlsum *handle) {
  uint32_t offsets[] = {0, (uint32_t)LONG};
  urlsum_result result;
  return urlsum_rows(handle, long_line, offsets, 4, 1, URLSUM_DIGEST_32, &result);
}
static int call_text(urlsum *handle) {
  const char *text;
  int reason = urlsum_text(handle, long_line, LONG, URLSUM_FORM, &text);
  return reason < 0 ? reason : 0;
}
static int call_digest(urlsum *handle) {
  uint8_t digest[32];
  int reason = urlsum_digest(handle, long_line, LONG, 32, digest);
  return reason < 0 ? reason : 0;
}
static const struct {
  const char *name;
  int (*call)(urlsum *);
} CALLS[] = {{"configure", call_configure}, {"site_rules", call_site_rules}, {"lines", call_lines},
             {"rows", call_rows},           {"text", call_text},             {"digest", call_digest}};

/* A handle with a profile of rules, and other rules that the next profile may name. */
static urlsum *opened(void) {
  urlsum *handle = urlsum_open();
  const char *text = "example.com drop a";
  if (handle == NULL || urlsum_site_rules(handle, text, strlen(text), before_id) != URLSUM_OK) exit(2);
  if (configure(handle, before_id, "http://before.example/") != URLSUM_OK) exit(3);
  if (urlsum_site_rules(handle, rules, strlen(rules), after_id) != URLSUM_OK) exit(4);
  return handle;
}

/* Writes the form of a URL that base and rules change. */
static void form_of(urlsum *handle, char form[200]) {
  const char *url = "//example.com/?a=1&b=2", *text;
  if (urlsum_text(handle, url, strlen(url), URLSUM_FORM, &text) != 0) exit(5);
  snprintf(form, 200, "%s", text);
}

/* Makes a handle open its module anew, as after a row that lacked memory. */
static void reopen(urlsum *handle) {
  left = 0, refused = 0;
  call_text(handle);
  left = -1;
}

int main(void) {
  long_line = malloc(LONG);
  memset(long_line, 'a', LONG);
  memcpy(long_line, "\xc3\xa4", 2);
  for (size_t at = 0; at < sizeof CALLS / sizeof CALLS[0]; ++at) {
    long allocations = 0, wrong = 0, failed = 1;
    for (; failed; ++allocations) {
      urlsum *handle = opened();
      char before[200], after[200], expected[200], found[200];
      form_of(handle, before);
      left = allocations;
      refused = 0;
      int status = CALLS[at].call(handle);
      failed = refused;
      left = -1;
      int must_fail = failed && status == URLSUM_OK;
      strcpy(expected, before);
      if (status == URLSUM_OK && CALLS[at].call == call_configure) strcpy(expected, "http://example.com/?a=1");
      form_of(handle, found);
      reopen(handle);
      form_of(handle, after);
      /* the rules given last may still be named */
      int named = configure(handle, after_id, "") == URLSUM_OK;
      wrong += must_fail || strcmp(found, expected) || strcmp(after, expected) || !named;
      urlsum_close(handle);
    }
    printf("%s %ld allocations, %ld wrong\n", CALLS[at].name, allocations - 1, wrong);
  }
}

/*
 * What the library leaves of the process that it lives in, as lines of `name value`: the bytes of addresses that a handle
 * takes, signal handlers that changed, and what comes of a call that runs out of memory or whose module traps.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "urlsum.h"

static long address_space(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld", &pages) != 1) exit(2);
  fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

static int changed_handlers(struct sigaction before[65]) {
  int changed = 0;
  for (int number = 1; number < 65; ++number) {
    struct sigaction now;
    if (sigaction(number, NULL, &now) == 0) changed += now.sa_handler != before[number].sa_handler;
  }
  return changed;
}

/* The calls that take URLs, each with one. */
static int take_lines(urlsum *handle, const char *url, size_t length) {
  urlsum_result result;
  return urlsum_lines(handle, url, length, URLSUM_FORM, &result);
}
static int take_rows(urlsum *handle, const char *url, size_t length) {
  uint64_t offsets[] = {0, length};
  urlsum_result result;
  return urlsum_rows(handle, url, offsets, 8, 1, URLSUM_FORM, &result);
}
static int take_text(urlsum *handle, const char *url, size_t length) {
  const char *text;
  return urlsum_text(handle, url, length, URLSUM_FORM, &text);
}
static int take_digest(urlsum *handle, const char *url, size_t length) {
  uint8_t digest[32];
  return urlsum_digest(handle, url, length, 32, digest);
}
static const struct {
  const char *name;
  int (*take)(urlsum *, const char *, size_t);
} TAKERS[] = {{"lines", take_lines}, {"rows", take_rows}, {"text", take_text}, {"digest", take_digest}};

static int digest_of(urlsum *handle, const char *url, char hex[17]) {
  uint8_t digest[8];
  int reason = urlsum_digest(handle, url, strlen(url), 8, digest);
  for (int at = 0; at < 8; ++at) sprintf(hex + 2 * at, "%02x", digest[at]);
  return reason;
}

int main(void) {
  struct sigaction before[65];
  for (int number = 1; number < 65; ++number) sigaction(number, NULL, &before[number]);
  char hex[17], again[17];

  long empty = address_space();
  urlsum *handle = urlsum_open();
  if (handle == NULL) return 1;
  digest_of(handle, "http://example.com/", hex);
  printf("addresses %ld\n", address_space() - empty);

  const char *base = "http://example.com/a/b";
  urlsum_configure(handle, "", 0, base, strlen(base), "", 0);
  digest_of(handle, "c", hex);

  /* a host of a million one-letter labels, in a process that may have 64 MiB more */
  size_t count = 1000000, length = 7 + 3 * count + 2;
  char *url = malloc(length + 1);
  memcpy(url, "http://", 7);
  for (size_t at = 0; at < count; ++at) memcpy(url + 7 + 3 * at, "\xd7\x90.", 3);
  memcpy(url + length - 2, "de", 2);
  struct rlimit limit, small;
  getrlimit(RLIMIT_AS, &limit);
  small = limit;
  small.rlim_cur = (rlim_t)address_space() + (64 << 20);
  setrlimit(RLIMIT_AS, &small);
  const char *text;
  printf("status %d\n", urlsum_text(handle, url, length, URLSUM_FORM, &text));
  printf("error %s\n", urlsum_last_error(handle));
  digest_of(handle, "c", again);
  printf("configured %s\n", strcmp(hex, again) == 0 ? "still" : "anew");
  setrlimit(RLIMIT_AS, &limit);
  printf("with-memory %d\n", urlsum_text(handle, url, length, URLSUM_FORM, &text));
  for (size_t at = 0; at < sizeof TAKERS / sizeof TAKERS[0]; ++at) {
    if (TAKERS[at].take(handle, url, length) != 0) return 3;
    digest_of(handle, "c", again);
    printf("kept-by-%s %ld\n", TAKERS[at].name, address_space() - empty);
  }

  /* the kernel's alone, and two that leave garbage of the parser */
  const char *urls[] = {"http://b\xc3\xbc" "cher.example/\xc3\xa4", "no URL", "http://h\t/%zz"};
  for (int round = 0; round < 100000; ++round) digest_of(handle, urls[round % 3], again);
  long grown = address_space();
  for (int round = 0; round < ROUNDS; ++round) digest_of(handle, urls[round % 3], again);
  printf("growth %ld\n", address_space() - grown);
  urlsum_close(handle);
  printf("handlers %d\n", changed_handlers(before));
}

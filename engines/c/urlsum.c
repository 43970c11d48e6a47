/*
 * The functions of urlsum.h, over the module as wasm2c writes it. This is the one file to compile: the module and the
 * runtime of wasm2c are included, so that their names stay within it.
 *
 * The module runs in other people's processes: bounds are checked and calls are counted, where wasm2c would otherwise
 * reserve 8 GiB of addresses and install signal handlers.
 */
#define WASM_RT_USE_MMAP 0
#define WASM_RT_MEMCHECK_BOUNDS_CHECK 1
#define WASM_RT_INSTALL_SIGNAL_HANDLER 0
#define WASM_RT_STACK_DEPTH_COUNT 1
#define WASM_RT_GROW_FAILED_HANDLER note_failed_growth
#define WASM_RT_TRAP_HANDLER leave_module
#ifndef NDEBUG
#define NDEBUG
#endif

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* without memory for a module, the runtime would end the process */
#define abort() wasm_rt_trap(WASM_RT_TRAP_UNREACHABLE)
#include "wasm-rt-impl.c"
#include "wasm-rt-mem-impl.c"
#undef abort
#include "urlsum-module.c"

#if defined(_WIN32)
#define URLSUM_API __declspec(dllexport)
#else
#define URLSUM_API __attribute__((visibility("default")))
#endif
#include "urlsum-reasons.h"
#include "urlsum-sha256.c"
#include "urlsum.h"

static WASM_RT_THREAD_LOCAL bool growth_failed;
void note_failed_growth(void) { growth_failed = true; }

/* Where a call of the module goes on after a trap. setjmp, unlike what the runtime has, asks the system for nothing. */
static WASM_RT_THREAD_LOCAL jmp_buf after_trap;
void leave_module(wasm_rt_trap_t trap) { longjmp(after_trap, (int)trap); }
#define TRY_MODULE() (WASM_RT_SAVE_STACK_DEPTH(), (wasm_rt_trap_t)setjmp(after_trap))

typedef struct {
  uint8_t *bytes;
  size_t length, capacity;
} growing;

/* What a call of the module leaves: see docs/module.md. */
enum { STATUS, ROW_COUNT, REASONS, VALUES, OFFSETS, VALUES_LENGTH, WORD_COUNT };

struct urlsum {
  w2c_urlsum module;
  bool is_open;
  /* whether the module's forms are hashed here */
  bool hashes_forms;
  /* as they were accepted, for a module that is opened anew */
  growing configuration, configured_rules;
  uint32_t configured_lengths[3];
  /* those that the next profile may name */
  growing site_rules;
  growing reasons, values, offsets;
  char error[512];
};

/* Bytes that the module is given at once: longer lines and rows are given whole. */
#define PIECE_BYTES ((size_t)1 << 20)
#define PIECE_ROWS ((size_t)1 << 16)
#define INPUT_LIMIT ((size_t)1 << 29)
/* A module that a long row has made larger is opened anew: its memory never shrinks. */
#define KEPT_BYTES ((uint64_t)64 << 20)

static int fail(urlsum *handle, int status, const char *message) {
  snprintf(handle->error, sizeof handle->error, "%s", message);
  return status;
}

static int no_memory(urlsum *handle) { return fail(handle, URLSUM_OUT_OF_MEMORY, "out of memory"); }

static bool make_room(growing *buffer, size_t count) {
  if (buffer->capacity - buffer->length >= count) return true;
  size_t capacity = buffer->length + count + (buffer->capacity >> 1) + 64;
  uint8_t *bytes = realloc(buffer->bytes, capacity);
  if (bytes == NULL) return false;
  buffer->bytes = bytes;
  buffer->capacity = capacity;
  return true;
}

static bool append(growing *buffer, const void *bytes, size_t count) {
  if (!make_room(buffer, count)) return false;
  if (count > 0) memcpy(buffer->bytes + buffer->length, bytes, count);
  buffer->length += count;
  return true;
}

/* Gives the bytes of `other` to `buffer`, and those of `buffer` to `other`, whose owner frees them. */
static void keep(growing *buffer, growing *other) {
  growing before = *buffer;
  *buffer = *other;
  *other = before;
}

static uint8_t *memory_at(urlsum *handle, uint32_t address) { return handle->module.w2c_memory.data + address; }

static void read_words(urlsum *handle, uint32_t address, uint32_t words[WORD_COUNT]) {
  memcpy(words, memory_at(handle, address), WORD_COUNT * sizeof words[0]);
}

static void close_module(urlsum *handle) {
  if (handle->is_open) wasm2c_urlsum_free(&handle->module);
  handle->is_open = false;
}

/* Says why a call of the module ended early, and closes the module: its memory may be half written. */
static int trapped(urlsum *handle, wasm_rt_trap_t trap) {
  close_module(handle);
  if (growth_failed) return no_memory(handle);
  return fail(handle, URLSUM_TRAP, wasm_rt_strerror(trap));
}

typedef uint32_t (*module_call)(urlsum *handle, const uint32_t arguments[3]);

static uint32_t call_configure(urlsum *handle, const uint32_t a[3]) {
  return w2c_urlsum_configure(&handle->module, a[0], a[1], a[2]);
}
static uint32_t call_site_rules(urlsum *handle, const uint32_t a[3]) {
  return w2c_urlsum_siteRules(&handle->module, a[0]);
}
static uint32_t call_lines(urlsum *handle, const uint32_t a[3]) { return w2c_urlsum_lines(&handle->module, a[0], a[1]); }
static uint32_t call_rows(urlsum *handle, const uint32_t a[3]) {
  return w2c_urlsum_rows(&handle->module, a[0], a[1], a[2]);
}
static uint32_t call_one(urlsum *handle, const uint32_t a[3]) { return w2c_urlsum_one(&handle->module, a[0], a[1]); }

/* Copies two texts to the module's input, calls, and returns a status; `words` are those of the result. */
static int call_opened(urlsum *handle, module_call call, const uint32_t arguments[3], const void *one, size_t one_length,
                       const void *other, size_t other_length, uint32_t words[WORD_COUNT]) {
  growth_failed = false;
  wasm_rt_trap_t trap = TRY_MODULE();
  if (trap != WASM_RT_TRAP_NONE) return trapped(handle, trap);
  uint32_t input = w2c_urlsum_input(&handle->module, (uint32_t)(one_length + other_length));
  if (one_length > 0) memcpy(memory_at(handle, input), one, one_length);
  if (other_length > 0) memcpy(memory_at(handle, input) + one_length, other, other_length);
  read_words(handle, call(handle, arguments), words);
  if (words[STATUS] == 0) return URLSUM_OK;
  size_t length = words[VALUES_LENGTH] < sizeof handle->error ? words[VALUES_LENGTH] : sizeof handle->error - 1;
  memcpy(handle->error, memory_at(handle, words[VALUES]), length);
  handle->error[length] = 0;
  return URLSUM_REFUSED;
}

static int give_rules(urlsum *handle, const growing *rules) {
  if (rules->length == 0) return URLSUM_OK;
  uint32_t arguments[3] = {(uint32_t)rules->length, 0, 0}, words[WORD_COUNT];
  return call_opened(handle, call_site_rules, arguments, rules->bytes, rules->length, NULL, 0, words);
}

/* Opens the module where it is not, as it was configured. */
static int open_module(urlsum *handle) {
  if (handle->is_open) return URLSUM_OK;
  growth_failed = true; /* what fails here lacks memory */
  wasm_rt_trap_t trap = TRY_MODULE();
  if (trap != WASM_RT_TRAP_NONE) return trapped(handle, trap);
  wasm2c_urlsum_instantiate(&handle->module);
  handle->is_open = true;
  int status = give_rules(handle, &handle->configured_rules);
  uint32_t words[WORD_COUNT];
  if (status == URLSUM_OK && handle->configuration.length > 0)
    status = call_opened(handle, call_configure, handle->configured_lengths, handle->configuration.bytes,
                         handle->configuration.length, NULL, 0, words);
  return status == URLSUM_OK ? give_rules(handle, &handle->site_rules) : status;
}

static int call_module(urlsum *handle, module_call call, const uint32_t arguments[3], const void *one, size_t one_length,
                       const void *other, size_t other_length, uint32_t words[WORD_COUNT]) {
  if (one_length > INPUT_LIMIT || other_length > INPUT_LIMIT - one_length) return no_memory(handle);
  int status = open_module(handle);
  if (status != URLSUM_OK) return status;
  return call_opened(handle, call, arguments, one, one_length, other, other_length, words);
}

uint32_t urlsum_abi(void) { return URLSUM_ABI; }

urlsum *urlsum_open(void) {
  urlsum *handle = calloc(1, sizeof *handle);
  if (handle == NULL) return NULL;
  handle->hashes_forms = has_sha256();
  if (open_module(handle) == URLSUM_OK) return handle;
  urlsum_close(handle);
  return NULL;
}

void urlsum_close(urlsum *handle) {
  if (handle == NULL) return;
  close_module(handle);
  growing *buffers[] = {&handle->configuration, &handle->configured_rules, &handle->site_rules,
                        &handle->reasons, &handle->values, &handle->offsets};
  for (size_t index = 0; index < sizeof buffers / sizeof buffers[0]; ++index) free(buffers[index]->bytes);
  free(handle);
}

int urlsum_configure(urlsum *handle, const char *profile, size_t profile_length, const char *base, size_t base_length,
                     const char *default_scheme, size_t default_scheme_length) {
  handle->error[0] = 0;
  if (profile_length > INPUT_LIMIT / 4 || base_length > INPUT_LIMIT / 4 || default_scheme_length > INPUT_LIMIT / 4)
    return no_memory(handle);
  growing texts = {0}, rules = {0};
  uint32_t lengths[3] = {(uint32_t)profile_length, (uint32_t)base_length, (uint32_t)default_scheme_length};
  uint32_t words[WORD_COUNT];
  bool has_room = append(&texts, profile, profile_length) && append(&texts, base, base_length) &&
                  append(&texts, default_scheme, default_scheme_length) &&
                  append(&rules, handle->site_rules.bytes, handle->site_rules.length);
  int status = has_room ? call_module(handle, call_configure, lengths, texts.bytes, texts.length, NULL, 0, words)
                        : no_memory(handle);
  if (status == URLSUM_OK) {
    keep(&handle->configuration, &texts);
    keep(&handle->configured_rules, &rules);
    memcpy(handle->configured_lengths, lengths, sizeof lengths);
  }
  free(texts.bytes);
  free(rules.bytes);
  return status;
}

int urlsum_site_rules(urlsum *handle, const char *text, size_t length, char id[33]) {
  handle->error[0] = 0;
  if (length > INPUT_LIMIT) return no_memory(handle);
  growing rules = {0};
  uint32_t arguments[3] = {(uint32_t)length, 0, 0}, words[WORD_COUNT];
  int status = append(&rules, text, length)
                   ? call_module(handle, call_site_rules, arguments, text, length, NULL, 0, words)
                   : no_memory(handle);
  if (status == URLSUM_OK) {
    memcpy(id, memory_at(handle, words[VALUES]), 32);
    id[32] = 0;
    keep(&handle->site_rules, &rules);
  }
  free(rules.bytes);
  return status;
}

static void begin(urlsum *handle) {
  handle->error[0] = 0;
  handle->reasons.length = handle->values.length = handle->offsets.length = 0;
}

static bool is_digest(int output) {
  return output == URLSUM_DIGEST_8 || output == URLSUM_DIGEST_16 || output == URLSUM_DIGEST_32;
}

/* Returns what the module is asked for. */
static uint32_t asked(const urlsum *handle, int output) {
  return (uint32_t)(handle->hashes_forms && is_digest(output) ? URLSUM_FORM : output);
}

/* Writes digests of the forms that the module has answered; zeros where a row has none. */
static void hash_forms(urlsum *handle, const uint32_t words[WORD_COUNT], size_t width, uint8_t *digests) {
  const uint8_t *reasons = memory_at(handle, words[REASONS]), *offsets = memory_at(handle, words[OFFSETS]);
  for (uint32_t row = 0; row < words[ROW_COUNT]; ++row, offsets += 4, digests += width) {
    uint32_t bounds[2];
    memcpy(bounds, offsets, sizeof bounds);
    if (reasons[row] != 0) memset(digests, 0, width);
    else sha256(memory_at(handle, words[VALUES] + bounds[0]), bounds[1] - bounds[0], digests, width);
  }
}

/* Appends what the module's result says, whose offsets begin at 0. */
static int take(urlsum *handle, const uint32_t words[WORD_COUNT], int output) {
  uint32_t row_count = words[ROW_COUNT];
  int64_t start = (int64_t)handle->values.length;
  if (is_digest(output) && words[OFFSETS] != 0) {
    size_t length = (size_t)row_count * (size_t)output;
    if (!append(&handle->reasons, memory_at(handle, words[REASONS]), row_count) || !make_room(&handle->values, length))
      return no_memory(handle);
    hash_forms(handle, words, (size_t)output, handle->values.bytes + start);
    handle->values.length += length;
    return URLSUM_OK;
  }
  bool has_room = append(&handle->reasons, memory_at(handle, words[REASONS]), row_count) &&
                  append(&handle->values, memory_at(handle, words[VALUES]), words[VALUES_LENGTH]);
  if (!has_room) return no_memory(handle);
  if (words[OFFSETS] == 0) return URLSUM_OK;
  if (!make_room(&handle->offsets, 8 * ((size_t)row_count + 1))) return no_memory(handle);
  if (handle->offsets.length == 0) append(&handle->offsets, &start, sizeof start);
  int64_t *ends = (int64_t *)(void *)(handle->offsets.bytes + handle->offsets.length);
  const uint8_t *offsets = memory_at(handle, words[OFFSETS]);
  for (uint32_t row = 0; row < row_count; ++row) {
    uint32_t end;
    memcpy(&end, offsets + 4 * ((size_t)row + 1), 4);
    ends[row] = start + end;
  }
  handle->offsets.length += 8 * (size_t)row_count;
  return URLSUM_OK;
}

/* Ends a call: a module that a long row has made larger is closed. */
static int settle(urlsum *handle, int status) {
  if (handle->is_open && handle->module.w2c_memory.size > KEPT_BYTES) close_module(handle);
  return status == URLSUM_REFUSED ? URLSUM_INVALID : status;
}

static int finish(urlsum *handle, int status, int output, urlsum_result *result) {
  memset(result, 0, sizeof *result);
  if (status != URLSUM_OK) return settle(handle, status);
  static const int64_t none = 0;
  bool has_offsets = output >= URLSUM_FORM && output <= URLSUM_SURT;
  result->row_count = handle->reasons.length;
  result->reasons = handle->reasons.bytes;
  result->values = handle->values.bytes;
  if (has_offsets) result->offsets = handle->offsets.length == 0 ? &none : (const int64_t *)(void *)handle->offsets.bytes;
  return settle(handle, URLSUM_OK);
}

/* Returns how many bytes of a text are whole lines, as many as a piece has room for, or one that is longer. */
static size_t piece_of_lines(const uint8_t *text, size_t length) {
  if (length <= PIECE_BYTES) return length;
  for (size_t end = PIECE_BYTES; end > 0; --end)
    if (text[end - 1] == '\n') return end;
  const uint8_t *feed = memchr(text + PIECE_BYTES, '\n', length - PIECE_BYTES);
  return feed == NULL ? length : (size_t)(feed - text) + 1;
}

int urlsum_lines(urlsum *handle, const void *text, size_t length, int output, urlsum_result *result) {
  begin(handle);
  const uint8_t *bytes = text;
  int status = URLSUM_OK;
  for (size_t at = 0, count; at < length && status == URLSUM_OK; at += count) {
    count = piece_of_lines(bytes + at, length - at);
    uint32_t arguments[3] = {(uint32_t)count, asked(handle, output), 0}, words[WORD_COUNT];
    status = call_module(handle, call_lines, arguments, bytes + at, count, NULL, 0, words);
    if (status == URLSUM_OK) status = take(handle, words, output);
  }
  return finish(handle, status, output, result);
}

static uint64_t offset_at(const void *offsets, int offset_bytes, size_t index) {
  return offset_bytes == 4 ? ((const uint32_t *)offsets)[index] : ((const uint64_t *)offsets)[index];
}

int urlsum_rows(urlsum *handle, const void *bytes, const void *offsets, int offset_bytes, size_t row_count,
                         int output, urlsum_result *result) {
  begin(handle);
  int status = URLSUM_OK;
  growing bounds = {0};
  if (offset_bytes != 4 && offset_bytes != 8) status = fail(handle, URLSUM_INVALID, "offsets have 4 or 8 bytes");
  for (size_t first = 0, next = 0; first < row_count && status == URLSUM_OK; first = next) {
    uint64_t start = offset_at(offsets, offset_bytes, first), end = start;
    bounds.length = 0;
    uint32_t bound = 0;
    bool has_room = append(&bounds, &bound, sizeof bound);
    for (next = first; has_room && next < row_count && next - first < PIECE_ROWS; ++next) {
      uint64_t row_end = offset_at(offsets, offset_bytes, next + 1);
      if (row_end < end) break;
      if (next > first && row_end - start > PIECE_BYTES) break;
      if (row_end - start > INPUT_LIMIT / 2) has_room = false;
      end = row_end;
      bound = (uint32_t)(end - start);
      has_room = has_room && append(&bounds, &bound, sizeof bound);
    }
    if (!has_room) status = no_memory(handle);
    else if (next == first) status = fail(handle, URLSUM_INVALID, "offsets must ascend");
    if (status != URLSUM_OK) break;
    uint32_t arguments[3] = {(uint32_t)(next - first), (uint32_t)(end - start), asked(handle, output)}, words[WORD_COUNT];
    status = call_module(handle, call_rows, arguments, bounds.bytes, bounds.length, (const uint8_t *)bytes + start,
                         (size_t)(end - start), words);
    if (status == URLSUM_OK) status = take(handle, words, output);
  }
  free(bounds.bytes);
  return finish(handle, status, output, result);
}

/* Asks the module for one URL; returns its reason, or a negative status. */
static int ask_one(urlsum *handle, const void *url, size_t length, int output, uint32_t words[WORD_COUNT]) {
  begin(handle);
  uint32_t arguments[3] = {(uint32_t)length, asked(handle, output), 0};
  int status = call_module(handle, call_one, arguments, url, length, NULL, 0, words);
  return status == URLSUM_OK ? *memory_at(handle, words[REASONS]) : status;
}

int urlsum_text(urlsum *handle, const void *url, size_t length, int output, const char **text) {
  *text = NULL;
  if (is_digest(output)) return fail(handle, URLSUM_INVALID, "a digest is not a text");
  uint32_t words[WORD_COUNT];
  int reason = ask_one(handle, url, length, output, words);
  if (reason >= 0 && output == URLSUM_REASON) *text = urlsum_reason_name(reason);
  else if (reason == 0) {
    growing *values = &handle->values;
    if (!append(values, memory_at(handle, words[VALUES]), words[VALUES_LENGTH]) || !append(values, "", 1))
      return settle(handle, no_memory(handle));
    *text = (const char *)values->bytes;
  }
  return settle(handle, reason);
}

int urlsum_digest(urlsum *handle, const void *url, size_t length, int width, uint8_t *digest) {
  if (!is_digest(width)) return fail(handle, URLSUM_INVALID, "a digest has 8, 16 or 32 bytes");
  uint32_t words[WORD_COUNT];
  int reason = ask_one(handle, url, length, width, words);
  if (reason >= 0 && words[OFFSETS] != 0) hash_forms(handle, words, (size_t)width, digest);
  else if (reason >= 0) memcpy(digest, memory_at(handle, words[VALUES]), (size_t)width);
  return settle(handle, reason);
}

const char *urlsum_last_error(const urlsum *handle) { return handle->error; }

const char *urlsum_reason_name(int reason) {
  return reason > 0 && reason <= (int)(sizeof URLSUM_REASONS / sizeof URLSUM_REASONS[0]) ? URLSUM_REASONS[reason - 1] : NULL;
}

/*
 * SHA-256 (FIPS 180-4) by the instructions for it that most x86-64 processors have and WebAssembly lacks: a digest takes
 * half as long as one of four that the module makes at once, and a fifth of a single one. The module makes them where
 * the processor has none, or URLSUM_PORTABLE is defined.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(URLSUM_PORTABLE)
#include <cpuid.h>
#include <immintrin.h>

static bool has_sha256(void) {
  unsigned int eax, ebx, ecx, edx;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx >> 29 & 1) == 1;
}

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define SHA256_CODE __attribute__((target("sha,sse4.1")))

/* The working variables as the instructions have them, the first one highest: a, b, e, f and c, d, g, h. */
typedef struct {
  __m128i abef, cdgh;
} sha256_state;

/* The words of 16 bytes, or 16 bytes of words, which are big-endian. */
SHA256_CODE static inline __m128i words_swapped(__m128i bytes) {
  return _mm_shuffle_epi8(bytes, _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
}

SHA256_CODE static void compress(sha256_state *H, const uint8_t *block) {
  __m128i abef = H->abef, cdgh = H->cdgh, W[4];
  for (int part = 0; part < 4; ++part) W[part] = words_swapped(_mm_loadu_si128((const __m128i *)block + part));
#pragma GCC unroll 16
  for (int t = 0; t < 64; t += 4) {
    __m128i sum = _mm_add_epi32(W[0], _mm_loadu_si128((const __m128i *)(K + t)));
    cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
    abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    __m128i next = _mm_add_epi32(_mm_sha256msg1_epu32(W[0], W[1]), _mm_alignr_epi8(W[3], W[2], 4));
    next = _mm_sha256msg2_epu32(next, W[3]);
    W[0] = W[1], W[1] = W[2], W[2] = W[3], W[3] = next;
  }
  H->abef = _mm_add_epi32(H->abef, abef);
  H->cdgh = _mm_add_epi32(H->cdgh, cdgh);
}

/* Writes the first `width` bytes of the digest of a message. */
SHA256_CODE static void sha256(const uint8_t *message, size_t length, uint8_t *digest, size_t width) {
  sha256_state H = {_mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c),
                    _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19)};
  size_t at = 0;
  for (; length - at >= 64; at += 64) compress(&H, message + at);
  uint8_t padded[128] = {0};
  if (length > at) memcpy(padded, message + at, length - at);
  padded[length - at] = 0x80;
  size_t end = length - at < 56 ? 64 : 128;
  for (int byte = 1; byte <= 8; ++byte) padded[end - (size_t)byte] = (uint8_t)((uint64_t)length << 3 >> 8 * (byte - 1));
  for (size_t block = 0; block < end; block += 64) compress(&H, padded + block);
  __m128i whole[2] = {words_swapped(_mm_shuffle_epi32(_mm_unpackhi_epi64(H.cdgh, H.abef), 0x1b)),
                      words_swapped(_mm_shuffle_epi32(_mm_unpacklo_epi64(H.cdgh, H.abef), 0x1b))};
  memcpy(digest, whole, width);
}
#else
static bool has_sha256(void) { return false; }
static void sha256(const uint8_t *message, size_t length, uint8_t *digest, size_t width) {
  (void)message, (void)length, (void)digest, (void)width;
}
#endif

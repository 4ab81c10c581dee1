/* digest.c - computes the SHA-256 of a description's text. A result names its
 * description by the hash, which sha256sum can check. Source: FIPS 180-4,
 * sections 4.1.2, 4.2.2, 5.3.3 and 6.2. */

#include "language/language.h"

#include <stdint.h>
#include <string.h>

enum {
  BLOCK = 64, /* block size in B */
  ROUNDS = 64,
  WORDS = 8,     /* words of the state */
  LENGTH_AT = 56 /* offset of the bit count */
};

/* Section 4.2.2 defines the constants as the first 32 bits of the fractional
 * parts of the cube roots of the first 64 primes. */
static const uint32_t root[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int by)
{
  return x >> by | x << (32 - by);
}

/* Computes the message schedule of a block (section 6.2.2, step 1). */
static void schedule(uint32_t *w, const unsigned char *block)
{
  for (int i = 0; i < 16; i++) {
    const unsigned char *b = block + 4 * i;
    w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
           b[3];
  }
  for (int i = 16; i < ROUNDS; i++) {
    const uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = (turn(y, 17) ^ turn(y, 19) ^ y >> 10) + w[i - 7] +
           (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + w[i - 16];
  }
}

/* Compresses a block (section 6.2.2, steps 2 to 4). */
static void digest_block(uint32_t *state, const unsigned char *block)
{
  uint32_t w[ROUNDS], v[WORDS];

  schedule(w, block);
  memcpy(v, state, sizeof v);
  for (int i = 0; i < ROUNDS; i++) {
    const uint32_t a = v[0], b = v[1], c = v[2], e = v[4];
    const uint32_t first = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
                           ((e & v[5]) ^ (~e & v[6])) + root[i] + w[i];
    const uint32_t second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) +
                            ((a & b) ^ (a & c) ^ (b & c));

    memmove(v + 1, v, (WORDS - 1) * sizeof *v);
    v[4] += first;
    v[0] = first + second;
  }
  for (int i = 0; i < WORDS; i++) state[i] += v[i];
}

void sha256(const void *data, size_t size, sha256_text out)
{
  /* Section 5.3.3 derives the initial state from square roots of 8 primes. */
  uint32_t state[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned char last[2 * BLOCK] = {0};
  const unsigned char *p = data;
  const size_t rest = size % BLOCK;
  const size_t end = rest < LENGTH_AT ? BLOCK : 2 * BLOCK;

  for (size_t i = 0; i + BLOCK <= size; i += BLOCK) digest_block(state, p + i);
  if (rest > 0) memcpy(last, p + (size - rest), rest);
  last[rest] = 0x80;
  for (size_t i = 0; i < 8; i++)
    last[end - 1 - i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
  for (size_t i = 0; i < end; i += BLOCK) digest_block(state, last + i);
  for (size_t i = 0; i < WORDS; i++)
    snprintf(out + 8 * i, sizeof(sha256_text) - 8 * i, "%08lx",
             (unsigned long)state[i]);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

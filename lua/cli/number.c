/* number.c - numbers with 17 significant digits, as "%.17g" writes them.
 *
 *   x = m 2^e,  digits = round(m 5^q 2^(e + q)),  q = 16 - floor(log10 x)
 *
 * For 0 <= q <= 55 the power of 5 has less than 128 bits, the product, less
 * than 181, is exact, and so is what is cut off: the digits are those of
 * printf(), ties to even as in any IEEE 754 machine.  All other numbers go
 * through printf(), which takes ten times as long. */

#include "cli/cli.h"

#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum {
  DIGITS = 17,
  POWERS = 56 /* 5^55 < 2^128 */
};

/* 5^q */
static wide power_of_5(int q)
{
  static wide power[POWERS];

  if (power[0] == 0) {
    power[0] = 1;
    for (int i = 1; i < POWERS; i++) power[i] = 5 * power[i - 1];
  }
  return power[q];
}

/* round(m 5^q / 2^cut), ties to even; m < 2^53, 0 < cut < 180, below 2^64. */
static uint64_t scaled(uint64_t m, int q, int cut)
{
  const wide p = power_of_5(q);
  const wide low = (wide)m * (uint64_t)p;
  const wide high = (wide)m * (uint64_t)(p >> 64) + (low >> 64);
  const uint64_t tail = (uint64_t)low; /* the product: high 2^64 + tail */
  wide whole, half, rest;
  bool more = false;

  if (cut > 64) {
    const int at = cut - 64;
    whole = high >> at;
    half = (wide)1 << (at - 1);
    rest = high & (((wide)1 << at) - 1);
    more = tail != 0;
  } else {
    const wide last = (high << 64) | tail; /* its last 128 bits */
    whole = cut == 64 ? high : (high << (64 - cut)) | (tail >> cut);
    half = (wide)1 << (cut - 1);
    rest = last & (((wide)1 << cut) - 1);
  }
  if (rest > half || (rest == half && (more || (whole & 1)))) whole++;
  return (uint64_t)whole;
}

/* The 17 digits of x > 0, and the power of ten of the first; false if they are
 * not found so. */
static bool digits_of(double x, uint64_t *digits, int *ten)
{
  const uint64_t most = 100000000000000000u; /* 10^17 */
  uint64_t bits;
  int k = 0;

  memcpy(&bits, &x, sizeof bits);
  const int field = (int)(bits >> 52);
  if (field == 0 || field == 0x7ff) return false;
  const uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  const int e = field - 1075;
  /* log10 2 = 0.30103: at most one too small */
  k = (int)floor((field - 1023) * 0.30102999566398);
  for (; k <= DIGITS - 1; k++) {
    const int q = DIGITS - 1 - k, cut = -(e + q);

    if (q >= POWERS || cut < 1 || cut > 179) return false;
    *digits = scaled(m, q, cut);
    *ten = k;
    if (*digits < most) return true;
  }
  return false;
}

static char *put_exponent(char *to, int ten)
{
  const int size = ten < 0 ? -ten : ten;

  *to++ = 'e';
  *to++ = ten < 0 ? '-' : '+';
  if (size >= 100) *to++ = (char)('0' + size / 100);
  *to++ = (char)('0' + size / 10 % 10);
  *to++ = (char)('0' + size % 10);
  return to;
}

/* `n` digits, with a point behind the first `whole` of them, if more follow. */
static char *put_digits(char *to, const char *digit, int n, int whole)
{
  const int before = n < whole ? n : whole;

  memcpy(to, digit, (size_t)before);
  memset(to + before, '0', (size_t)(whole - before));
  to += whole;
  if (n <= whole) return to;
  *to++ = '.';
  memcpy(to, digit + whole, (size_t)(n - whole));
  return to + (n - whole);
}

/* Two digits at a time, from the last. */
static void split(uint64_t digits, char digit[DIGITS])
{
  uint32_t low = (uint32_t)(digits % 100000000),
           high = (uint32_t)(digits / 100000000);

  for (int i = DIGITS - 1; i > DIGITS - 9; i -= 2, low /= 100) {
    const uint32_t two = low % 100;
    digit[i] = (char)('0' + two % 10);
    digit[i - 1] = (char)('0' + two / 10);
  }
  for (int i = DIGITS - 9; i > 0; i -= 2, high /= 100) {
    const uint32_t two = high % 100;
    digit[i] = (char)('0' + two % 10);
    digit[i - 1] = (char)('0' + two / 10);
  }
  digit[0] = (char)('0' + high);
}

/* A count, which most whole numbers are. */
static size_t put_count(uint32_t n, char *text)
{
  char reversed[12];
  size_t size = 0;

  do reversed[size++] = (char)('0' + n % 10);
  while ((n /= 10) > 0);
  for (size_t i = 0; i < size; i++) text[i] = reversed[size - 1 - i];
  text[size] = '\0';
  return size;
}

size_t number_text(double x, number_words text)
{
  const double most = 4294967295.0;
  char digit[DIGITS], *to = text;
  uint64_t digits;
  int ten, n = DIGITS;

  if (x > 0.0 && x <= most && !(x > (double)(uint32_t)x))
    return put_count((uint32_t)x, text);
  if (!(fabs(x) > 0.0) || !digits_of(fabs(x), &digits, &ten))
    return (size_t)snprintf(text, sizeof(number_words), "%.17g", x);
  split(digits, digit);
  while (n > 1 && digit[n - 1] == '0') n--;
  if (x < 0.0) *to++ = '-';
  if (ten < -4) {
    to = put_exponent(put_digits(to, digit, n, 1), ten);
  } else if (ten < 0) {
    *to++ = '0';
    *to++ = '.';
    for (int i = -1; i > ten; i--) *to++ = '0';
    to = put_digits(to, digit, n, n);
  } else {
    to = put_digits(to, digit, n, ten + 1);
  }
  *to = '\0';
  return (size_t)(to - text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

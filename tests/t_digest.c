/* t_digest.c - SHA-256 against the examples of its standard, and around the
 * lengths at which the last block overflows. */

#include "language/language.h"

#include <gsl/gsl_test.h>
#include <stdlib.h>
#include <string.h>

static void examples(void)
{
  /* FIPS 180-2, appendix B.1 to B.3; the empty text by sha256sum */
  static const char two[] =
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  static char million[1000000];
  sha256_text hex;

  sha256("", 0, hex);
  gsl_test_str(
      hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "of nothing");
  sha256("abc", 3, hex);
  gsl_test_str(
      hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "one block");
  sha256(two, strlen(two), hex);
  gsl_test_str(
      hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      "two blocks");
  memset(million, 'a', sizeof million);
  sha256(million, sizeof million, hex);
  gsl_test_str(
      hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
      "a million letters");
}

/* What does not fit in a block with its length takes one more: 55 to 64 B. */
static void lengths(void)
{
  static const struct {
    size_t size;
    const char *hex;
  } of[] = {
      {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
      {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
      {65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
  };
  char text[65];
  sha256_text hex;

  memset(text, 'a', sizeof text);
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    sha256(text, of[i].size, hex);
    gsl_test_str(hex, of[i].hex, "of %zu letters", of[i].size);
  }
}

int main(void)
{
  examples();
  lengths();
  exit(gsl_test_summary());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the test programs share: checks that are counted, and a vocabulary of all bytes. */

#include "gcc_grammar.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of checks that failed, in any thread. */
static atomic_int failures;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                     \
    }                                                                 \
  } while (0)

enum { END = 256, SPECIAL = 257, WIDTH = 300, WORDS = (WIDTH + 31) / 32 };

static const char *const SCHEMA =
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":0}},"
    "\"required\":[\"n\"],\"additionalProperties\":false}";
static const char *const OPTIONS = "{\"whitespace\":\"compact\",\"strings\":\"canonical\"}";

static inline bool allows(const int32_t *row, uint32_t token) {
  return ((uint32_t)row[token / 32] >> (token % 32)) & 1;
}

/* All bytes, an end token, and another special token. */
static inline gcg_vocabulary *all_bytes_and(const char *special) {
  static uint8_t bytes[256];
  gcg_token tokens[258];
  for (uint32_t byte = 0; byte < 256; byte++) {
    bytes[byte] = (uint8_t)byte;
    tokens[byte] = (gcg_token){byte, false, &bytes[byte], 1};
  }
  tokens[256] = (gcg_token){END, true, (const uint8_t *)"<end>", 5};
  tokens[257] = (gcg_token){SPECIAL, true, (const uint8_t *)special, strlen(special)};
  uint32_t end = END;
  return gcg_vocabulary_new("bytes", tokens, 258, &end, 1, WIDTH, NULL);
}

static inline gcg_vocabulary *all_bytes(void) {
  return all_bytes_and("<tool>");
}

static inline void commit_text(gcg_matcher *matcher, const char *text) {
  for (; *text; text++) CHECK(gcg_matcher_commit(matcher, (uint8_t)*text) == GCG_OK);
}

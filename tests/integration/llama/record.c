/* Stands between llama.cpp and the library behind the 13 functions of llguidance that it calls, and records what passes: grammars, masks,
 * tokens and times. The library behind is the next one that was preloaded; if there is none, the one that RECORD_BEHIND names, which is
 * loaded already. RECORD_FILE gets a line per event, RECORD_MASKS the masks one after the other, RECORD_VOCABULARY the length and the bytes
 * of each token. */

#define _GNU_SOURCE
#include "gcc_grammar_llg.h"

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

static void *behind(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) found = dlsym(dlopen(getenv("RECORD_BEHIND"), RTLD_LAZY | RTLD_NOLOAD), name);
  if (!found) fprintf(stderr, "record: there is no %s\n", name), abort();
  return found;
}

#define BEHIND(name)                                  \
  static __typeof__(&name) next;                      \
  if (!next) *(void **)(&next) = behind(#name)

static FILE *file(const char *variable, FILE **opened) {
  if (!*opened) *opened = fopen(getenv(variable), "ab");
  if (!*opened) abort();
  return *opened;
}

static void vocabulary(const LlgTokenizerInit *init) {
  static FILE *tokens;
  const uint8_t *bytes = init->token_bytes;
  for (uint32_t token = 0; token < init->vocab_size; bytes += init->token_lens[token++]) {
    fwrite(&init->token_lens[token], 4, 1, file("RECORD_VOCABULARY", &tokens));
    fwrite(bytes, 1, init->token_lens[token], tokens);
  }
  fflush(tokens);
}

static void event(const char *name, const void *matcher, long long value, long long nanoseconds) {
  static FILE *events;
  fprintf(file("RECORD_FILE", &events), "%s %p %lld %lld\n", name, matcher, value, nanoseconds);
  fflush(events);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void llg_constraint_init_set_defaults(LlgConstraintInit *init, const LlgTokenizer *tokenizer) {
  BEHIND(llg_constraint_init_set_defaults);
  next(init, tokenizer);
}

LlgTokenizer *llg_new_tokenizer(const LlgTokenizerInit *init, char *error, size_t length) {
  BEHIND(llg_new_tokenizer);
  long long start = now();
  LlgTokenizer *made = next(init, error, length);
  event("tokenizer", NULL, init->vocab_size, now() - start);
  vocabulary(init);
  return made;
}

LlgTokenizer *llg_clone_tokenizer(const LlgTokenizer *tokenizer) {
  BEHIND(llg_clone_tokenizer);
  return next(tokenizer);
}

void llg_free_tokenizer(LlgTokenizer *tokenizer) {
  BEHIND(llg_free_tokenizer);
  next(tokenizer);
}

LlgMatcher *llg_new_matcher(const LlgConstraintInit *init, const char *kind, const char *data) {
  BEHIND(llg_new_matcher);
  long long start = now();
  LlgMatcher *made = next(init, kind, data);
  event("new", made, 0, now() - start);
  return made;
}

LlgMatcher *llg_clone_matcher(const LlgMatcher *matcher) {
  BEHIND(llg_clone_matcher);
  LlgMatcher *made = next(matcher);
  event("clone", made, 0, 0);
  return made;
}

void llg_free_matcher(LlgMatcher *matcher) {
  BEHIND(llg_free_matcher);
  event("free", matcher, 0, 0);
  next(matcher);
}

const char *llg_matcher_get_error(LlgMatcher *matcher) {
  BEHIND(llg_matcher_get_error);
  const char *error = next(matcher);
  if (error) event("error", matcher, 0, 0);
  return error;
}

int32_t llg_matcher_consume_token(LlgMatcher *matcher, uint32_t token) {
  BEHIND(llg_matcher_consume_token);
  long long start = now();
  int32_t done = next(matcher, token);
  event(done == 0 ? "token" : "refused", matcher, token, now() - start);
  return done;
}

const uint32_t *llg_matcher_get_mask(LlgMatcher *matcher) {
  BEHIND(llg_matcher_get_mask);
  return next(matcher);
}

size_t llg_matcher_get_mask_byte_size(const LlgMatcher *matcher) {
  BEHIND(llg_matcher_get_mask_byte_size);
  return next(matcher);
}

int32_t llg_matcher_compute_mask(LlgMatcher *matcher) {
  static FILE *masks;
  BEHIND(llg_matcher_compute_mask);
  long long start = now();
  int32_t done = next(matcher);
  long long spent = now() - start;
  const uint32_t *mask = llg_matcher_get_mask(matcher);
  size_t size = llg_matcher_get_mask_byte_size(matcher);
  if (done == 0 && mask) {
    event("mask", matcher, (long long)size, spent);
    fwrite(mask, 1, size, file("RECORD_MASKS", &masks));
    fflush(masks);
  }
  return done;
}

int32_t llg_matcher_reset(LlgMatcher *matcher) {
  BEHIND(llg_matcher_reset);
  event("reset", matcher, 0, 0);
  return next(matcher);
}

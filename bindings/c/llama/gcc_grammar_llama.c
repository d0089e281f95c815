#include "gcc_grammar_llama.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 256, NAME = 32 };

/* The texts of the tokens, one after the other. */
typedef struct {
  char *bytes;
  size_t length, capacity;
} texts;

/* Makes room for more bytes. */
static bool reserve(texts *all, size_t more) {
  if (all->capacity - all->length >= more) return true;
  size_t capacity = 2 * (all->length + more);
  char *bytes = realloc(all->bytes, capacity);
  if (bytes) all->bytes = bytes, all->capacity = capacity;
  return bytes != NULL;
}

/* Appends the text of a token, and returns its length; negative if there is no memory. */
static int32_t append(texts *all, const struct llama_vocab *vocab, llama_token token) {
  int32_t length = -PIECE;
  for (int attempt = 0; attempt < 2 && length < 0; attempt++) {
    int32_t room = -length;
    if (!reserve(all, (size_t)room)) return -1;
    length = llama_token_to_piece(vocab, token, all->bytes + all->length, room, 0, true);
  }
  if (length > 0) all->length += (size_t)length;
  return length;
}

/* Fills in the tokens and the end tokens, and counts them. */
static bool collect(const struct llama_vocab *vocab, texts *all, gcg_token *tokens, size_t *count, uint32_t *ends, size_t *end_count) {
  for (llama_token token = 0; token < llama_vocab_n_tokens(vocab); token++) {
    bool end = llama_vocab_is_eog(vocab, token);
    int32_t length = append(all, vocab, token);
    if (length < 0) return false;
    if (end) ends[(*end_count)++] = (uint32_t)token;
    /* An end token needs a name. Other tokens without a text are never allowed. */
    if (length == 0 && !end) continue;
    if (length == 0) {
      if (!reserve(all, NAME)) return false;
      length = snprintf(all->bytes + all->length, NAME, "<[%d]>", token);
      all->length += (size_t)length;
    }
    bool special = end || llama_vocab_is_control(vocab, token);
    tokens[(*count)++] = (gcg_token){(uint32_t)token, special, NULL, (size_t)length};
  }
  /* The texts do not move any more. */
  const uint8_t *bytes = (const uint8_t *)all->bytes;
  for (size_t i = 0; i < *count; bytes += tokens[i++].length) tokens[i].bytes = bytes;
  return true;
}

static void no_memory(gcg_error **error) {
  if (error) *error = gcg_error_new(GCG_OVER_BUDGET, "there is not enough memory");
}

gcg_vocabulary *gcc_grammar_llama_vocabulary(const struct llama_vocab *vocab, gcg_error **error) {
  size_t width = (size_t)llama_vocab_n_tokens(vocab), count = 0, end_count = 0;
  texts all = {NULL, 0, 0};
  gcg_token *tokens = calloc(width, sizeof *tokens);
  uint32_t *ends = calloc(width, sizeof *ends);
  gcg_vocabulary *made = NULL;
  if (tokens && ends && collect(vocab, &all, tokens, &count, ends, &end_count)) {
    made = gcg_vocabulary_new("llama.cpp", tokens, count, ends, end_count, (uint32_t)width, error);
  } else {
    no_memory(error);
  }
  free(ends);
  free(tokens);
  free(all.bytes);
  return made;
}

/* What a sampler keeps. */
typedef struct {
  const struct llama_vocab *vocab;
  gcg_matcher *matcher;
  gcg_row_memory *memory;
  size_t words;
  /* Whether an operation failed. */
  bool failed;
  /* The mask of the next token. */
  int32_t row[];
} state;

static struct llama_sampler *sampler_of(const struct llama_vocab *vocab, gcg_matcher *matcher, size_t words, gcg_error **error);

static state *of(const struct llama_sampler *sampler) { return (state *)sampler->ctx; }

static const char *name(const struct llama_sampler *sampler) {
  (void)sampler;
  return "gcc-grammar";
}

static bool is_terminated(state *own) {
  bool terminated = false;
  return gcg_matcher_is_terminated(own->matcher, &terminated) == GCG_OK && terminated;
}

static void accept(struct llama_sampler *sampler, llama_token token) {
  state *own = of(sampler);
  /* Behind the end, programs may go on to sample end tokens. */
  if (own->failed || (llama_vocab_is_eog(own->vocab, token) && is_terminated(own))) return;
  own->failed = gcg_matcher_commit(own->matcher, (uint32_t)token) != GCG_OK;
}

/* Whether the token may come next. */
static bool allows(const state *own, llama_token token, bool only_ends) {
  if (only_ends) return llama_vocab_is_eog(own->vocab, token);
  size_t word = (size_t)token / 32;
  return token >= 0 && word < own->words && ((uint32_t)own->row[word] >> (token % 32) & 1);
}

static void apply(struct llama_sampler *sampler, llama_token_data_array *candidates) {
  state *own = of(sampler);
  bool only_ends = own->failed || is_terminated(own);
  if (!only_ends && gcg_matcher_update_mask(own->matcher, own->row, own->words, own->memory) != GCG_OK) {
    own->failed = only_ends = true;
  }
  /* Without a branch on each bit, which cannot be predicted: an added minus infinity leaves nothing of a logit. */
  static const float added[] = {-INFINITY, 0};
  bool all = true;
  for (size_t i = 0; i < candidates->size; i++) {
    bool allowed = allows(own, candidates->data[i].id, only_ends);
    candidates->data[i].logit += added[allowed];
    all &= allowed;
  }
  candidates->sorted &= all;
}

static void reset(struct llama_sampler *sampler) {
  state *own = of(sampler);
  own->failed = gcg_matcher_reset(own->matcher) != GCG_OK;
}

static struct llama_sampler *clone(const struct llama_sampler *sampler) {
  const state *own = of(sampler);
  gcg_matcher *matcher = gcg_matcher_clone(own->matcher, NULL);
  struct llama_sampler *made = matcher ? sampler_of(own->vocab, matcher, own->words, NULL) : NULL;
  if (made) of(made)->failed = own->failed;
  return made;
}

static void release(struct llama_sampler *sampler) {
  state *own = of(sampler);
  gcg_matcher_free(own->matcher);
  gcg_row_memory_free(own->memory);
  free(own);
}

/* The slots that newer versions add stay null: the sampler runs on the processor. */
static struct llama_sampler_i interface = {
    .name = name,
    .accept = accept,
    .apply = apply,
    .reset = reset,
    .clone = clone,
    .free = release,
};

/* Makes a sampler of a matcher, which it frees, also if there is no memory. */
static struct llama_sampler *sampler_of(const struct llama_vocab *vocab, gcg_matcher *matcher, size_t words, gcg_error **error) {
  state *own = calloc(1, sizeof *own + words * sizeof own->row[0]);
  if (!own) {
    gcg_matcher_free(matcher);
    no_memory(error);
    return NULL;
  }
  own->vocab = vocab;
  own->matcher = matcher;
  own->memory = gcg_row_memory_new();
  own->words = words;
  return llama_sampler_init(&interface, own);
}

struct llama_sampler *gcc_grammar_llama_sampler(const struct llama_vocab *vocab, const gcg_session *session, gcg_error **error) {
  /* llama.cpp takes no token back. */
  return gcc_grammar_llama_sampler_with(vocab, session, "{\"max_rollback\": 0}", error);
}

struct llama_sampler *gcc_grammar_llama_sampler_with(const struct llama_vocab *vocab, const gcg_session *session, const char *options,
                                                     gcg_error **error) {
  size_t words = gcg_session_row_words(session);
  if (session && words != ((size_t)llama_vocab_n_tokens(vocab) + 31) / 32) {
    if (error) *error = gcg_error_new(GCG_OTHER_VOCABULARY, "the session was compiled for a vocabulary of another size than the model's");
    return NULL;
  }
  gcg_matcher *matcher = gcg_matcher_new_with(session, options, error);
  return matcher ? sampler_of(vocab, matcher, words, error) : NULL;
}

const char *gcc_grammar_llama_error(const struct llama_sampler *sampler) {
  const state *own = of(sampler);
  return own->failed ? gcg_matcher_error(own->matcher) : NULL;
}

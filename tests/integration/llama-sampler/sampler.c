/* Runs requests with the sampler of bindings/c/llama in a real llama.cpp: sampler MODEL. Each line of the standard input is a request: how
 * to sample (greedy or a seed), a notation, a grammar, options of compilation, options of the matcher, and a prompt, separated by tabs, with
 * \\ and \n for backslashes and ends of lines. Writes a line of JSON for each: whether it ended, the number of tokens, the median of the
 * microseconds that a token took in the sampler, the tokens with the end token, and as hexadecimal digits the output and what llama.cpp
 * prints of it without control tokens. */

#define _POSIX_C_SOURCE 200809L
#include "gcc_grammar_llama.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_TOKENS = 160, PIECE = 256, CONTEXT = 1024, LINE = 1 << 16 };

static void fail(const char *message) {
  fprintf(stderr, "sampler: %s\n", message);
  exit(1);
}

/* What was made, or the end of the program. */
static void *made(void *thing, gcg_error **error) {
  if (!thing) fail(*error ? gcg_error_message(*error) : "something cannot be made");
  return thing;
}

static void quiet(enum ggml_log_level level, const char *text, void *data) {
  (void)data;
  if (level == GGML_LOG_LEVEL_ERROR) fputs(text, stderr);
}

/* The sampler alone on the real candidates, to know what it costs. */
static double microseconds(struct llama_sampler *sampler, const float *logits, int32_t count) {
  static llama_token_data *data;
  if (!data) data = malloc((size_t)count * sizeof *data);
  for (int32_t i = 0; i < count; i++) data[i] = (llama_token_data){i, logits[i], 0};
  llama_token_data_array candidates = {data, (size_t)count, -1, false};
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  llama_sampler_apply(sampler, &candidates);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - start.tv_sec) * 1e6 + (double)(end.tv_nsec - start.tv_nsec) / 1e3;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static struct llama_sampler *chain_of(struct llama_sampler *grammar, const char *how) {
  struct llama_sampler *chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
  llama_sampler_chain_add(chain, grammar);
  if (strcmp(how, "greedy") == 0) {
    llama_sampler_chain_add(chain, llama_sampler_init_greedy());
  } else {
    llama_sampler_chain_add(chain, llama_sampler_init_top_k(40));
    llama_sampler_chain_add(chain, llama_sampler_init_temp(1.0f));
    llama_sampler_chain_add(chain, llama_sampler_init_dist((uint32_t)atoi(how)));
  }
  return chain;
}

/* Replaces \n and \\ by what they stand for. */
static char *plain(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++) *to++ = *from != '\\' ? *from : *++from == 'n' ? '\n' : *from;
  *to = 0;
  return text;
}

/* The text of tokens. */
typedef struct {
  char bytes[PIECE * MOST_TOKENS];
  size_t length;
} text;

/* Appends a token, control tokens by name or as nothing. */
static void append(text *to, const struct llama_vocab *vocab, llama_token token, bool with_control) {
  int32_t more = llama_token_to_piece(vocab, token, to->bytes + to->length, PIECE, 0, with_control);
  if (more < 0) fail("a token is longer than 256 bytes");
  to->length += (size_t)more;
}

/* A member of JSON with the hexadecimal digits of a text. */
static void print_text(const char *name, const text *from) {
  printf("\"%s\": \"", name);
  for (size_t i = 0; i < from->length; i++) printf("%02x", (unsigned char)from->bytes[i]);
  printf("\", ");
}

static void request(struct llama_context *context, const struct llama_vocab *vocab, const gcg_vocabulary *vocabulary, char *line) {
  char *how = strtok(line, "\t"), *notation = strtok(NULL, "\t"), *grammar = strtok(NULL, "\t"), *options = strtok(NULL, "\t");
  char *matcher = strtok(NULL, "\t"), *prompt = strtok(NULL, "\t\n");
  if (!prompt) fail("a request does not have six parts");
  gcg_error *error = NULL;
  gcg_session *session = made(gcg_compile(vocabulary, notation, plain(grammar), plain(options), &error), &error);
  struct llama_sampler *sampler = made(gcc_grammar_llama_sampler_with(vocab, session, plain(matcher), &error), &error);
  gcg_session_free(session);
  struct llama_sampler *chain = chain_of(sampler, how);
  if (strcmp(llama_sampler_name(sampler), "gcc-grammar") != 0) fail("the name is wrong");

  llama_token tokens[CONTEXT];
  plain(prompt);
  int32_t count = llama_tokenize(vocab, prompt, (int32_t)strlen(prompt), tokens, CONTEXT - MOST_TOKENS, true, true);
  if (count <= 0) fail("the prompt cannot be tokenized");
  llama_memory_clear(llama_get_memory(context), true);
  if (llama_decode(context, llama_batch_get_one(tokens, count)) != 0) fail("the prompt cannot be decoded");

  text output = {.length = 0}, printed = {.length = 0};
  llama_token chosen[MOST_TOKENS];
  int32_t steps = 0;
  bool ended = false;
  double spent[MOST_TOKENS];
  while (!ended && steps < MOST_TOKENS) {
    /* From the eighth token on, a copy goes on in place of the sampler, which is reset. */
    if (steps == 8) {
      struct llama_sampler *copy = llama_sampler_clone(chain);
      llama_sampler_reset(chain);
      llama_sampler_free(chain);
      chain = copy, sampler = llama_sampler_chain_get(chain, 0);
    }
    spent[steps] = microseconds(sampler, llama_get_logits_ith(context, -1), llama_vocab_n_tokens(vocab));
    llama_token token = llama_sampler_sample(chain, context, -1);
    if (gcc_grammar_llama_error(sampler)) fail(gcc_grammar_llama_error(sampler));
    chosen[steps++] = token;
    ended = llama_vocab_is_eog(vocab, token);
    if (ended) break;
    append(&output, vocab, token, true);
    append(&printed, vocab, token, false);
    if (llama_decode(context, llama_batch_get_one(&token, 1)) != 0) fail("a token cannot be decoded");
  }
  qsort(spent, (size_t)steps, sizeof *spent, by_size);
  printf("{\"ended\": %s, \"tokens\": %d, \"microseconds\": %.2f, ", ended ? "true" : "false", steps, spent[steps / 2]);
  print_text("output", &output);
  print_text("printed", &printed);
  for (int32_t i = 0; i < steps; i++) printf(i == 0 ? "\"ids\": [%d" : ", %d", chosen[i]);
  printf("]}\n");
  fflush(stdout);
  llama_sampler_free(chain);
}

/* A token that the grammar does not allow makes the sampler allow end tokens only, until it is reset. */
static void refuse(const struct llama_vocab *vocab, const gcg_vocabulary *vocabulary) {
  gcg_error *error = NULL;
  gcg_session *session = made(gcg_compile(vocabulary, "regex", "[0-9]{3}", NULL, &error), &error);
  struct llama_sampler *sampler = made(gcc_grammar_llama_sampler(vocab, session, &error), &error);
  llama_token digit, letter, end = llama_vocab_eos(vocab);
  if (llama_tokenize(vocab, "7", 1, &digit, 1, false, false) != 1) fail("7 is not one token");
  if (llama_tokenize(vocab, "x", 1, &letter, 1, false, false) != 1) fail("x is not one token");
  for (int round = 0; round < 2; round++) {
    llama_token_data data[] = {{digit, 1, 0}, {letter, 3, 0}, {end, 2, 0}};
    llama_token_data_array candidates = {data, 3, -1, true};
    llama_sampler_apply(sampler, &candidates);
    if (!(data[0].logit == 1 && data[1].logit < -1e30f && data[2].logit < -1e30f && !candidates.sorted)) fail("the mask is wrong");
    llama_sampler_accept(sampler, letter);
    if (!gcc_grammar_llama_error(sampler)) fail("a token was accepted that is not allowed");
    data[0].logit = data[1].logit = data[2].logit = 1;
    llama_sampler_apply(sampler, &candidates);
    if (!(data[0].logit < -1e30f && data[1].logit < -1e30f && data[2].logit == 1)) fail("an error does not end the output");
    llama_sampler_reset(sampler);
    if (gcc_grammar_llama_error(sampler)) fail("an error stays behind a reset");
  }
  llama_sampler_free(sampler);
  gcg_session_free(session);
  if (gcc_grammar_llama_sampler(vocab, NULL, &error)) fail("there is a sampler of no session");
  gcg_error_free(error);
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: sampler MODEL");
  llama_log_set(quiet, NULL);
  llama_backend_init();
  struct llama_model *model = llama_model_load_from_file(arguments[1], llama_model_default_params());
  if (!model) fail("the model cannot be loaded");
  struct llama_context_params parameters = llama_context_default_params();
  parameters.n_ctx = parameters.n_batch = CONTEXT;
  /* Threads of llama.cpp spin while they wait, so one is the fastest beside other work. */
  parameters.n_threads = parameters.n_threads_batch = 1;
  struct llama_context *context = llama_init_from_model(model, parameters);
  if (!context) fail("there is no context");
  const struct llama_vocab *vocab = llama_model_get_vocab(model);

  gcg_error *error = NULL;
  gcg_vocabulary *vocabulary = made(gcc_grammar_llama_vocabulary(vocab, &error), &error);
  refuse(vocab, vocabulary);
  static char line[LINE];
  while (fgets(line, sizeof line, stdin)) request(context, vocab, vocabulary, line);

  gcg_vocabulary_free(vocabulary);
  llama_free(context);
  llama_model_free(model);
  llama_backend_free();
  return 0;
}

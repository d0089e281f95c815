/* Checks the layouts of llguidance's structs against numbers, and calls every function of the interface. Every check that fails is printed;
 * the exit status is their number. The argument is a folder for compiled grammars. */

#define _POSIX_C_SOURCE 200809L
#include "gcc_grammar_llg.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As llguidance 1.0.1, 1.3.0, 1.6.0, 1.7.0, 1.7.6, 1.8.0 and 1.9.1 lay them out on 64-bit machines. In 1.0.1 the byte of verbose_errors is
 * padding. */
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field)
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
SIZE(LlgParserLimits, 56);
AT(LlgParserLimits, max_items_in_row, 0);
AT(LlgParserLimits, initial_lexer_fuel, 8);
AT(LlgParserLimits, step_lexer_fuel, 16);
AT(LlgParserLimits, step_max_items, 24);
AT(LlgParserLimits, max_lexer_states, 32);
AT(LlgParserLimits, max_grammar_size, 40);
AT(LlgParserLimits, precompute_large_lexemes, 48);
AT(LlgParserLimits, verbose_errors, 49);
SIZE(LlgConstraintInit, 80);
AT(LlgConstraintInit, tokenizer, 0);
AT(LlgConstraintInit, log_buffer_level, 8);
AT(LlgConstraintInit, log_stderr_level, 12);
AT(LlgConstraintInit, ff_tokens_ok, 16);
AT(LlgConstraintInit, backtrack_ok, 17);
AT(LlgConstraintInit, limits, 24);
SIZE(LlgTokenizerInit, 72);
AT(LlgTokenizerInit, vocab_size, 0);
AT(LlgTokenizerInit, tok_eos, 4);
AT(LlgTokenizerInit, token_lens, 8);
AT(LlgTokenizerInit, token_bytes, 16);
AT(LlgTokenizerInit, tokenizer_json, 24);
AT(LlgTokenizerInit, tokenize_assumes_string, 32);
AT(LlgTokenizerInit, tokenize_fn, 40);
AT(LlgTokenizerInit, use_approximate_greedy_tokenize_fn, 48);
AT(LlgTokenizerInit, tokenize_user_data, 56);
AT(LlgTokenizerInit, slices, 64);
SIZE(LlgTokenizerInitV2, 96);
AT(LlgTokenizerInitV2, struct_size, 0);
AT(LlgTokenizerInitV2, vocab_size, 8);
AT(LlgTokenizerInitV2, tok_eos, 12);
AT(LlgTokenizerInitV2, token_lens, 16);
AT(LlgTokenizerInitV2, token_bytes, 24);
AT(LlgTokenizerInitV2, tokenizer_json, 32);
AT(LlgTokenizerInitV2, tokenize_assumes_string, 40);
AT(LlgTokenizerInitV2, tokenize_fn, 48);
AT(LlgTokenizerInitV2, use_approximate_greedy_tokenize_fn, 56);
AT(LlgTokenizerInitV2, tokenize_user_data, 64);
AT(LlgTokenizerInitV2, slices, 72);
AT(LlgTokenizerInitV2, tok_eos_extra, 80);
AT(LlgTokenizerInitV2, tok_eos_extra_count, 88);
SIZE(LlgMaskResult, 16);
AT(LlgMaskResult, sample_mask, 0);
AT(LlgMaskResult, temperature, 8);
AT(LlgMaskResult, is_stop, 12);
SIZE(LlgCommitResult, 16);
AT(LlgCommitResult, tokens, 0);
AT(LlgCommitResult, n_tokens, 8);
AT(LlgCommitResult, is_stop, 12);
SIZE(LlgConstraintStep, 24);
AT(LlgConstraintStep, constraint, 0);
AT(LlgConstraintStep, mask_dest, 8);
AT(LlgConstraintStep, mask_byte_len, 16);

static int failures;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                     \
    }                                                                 \
  } while (0)

/* The bytes are tokens 0 to 255; then come some words, a special token, an end token, a hole, and a second end token. */
enum { CITY = 256, QUOTE_CITY = 257, CITY_QUOTE = 258, TOOL = 259, END = 260, HOLE = 261, END2 = 262, COUNT = 263 };
enum { WORDS = (COUNT + 31) / 32 };

static uint32_t lens[COUNT];
static uint8_t bytes[2048];

static void set(uint32_t token, const char *text, size_t *at) {
  lens[token] = (uint32_t)strlen(text);
  memcpy(bytes + *at, text, lens[token]);
  *at += lens[token];
}

static void make_tokens(void) {
  size_t at = 0;
  for (int byte = 0; byte < 256; byte++) {
    lens[byte] = 1;
    bytes[at++] = (uint8_t)byte;
  }
  set(CITY, "city", &at);
  set(QUOTE_CITY, "\"city", &at);
  set(CITY_QUOTE, "city\"x", &at);
  set(TOOL, "\xff<tool>", &at);
  set(END, "\xff<end>", &at);
  set(HOLE, "", &at);
  set(END2, "", &at);
}

static int tokenized;

/* Cuts a text into bytes, but "city" is one token. */
static size_t tokenize(const void *user_data, const uint8_t *text, size_t length, uint32_t *output, size_t capacity) {
  CHECK(user_data == &tokenized);
  size_t count = 0;
  for (size_t at = 0; at < length; count++) {
    bool city = length - at >= 4 && !memcmp(text + at, "city", 4);
    if (count < capacity) output[count] = city ? (uint32_t)CITY : text[at];
    at += city ? 4 : 1;
  }
  return count;
}

static LlgTokenizer *tokenizer(bool greedy) {
  char error[200] = "";
  LlgTokenizerInit init = {.vocab_size = COUNT, .tok_eos = END, .token_lens = lens, .token_bytes = bytes};
  CHECK(llg_new_tokenizer(&init, error, sizeof error) == NULL && strstr(error, "tokenize_fn") != NULL);
  CHECK(llg_new_tokenizer(NULL, error, 5) == NULL && strlen(error) == 4);
  if (greedy) {
    init.use_approximate_greedy_tokenize_fn = true;
  } else {
    init.tokenize_fn = tokenize;
    init.tokenize_user_data = &tokenized;
    init.tokenize_assumes_string = true;
  }
  LlgTokenizer *made = llg_new_tokenizer(&init, error, sizeof error);
  CHECK(made != NULL);
  init.tok_eos = COUNT;
  CHECK(llg_new_tokenizer(&init, error, sizeof error) == NULL && strstr(error, "end token") != NULL);
  init.token_lens = NULL;
  CHECK(llg_new_tokenizer(&init, NULL, 0) == NULL);
  return made;
}

static LlgMatcher *matcher_of(const LlgTokenizer *tokenizer, const char *kind, const char *data) {
  LlgConstraintInit init;
  memset(&init, 0x55, sizeof init);
  llg_constraint_init_set_defaults(&init, tokenizer);
  CHECK(init.tokenizer == tokenizer && init.log_stderr_level == 1 && !init.ff_tokens_ok && !init.backtrack_ok);
  CHECK(init.limits.max_items_in_row == 2000 && init.limits.precompute_large_lexemes);
  return llg_new_matcher(&init, kind, data);
}

static bool allows(LlgMatcher *matcher, uint32_t token) {
  CHECK(llg_matcher_compute_mask(matcher) == 0);
  const uint32_t *mask = llg_matcher_get_mask(matcher);
  return mask != NULL && ((mask[token / 32] >> (token % 32)) & 1);
}

static int count(LlgMatcher *matcher) {
  int count = 0;
  for (uint32_t token = 0; token < COUNT; token++) count += allows(matcher, token);
  return count;
}

static void commit_text(LlgMatcher *matcher, const char *text) {
  for (; *text; text++) CHECK(llg_matcher_consume_token(matcher, (uint8_t)*text) == 0);
}

/* What llama.cpp sends. */
static const char CITY_SCHEMA[] =
    "%llguidance {}\nstart: %json {\"type\":\"object\",\"properties\":{\"city\":{\"pattern\":\"^[0-9]*$\",\"type\":\"string\"}},"
    "\"required\":[\"city\"],\"additionalProperties\":false,\"x-guidance\":{\"whitespace_flexible\":false}}";

static void decoding(const LlgTokenizer *greedy, const LlgTokenizer *canonical) {
  LlgMatcher *matcher = matcher_of(greedy, "lark", CITY_SCHEMA);
  CHECK(llg_matcher_get_error(matcher) == NULL && !llg_matcher_is_error(matcher));
  CHECK(llg_matcher_get_mask_byte_size(matcher) == 4 * WORDS && llg_matcher_get_mask(matcher) == NULL);
  CHECK(allows(matcher, '{') && count(matcher) == 1);
  commit_text(matcher, "{");
  CHECK(llg_matcher_get_mask(matcher) == NULL);
  /* Without a tokenizer every spelling of the key is allowed. */
  CHECK(allows(matcher, '"') && allows(matcher, QUOTE_CITY) && count(matcher) == 2);
  uint32_t into[WORDS], tokens[64] = {QUOTE_CITY, '"', ':', '"', 'x'};
  CHECK(llg_matcher_compute_mask_into(matcher, into, sizeof into) == 0 && into['"' / 32] >> ('"' % 32) & 1);
  CHECK(llg_matcher_validate_tokens(matcher, tokens, 5) == 4 && llg_matcher_compute_ff_tokens(matcher, tokens, 64) == 0);
  CHECK(llg_matcher_consume_tokens(matcher, tokens, 4) == 0 && !llg_matcher_is_accepting(matcher));
  commit_text(matcher, "4\"}");
  CHECK(llg_matcher_is_accepting(matcher) && llg_matcher_is_stopped(matcher));
  CHECK(allows(matcher, END) && count(matcher) == 1);
  LlgMatcher *clone = llg_clone_matcher(matcher);
  CHECK(llg_matcher_consume_token(clone, END) == 0 && allows(clone, END) && llg_matcher_is_stopped(clone));
  CHECK(llg_matcher_rollback(clone, 2) == 0 && allows(clone, '}') && !llg_matcher_is_stopped(clone));
  CHECK(llg_matcher_reset(clone) == 0 && allows(clone, '{'));
  CHECK(llg_matcher_consume_token(clone, 'x') == -1 && llg_matcher_is_error(clone));
  const char *error = llg_matcher_get_error(clone);
  CHECK(error != NULL && strstr(error, "cannot come next") != NULL && llg_matcher_compute_mask(clone) == -1);
  CHECK(llg_matcher_reset(clone) == -1 && llg_matcher_get_error(clone) == error && llg_matcher_is_stopped(clone));
  llg_free_matcher(clone);
  clone = llg_clone_matcher(matcher);
  CHECK(llg_matcher_consume_tokens(clone, NULL, 0) == 0 && !llg_matcher_is_error(clone));
  CHECK(llg_matcher_consume_tokens(clone, NULL, 3) == -1 && strstr(llg_matcher_get_error(clone), "tokens is null") != NULL);
  llg_free_matcher(clone);
  clone = llg_clone_matcher(matcher);
  CHECK(llg_matcher_validate_tokens(clone, tokens, SIZE_MAX) == -1 && llg_matcher_is_error(clone));
  llg_free_matcher(clone);
  llg_free_matcher(matcher);

  /* With one, only the spelling of the tokenizer. The first quotation mark is not certain alone: "city is longer, and may come. */
  matcher = matcher_of(canonical, "lark", CITY_SCHEMA);
  CHECK(allows(matcher, '{') && count(matcher) == 1);
  CHECK(llg_matcher_compute_ff_tokens(matcher, tokens, 64) == 6 && tokens[0] == '{' && tokens[1] == '"' && tokens[2] == CITY);
  commit_text(matcher, "{\"");
  CHECK(allows(matcher, CITY) && count(matcher) == 1);
  /* A token that is allowed, though not canonical, is accepted. */
  commit_text(matcher, "ci");
  CHECK(llg_matcher_rollback(matcher, 2) == 0 && count(matcher) == 1 && llg_matcher_consume_token(matcher, CITY) == 0);
  commit_text(matcher, "\":\"");
  CHECK(count(matcher) == 11 && allows(matcher, '"'));
  for (int digits = 0; digits < 200; digits++) commit_text(matcher, "1");
  CHECK(llg_matcher_rollback(matcher, 150) == 0 && llg_matcher_rollback(matcher, 50) == 0 && count(matcher) == 11);
  CHECK(llg_matcher_rollback(matcher, 100) == -1 && llg_matcher_is_error(matcher));
  llg_free_matcher(matcher);
  matcher = matcher_of(canonical, "lark", "%llguidance {\"no_forcing\": true}\nstart: \"city\" <tool> \"!\"\n");
  CHECK(count(matcher) == 2 && llg_matcher_consume_token(matcher, CITY) == 0);
  CHECK(allows(matcher, TOOL) && count(matcher) == 1 && llg_matcher_consume_token(matcher, TOOL) == 0);
  commit_text(matcher, "!");
  llg_free_matcher(matcher);
}

static void kinds(const LlgTokenizer *tokenizer) {
  static const char *const valid[][3] = {
      {"regex", "a[/]b/\\d", "a/b/7"},
      {"json", "{\"const\":\"x\"}", "\"x\""},
      {"json_schema", "{\"enum\":[1]}", "1"},
      {"json_object", "", "{\"a\" : 1}"},
      {"lark", "start: \"a\"+ B /x*/\nB: /[b-d]/\n", "aac"},
      {"guidance", "{\"grammars\":[{\"lark_grammar\":\"start: \\\"a\\\"\"}]}", "a"},
      {"structural_tag", "{\"type\":\"structural_tag\",\"format\":{\"type\":\"const_string\",\"value\":\"abc\"}}", "abc"},
      {"gbnf", "root ::= \"g\"", "g"},
  };
  for (size_t at = 0; at < sizeof valid / sizeof *valid; at++) {
    LlgMatcher *matcher = matcher_of(tokenizer, valid[at][0], valid[at][1]);
    if (llg_matcher_is_error(matcher)) fprintf(stderr, "%s: %s\n", valid[at][0], llg_matcher_get_error(matcher));
    commit_text(matcher, valid[at][2]);
    CHECK(llg_matcher_is_accepting(matcher));
    llg_free_matcher(matcher);
  }
  static const char *const refused[][2] = {
      {"lark", "start: a"}, {"json", "{\"type\":7}"}, {"regex", "(a"}, {"prose", ""}, {NULL, ""}, {"lark", NULL}, {"regex", "\xff"}};
  for (size_t at = 0; at < sizeof refused / sizeof *refused; at++) {
    LlgMatcher *matcher = matcher_of(tokenizer, refused[at][0], refused[at][1]);
    CHECK(llg_matcher_is_error(matcher) && strlen(llg_matcher_get_error(matcher)) > 5);
    llg_free_matcher(matcher);
  }
  char message[100];
  LlgConstraintInit init;
  llg_constraint_init_set_defaults(&init, tokenizer);
  CHECK(llg_validate_grammar(&init, "regex", "a", message, sizeof message) == 0 && !*message);
  CHECK(llg_validate_grammar(&init, "regex", "(a", message, sizeof message) == -1 && *message);
  init.tokenizer = NULL;
  CHECK(llg_validate_grammar(&init, "regex", "a", message, sizeof message) == -1);
}

/* Whether something appears in the folder within a minute: artifacts are stored by a thread of their own, and a process does not wait for it. */
static bool appears_in(const char *folder) {
  for (int tries = 0; tries < 6000; tries++) {
    DIR *open = opendir(folder);
    int files = 0;
    for (struct dirent *entry; open && (entry = readdir(open));) files += entry->d_name[0] != '.';
    if (open) closedir(open);
    if (files) return true;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  return false;
}

static void store(const LlgTokenizer *tokenizer, const char *folder) {
  setenv("GCC_GRAMMAR_STORE", folder, 1);
  LlgMatcher *matcher = matcher_of(tokenizer, "regex", "stored");
  CHECK(!llg_matcher_is_error(matcher) && appears_in(folder));
  llg_free_matcher(matcher);
  matcher = matcher_of(tokenizer, "lark", "%llguidance {\"artifact\": \"no-such\"}\n");
  CHECK(llg_matcher_is_error(matcher) && strstr(llg_matcher_get_error(matcher), "no-such.gcg") != NULL);
  llg_free_matcher(matcher);
  unsetenv("GCC_GRAMMAR_STORE");
}

/* A commit that needs more work than the user allows is an error, and so is a bound that is no number. */
static void work(const LlgTokenizer *tokenizer) {
  const char *ambiguous = "start: s\ns: s s s | s s | \"a\"\n";
  setenv("GCC_GRAMMAR_MAX_WORK", "2000", 1);
  LlgMatcher *matcher = matcher_of(tokenizer, "lark", ambiguous);
  int committed = 0;
  while (committed < 1000 && llg_matcher_consume_token(matcher, 'a') == 0) committed++;
  CHECK(committed > 3 && committed < 1000 && llg_matcher_is_error(matcher));
  CHECK(strstr(llg_matcher_get_error(matcher), "2000 units of work") != NULL);
  llg_free_matcher(matcher);
  setenv("GCC_GRAMMAR_MAX_WORK", "much", 1);
  matcher = matcher_of(tokenizer, "lark", ambiguous);
  CHECK(llg_matcher_is_error(matcher) && strstr(llg_matcher_get_error(matcher), "GCC_GRAMMAR_MAX_WORK") != NULL);
  llg_free_matcher(matcher);
  unsetenv("GCC_GRAMMAR_MAX_WORK");
}

static void texts(const LlgTokenizer *tokenizer) {
  uint32_t tokens[16];
  char text[100];
  CHECK(llg_tokenize_bytes(tokenizer, (const uint8_t *)"a city", 6, NULL, 0) == 3);
  CHECK(llg_tokenize_bytes(tokenizer, (const uint8_t *)"a\xff<tool>\xff[7]b", 13, tokens, 16) > 10);
  CHECK(llg_tokenize_bytes_marker(tokenizer, (const uint8_t *)"a\xff<tool>\xff[7]b", 13, tokens, 16) == 4);
  CHECK(tokens[0] == 'a' && tokens[1] == TOOL && tokens[2] == 7 && tokens[3] == 'b');
  tokens[2] = 0xc3;
  CHECK(llg_decode_tokens(tokenizer, tokens, 4, text, sizeof text, LLG_DECODE_NONE) == 4 && !strcmp(text, "a\xc3" "b"));
  CHECK(llg_decode_tokens(tokenizer, tokens, 4, text, sizeof text, 3) == 12 && !strcmp(text, "a<tool>\xef\xbf\xbd" "b"));
  CHECK(llg_decode_tokens(tokenizer, tokens, 4, text, 3, 1) == 10 && !strcmp(text, "a<"));
  CHECK(llg_stringify_tokens(tokenizer, tokens, 2, text, sizeof text) > 5 && strstr(text, "<tool>") != NULL);
  CHECK(strstr(llg_get_version(), "gcc-grammar@") != NULL);
}

static int called;
static void done(const void *user_data) {
  CHECK(user_data == &called);
  called++;
}

static void constraints(const LlgTokenizer *tokenizer) {
  LlgConstraintInit init;
  llg_constraint_init_set_defaults(&init, tokenizer);
  init.ff_tokens_ok = true;
  LlgMaskResult mask;
  LlgCommitResult commit;
  LlgConstraint *constraint = llg_new_constraint_lark(&init, "start: /[ab]/ \"<city>\" /[cd]/\n");
  CHECK(llg_get_error(constraint) == NULL && llg_get_temperature(constraint) == 0 && !*llg_flush_logs(constraint));
  CHECK(llg_compute_mask(constraint, &mask) == 0 && !mask.is_stop && mask.sample_mask['a' / 32] >> ('a' % 32) & 1);
  CHECK(llg_commit_token(constraint, 'a', &commit) == 0 && commit.n_tokens == 4 && commit.tokens[2] == CITY && !commit.is_stop);
  LlgConstraint *clone = llg_clone_constraint(constraint);
  uint32_t rows[2][WORDS];
  LlgConstraintStep steps[] = {{constraint, rows[0], sizeof rows[0]}, {clone, rows[1], sizeof rows[1]}};
  llg_par_compute_mask(steps, 2, &called, done);
  CHECK(called == 1 && !memcmp(rows[0], rows[1], sizeof rows[0]) && rows[0]['c' / 32] >> ('c' % 32) & 1);
  CHECK(llg_commit_token(constraint, 'c', &commit) == 0 && commit.is_stop && llg_is_stopped(constraint));
  CHECK(llg_compute_mask(constraint, &mask) == 0 && mask.is_stop && llg_commit_token(constraint, END, &commit) == 0);
  CHECK(llg_commit_token(clone, 'x', &commit) == -1 && llg_get_error(clone) != NULL && llg_compute_mask(clone, &mask) == -1);
  llg_free_constraint(clone);
  llg_free_constraint(constraint);
  LlgConstraint *others[] = {llg_new_constraint(&init, "start: \"a\""), llg_new_constraint_regex(&init, "a"),
                             llg_new_constraint_json(&init, "{}"), llg_new_constraint_any(&init, "regex", "a")};
  for (int at = 0; at < 4; at++) {
    CHECK(llg_get_error(others[at]) == NULL);
    llg_free_constraint(others[at]);
  }
  LlgConstraint *bad = llg_new_constraint_any(&init, "prose", "a");
  CHECK(llg_get_error(bad) != NULL);
  llg_free_constraint(bad);
  char message[60];
  size_t length = 7;
  bool stopped = false;
  CHECK(llg_new_stop_controller(tokenizer, NULL, 0, "(", message, sizeof message) == NULL && strlen(message) > 5);
  CHECK(llg_new_stop_controller(NULL, NULL, 0, NULL, message, sizeof message) == NULL);
  CHECK(!*llg_stop_commit_token(NULL, 1, &length, &stopped) && length == 0 && stopped);
  uint32_t stop_token = 'z';
  LlgStopController *stop = llg_new_stop_controller(tokenizer, &stop_token, 1, "b+c", message, sizeof message);
  CHECK(strcmp(llg_stop_commit_token(stop, 'a', &length, &stopped), "a") == 0 && length == 1 && !stopped);
  CHECK(strcmp(llg_stop_commit_token(stop, 'b', &length, &stopped), "") == 0 && length == 0 && !stopped);
  LlgStopController *other = llg_clone_stop_controller(stop);
  CHECK(strcmp(llg_stop_commit_token(stop, 'c', NULL, &stopped), "") == 0 && stopped);
  CHECK(strcmp(llg_stop_commit_token(other, 'a', &length, &stopped), "ba") == 0 && length == 2 && !stopped);
  CHECK(strcmp(llg_stop_commit_token(other, 'z', &length, &stopped), "") == 0 && stopped);
  llg_free_stop_controller(stop);
  llg_free_stop_controller(other);
  CHECK(llg_clone_stop_controller(NULL) == NULL);
  llg_free_stop_controller(NULL);
}

static void second_version(void) {
  uint32_t extra = END2;
  LlgTokenizerInitV2 init = {.struct_size = sizeof init, .vocab_size = COUNT, .tok_eos = END, .token_lens = lens, .token_bytes = bytes,
                             .use_approximate_greedy_tokenize_fn = true, .tok_eos_extra = &extra, .tok_eos_extra_count = 1};
  LlgTokenizer *two = llg_new_tokenizer_v2(&init, NULL, 0);
  /* A caller that knows a shorter struct has no further end tokens. */
  init.struct_size = offsetof(LlgTokenizerInitV2, tok_eos_extra);
  LlgTokenizer *one = llg_new_tokenizer_v2(&init, NULL, 0);
  init.struct_size = 8;
  CHECK(two != NULL && one != NULL && llg_new_tokenizer_v2(&init, NULL, 0) == NULL && llg_new_tokenizer_v2(NULL, NULL, 0) == NULL);
  LlgMatcher *matchers[] = {matcher_of(two, "regex", "a"), matcher_of(one, "regex", "a")};
  for (int at = 0; at < 2; at++) {
    commit_text(matchers[at], "a");
    CHECK(count(matchers[at]) == 2 - at && allows(matchers[at], END) && allows(matchers[at], END2) == !at);
    llg_free_matcher(matchers[at]);
  }
  llg_free_tokenizer(one);
  llg_free_tokenizer(two);
}

static void *in_thread(void *tokenizer) {
  for (int round = 0; round < 20; round++) {
    char pattern[] = "a[bc]x?";
    pattern[0] = (char)('a' + round % 3);
    LlgMatcher *matcher = matcher_of(tokenizer, "regex", pattern);
    commit_text(matcher, (char[]){pattern[0], 'b', 0});
    if (count(matcher) != 2) return tokenizer;
    llg_free_matcher(matcher);
  }
  return NULL;
}

static void threads(LlgTokenizer *tokenizer) {
  pthread_t threads[4];
  void *result;
  for (int at = 0; at < 4; at++) pthread_create(&threads[at], NULL, in_thread, tokenizer);
  for (int at = 0; at < 4; at++) CHECK(pthread_join(threads[at], &result) == 0 && result == NULL);
}

static void nulls(void) {
  CHECK(llg_clone_tokenizer(NULL) == NULL && llg_clone_matcher(NULL) == NULL && llg_clone_constraint(NULL) == NULL);
  CHECK(llg_matcher_compute_mask(NULL) == -1 && llg_matcher_get_mask(NULL) == NULL && llg_matcher_is_error(NULL));
  LlgMatcher *matcher = llg_new_matcher(NULL, "regex", "a");
  CHECK(llg_matcher_is_error(matcher) && llg_matcher_get_mask_byte_size(matcher) == 0);
  llg_free_matcher(matcher);
  llg_free_matcher(NULL);
  llg_free_tokenizer(NULL);
  llg_free_constraint(NULL);
  llg_constraint_init_set_defaults(NULL, NULL);
}

int main(int count, char **arguments) {
  make_tokens();
  LlgTokenizer *greedy = tokenizer(true), *canonical = tokenizer(false);
  decoding(greedy, canonical);
  kinds(greedy);
  if (count > 1) store(greedy, arguments[1]);
  work(greedy);
  texts(canonical);
  constraints(canonical);
  second_version();
  threads(canonical);
  nulls();
  /* A matcher may live longer than its tokenizer. */
  LlgMatcher *matcher = matcher_of(greedy, "regex", "a");
  LlgTokenizer *clone = llg_clone_tokenizer(greedy);
  llg_free_tokenizer(clone);
  llg_free_tokenizer(greedy);
  CHECK(allows(matcher, 'a'));
  llg_free_matcher(matcher);
  llg_free_tokenizer(canonical);
  printf("%d failures\n", failures);
  return failures;
}

/* The C interface of llguidance 1.0 to 1.9, as libgcc_grammar_llg implements it. What llguidance frees with an llg_free_ function is freed
 * here in the same way. Freeing null does nothing. Tokenizers may be used by any number of threads at once, matchers and constraints by one
 * at a time.
 *
 * This file is written from the source: GCC_GRAMMAR_UPDATE_DOCS=1 cargo test -p gcc-grammar-llg
 */

#ifndef GCC_GRAMMAR_LLG_H
#define GCC_GRAMMAR_LLG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 Special tokens are left out, and bytes that are no UTF-8 are kept.
 */
#define LLG_DECODE_NONE 0

/*
 Special tokens are written by their names.
 */
#define LLG_DECODE_INCLUDE_SPECIAL 1

/*
 Bytes that are no UTF-8 are replaced.
 */
#define LLG_DECODE_VALID_UTF8 2

/*
 A matcher that commits tokens that are certain to come by itself, if its engine can append several tokens at once.
 */
typedef struct LlgConstraint LlgConstraint;

/*
 The state of one output.
 */
typedef struct LlgMatcher LlgMatcher;

/*
 Watches the tokens of an output for stops.
 */
typedef struct LlgStopController LlgStopController;

/*
 The tokens of a model.
 */
typedef struct LlgTokenizer LlgTokenizer;

/*
 The number of a token.
 */
typedef uint32_t LlgToken;

/*
 Cuts bytes into tokens: writes `output_tokens_len` tokens at most, and returns how many there are. It is called by several threads.
 */
typedef size_t (*LlgTokenizeFn)(const void *user_data,
                                const uint8_t *bytes,
                                size_t bytes_len,
                                uint32_t *output_tokens,
                                size_t output_tokens_len);

/*
 The tokens of a model.
 */
typedef struct LlgTokenizerInit {
  /*
   The number of tokens.
   */
  uint32_t vocab_size;
  /*
   The token that ends an output.
   */
  LlgToken tok_eos;
  /*
   The number of bytes of each token.
   */
  const uint32_t *token_lens;
  /*
   The bytes of all tokens, one after the other. Those of special tokens begin with 0xff.
   */
  const uint8_t *token_bytes;
  /*
   The content of a file `tokenizer.json`, instead of lengths and bytes.
   */
  const char *tokenizer_json;
  /*
   Whether `tokenize_fn` takes UTF-8 only.
   */
  bool tokenize_assumes_string;
  /*
   Cuts texts as the model's own tokenizer does.
   */
  LlgTokenizeFn tokenize_fn;
  /*
   Whether texts are cut into the longest tokens instead.
   */
  bool use_approximate_greedy_tokenize_fn;
  /*
   The first argument of `tokenize_fn`.
   */
  const void *tokenize_user_data;
  /*
   Has no effect.
   */
  const char *const *slices;
} LlgTokenizerInit;

/*
 The tokens of a model, with several end tokens.
 */
typedef struct LlgTokenizerInitV2 {
  /*
   The size of this struct as the caller knows it. What lies behind it counts as zero.
   */
  size_t struct_size;
  /*
   The number of tokens.
   */
  uint32_t vocab_size;
  /*
   The token that ends an output.
   */
  LlgToken tok_eos;
  /*
   The number of bytes of each token.
   */
  const uint32_t *token_lens;
  /*
   The bytes of all tokens, one after the other. Those of special tokens begin with 0xff.
   */
  const uint8_t *token_bytes;
  /*
   The content of a file `tokenizer.json`, instead of lengths and bytes.
   */
  const char *tokenizer_json;
  /*
   Whether `tokenize_fn` takes UTF-8 only.
   */
  bool tokenize_assumes_string;
  /*
   Cuts texts as the model's own tokenizer does.
   */
  LlgTokenizeFn tokenize_fn;
  /*
   Whether texts are cut into the longest tokens instead.
   */
  bool use_approximate_greedy_tokenize_fn;
  /*
   The first argument of `tokenize_fn`.
   */
  const void *tokenize_user_data;
  /*
   Has no effect.
   */
  const char *const *slices;
  /*
   More tokens that end an output.
   */
  const LlgToken *tok_eos_extra;
  /*
   The number of these tokens.
   */
  uint32_t tok_eos_extra_count;
} LlgTokenizerInitV2;

/*
 Limits of llguidance's parser. They have no effect here.
 */
typedef struct LlgParserLimits {
  /*
   Items of one row of the chart.
   */
  size_t max_items_in_row;
  /*
   Steps to build the lexer.
   */
  uint64_t initial_lexer_fuel;
  /*
   Steps of the lexer for one mask.
   */
  uint64_t step_lexer_fuel;
  /*
   Items of the chart for one mask.
   */
  size_t step_max_items;
  /*
   States of the lexer.
   */
  size_t max_lexer_states;
  /*
   Symbols of the grammar.
   */
  size_t max_grammar_size;
  /*
   Whether large lexemes are computed in advance.
   */
  bool precompute_large_lexemes;
  /*
   Whether errors have the state of the parser.
   */
  bool verbose_errors;
} LlgParserLimits;

/*
 What a matcher is made for.
 */
typedef struct LlgConstraintInit {
  /*
   The tokenizer.
   */
  const struct LlgTokenizer *tokenizer;
  /*
   Messages that are kept for `llg_flush_logs`: 0 none, 1 warnings.
   */
  uint32_t log_buffer_level;
  /*
   Messages on the standard error output: 0 none, 1 warnings.
   */
  uint32_t log_stderr_level;
  /*
   Whether a constraint may commit more than one token at a time.
   */
  bool ff_tokens_ok;
  /*
   Has no effect: nothing is ever taken back.
   */
  bool backtrack_ok;
  /*
   Limits, which have no effect.
   */
  struct LlgParserLimits limits;
} LlgConstraintInit;

/*
 The mask of a constraint.
 */
typedef struct LlgMaskResult {
  /*
   One bit per token; null if the output has ended. It lives until the next call with the constraint.
   */
  const uint32_t *sample_mask;
  /*
   The temperature to sample with; always 0.
   */
  float temperature;
  /*
   Whether the output has ended.
   */
  bool is_stop;
} LlgMaskResult;

/*
 The tokens that a constraint adds to the output.
 */
typedef struct LlgCommitResult {
  /*
   The tokens. They live until the next call with the constraint.
   */
  const uint32_t *tokens;
  /*
   Their number.
   */
  uint32_t n_tokens;
  /*
   Whether the output has ended.
   */
  bool is_stop;
} LlgCommitResult;

/*
 A constraint, and where its mask belongs.
 */
typedef struct LlgConstraintStep {
  /*
   The constraint.
   */
  struct LlgConstraint *constraint;
  /*
   The memory for the mask.
   */
  uint32_t *mask_dest;
  /*
   Its length in bytes.
   */
  size_t mask_byte_len;
} LlgConstraintStep;

/*
 Called when an operation is done.
 */
typedef void (*LlgCallback)(const void *user_data);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Makes a tokenizer. If that fails, writes a message to `error_string` and returns null.
 */
struct LlgTokenizer *llg_new_tokenizer(const struct LlgTokenizerInit *tok_init,
                                       char *error_string,
                                       size_t error_string_len);

/*
 Makes a tokenizer with several end tokens. If that fails, writes a message to `error_string` and returns null.
 */
struct LlgTokenizer *llg_new_tokenizer_v2(const struct LlgTokenizerInitV2 *tok_init,
                                          char *error_string,
                                          size_t error_string_len);

/*
 Another handle of the same tokenizer; null for null.
 */
struct LlgTokenizer *llg_clone_tokenizer(const struct LlgTokenizer *tok);

/*
 Frees a tokenizer. Matchers keep what they need of it.
 */
void llg_free_tokenizer(struct LlgTokenizer *tok);

/*
 Cuts bytes into tokens, writes those that fit, and returns how many there are.
 */
size_t llg_tokenize_bytes(const struct LlgTokenizer *tok,
                          const uint8_t *bytes,
                          size_t bytes_len,
                          uint32_t *output_tokens,
                          size_t output_tokens_len);

/*
 As `llg_tokenize_bytes`; names of special tokens behind a byte 0xff stand for these tokens.
 */
size_t llg_tokenize_bytes_marker(const struct LlgTokenizer *tok,
                                 const uint8_t *bytes,
                                 size_t bytes_len,
                                 uint32_t *output_tokens,
                                 size_t output_tokens_len);

/*
 Writes tokens for people to read, and returns how long the buffer must be.
 */
size_t llg_stringify_tokens(const struct LlgTokenizer *tok,
                            const uint32_t *tokens,
                            size_t n_tokens,
                            char *output,
                            size_t output_len);

/*
 Writes the text of tokens, and returns how long the buffer must be. `flags` has bits of LLG_DECODE_*.
 */
size_t llg_decode_tokens(const struct LlgTokenizer *tok,
                         const uint32_t *tokens,
                         size_t n_tokens,
                         char *output,
                         size_t output_len,
                         uint32_t flags);

/*
 Writes the defaults for matchers of a tokenizer.
 */
void llg_constraint_init_set_defaults(struct LlgConstraintInit *init, const struct LlgTokenizer *tokenizer);

/*
 Makes a matcher; never null. `llg_matcher_get_error` says whether the grammar was refused. The kinds are "lark", "json" or "json_schema",
 "json_object", "regex", "llguidance" or "guidance", "structural_tag", "artifact" (the name of a file in the store), and the notations of
 gcc-grammar.
 */
struct LlgMatcher *llg_new_matcher(const struct LlgConstraintInit *init,
                                   const char *constraint_type,
                                   const char *data);

/*
 Whether a grammar is valid: 0 if it is, -1 if not, with the reason in `message`.
 */
int32_t llg_validate_grammar(const struct LlgConstraintInit *init,
                             const char *constraint_type,
                             const char *data,
                             char *message,
                             size_t message_len);

/*
 Computes the mask of the next token into a buffer of `llg_matcher_get_mask_byte_size` bytes: 0 if it was done, -1 if not.
 */
int32_t llg_matcher_compute_mask_into(struct LlgMatcher *matcher,
                                      uint32_t *mask_dest,
                                      size_t mask_byte_len);

/*
 Computes the mask of the next token, for `llg_matcher_get_mask`: 0 if it was done, -1 if not.
 */
int32_t llg_matcher_compute_mask(struct LlgMatcher *matcher);

/*
 The mask that was computed last; null if anything else happened since. Token t is bit t % 32 of word t / 32.
 */
const uint32_t *llg_matcher_get_mask(struct LlgMatcher *matcher);

/*
 The number of bytes of a mask.
 */
size_t llg_matcher_get_mask_byte_size(const struct LlgMatcher *matcher);

/*
 Commits a token: 0 if it was done, -1 if not, and then the matcher stays in the state of an error.
 */
int32_t llg_matcher_consume_token(struct LlgMatcher *matcher, uint32_t token);

/*
 Commits tokens: 0 if it was done, -1 if not.
 */
int32_t llg_matcher_consume_tokens(struct LlgMatcher *matcher, const uint32_t *tokens, size_t n_tokens);

/*
 The message of the error that the matcher is in; null if it is in none. It lives as long as the matcher.
 */
const char *llg_matcher_get_error(struct LlgMatcher *matcher);

/*
 Whether the matcher is in the state of an error.
 */
bool llg_matcher_is_error(const struct LlgMatcher *matcher);

/*
 Frees a matcher.
 */
void llg_free_matcher(struct LlgMatcher *matcher);

/*
 Takes back the last tokens: 0 if it was done, -1 if not.
 */
int32_t llg_matcher_rollback(struct LlgMatcher *matcher, size_t num_tokens);

/*
 Goes back to the beginning: 0 if it was done, -1 if not.
 */
int32_t llg_matcher_reset(struct LlgMatcher *matcher);

/*
 Whether the output may end here.
 */
bool llg_matcher_is_accepting(struct LlgMatcher *matcher);

/*
 Whether nothing but an end token can come next, also because of an error.
 */
bool llg_matcher_is_stopped(const struct LlgMatcher *matcher);

/*
 How many of the tokens could be committed one after the other, or -1. Commits none of them.
 */
int32_t llg_matcher_validate_tokens(struct LlgMatcher *matcher, const uint32_t *tokens, size_t n_tokens);

/*
 Writes the tokens that are certain to come, as many as fit, and returns their number, or -1.
 */
int32_t llg_matcher_compute_ff_tokens(struct LlgMatcher *matcher, uint32_t *output, size_t output_len);

/*
 Copies a matcher; null for null. From then on the two are independent.
 */
struct LlgMatcher *llg_clone_matcher(const struct LlgMatcher *matcher);

/*
 The version of llguidance whose interface this is, and that of gcc-grammar.
 */
const char *llg_get_version(void);

/*
 Makes a constraint of a Lark grammar or a list of grammars in JSON; never null.
 */
struct LlgConstraint *llg_new_constraint(const struct LlgConstraintInit *init, const char *llguidance);

/*
 Makes a constraint of a regular expression; never null.
 */
struct LlgConstraint *llg_new_constraint_regex(const struct LlgConstraintInit *init, const char *regex);

/*
 Makes a constraint of a JSON Schema; never null.
 */
struct LlgConstraint *llg_new_constraint_json(const struct LlgConstraintInit *init, const char *json_schema);

/*
 Makes a constraint of a Lark grammar; never null.
 */
struct LlgConstraint *llg_new_constraint_lark(const struct LlgConstraintInit *init, const char *lark);

/*
 Makes a constraint of one of the kinds of `llg_new_matcher`; never null.
 */
struct LlgConstraint *llg_new_constraint_any(const struct LlgConstraintInit *init,
                                             const char *constraint_type,
                                             const char *data);

/*
 The message of the error that the constraint is in; null if it is in none. It lives as long as the constraint.
 */
const char *llg_get_error(const struct LlgConstraint *cc);

/*
 The temperature to sample with: always 0.
 */
float llg_get_temperature(const struct LlgConstraint *_cc);

/*
 Whether nothing but an end token can come next, also because of an error.
 */
bool llg_is_stopped(const struct LlgConstraint *cc);

/*
 Computes the mask of the next token: 0 if it was done, -1 if not.
 */
int32_t llg_compute_mask(struct LlgConstraint *cc, struct LlgMaskResult *res_p);

/*
 Commits a token, and says which tokens to append: this one and, if the engine takes several, those that are certain to follow. 0 if it
 was done, -1 if not.
 */
int32_t llg_commit_token(struct LlgConstraint *cc,
                         uint32_t token,
                         struct LlgCommitResult *res_p);

/*
 Computes the masks of many constraints, one after the other, and calls `done_cb`. If that is null, it returns when all is done, as it does
 in any case. The mask of a constraint that has ended is all zero.
 */
void llg_par_compute_mask(const struct LlgConstraintStep *steps,
                          size_t n_steps,
                          const void *user_data,
                          LlgCallback done_cb);

/*
 Copies a constraint; null for null.
 */
struct LlgConstraint *llg_clone_constraint(const struct LlgConstraint *cc);

/*
 Frees a constraint.
 */
void llg_free_constraint(struct LlgConstraint *cc);

/*
 The messages since the last call: always empty.
 */
const char *llg_flush_logs(struct LlgConstraint *_cc);

/*
 Makes a controller of stop tokens and of a pattern, or null for none. If that fails, writes a message to `error_string` and returns null.
 */
struct LlgStopController *llg_new_stop_controller(const struct LlgTokenizer *tokenizer,
                                                  const uint32_t *stop_tokens,
                                                  size_t stop_tokens_len,
                                                  const char *stop_rx,
                                                  char *error_string,
                                                  size_t error_string_len);

/*
 Takes a token, and returns the text that is certain to belong to the output; it lives until the next call with this controller. A zero byte in it is
 written as a backslash and a zero. The output has stopped if the controller is null.
 */
const char *llg_stop_commit_token(struct LlgStopController *stop_ctrl,
                                  uint32_t token,
                                  size_t *output_len_p,
                                  bool *is_stopped_p);

/*
 Copies a controller; null for null.
 */
struct LlgStopController *llg_clone_stop_controller(const struct LlgStopController *stop_ctrl);

/*
 Frees a controller.
 */
void llg_free_stop_controller(struct LlgStopController *stop_ctrl);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* GCC_GRAMMAR_LLG_H */

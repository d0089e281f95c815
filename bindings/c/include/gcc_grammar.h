/* The C interface of gcc-grammar: exact next-token masks for JSON Schemas and grammars.
 *
 * Memory: what a function returns as a pointer to a gcg_ type belongs to the caller, who gives it back with the _free function of the
 * type. Freeing null does nothing. Pointers that are passed in are only used during the call.
 *
 * Errors: a function that makes something returns null if it fails, and writes an error through its last argument, which may be null; if
 * it succeeds, it writes null there. An operation of a matcher returns a status, and gcg_matcher_error has the message; the matcher is then
 * as it was before. The other functions answer null with null, zero or GCG_USAGE. Null for an array is an error unless the array is empty.
 *
 * Threads: a function changes only what it gets through a pointer that is not const. So any number of calls with the same object may run
 * at once if it is const in each of them: compile with one vocabulary, make and clone matchers of one session, fill masks with one pool.
 * A call that gets an object not as const, such as any operation of a matcher or a _free function, must be the only one with that object.
 * Objects may be used and freed by other threads than those that made them, in any order: a matcher keeps what it needs of its session.
 *
 * This file is written from the source: GCC_GRAMMAR_UPDATE_DOCS=1 cargo test -p gcc-grammar-c
 */

#ifndef GCC_GRAMMAR_H
#define GCC_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The version that this header belongs to; gcg_version has that of the library.
 */
#define GCG_VERSION_MAJOR 0

/**
 * See GCG_VERSION_MAJOR.
 */
#define GCG_VERSION_MINOR 1

/**
 * See GCG_VERSION_MAJOR.
 */
#define GCG_VERSION_PATCH 0

/**
 * What became of an operation.
 */
typedef enum {
  /**
   * It was done.
   */
  GCG_OK = 0,
  /**
   * The grammar, the artifact, the saved state or the token was understood and refused.
   */
  GCG_REFUSED = 1,
  /**
   * An argument is not what the function expects: a null pointer, an impossible length, a row that is too short, a text that is not
   * UTF-8.
   */
  GCG_USAGE = 2,
  /**
   * A limit on time or memory was exceeded.
   */
  GCG_OVER_BUDGET = 3,
  /**
   * The artifact was compiled for another vocabulary, or the saved state belongs to another artifact.
   */
  GCG_OTHER_VOCABULARY = 4,
  /**
   * A file cannot be read or written, or a name is not known.
   */
  GCG_NOT_FOUND = 5,
  /**
   * The rollback goes back further than the history of the matcher.
   */
  GCG_ROLLBACK_TOO_FAR = 6,
  /**
   * The buffer is too short; the function says how long it must be.
   */
  GCG_BUFFER_TOO_SHORT = 7,
  /**
   * A defect of the library, caught. A matcher that it happened in answers everything with this status from then on.
   */
  GCG_PANIC = 8,
  /**
   * The compilation was ended by its interrupt.
   */
  GCG_INTERRUPTED = 9,
} gcg_status;

/**
 * Compiles schemas and grammars for one vocabulary, and keeps what they have in common.
 */
typedef struct gcg_compile_session gcg_compile_session;

/**
 * Why a function made nothing.
 */
typedef struct gcg_error gcg_error;

/**
 * Ends compilations from another thread.
 */
typedef struct gcg_interrupt gcg_interrupt;

/**
 * The state of one output: the tokens so far, and the tokens that may follow.
 */
typedef struct gcg_matcher gcg_matcher;

/**
 * Threads that fill masks. They sleep between the calls.
 */
typedef struct gcg_pool gcg_pool;

/**
 * What a row holds since the last update.
 */
typedef struct gcg_row_memory gcg_row_memory;

/**
 * A compiled grammar with its vocabulary.
 */
typedef struct gcg_session gcg_session;

/**
 * The tokens of a model.
 */
typedef struct gcg_vocabulary gcg_vocabulary;

/**
 * A token of a vocabulary.
 */
typedef struct {
  /**
   * The id.
   */
  uint32_t id;
  /**
   * Whether it is a special token: its bytes are its name, and it matches no text.
   */
  bool special;
  /**
   * Its bytes.
   */
  const uint8_t *bytes;
  /**
   * The number of its bytes.
   */
  size_t length;
} gcg_token;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Makes an error, for code on top of this library that reports its own errors in the same way. Bytes of the message that are not UTF-8 are
 * replaced.
 *
 * Requires: `status` is one of the values above, `message` is null or a text.
 */
gcg_error *gcg_error_new(gcg_status status,
                         const char *message);

/**
 * The kind of the error. GCG_USAGE for null.
 *
 * Requires: The pointer is null or an error that was not freed.
 */
gcg_status gcg_error_status(const gcg_error *error);

/**
 * What went wrong, in one line. It lives as long as the error; null for null.
 *
 * Requires: The pointer is null or an error that was not freed.
 */
const char *gcg_error_message(const gcg_error *error);

/**
 * The diagnostics as a JSON array of objects with code, message, location and help. It lives as long as the error; null for null.
 *
 * Requires: The pointer is null or an error that was not freed.
 */
const char *gcg_error_diagnostics(const gcg_error *error);

/**
 * Frees an error.
 *
 * Requires: The pointer is null or an error that is not used any more.
 */
void gcg_error_free(gcg_error *error);

/**
 * Frees a text that a function returned.
 *
 * Requires: The pointer is null or a text that the header tells to free with this function, and is not used any more.
 */
void gcg_string_free(char *text);

/**
 * The version of the library, such as "0.1.0".
 */
const char *gcg_version(void);

/**
 * Loads a vocabulary by the name of a built-in or imported one, or from a tokenizer file or a model folder. GCG_NOT_FOUND if there is
 * none.
 *
 * Requires: `name` is a text, `error` is null or may be written.
 */
gcg_vocabulary *gcg_vocabulary_load(const char *name,
                                    gcg_error **error);

/**
 * Makes a vocabulary of tokens. `width` is the number of bits of a mask, greater than every id; ids without a token are never allowed,
 * nor is a token without bytes. GCG_REFUSED if an id occurs twice or is too large.
 *
 * Requires: `name` is a text, `tokens` has `count` tokens with their bytes, `end_tokens` has `end_count` ids, `error` is null or may be written.
 */
gcg_vocabulary *gcg_vocabulary_new(const char *name,
                                   const gcg_token *tokens,
                                   size_t count,
                                   const uint32_t *end_tokens,
                                   size_t end_count,
                                   uint32_t width,
                                   gcg_error **error);

/**
 * The number of bits of a mask; 0 for null.
 *
 * Requires: The pointer is null or a vocabulary that was not freed.
 */
uint32_t gcg_vocabulary_width(const gcg_vocabulary *vocabulary);

/**
 * Another pointer to the same vocabulary, which is freed on its own; null for null.
 *
 * Requires: The pointer is null or a vocabulary that was not freed.
 */
gcg_vocabulary *gcg_vocabulary_clone(const gcg_vocabulary *vocabulary);

/**
 * Frees a vocabulary. Sessions that use it keep what they need.
 *
 * Requires: The pointer is null or a vocabulary that is not used any more.
 */
void gcg_vocabulary_free(gcg_vocabulary *vocabulary);

/**
 * Compiles a schema or grammar. If it is refused (GCG_REFUSED) or exceeds a limit (GCG_OVER_BUDGET), the diagnostics of the error tell
 * where.
 *
 * `notation` is "json-schema", "lark", "gbnf", "ebnf", "w3c", "abnf", "antlr", "tree-sitter", "regex", "choices" (one text per line), "structural-tag" or "tools" (definitions of
 * tools). `options` is null or a JSON object with the members start, import_folders, lexer, indenter, model, families, tool_choice, parallel, thinking, thinking_tokens, profile, whitespace,
 * strings, integer_spelling, number_digits, property_order, repeated_keys, formats, unenforced, draft, integer_with_point, resources, strict, allow_narrowed, special_tokens,
 * budgets and limits; their values are those of the command line.
 *
 * Requires: The vocabulary was not freed, `notation` and `input` are texts, `options` is null or a text, `error` is null or may be written.
 */
gcg_session *gcg_compile(const gcg_vocabulary *vocabulary,
                         const char *notation,
                         const char *input,
                         const char *options,
                         gcg_error **error);

/**
 * Makes an interrupt for `gcg_compile_until`.
 */
gcg_interrupt *gcg_interrupt_new(void);

/**
 * Ends the compilations that have this interrupt, some milliseconds later, and those that begin after it. It may be called by any thread at any
 * time, also by the handler of a signal.
 *
 * Requires: The interrupt is null or was not freed.
 */
void gcg_interrupt_set(const gcg_interrupt *interrupt);

/**
 * Frees an interrupt. Compilations that have it are not ended by that.
 *
 * Requires: The pointer is null or an interrupt that is not used any more.
 */
void gcg_interrupt_free(gcg_interrupt *interrupt);

/**
 * Compiles as `gcg_compile` does, until the interrupt is set: then the error has the status GCG_INTERRUPTED.
 *
 * Requires: As `gcg_compile`; the interrupt is null or was not freed.
 */
gcg_session *gcg_compile_until(const gcg_vocabulary *vocabulary,
                               const char *notation,
                               const char *input,
                               const char *options,
                               const gcg_interrupt *interrupt,
                               gcg_error **error);

/**
 * Opens a schema or grammar before it is compiled: masks are made when they are asked for, and a thread compiles the artifact in the
 * background. New matchers read the artifact when it is there; their masks are the same as those on demand. What needs the whole artifact waits
 * for it: `gcg_session_complete`, `gcg_session_save`, `gcg_session_bytes`, `gcg_session_report`, budgets. Arguments and errors are those of
 * `gcg_compile`; a limit that only the artifact exceeds is an error of `gcg_session_complete`.
 *
 * Requires: As `gcg_compile`.
 */
gcg_session *gcg_compile_on_demand(const gcg_vocabulary *vocabulary,
                                   const char *notation,
                                   const char *input,
                                   const char *options,
                                   gcg_error **error);

/**
 * Waits for the artifact of a session that was opened by `gcg_compile_on_demand`; for other sessions it does nothing. The status is that of the
 * error.
 *
 * Requires: The session was not freed, `error` is null or may be written.
 */
gcg_status gcg_session_complete(const gcg_session *session,
                                gcg_error **error);

/**
 * Opens the file of an artifact. If `vocabulary` is null, the tokens inside the artifact are used, or the vocabulary that it names; else
 * the artifact must have been compiled for this vocabulary. GCG_NOT_FOUND if the file cannot be read, GCG_REFUSED if it is no artifact
 * or damaged, GCG_OTHER_VOCABULARY if it belongs to another vocabulary. All bytes of the file are compared with their checksums when a
 * process opens it for the first time.
 *
 * Requires: `path` is a text, the vocabulary is null or was not freed, `error` is null or may be written. Nobody truncates or overwrites the file
 * while the session is in use.
 */
gcg_session *gcg_open(const char *path,
                      const gcg_vocabulary *vocabulary,
                      gcg_error **error);

/**
 * Opens the file of an artifact whose content the caller vouches for, because it came with a signature, say. Only the beginning of the
 * file is compared with its checksums, which takes the same time for all sizes. If the content is damaged all the same, masks are wrong,
 * but nothing crashes.
 *
 * Requires: As `gcg_open`.
 */
gcg_session *gcg_open_trusted(const char *path,
                              const gcg_vocabulary *vocabulary,
                              gcg_error **error);

/**
 * Opens a copy of the bytes of an artifact, as `gcg_open` opens a file.
 *
 * Requires: `bytes` has `length` bytes, the vocabulary is null or was not freed, `error` is null or may be written.
 */
gcg_session *gcg_open_bytes(const uint8_t *bytes,
                            size_t length,
                            const gcg_vocabulary *vocabulary,
                            gcg_error **error);

/**
 * Writes the artifact to a file, which is replaced as a whole or stays as it was. The status is that of the error.
 *
 * Requires: The session was not freed, `path` is a text, `error` is null or may be written.
 */
gcg_status gcg_session_save(const gcg_session *session,
                            const char *path,
                            gcg_error **error);

/**
 * The bytes of the artifact, as they are in a file. They live as long as the session. Null for null, and if masks are made on demand and
 * the artifact exceeds a limit.
 *
 * Requires: The session is null or was not freed, `length` is null or may be written.
 */
const uint8_t *gcg_session_bytes(const gcg_session *session,
                                 size_t *length);

/**
 * What became of every keyword of the schema: a JSON array of objects with pointer, coverage and note; empty for other grammars. The
 * caller frees it with `gcg_string_free`.
 *
 * Requires: The session is null or was not freed, `error` is null or may be written.
 */
char *gcg_session_report(const gcg_session *session,
                         gcg_error **error);

/**
 * The number of 32-bit words of a mask; 0 for null.
 *
 * Requires: The session is null or was not freed.
 */
size_t gcg_session_row_words(const gcg_session *session);

/**
 * Another pointer to the same session, which is freed on its own; null for null.
 *
 * Requires: The session is null or was not freed.
 */
gcg_session *gcg_session_clone(const gcg_session *session);

/**
 * Frees a session. Matchers keep what they need of it.
 *
 * Requires: The pointer is null or a session that is not used any more.
 */
void gcg_session_free(gcg_session *session);

/**
 * Makes a session of compilations for a vocabulary: strings, dates, numbers and keys that were met before are not walked again, and an
 * input that was compiled before is not compiled again. `max_bytes` bounds what each thread keeps; 0 stands for the default, 256 MiB.
 *
 * Requires: The vocabulary was not freed, `error` is null or may be written.
 */
gcg_compile_session *gcg_compile_session_new(const gcg_vocabulary *vocabulary,
                                             uint64_t max_bytes,
                                             gcg_error **error);

/**
 * Compiles as `gcg_compile` does, and makes the same artifact. Only limits make a difference: what is kept costs no work again.
 *
 * Requires: The session was not freed, `notation` and `input` are texts, `options` is null or a text, `error` is null or may be written.
 */
gcg_session *gcg_compile_session_compile(const gcg_compile_session *session,
                                         const char *notation,
                                         const char *input,
                                         const char *options,
                                         gcg_error **error);

/**
 * Estimated bytes of what is kept, without what compilations under way use; 0 for null.
 *
 * Requires: The session is null or was not freed.
 */
uint64_t gcg_compile_session_bytes(const gcg_compile_session *session);

/**
 * Frees a session of compilations. What it has compiled stays.
 *
 * Requires: The pointer is null or a session that is not used any more.
 */
void gcg_compile_session_free(gcg_compile_session *session);

/**
 * Makes a matcher at the beginning of an output. The last `max_rollback` commits can be taken back.
 *
 * Requires: The session was not freed, `error` is null or may be written.
 */
gcg_matcher *gcg_matcher_new(const gcg_session *session, uint32_t max_rollback, gcg_error **error);

/**
 * Makes a matcher at the beginning of an output, with options: a JSON object with the members `max_rollback` (a number, 64 by default),
 * `canonical` (whether masks have only tokens that the model's own tokenizer writes), `start_after` (a text or
 * the id of a token, up to which the output is free), `max_free_tokens` (the most tokens of that free text; then masks have only the tokens
 * of what it ends with) and `max_work` (the most work of a commit or mask, in units; beyond it the call fails with GCG_OVER_BUDGET, and the
 * matcher is as it was). Null stands for no options.
 *
 * Requires: The session was not freed, `options` is null or a text that ends with a zero byte, `error` is null or may be written.
 */
gcg_matcher *gcg_matcher_new_with(const gcg_session *session,
                                  const char *options,
                                  gcg_error **error);

/**
 * Makes a matcher from the bytes that `gcg_matcher_save` wrote, perhaps in another process, for the same artifact. GCG_REFUSED if the
 * bytes are damaged, GCG_OTHER_VOCABULARY if they belong to another artifact.
 *
 * Requires: The session was not freed, `saved` has `length` bytes, `error` is null or may be written.
 */
gcg_matcher *gcg_matcher_restore(const gcg_session *session,
                                 const uint8_t *saved,
                                 size_t length,
                                 gcg_error **error);

/**
 * Bounds the work of each call, in units, as the option `max_work` does, which saved bytes do not have. UINT64_MAX stands for no bound.
 *
 * Requires: The matcher was not freed and nobody else uses it.
 */
gcg_status gcg_matcher_set_max_work(gcg_matcher *matcher,
                                    uint64_t max_work);

/**
 * Copies a matcher. From then on the two are independent.
 *
 * Requires: The matcher was not freed and nobody changes it during the call, `error` is null or may be written.
 */
gcg_matcher *gcg_matcher_clone(const gcg_matcher *matcher, gcg_error **error);

/**
 * Frees a matcher.
 *
 * Requires: The pointer is null or a matcher that is not used any more.
 */
void gcg_matcher_free(gcg_matcher *matcher);

/**
 * The message of the last operation of the matcher that failed; empty if none did, null for null. It lives until the next operation.
 *
 * Requires: The matcher is null or was not freed.
 */
const char *gcg_matcher_error(const gcg_matcher *matcher);

/**
 * Goes back to the beginning of an output.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it.
 */
gcg_status gcg_matcher_reset(gcg_matcher *matcher);

/**
 * Writes the mask of the next token into a row of at least `gcg_session_row_words` words: token t is bit t % 32 of word t / 32. Words beyond
 * the mask become 0.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `row` has `words` words.
 */
gcg_status gcg_matcher_fill_mask(gcg_matcher *matcher,
                                 int32_t *row,
                                 size_t words);

/**
 * Writes the mask like `gcg_matcher_fill_mask`, but changes only the words that differ where that is faster. `memory` belongs to the row,
 * and may be used with other matchers in turn. Between the calls, nothing else may change the words of the row. A row that was moved or has
 * another length is written as a whole. A row whose words were changed, and memory that was freed and allocated again, need a memory that
 * is new.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `row` has `words` words, `memory` was not freed and nobody else uses it.
 */
gcg_status gcg_matcher_update_mask(gcg_matcher *matcher,
                                   int32_t *row,
                                   size_t words,
                                   gcg_row_memory *memory);

/**
 * Commits a token. GCG_REFUSED exactly if the mask does not allow it.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it.
 */
gcg_status gcg_matcher_commit(gcg_matcher *matcher, uint32_t token);

/**
 * Commits bytes as if they were one token. GCG_REFUSED if no text of the language goes on with them.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `bytes` has `length` bytes.
 */
gcg_status gcg_matcher_commit_bytes(gcg_matcher *matcher, const uint8_t *bytes, size_t length);

/**
 * Says how many of the tokens could be committed one after the other, and commits none.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `tokens` has `count` tokens, `accepted` is null or may be written.
 */
gcg_status gcg_matcher_validate(gcg_matcher *matcher,
                                const uint32_t *tokens,
                                size_t count,
                                size_t *accepted);

/**
 * Takes back the last `count` commits. GCG_ROLLBACK_TOO_FAR if that is more than the matcher remembers; then it takes back none.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it.
 */
gcg_status gcg_matcher_rollback(gcg_matcher *matcher,
                                uint64_t count);

/**
 * Whether the text so far is in the language.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `accepting` is null or may be written.
 */
gcg_status gcg_matcher_is_accepting(gcg_matcher *matcher, bool *accepting);

/**
 * Whether an end token was committed.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `terminated` is null or may be written.
 */
gcg_status gcg_matcher_is_terminated(gcg_matcher *matcher, bool *terminated);

/**
 * The number of commits since the beginning, without those that were taken back.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `committed` is null or may be written.
 */
gcg_status gcg_matcher_committed(gcg_matcher *matcher, uint64_t *committed);

/**
 * Writes the bytes that are certain to come, `capacity` at most, and never more than 65,536: what follows them can be asked for behind
 * them.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `buffer` has room for `capacity` bytes, `length` is null or may be
 * written.
 */
gcg_status gcg_matcher_forced_bytes(gcg_matcher *matcher,
                                    uint8_t *buffer,
                                    size_t capacity,
                                    size_t *length);

/**
 * Writes the tokens that are certain to come, as the model's own tokenizer would cut the text. `before` has the last tokens that were
 * committed. GCG_BUFFER_TOO_SHORT if there are more than `capacity`; `length` is their number.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `before` has `before_count` tokens, `buffer` has room for `capacity`
 * tokens, `length` is null or may be written.
 */
gcg_status gcg_matcher_forced_tokens(gcg_matcher *matcher,
                                     const uint32_t *before,
                                     size_t before_count,
                                     uint32_t *buffer,
                                     size_t capacity,
                                     size_t *length);

/**
 * Limits the number of tokens that may still be committed, the end token included; UINT32_MAX lifts the limit. Masks then have only tokens
 * after which the output can be completed within the limit. Commits count down, and rollbacks up. GCG_REFUSED if no completion is known
 * that takes so few tokens, GCG_USAGE if the artifact was compiled without budgets; then the limit stays as it was.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it.
 */
gcg_status gcg_matcher_set_budget(gcg_matcher *matcher,
                                  uint32_t remaining);

/**
 * The number of tokens that complete the output, the end token included: an upper bound of the fewest. GCG_REFUSED if no completion is
 * known, GCG_USAGE if the artifact was compiled without budgets.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `remaining` is null or may be written.
 */
gcg_status gcg_matcher_min_remaining(gcg_matcher *matcher,
                                     uint32_t *remaining);

/**
 * Writes the number of masks within a budget that may lack tokens, because the search for them went beyond its bound.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `count` is null or may be written.
 */
gcg_status gcg_matcher_degraded_masks(gcg_matcher *matcher,
                                      uint64_t *count);

/**
 * Writes tokens that complete the output, the end token included, `gcg_matcher_min_remaining` at most, and commits none. GCG_REFUSED if no
 * completion is known, GCG_BUFFER_TOO_SHORT if there are more than `capacity`; `length` is their number.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `buffer` has room for `capacity` tokens, `length` is null or may be
 * written.
 */
gcg_status gcg_matcher_shortest_completion(gcg_matcher *matcher,
                                           uint32_t *buffer,
                                           size_t capacity,
                                           size_t *length);

/**
 * Verifies a tree of proposed tokens. `parents` has for each node the number of an earlier node, or -1. Writes per node whether the text
 * may go on with the tokens down to it, and into `rows`, which has `count` rows of `gcg_session_row_words` words one after the other, the
 * mask behind each allowed node. The matcher stays where it is. GCG_USAGE if a parent is not an earlier node or the rows are too short.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `parents` and `tokens` have `count` elements, `rows` has `words` words
 * in all, `allowed` has room for `count` values.
 */
gcg_status gcg_matcher_verify_tree(gcg_matcher *matcher,
                                   const int32_t *parents,
                                   const uint32_t *tokens,
                                   size_t count,
                                   int32_t *rows,
                                   size_t words,
                                   bool *allowed);

/**
 * Writes the state of the matcher into a buffer, for `gcg_matcher_restore`. GCG_BUFFER_TOO_SHORT if it takes more than `capacity` bytes;
 * `length` is their number.
 *
 * Requires: The matcher is null or was not freed, and nobody else uses it, `buffer` has room for `capacity` bytes, `length` is null or may be
 * written.
 */
gcg_status gcg_matcher_save(gcg_matcher *matcher,
                            uint8_t *buffer,
                            size_t capacity,
                            size_t *length);

/**
 * Makes the memory of a row that was not written yet.
 */
gcg_row_memory *gcg_row_memory_new(void);

/**
 * Frees the memory of a row.
 *
 * Requires: The pointer is null or a row memory that is not used any more.
 */
void gcg_row_memory_free(gcg_row_memory *memory);

/**
 * Makes a pool of threads; 0 stands for as many as the machine has, 1 for the thread that calls. There are 64 at most, or as many as the
 * machine has if those are more: a greater number counts as that one.
 *
 * A process that was forked has none of the threads of its parent. There, the pool starts its own when it is first used. What another
 * thread used while the process was forked must not be used in the new one.
 *
 * Requires: `error` is null or may be written.
 */
gcg_pool *gcg_pool_new(size_t threads,
                       gcg_error **error);

/**
 * Frees a pool.
 *
 * Requires: The pointer is null or a pool that is not used any more.
 */
void gcg_pool_free(gcg_pool *pool);

/**
 * Writes the masks of `count` matchers: that of matcher i into the `words` words that begin at `rows + i * stride`, where `stride` is at
 * least `words`. `statuses` is null or gets the status of each. GCG_OK if all masks were written; else the first status that is not
 * GCG_OK, and `gcg_matcher_error` tells why. GCG_USAGE for all, and nothing else is done, if a pointer is null, a matcher occurs twice,
 * or the rows overlap; for an impossible count no status is written.
 *
 * Requires: The pool was not freed. `matchers` has `count` pointers to matchers that were not freed and that nobody else uses; `rows` has
 * `count` rows; `statuses` is null or has room for `count` values.
 */
gcg_status gcg_fill_masks(const gcg_pool *pool,
                          gcg_matcher *const *matchers,
                          size_t count,
                          int32_t *rows,
                          size_t stride,
                          size_t words,
                          gcg_status *statuses);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* GCC_GRAMMAR_H */

/* Calls every function of the C interface. Every check that fails is printed; the exit status is their number. */

#include "check.h"

#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

static void errors(const gcg_vocabulary *vocabulary) {
  gcg_error *error = NULL;
  CHECK(gcg_compile(vocabulary, "regex", "(a", NULL, &error) == NULL && error != NULL);
  CHECK(gcg_error_status(error) == GCG_REFUSED && strlen(gcg_error_message(error)) > 5);
  CHECK(strstr(gcg_error_diagnostics(error), "\"code\"") != NULL);
  gcg_error_free(error);
  CHECK(gcg_compile(vocabulary, "prose", "a", NULL, &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_compile(vocabulary, "regex", "a", "{\"unknown\":1}", &error) == NULL);
  CHECK(gcg_error_status(error) == GCG_REFUSED);
  gcg_error_free(error);
  CHECK(gcg_compile(vocabulary, "regex", "(a{99}){99}b*", "{\"limits\":{\"work\":100}}", &error) == NULL);
  CHECK(gcg_error_status(error) == GCG_OVER_BUDGET);
  gcg_error_free(error);
  CHECK(gcg_compile(NULL, NULL, NULL, NULL, &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_open("/no/such/file.gcg", NULL, &error) == NULL && gcg_error_status(error) == GCG_NOT_FOUND);
  gcg_error_free(error);
  CHECK(gcg_open_bytes((const uint8_t *)"damaged", 7, vocabulary, NULL) == NULL);
  CHECK(gcg_vocabulary_load("no-such-vocabulary", &error) == NULL && gcg_error_status(error) == GCG_NOT_FOUND);
  gcg_error_free(error);
  CHECK(gcg_matcher_new(NULL, 0, NULL) == NULL && gcg_matcher_commit(NULL, 1) == GCG_USAGE);
  CHECK(gcg_vocabulary_new("v", NULL, 1, NULL, 0, 8, &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  gcg_token nothing = {0, false, NULL, 3};
  CHECK(gcg_vocabulary_new("v", &nothing, 1, NULL, 0, 8, &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_vocabulary_new(NULL, &nothing, SIZE_MAX, NULL, 0, 8, &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_session_report(NULL, &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_session_save(NULL, "x.gcg", &error) == GCG_USAGE && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_session_save(NULL, "x.gcg", NULL) == GCG_USAGE);
  CHECK(gcg_vocabulary_width(NULL) == 0 && gcg_vocabulary_clone(NULL) == NULL && gcg_session_clone(NULL) == NULL);
  CHECK(gcg_session_row_words(NULL) == 0 && gcg_session_bytes(NULL, NULL) == NULL && gcg_matcher_error(NULL) == NULL);
  CHECK(gcg_error_status(NULL) == GCG_USAGE && gcg_error_message(NULL) == NULL && gcg_error_diagnostics(NULL) == NULL);
  /* An error of an earlier call does not stay behind a call that succeeds. */
  error = (gcg_error *)&nothing;
  gcg_session *compiled = gcg_compile(vocabulary, "regex", "a", NULL, &error);
  CHECK(compiled != NULL && error == NULL);
  gcg_session_free(compiled);
  error = gcg_error_new(GCG_NOT_FOUND, "gone");
  CHECK(gcg_error_status(error) == GCG_NOT_FOUND && !strcmp(gcg_error_message(error), "gone"));
  CHECK(!strcmp(gcg_error_diagnostics(error), "[]"));
  gcg_error_free(error);
  gcg_error_free(gcg_error_new(GCG_USAGE, NULL));
  gcg_vocabulary_free(NULL);
  gcg_session_free(NULL);
  gcg_matcher_free(NULL);
  gcg_error_free(NULL);
  gcg_string_free(NULL);
}

/* Masks on demand are those of the artifact, before and after it is there; it is the artifact that gcg_compile makes. */
static void on_demand(const gcg_vocabulary *vocabulary) {
  gcg_error *error = NULL;
  CHECK(gcg_compile_on_demand(vocabulary, "regex", "(a", NULL, &error) == NULL && error != NULL);
  gcg_error_free(error);
  gcg_session *whole = gcg_compile(vocabulary, "json-schema", SCHEMA, OPTIONS, NULL);
  gcg_session *lazy = gcg_compile_on_demand(vocabulary, "json-schema", SCHEMA, OPTIONS, NULL);
  gcg_matcher *one = gcg_matcher_new(whole, 0, NULL), *two = gcg_matcher_new(lazy, 0, NULL);
  for (size_t step = 0; step < 12; step++) {
    int32_t mask[2][WORDS];
    if (step == 3) CHECK(gcg_session_complete(lazy, NULL) == GCG_OK);
    CHECK(gcg_matcher_fill_mask(one, mask[0], WORDS) == GCG_OK && gcg_matcher_fill_mask(two, mask[1], WORDS) == GCG_OK);
    CHECK(!memcmp(mask[0], mask[1], sizeof mask[0]));
    uint32_t token = 0;
    while (token < WORDS * 32 && !((uint32_t)mask[0][token / 32] >> (token % 32) & 1)) token++;
    if (gcg_matcher_commit(one, token) != GCG_OK) break;
    CHECK(gcg_matcher_commit(two, token) == GCG_OK);
  }
  size_t lengths[2];
  const uint8_t *bytes[] = {gcg_session_bytes(whole, &lengths[0]), gcg_session_bytes(lazy, &lengths[1])};
  CHECK(lengths[0] == lengths[1] && !memcmp(bytes[0], bytes[1], lengths[0]));
  gcg_matcher_free(one);
  gcg_matcher_free(two);
  gcg_session_free(whole);
  gcg_session_free(lazy);
}

/* Words beyond the mask become 0, with all options, and memories know their row. */
static void rows_of_other_lengths(const gcg_session *session) {
  const char *options[] = {NULL, "{\"start_after\":\"<x>\"}"};
  for (size_t option = 0; option < 2; option++) {
    int32_t row[2][WORDS + 2], mask[WORDS];
    gcg_row_memory *memory = gcg_row_memory_new();
    gcg_matcher *matcher = gcg_matcher_new_with(session, options[option], NULL);
    for (size_t step = 0; step < 6; step++) {
      /* Behind the first step, the memory belongs to a row elsewhere, or of another length. */
      size_t words = WORDS + step % 3;
      int32_t *place = row[step / 3];
      memset(row, -1, sizeof row);
      CHECK(gcg_matcher_fill_mask(matcher, mask, WORDS) == GCG_OK);
      CHECK(gcg_matcher_update_mask(matcher, place, words, memory) == GCG_OK && !memcmp(place, mask, sizeof mask));
      for (size_t word = WORDS; word < WORDS + 2; word++) CHECK(place[word] == (word < words ? 0 : -1));
      memset(row, -1, sizeof row);
      CHECK(gcg_matcher_fill_mask(matcher, place, WORDS + 2) == GCG_OK && place[WORDS] == 0 && place[WORDS + 1] == 0);
      if (step == 2 && option == 1) commit_text(matcher, "<x>");
    }
    gcg_matcher_free(matcher);
    gcg_row_memory_free(memory);
  }
}

enum { BATCH = 300 };

static gcg_status fill_batch(gcg_pool *pool, gcg_matcher **matchers) {
  static int32_t rows[BATCH * WORDS];
  memset(rows, 0, sizeof rows);
  gcg_status status = gcg_fill_masks(pool, matchers, BATCH, rows, WORDS, WORDS, NULL);
  for (size_t index = 0; index < BATCH; index++) {
    CHECK(allows(rows + index * WORDS, '{') && !allows(rows + index * WORDS, 'x'));
  }
  return status;
}

/* No number of threads takes long, and a process that was forked has threads of its own. */
static void pools(const gcg_session *session) {
  gcg_pool *most = gcg_pool_new((size_t)1 << 40, NULL);
  gcg_pool *two = gcg_pool_new(2, NULL);
  CHECK(most != NULL && two != NULL);
  gcg_matcher *matchers[BATCH];
  for (size_t index = 0; index < BATCH; index++) matchers[index] = gcg_matcher_new(session, 0, NULL);
  CHECK(fill_batch(most, matchers) == GCG_OK && fill_batch(two, matchers) == GCG_OK);
/* The allocator of AddressSanitizer may be locked when a process is forked, and then stays locked in the child. */
#if !defined(_WIN32) && !defined(__SANITIZE_ADDRESS__)
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    bool done = fill_batch(two, matchers) == GCG_OK && fill_batch(two, matchers) == GCG_OK && fill_batch(most, matchers) == GCG_OK;
    gcg_pool_free(two);
    gcg_pool_free(most);
    _exit(done && failures == 0 ? 7 : 1);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
#endif
  CHECK(fill_batch(two, matchers) == GCG_OK);
  for (size_t index = 0; index < BATCH; index++) gcg_matcher_free(matchers[index]);
  gcg_pool_free(two);
  gcg_pool_free(most);
}

static void decoding(const gcg_session *session) {
  int32_t row[WORDS], updated[WORDS];
  bool flag;
  size_t count;
  uint64_t committed;
  gcg_row_memory *memory = gcg_row_memory_new();
  gcg_matcher *matcher = gcg_matcher_new(session, 8, NULL);
  CHECK(gcg_session_row_words(session) == WORDS);
  CHECK(gcg_matcher_fill_mask(matcher, row, 1) == GCG_USAGE && strlen(gcg_matcher_error(matcher)) > 5);
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && allows(row, '{') && !allows(row, 'x'));
  CHECK(gcg_matcher_update_mask(matcher, updated, WORDS, memory) == GCG_OK && !memcmp(row, updated, sizeof row));
  CHECK(gcg_matcher_fill_mask(matcher, NULL, WORDS) == GCG_USAGE && gcg_matcher_fill_mask(matcher, row, SIZE_MAX) == GCG_USAGE);
  CHECK(gcg_matcher_update_mask(matcher, row, WORDS, NULL) == GCG_USAGE);
  CHECK(gcg_matcher_validate(matcher, NULL, 3, &count) == GCG_USAGE);
  CHECK(gcg_matcher_commit_bytes(matcher, NULL, 3) == GCG_USAGE && gcg_matcher_commit_bytes(matcher, NULL, 0) != GCG_USAGE);
  CHECK(gcg_matcher_save(matcher, NULL, 99999, &count) == GCG_BUFFER_TOO_SHORT);
  CHECK(gcg_matcher_restore(session, NULL, 7, NULL) == NULL);
  CHECK(gcg_matcher_commit(matcher, 'x') == GCG_REFUSED && gcg_matcher_commit(matcher, 1u << 30) == GCG_REFUSED);

  uint8_t bytes[64];
  CHECK(gcg_matcher_forced_bytes(matcher, bytes, 64, &count) == GCG_OK && count == 5 && !memcmp(bytes, "{\"n\":", 5));
  CHECK(gcg_matcher_forced_bytes(matcher, bytes, 2, &count) == GCG_OK && count == 2);
  CHECK(gcg_matcher_forced_bytes(matcher, bytes, SIZE_MAX, &count) == GCG_OK && count == 5);
  CHECK(gcg_matcher_forced_bytes(matcher, bytes, (size_t)1 << 40, &count) == GCG_OK && count == 5);
  uint32_t tokens[64] = {'{', '"', 'n', '"', ':', '4', 'x'};
  CHECK(gcg_matcher_validate(matcher, tokens, 7, &count) == GCG_OK && count == 6);
  uint32_t forced[64];
  CHECK(gcg_matcher_forced_tokens(matcher, NULL, 0, forced, 64, &count) == GCG_OK && count <= 5);

  commit_text(matcher, "{\"n\":4");
  CHECK(gcg_matcher_update_mask(matcher, updated, WORDS, memory) == GCG_OK);
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && !memcmp(row, updated, sizeof row));
  CHECK(allows(row, '}') && allows(row, '0') && !allows(row, END));

  /* 4 } <end>, and beside it the refused 4 x. */
  int32_t parents[] = {-1, 0, -1, 2, 1};
  uint32_t tree[] = {'0', '}', 'x', '}', END};
  int32_t rows[5 * WORDS];
  bool allowed[5];
  CHECK(gcg_matcher_verify_tree(matcher, parents, tree, 5, rows, 5 * WORDS, allowed) == GCG_OK);
  CHECK(allowed[0] && allowed[1] && !allowed[2] && !allowed[3] && allowed[4] && allows(rows + WORDS, END));
  CHECK(gcg_matcher_verify_tree(matcher, parents, tree, 5, rows, 1, allowed) == GCG_USAGE);
  int32_t below[] = {-2};
  CHECK(gcg_matcher_verify_tree(matcher, below, tree, 1, rows, 5 * WORDS, allowed) == GCG_USAGE);
  CHECK(gcg_matcher_verify_tree(matcher, parents, tree, 5, rows, 5 * WORDS, NULL) == GCG_USAGE);
  CHECK(gcg_matcher_verify_tree(matcher, NULL, tree, 5, rows, 5 * WORDS, allowed) == GCG_USAGE);
  parents[0] = 3;
  CHECK(gcg_matcher_verify_tree(matcher, parents, tree, 5, rows, 5 * WORDS, allowed) == GCG_USAGE);

  gcg_matcher *clone = gcg_matcher_clone(matcher, NULL);
  commit_text(clone, "}");
  CHECK(gcg_matcher_is_accepting(clone, &flag) == GCG_OK && flag);
  CHECK(gcg_matcher_commit(clone, END) == GCG_OK);
  CHECK(gcg_matcher_is_terminated(clone, &flag) == GCG_OK && flag);
  CHECK(gcg_matcher_rollback(clone, 2) == GCG_OK);
  CHECK(gcg_matcher_rollback(clone, 1000) == GCG_ROLLBACK_TOO_FAR);
  CHECK(gcg_matcher_committed(clone, &committed) == GCG_OK && committed == 6);

  uint8_t saved[4096];
  CHECK(gcg_matcher_save(matcher, saved, 1, &count) == GCG_BUFFER_TOO_SHORT && count > 1 && count <= sizeof saved);
  CHECK(gcg_matcher_save(matcher, saved, sizeof saved, &count) == GCG_OK);
  gcg_matcher *restored = gcg_matcher_restore(session, saved, count, NULL);
  CHECK(restored != NULL && gcg_matcher_fill_mask(restored, updated, WORDS) == GCG_OK);
  CHECK(!memcmp(row, updated, sizeof row));
  saved[count / 2] ^= 1;
  CHECK(gcg_matcher_restore(session, saved, count, NULL) == NULL);

  gcg_matcher *matchers[] = {matcher, clone, restored};
  gcg_status statuses[3];
  gcg_pool *pool = gcg_pool_new(2, NULL);
  CHECK(gcg_fill_masks(pool, matchers, 3, rows, WORDS, WORDS, statuses) == GCG_OK && statuses[2] == GCG_OK);
  CHECK(!memcmp(rows, row, sizeof row) && !memcmp(rows + 2 * WORDS, row, sizeof row));
  matchers[1] = matcher;
  CHECK(gcg_fill_masks(pool, matchers, 3, rows, WORDS, WORDS, NULL) == GCG_USAGE);
  matchers[1] = clone;
  CHECK(gcg_fill_masks(NULL, matchers, 3, rows, WORDS, WORDS, statuses) == GCG_USAGE && statuses[2] == GCG_USAGE);
  CHECK(gcg_fill_masks(pool, matchers, 3, NULL, WORDS, WORDS, NULL) == GCG_USAGE);
  CHECK(gcg_fill_masks(pool, matchers, 3, rows, WORDS - 1, WORDS, NULL) == GCG_USAGE);
  CHECK(gcg_fill_masks(pool, matchers, 3, rows, SIZE_MAX / 2, WORDS, NULL) == GCG_USAGE);
  CHECK(gcg_fill_masks(pool, matchers, 3, rows, WORDS, 1, statuses) == GCG_USAGE && strlen(gcg_matcher_error(clone)) > 5);
  matchers[1] = NULL;
  CHECK(gcg_fill_masks(pool, matchers, 3, rows, WORDS, WORDS, NULL) == GCG_USAGE);
  CHECK(gcg_fill_masks(pool, NULL, 0, NULL, 0, 0, NULL) == GCG_OK);
  CHECK(gcg_fill_masks(pool, matchers, SIZE_MAX / 4, rows, WORDS, WORDS, statuses) == GCG_USAGE);
  CHECK(gcg_matcher_new_with(session, "[]", NULL) == NULL);
  gcg_pool_free(pool);

  CHECK(gcg_matcher_reset(matcher) == GCG_OK && gcg_matcher_commit_bytes(matcher, (const uint8_t *)"{\"", 2) == GCG_OK);
  gcg_matcher_free(restored);
  gcg_matcher_free(clone);
  gcg_matcher_free(matcher);
  gcg_row_memory_free(memory);
}

/* {"n":d} is the shortest output: one token per byte, and the end token. */
static void budgets(const gcg_session *session) {
  int32_t row[WORDS];
  uint32_t tokens[16], least = 0;
  size_t count = 0;
  gcg_matcher *matcher = gcg_matcher_new(session, 8, NULL);
  CHECK(gcg_matcher_min_remaining(matcher, &least) == GCG_OK && least == 8);
  CHECK(gcg_matcher_set_budget(matcher, 7) == GCG_REFUSED && strlen(gcg_matcher_error(matcher)) > 5);
  CHECK(gcg_matcher_set_budget(matcher, 9) == GCG_OK);
  commit_text(matcher, "{\"n\":4");
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && allows(row, '}') && allows(row, '0'));
  CHECK(gcg_matcher_commit(matcher, '0') == GCG_OK && gcg_matcher_min_remaining(matcher, &least) == GCG_OK && least == 2);
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && allows(row, '}') && !allows(row, '0'));
  CHECK(gcg_matcher_commit(matcher, '0') == GCG_REFUSED);
  CHECK(gcg_matcher_shortest_completion(matcher, tokens, 1, &count) == GCG_BUFFER_TOO_SHORT && count == 2);
  CHECK(gcg_matcher_shortest_completion(matcher, tokens, 16, &count) == GCG_OK && count == 2 && tokens[0] == '}' && tokens[1] == END);
  CHECK(gcg_matcher_set_budget(matcher, UINT32_MAX) == GCG_OK && gcg_matcher_commit(matcher, '0') == GCG_OK);
  gcg_matcher_free(matcher);
  CHECK(gcg_matcher_set_budget(NULL, 1) == GCG_USAGE && gcg_matcher_min_remaining(NULL, NULL) == GCG_USAGE);
  CHECK(gcg_matcher_shortest_completion(NULL, NULL, 0, NULL) == GCG_USAGE);
}

static void options_of_matchers(const gcg_session *session) {
  int32_t row[WORDS];
  gcg_error *error = NULL;
  const char *options = "{\"max_rollback\": 9, \"start_after\": \">>\"}";
  gcg_matcher *matcher = gcg_matcher_new_with(session, options, &error);
  CHECK(matcher != NULL && error == NULL);
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && allows(row, 'x') && allows(row, '{') && allows(row, END));
  commit_text(matcher, "x>>");
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && !allows(row, 'x') && allows(row, '{'));
  CHECK(gcg_matcher_rollback(matcher, 1) == GCG_OK);
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && allows(row, 'x'));
  gcg_matcher_free(matcher);
  matcher = gcg_matcher_new_with(session, "{\"start_after\": \">>\", \"max_free_tokens\": 1}", &error);
  CHECK(matcher != NULL && error == NULL);
  commit_text(matcher, "x>");
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && allows(row, '>') && !allows(row, 'x') && !allows(row, END));
  gcg_matcher_free(matcher);
  CHECK(gcg_matcher_new_with(session, "{\"max_free_tokens\": 1}", &error) == NULL && gcg_error_status(error) == GCG_REFUSED);
  gcg_error_free(error);
  matcher = gcg_matcher_new_with(session, NULL, NULL);
  CHECK(matcher != NULL && gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && !allows(row, 'x'));
  gcg_matcher_free(matcher);
  CHECK(gcg_matcher_new_with(session, "{\"start_after\": \"\"}", &error) == NULL && gcg_error_status(error) == GCG_REFUSED);
  gcg_error_free(error);
  CHECK(gcg_matcher_new_with(session, "\xff", &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_matcher_new_with(NULL, NULL, NULL) == NULL);
}

/* A session of compilations makes the artifact that was compiled alone, the first time and again. */
static void compile_sessions(const gcg_vocabulary *vocabulary, const gcg_session *alone) {
  size_t length, expected_length;
  const uint8_t *expected = gcg_session_bytes(alone, &expected_length);
  gcg_error *error = NULL;
  gcg_compile_session *session = gcg_compile_session_new(vocabulary, 0, &error);
  CHECK(session != NULL && error == NULL && gcg_compile_session_bytes(session) == 0);
  for (int i = 0; i < 2; i++) {
    gcg_session *other = gcg_compile_session_compile(session, "regex", "[a-z]+", NULL, &error);
    CHECK(other != NULL && error == NULL);
    gcg_session_free(other);
    gcg_session *made = gcg_compile_session_compile(session, "json-schema", SCHEMA, OPTIONS, &error);
    const uint8_t *bytes = gcg_session_bytes(made, &length);
    CHECK(length == expected_length && !memcmp(bytes, expected, length));
    CHECK(gcg_compile_session_bytes(session) > length);
    gcg_session_free(made);
    CHECK(gcg_compile_session_compile(session, "regex", "(a", NULL, &error) == NULL);
    CHECK(gcg_error_status(error) == GCG_REFUSED && strlen(gcg_error_message(error)) > 5);
    gcg_error_free(error);
  }
  gcg_session *kept = gcg_compile_session_compile(session, "json-schema", SCHEMA, OPTIONS, NULL);
  gcg_compile_session_free(session);
  CHECK(gcg_session_bytes(kept, &length) != NULL && length == expected_length);
  gcg_session_free(kept);
  CHECK(gcg_compile_session_new(NULL, 0, &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_compile_session_compile(NULL, "regex", "a", NULL, &error) == NULL && gcg_error_status(error) == GCG_USAGE);
  gcg_error_free(error);
  CHECK(gcg_compile_session_bytes(NULL) == 0);
  gcg_compile_session_free(NULL);
}

/* Calls of tools in the syntax of a model, with its mark as a token. */
static void tools(void) {
  const char *definitions =
      "[{\"name\":\"f\",\"input_schema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},"
      "\"required\":[\"n\"],\"additionalProperties\":false}}]";
  const char *options = "{\"model\":\"hermes\",\"tool_choice\":\"required\",\"parallel\":false}";
  gcg_vocabulary *vocabulary = all_bytes_and("<tool_call>");
  gcg_session *session = gcg_compile(vocabulary, "tools", definitions, options, NULL);
  CHECK(session != NULL);
  gcg_matcher *matcher = gcg_matcher_new(session, 0, NULL);
  int32_t mask[WORDS];
  CHECK(gcg_matcher_fill_mask(matcher, mask, WORDS) == GCG_OK);
  CHECK(allows(mask, '<') && allows(mask, SPECIAL) && !allows(mask, 'x') && !allows(mask, END));
  CHECK(gcg_matcher_commit(matcher, SPECIAL) == GCG_OK);
  commit_text(matcher, "\n{\"name\": \"f\", \"arguments\": {\"n\": 1");
  CHECK(gcg_matcher_fill_mask(matcher, mask, WORDS) == GCG_OK);
  CHECK(allows(mask, '2') && allows(mask, '}') && !allows(mask, ',') && !allows(mask, SPECIAL));
  commit_text(matcher, "}}\n</tool_call>");
  CHECK(gcg_matcher_fill_mask(matcher, mask, WORDS) == GCG_OK && allows(mask, END));
  gcg_matcher_free(matcher);
  gcg_session_free(session);

  gcg_error *error = NULL;
  CHECK(gcg_compile(vocabulary, "tools", definitions, "{\"model\":\"none-such\"}", &error) == NULL);
  CHECK(gcg_error_status(error) == GCG_REFUSED && strstr(gcg_error_message(error), "none-such") != NULL);
  gcg_error_free(error);
  CHECK(gcg_compile(vocabulary, "tools", "[{\"inputs\":{}}]", options, &error) == NULL);
  CHECK(gcg_error_status(error) == GCG_REFUSED);
  gcg_error_free(error);
  gcg_vocabulary_free(vocabulary);
}

static void interrupts(const gcg_vocabulary *vocabulary) {
  gcg_error *error = NULL;
  gcg_interrupt *interrupt = gcg_interrupt_new();
  gcg_session *session = gcg_compile_until(vocabulary, "regex", "(a{99}){99}b*", NULL, interrupt, &error);
  CHECK(session != NULL && error == NULL);
  gcg_session_free(session);
  gcg_interrupt_set(interrupt);
  CHECK(gcg_compile_until(vocabulary, "regex", "(a{99}){99}b*", NULL, interrupt, &error) == NULL);
  CHECK(gcg_error_status(error) == GCG_INTERRUPTED);
  gcg_error_free(error);
  gcg_interrupt_free(interrupt);
  session = gcg_compile_until(vocabulary, "regex", "a", NULL, NULL, &error);
  CHECK(session != NULL && error == NULL);
  gcg_session_free(session);
  gcg_interrupt_set(NULL);
  gcg_interrupt_free(NULL);
}

/* Saved bytes do not have the bound on work. */
static void bounds_of_restored_matchers(const gcg_vocabulary *vocabulary) {
  gcg_session *session = gcg_compile(vocabulary, "lark", "start: s\ns: s s s | s s | \"a\"\n", NULL, NULL);
  gcg_matcher *matcher = gcg_matcher_new(session, 8, NULL);
  uint8_t saved[4096];
  size_t length = 0;
  CHECK(gcg_matcher_save(matcher, saved, sizeof saved, &length) == GCG_OK);
  gcg_matcher_free(matcher);
  matcher = gcg_matcher_restore(session, saved, length, NULL);
  CHECK(gcg_matcher_set_max_work(matcher, 20000) == GCG_OK);
  gcg_status status = GCG_OK;
  for (int count = 0; count < 2000 && status == GCG_OK; count++)
    status = gcg_matcher_commit_bytes(matcher, (const uint8_t *)"a", 1);
  CHECK(status == GCG_OVER_BUDGET);
  CHECK(gcg_matcher_set_max_work(matcher, UINT64_MAX) == GCG_OK);
  CHECK(gcg_matcher_commit_bytes(matcher, (const uint8_t *)"a", 1) == GCG_OK);
  CHECK(gcg_matcher_set_max_work(NULL, 1) == GCG_USAGE);
  gcg_matcher_free(matcher);
  gcg_session_free(session);
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : "test.gcg";
  CHECK(strlen(gcg_version()) > 3);
  gcg_vocabulary *vocabulary = all_bytes();
  CHECK(gcg_vocabulary_width(vocabulary) == WIDTH);
  errors(vocabulary);
  interrupts(vocabulary);

  gcg_session *session = gcg_compile(vocabulary, "json-schema", SCHEMA, OPTIONS, NULL);
  CHECK(session != NULL);
  char *report = gcg_session_report(session, NULL);
  CHECK(strstr(report, "/properties/n/minimum") != NULL);
  gcg_string_free(report);
  decoding(session);
  bounds_of_restored_matchers(vocabulary);
  on_demand(vocabulary);
  rows_of_other_lengths(session);
  pools(session);
  compile_sessions(vocabulary, session);
  budgets(session);
  options_of_matchers(session);
  tools();

  CHECK(gcg_session_save(session, file, NULL) == GCG_OK);
  gcg_session *opened = gcg_open(file, vocabulary, NULL);
  CHECK(opened != NULL);
  gcg_session *trusted = gcg_open_trusted(file, vocabulary, NULL);
  CHECK(trusted != NULL);
  size_t length, opened_length;
  const uint8_t *bytes = gcg_session_bytes(session, &length);
  CHECK(gcg_session_bytes(opened, &opened_length) != NULL && opened_length == length);
  gcg_session *copied = gcg_open_bytes(bytes, length, vocabulary, NULL);
  gcg_vocabulary *other = gcg_vocabulary_clone(vocabulary);
  gcg_vocabulary_free(vocabulary);
  gcg_vocabulary_free(other);
  decoding(opened);
  decoding(trusted);
  decoding(copied);
  gcg_session_free(trusted);
  gcg_session_free(copied);
  gcg_session_free(opened);
  gcg_session_free(session);
  printf("%d failures\n", failures);
  return failures;
}

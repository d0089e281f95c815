/* Calls what the header allows to call at once from several threads, and compares every result with that of one thread. Objects are made
 * by one thread and freed by another. Every check that fails is printed; the exit status is their number. */

#include "check.h"

#include <pthread.h>

enum { THREADS = 6, ROUNDS = 40, BATCH = 40, MOST_BYTES = 1 << 20 };

/* What all threads share. The objects are const: nobody changes them. */
static const gcg_vocabulary *vocabulary;
static const gcg_session *session;
static const gcg_compile_session *compilations;
static const gcg_matcher *begun;
static const gcg_pool *pool;

/* An output, the mask in front of each of its tokens, and the artifact, as one thread saw them. */
static const char TEXT[] = "{\"n\":1207}";
enum { STEPS = sizeof TEXT, BEGUN = 5 };
static int32_t expected[STEPS][WORDS];
static uint8_t artifact[MOST_BYTES];
static size_t artifact_length;

/* A place where threads leave a matcher with BEGUN bytes for each other. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gcg_matcher *left;

static gcg_matcher *swap(gcg_matcher *matcher) {
  pthread_mutex_lock(&lock);
  gcg_matcher *taken = left;
  left = matcher;
  pthread_mutex_unlock(&lock);
  return taken;
}

static void check_mask(gcg_matcher *matcher, size_t step) {
  int32_t row[WORDS];
  CHECK(gcg_matcher_fill_mask(matcher, row, WORDS) == GCG_OK && !memcmp(row, expected[step], sizeof row));
}

/* Goes on with the output from a step to its end. */
static void finish(gcg_matcher *matcher, size_t step) {
  for (; step + 1 < STEPS; step++) {
    check_mask(matcher, step);
    CHECK(gcg_matcher_commit(matcher, (uint8_t)TEXT[step]) == GCG_OK);
  }
  check_mask(matcher, step);
}

static void decode(const gcg_session *own) {
  gcg_matcher *matcher = gcg_matcher_new(own, 4, NULL);
  CHECK(gcg_matcher_commit(matcher, 'x') == GCG_REFUSED && strlen(gcg_matcher_error(matcher)) > 0);
  finish(matcher, 0);
  CHECK(gcg_matcher_rollback(matcher, 2) == GCG_OK);
  check_mask(matcher, STEPS - 3);
  gcg_matcher_free(matcher);
}

/* Copies the matcher that all share, leaves the copy for another thread, and finishes the one that was found. */
static void exchange(void) {
  gcg_matcher *taken = swap(gcg_matcher_clone(begun, NULL));
  if (taken) finish(taken, BEGUN);
  gcg_matcher_free(taken);
}

static void forced(void) {
  gcg_matcher *matcher = gcg_matcher_new(session, 0, NULL);
  uint32_t tokens[16];
  size_t count;
  CHECK(gcg_matcher_forced_tokens(matcher, NULL, 0, tokens, 16, &count) == GCG_OK && count <= BEGUN);
  for (size_t i = 0; i < count; i++) CHECK(tokens[i] == (uint8_t)TEXT[i]);
  gcg_matcher_free(matcher);
}

static void save_and_restore(void) {
  uint8_t saved[4096];
  size_t length;
  gcg_matcher *matcher = gcg_matcher_clone(begun, NULL);
  CHECK(gcg_matcher_save(matcher, saved, sizeof saved, &length) == GCG_OK);
  gcg_matcher *restored = gcg_matcher_restore(session, saved, length, NULL);
  gcg_matcher_free(matcher);
  finish(restored, BEGUN);
  gcg_matcher_free(restored);
}

static void fill_batch(void) {
  static const size_t stride = WORDS + 1;
  gcg_matcher *matchers[BATCH];
  int32_t *rows = calloc(BATCH, stride * sizeof *rows);
  gcg_status statuses[BATCH];
  for (size_t i = 0; i < BATCH; i++) {
    matchers[i] = gcg_matcher_new(session, 0, NULL);
    for (size_t step = 0; step < i % STEPS; step++) gcg_matcher_commit(matchers[i], (uint8_t)TEXT[step]);
  }
  CHECK(gcg_fill_masks(pool, matchers, BATCH, rows, stride, WORDS, statuses) == GCG_OK);
  for (size_t i = 0; i < BATCH; i++) {
    CHECK(statuses[i] == GCG_OK && !memcmp(rows + i * stride, expected[i % STEPS], sizeof expected[0]));
    gcg_matcher_free(matchers[i]);
  }
  free(rows);
}

static void compile_again(void) {
  gcg_session *again = gcg_compile(vocabulary, "json-schema", SCHEMA, OPTIONS, NULL);
  size_t length;
  const uint8_t *bytes = gcg_session_bytes(again, &length);
  CHECK(length == artifact_length && !memcmp(bytes, artifact, length));
  gcg_session *opened = gcg_open_bytes(artifact, artifact_length, vocabulary, NULL);
  decode(opened);
  gcg_session_free(opened);
  gcg_session_free(again);
  again = gcg_compile_session_compile(compilations, "json-schema", SCHEMA, OPTIONS, NULL);
  bytes = gcg_session_bytes(again, &length);
  CHECK(length == artifact_length && !memcmp(bytes, artifact, length));
  gcg_session_free(again);
  gcg_error *error;
  CHECK(gcg_compile(vocabulary, "regex", "(a", NULL, &error) == NULL && gcg_error_status(error) == GCG_REFUSED);
  gcg_error_free(error);
  char *report = gcg_session_report(session, NULL);
  CHECK(strstr(report, "/properties/n/minimum") != NULL);
  gcg_string_free(report);
}

/* The argument is a session that this thread frees, and that another one made. */
static void *work(void *own) {
  for (int round = 0; round < ROUNDS; round++) {
    decode(own);
    exchange();
    forced();
    save_and_restore();
    if (round % 4 == 0) fill_batch();
    if (round % 10 == 0) compile_again();
  }
  gcg_matcher *kept = gcg_matcher_new(own, 0, NULL);
  gcg_session_free(own);
  finish(kept, 0);
  gcg_matcher_free(kept);
  return NULL;
}

/* What one thread sees. */
static void expect(gcg_matcher *matcher) {
  size_t length;
  const uint8_t *bytes = gcg_session_bytes(session, &length);
  CHECK(length <= MOST_BYTES);
  memcpy(artifact, bytes, length);
  artifact_length = length;
  for (size_t step = 0; step < STEPS; step++) {
    CHECK(gcg_matcher_fill_mask(matcher, expected[step], WORDS) == GCG_OK);
    CHECK(allows(expected[step], step + 1 < STEPS ? (uint8_t)TEXT[step] : END));
    if (step + 1 < STEPS) CHECK(gcg_matcher_commit(matcher, (uint8_t)TEXT[step]) == GCG_OK);
  }
}

int main(void) {
  gcg_vocabulary *made_vocabulary = all_bytes();
  gcg_session *made_session = gcg_compile(made_vocabulary, "json-schema", SCHEMA, OPTIONS, NULL);
  gcg_matcher *matcher = gcg_matcher_new(made_session, STEPS, NULL);
  gcg_pool *made_pool = gcg_pool_new(3, NULL);
  /* So little that sometimes nothing is kept. */
  gcg_compile_session *made_compilations = gcg_compile_session_new(made_vocabulary, 1 << 16, NULL);
  vocabulary = made_vocabulary, session = made_session, pool = made_pool, compilations = made_compilations;
  expect(matcher);
  CHECK(gcg_matcher_rollback(matcher, STEPS - 1 - BEGUN) == GCG_OK);
  begun = matcher;

  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    CHECK(pthread_create(&threads[i], NULL, work, gcg_session_clone(session)) == 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);

  gcg_vocabulary_free(made_vocabulary);
  gcg_session_free(made_session);
  gcg_compile_session_free(made_compilations);
  finish(left, BEGUN);
  gcg_matcher_free(left);
  gcg_matcher_free(matcher);
  gcg_pool_free(made_pool);
  printf("%d failures\n", failures);
  return failures;
}

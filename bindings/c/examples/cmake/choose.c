/* Writes an output of a regular expression, as a sampler that always takes the least token would. */

#include <gcc_grammar.h>
#include <stdio.h>
#include <stdlib.h>

/* Prints why nothing was made, and ends the program. */
static void *made(void *thing, gcg_error **error) {
  if (thing == NULL) {
    fprintf(stderr, "%s\n", gcg_error_message(*error));
    exit(1);
  }
  return thing;
}

int main(void) {
  gcg_error *error = NULL;
  gcg_vocabulary *vocabulary = made(gcg_vocabulary_load("llama3", &error), &error);
  const char *pattern = "(rain|snow) in (Bonn|Oslo): [1-9] mm";
  gcg_session *session = made(gcg_compile(vocabulary, "regex", pattern, NULL, &error), &error);
  gcg_matcher *matcher = made(gcg_matcher_new(session, 0, &error), &error);

  size_t words = gcg_session_row_words(session);
  int32_t *row = calloc(words, sizeof *row);
  bool terminated = false;
  while (!terminated) {
    if (gcg_matcher_fill_mask(matcher, row, words) != GCG_OK) return 1;
    uint32_t token = 0;
    while (!((uint32_t)row[token / 32] >> token % 32 & 1)) token++;
    if (gcg_matcher_commit(matcher, token) != GCG_OK) return 1;
    printf("%u ", token);
    if (gcg_matcher_is_terminated(matcher, &terminated) != GCG_OK) return 1;
  }
  printf("\n");

  free(row);
  gcg_matcher_free(matcher);
  gcg_session_free(session);
  gcg_vocabulary_free(vocabulary);
  return 0;
}

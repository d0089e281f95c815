/* A sampler of llama.cpp that allows exactly the tokens that a grammar allows. For programs that link llama.cpp and libgcc_grammar: compile
 * gcc_grammar_llama.c with the program, against the llama.h of the llama.cpp that it links.
 *
 *   gcg_vocabulary *vocabulary = gcc_grammar_llama_vocabulary(llama_model_get_vocab(model), &error);
 *   gcg_session *session = gcg_compile(vocabulary, "json-schema", schema, NULL, &error);
 *   struct llama_sampler *sampler = gcc_grammar_llama_sampler(llama_model_get_vocab(model), session, &error);
 *   llama_sampler_chain_add(chain, sampler);        // before samplers that leave tokens out, such as top-k
 *
 * The sampler belongs to the chain, or is freed with llama_sampler_free. It keeps what it needs of the session, and uses the llama_vocab as
 * long as it lives. A sampler may be used by one thread at a time; many samplers may share a session.
 */

#ifndef GCC_GRAMMAR_LLAMA_H
#define GCC_GRAMMAR_LLAMA_H

#include "gcc_grammar.h"
#include "llama.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The vocabulary of a model. Control tokens are special: they match no text. What ends a generation (llama_vocab_is_eog) is an end token.
 * Null and an error if it cannot be made. */
gcg_vocabulary *gcc_grammar_llama_vocabulary(const struct llama_vocab *vocab, gcg_error **error);

/* Makes a sampler at the beginning of an output. The session must have been compiled for the vocabulary of this model. Null and an error
 * if it cannot be made. */
struct llama_sampler *gcc_grammar_llama_sampler(const struct llama_vocab *vocab, const gcg_session *session, gcg_error **error);

/* The same with the options of gcg_matcher_new_with, such as {"start_after": "</think>", "max_free_tokens": 500}: what the model thinks is
 * free and at most 500 tokens, then the output follows the grammar. */
struct llama_sampler *gcc_grammar_llama_sampler_with(const struct llama_vocab *vocab, const gcg_session *session, const char *options,
                                                     gcg_error **error);

/* Why the sampler does not follow the grammar any more, until llama_sampler_reset: a token was accepted that the grammar does not allow, or
 * an operation failed. Then the sampler allows nothing but end tokens. Null if nothing happened. It lives until the next call with the
 * sampler. */
const char *gcc_grammar_llama_error(const struct llama_sampler *sampler);

#ifdef __cplusplus
}
#endif

#endif

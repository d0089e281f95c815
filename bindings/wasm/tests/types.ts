// Compiled and not run: the types fit what programs write.

import { Vocabulary, compile, init, logitsProcessor, open, type Grammar, type GccGrammarError } from '../package/index.js';
import * as xgrammar from '../package/xgrammar.js';

export async function program(file: Uint8Array): Promise<Grammar> {
  await init();
  const vocabulary = Vocabulary.fromTokenizer(file, { endTokens: ['<|im_end|>'] });
  const grammar = compile({ type: 'object', properties: { a: { const: 1 } } }, vocabulary, { whitespace: 'compact', limits: { work: 1000 } });
  const matcher = grammar.matcher({ maxRollback: 8 });
  const row: Int32Array = matcher.fill(new Int32Array(grammar.rowWords));
  matcher.commit(row[0]);
  const logits: Float32Array = matcher.apply(new Float32Array(10));
  const processor = logitsProcessor(grammar);
  processor([[1n]], [{ data: logits }]);
  compile({ lark: 'start: "a"' }, vocabulary);
  const info = await xgrammar.TokenizerInfo.createTokenizerInfo(['a'], 'raw');
  await xgrammar.GrammarCompiler.createGrammarCompiler(info);
  // @ts-expect-error: a token is a number
  matcher.commit('a');
  // @ts-expect-error: there is no such option
  compile(true, vocabulary, { whitespaces: 'compact' });
  return open(grammar.save());
}

export const code = (error: GccGrammarError): 'refused' | string => error.code;

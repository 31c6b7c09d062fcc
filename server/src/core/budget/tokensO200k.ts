import { BytePairEncodingCore } from 'gpt-tokenizer/BytePairEncodingCore';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { O200KBase } from 'gpt-tokenizer/encodingParams/o200k_base';
import { utf8Length } from '../text/utf8';
import type { TokenCounter } from './tokens';

/** Pieces of text whose tokens are remembered. */
const REMEMBERED = 20_000;

/**
 * The tokens of `o200k_base`, the encoding of OpenAI's models from gpt-4o on, by the tables of gpt-tokenizer 4.0.0. Making
 * one takes a moment and some tens of megabytes, so make one only.
 */
export function o200kCounter(): TokenCounter {
  const core = new BytePairEncodingCore({ ...O200KBase(ranks), mergeCacheSize: REMEMBERED });
  return {
    encoding: 'o200k_base',
    count: (text) => core.countNative(text),
    lengths: (text) => core.encodeNative(text).map((rank) => bytesOf(ranks[rank]!)),
  };
}

function bytesOf(token: string | readonly number[]): number {
  return typeof token === 'string' ? utf8Length(token) : token.length;
}

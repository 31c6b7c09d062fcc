import { holdsTools } from '../input';
import type { Io } from '../io';
import { parseOptions } from '../options';
import { GRAMMAR_CHECK } from '../specs';
import { checkPaths } from './check';

/** `toolspec grammar check`: what the rules about grammars say of grammars and of those in files of tools. */
export async function runGrammarCheck(args: readonly string[], io: Io): Promise<number> {
  return checkPaths(parseOptions(GRAMMAR_CHECK, args), io, {
    // Broken JSON has no grammars that could be checked, which must not pass for "no findings".
    wanted: (rule) => /^(?:grammar|json|internal)\//.test(rule),
    isGrammar: (file, text) => !holdsTools({ shown: file, text }),
  });
}

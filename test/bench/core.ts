// What the measurements call, as one bundle.
export { judgeContract } from '../../server/src/core/calls/contract';
export { createChecker } from '../../server/src/core/check';
export { checkGrammar } from '../../server/src/core/checkGrammar';
export { createParser } from '../../server/src/core/grammar/engine';
export { libraryText } from '../../server/src/core/grammar/libraries';
export { loadGrammar } from '../../server/src/core/grammar/load/load';
export { GrammarMemory } from '../../server/src/core/grammar/memory';
export { parseGrammar } from '../../server/src/core/grammar/parse';
export { DEFAULT_CODEX_PROFILE } from '../../server/src/core/profiles/codex';
export { parseJson } from '../../server/src/core/text/json';
export { readTools } from '../../server/src/core/tools/read';
export { compileTool } from '../../server/src/core/wire/compileTool';

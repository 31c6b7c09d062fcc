// What the measurements call, as one bundle.
export { createChecker } from '../../server/src/core/check';
export { DEFAULT_CODEX_PROFILE } from '../../server/src/core/profiles/codex';
export { compileTool } from '../../server/src/core/rules/context';
export { parseJson } from '../../server/src/core/text/json';
export { readTools } from '../../server/src/core/tools/read';

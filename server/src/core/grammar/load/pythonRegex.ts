import { parsePythonRegex } from '../regex/parsePython';
import { regexWidth } from '../regex/width';
import type { RegexModel } from './regexModel';

/** Expressions as Python 3.11 reads them. */
export const PYTHON_REGEX: RegexModel = {
  width(regexp) {
    const result = parsePythonRegex(regexp);
    if (result.problem !== undefined) {
      return { error: result.problem.message, span: result.problem.span };
    }
    return regexWidth(result.tree);
  },
};

import { t } from '../../text/message';
import { didYouMean } from '../../text/words';
import type { Rule } from '../rule';
import { fix } from './fixes';

/** The last part of a path, without the extension. */
function stem(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.[^.]*$/, '');
}

export const missingFile: Rule = {
  id: 'grammar/missing-file',
  section: 'grammar',
  summary: 'A grammar file that a tool names is not there',
  levels: { all: 'error' },
  tool({ tool, surroundings, report }) {
    const { file, definitionNode: node } = tool.format ?? {};
    if (file === undefined || node === undefined) return;
    const fact = surroundings?.grammarFile(file);
    if (fact === undefined || fact.there) return;
    const meant =
      didYouMean(file, fact.others) ??
      fact.others.find((other) => stem(other).toLowerCase() === stem(file).toLowerCase());
    const span = { start: node.offset, end: node.end };
    report({
      node,
      span,
      message:
        meant === undefined
          ? t('There is no file `{0}` here, so the tool has no grammar.', file)
          : t('There is no file `{0}` here, so the tool has no grammar. Did you mean `{1}`?', file, meant),
      fixes: meant === undefined ? [] : [fix(t('Name {0}', meant), [{ span, newText: JSON.stringify(meant) }])],
    });
  },
};

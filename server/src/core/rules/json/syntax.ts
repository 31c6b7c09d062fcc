import type { Rule } from '../rule';

/** Broken JSON, for the command line: editors have a JSON support of their own that says it. */
export const syntax: Rule = {
  id: 'json/syntax',
  section: 'file',
  summary: 'The text is not JSON',
  levels: { all: 'error' },
  file({ document, jsonc, report }) {
    for (const { code, span, message } of document.problems) {
      if (code === 'lone-surrogate' || document.root === undefined) continue;
      if (jsonc && (code === 'comment' || code === 'trailing-comma')) continue;
      report({ node: document.root, span, message });
    }
  },
};

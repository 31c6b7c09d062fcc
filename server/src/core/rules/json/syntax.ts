import { JsonNode } from '../../text/json';
import type { Rule } from '../rule';

/** Broken JSON, for the command line: editors have a JSON support of their own that says it. */
export const syntax: Rule = {
  id: 'json/syntax',
  section: 'file',
  summary: 'The text is not JSON',
  levels: { all: 'error' },
  file({ document: { root, problems }, jsonc, report }) {
    if (root === undefined) {
      // An empty file, a page of a web server, YAML: what stands behind the first fault is no JSON either.
      const first = problems.find(({ code }) => code !== 'comment');
      if (first === undefined) return;
      const { span, message } = first;
      report({ node: new JsonNode('null', span.start, span.end, undefined, -1, ''), span, message });
      return;
    }
    for (const { code, span, message } of problems) {
      if (code === 'lone-surrogate') continue;
      if (jsonc && (code === 'comment' || code === 'trailing-comma')) continue;
      report({ node: root, span, message });
    }
  },
};

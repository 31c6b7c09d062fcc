import { placeAt } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule } from '../rule';

/** Half of a surrogate pair: no UTF-8 text can hold it, so the file cannot be sent. */
export const loneSurrogate: Rule = {
  id: 'json/lone-surrogate',
  section: 'file',
  summary: 'A string has half of a surrogate pair, which no UTF-8 text can hold',
  levels: { all: 'error' },
  file({ document, report }) {
    const { root } = document;
    if (root === undefined) return;
    for (const { code, span } of document.problems) {
      if (code !== 'lone-surrogate') continue;
      const place = placeAt(root, span.start);
      report({
        node: place?.key?.value ?? place?.node ?? root,
        span,
        message: t(
          'This string has half of a surrogate pair. Requests are UTF-8, which cannot hold it, so JSON readers refuse the text or put another character in its place. Write both halves.',
        ),
      });
    }
  },
};

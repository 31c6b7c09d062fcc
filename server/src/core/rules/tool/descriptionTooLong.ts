import { CHAT_DESCRIPTION_CHARACTERS } from '../../profiles/openai';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { characters } from './names';

/** A description longer than what Chat Completions took until 2025. */
export const descriptionTooLong: Rule = {
  id: 'tool/description-too-long',
  section: 'file',
  summary: 'A description is longer than 1,024 characters, which Chat endpoints refuse at times',
  levels: { chat: 'warning' },
  tool({ tool, report }) {
    const node = tool.descriptionNode;
    if (
      tool.description === undefined ||
      node === undefined ||
      tool.description.length <= CHAT_DESCRIPTION_CHARACTERS
    ) {
      return;
    }
    const length = characters(tool.description);
    if (length <= CHAT_DESCRIPTION_CHARACTERS) return;
    report({
      node,
      message: t(
        'The description has {0} characters. Chat Completions took {1} at most until 2025, and some endpoints still refuse the request; newer ones take more.',
        length,
        CHAT_DESCRIPTION_CHARACTERS,
      ),
    });
  },
};

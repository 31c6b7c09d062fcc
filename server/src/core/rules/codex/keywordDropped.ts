import { keySpan } from '../../text/jsonTree';
import { type Message, t } from '../../text/message';
import type { Rule } from '../rule';
import { liveEvents } from './common';
import { isAnnotation } from './contract';

/** Codex reads 15 keywords (14 in 0.148.0) and passes over all others. */
export const keywordDropped: Rule = {
  id: 'codex/keyword-dropped',
  section: 'codex',
  summary: 'A keyword that Codex does not send: a limit or a text that the model never sees',
  levels: { codex: 'hint' },
  tool(context) {
    for (const { property } of liveEvents(context, 'keyword-dropped')) {
      context.report({ node: property!.value!, span: keySpan(property!), message: message(property!.key) });
    }
  },
};

function message(key: string): Message {
  if (isAnnotation(key)) return t('"{0}" is dropped: the model never sees it.', key);
  return t('"{0}" is dropped: the model is not told, so only the handler can hold it to this.', key);
}

import type { CompileResult } from '../schema/compile';
import type { TraceEvent } from '../schema/trace';
import { nodeSpan } from '../text/jsonTree';
import { type Message, t } from '../text/message';
import type { Span } from '../text/span';

const PASS_ORDER = ['descriptions', 'definitions', 'depth', 'compositions'];

/** The number of a pass as people count, 0 for a stage that is no pass. */
export function passNumber(stage: TraceEvent['stage']): number {
  return PASS_ORDER.indexOf(stage) + 1;
}

/** Why a node is not sent, from the event that decided it, as a fragment. */
export function dropReason(
  event: TraceEvent,
  compiled: CompileResult,
  show: (text: string, span: Span) => string,
): Message {
  const pass = passNumber(event.stage);
  switch (event.action) {
    case 'emptied': {
      const holder = event.node.property?.key;
      const place = show(holder ?? compiled.source.property?.key ?? '{}', nodeSpan(event.node));
      if (pass === 0) return t('lowering makes {0} `{}`', place);
      return t('pass {0} makes {1} `{}`', pass, place);
    }
    case 'definition-removed':
      return t('no reference reaches this definition');
    case 'table-removed':
      if (pass > 0) return t('pass {0} removes the definitions', pass);
      return event.stage === 'prune' ? t('no reference reaches this definition') : t('this is no table of definitions');
    case 'description-removed':
      return t('pass {0} takes all descriptions', pass);
    case 'keyword-dropped':
      return t('Codex does not read `{0}`', event.property?.key ?? '');
    case 'null-dropped':
      return t('null counts as absent');
    default:
      return t('lowering replaces it');
  }
}

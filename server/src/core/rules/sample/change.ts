import type { Fix, TextEdit } from '../../text/finding';
import { t } from '../../text/message';

/** The fix that puts another word in the place of a wrong one. */
export function change(to: string, edits: () => TextEdit[]): Fix {
  return { title: t('Change it to "{0}"', to), safe: false, preferred: true, kind: 'quickfix', edits };
}

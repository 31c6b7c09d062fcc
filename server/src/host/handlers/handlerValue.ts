import { type Message, t } from '../../core/text/message';

/**
 * The value that a module gave, as JSON text; none for `undefined`. What is no JSON (a BigInt, a cycle, a function, a
 * symbol) is a fault of the handler: nothing is left out in silence, so that a value is what the handler gave.
 */
export function answerText(value: unknown): { readonly json: string | undefined } | { readonly fault: Message } {
  if (value === undefined) return { json: undefined };
  if (typeof value === 'function' || typeof value === 'symbol') {
    return { fault: t('The handler gave a {0}, which is no JSON.', typeof value) };
  }
  try {
    return { json: JSON.stringify(value) };
  } catch (error) {
    // The first line alone: for a cycle the others draw it.
    return { fault: t('The handler gave a value that is no JSON: {0}', rejectionText(error).split('\n', 1)[0] ?? '') };
  }
}

/** What was thrown, as a text for the model. */
export function rejectionText(error: unknown): string {
  try {
    if (typeof error === 'string') return error;
    if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
      return error.message === '' && 'name' in error ? String(error.name) : error.message;
    }
    const text = String(error);
    // An object without words of its own says more by what it holds.
    return text === '[object Object]' ? JSON.stringify(error) : text;
  } catch {
    return 'The handler threw a value that cannot be shown.';
  }
}

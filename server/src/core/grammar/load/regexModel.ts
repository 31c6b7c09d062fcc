import type { Message } from '../../text/message';

/** What loading needs to know of a regular expression in the dialect of Python 3.11's `re`. */
export interface RegexModel {
  /**
   * Least and greatest number of characters that it matches, as Python's parser counts them, or why it cannot be
   * parsed. `compileError` is set for what Python only refuses after parsing (a look-behind of variable width).
   */
  width(
    regexp: string,
  ): { readonly min: number; readonly max: number; readonly compileError?: Message } | { readonly error: Message };
}

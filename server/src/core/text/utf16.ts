const SURROGATE = /[\ud800-\udfff]/;
const UNPAIRED_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether each half of a surrogate pair in a text stands beside the other half, so that the text can be UTF-8. */
export function isWellFormed(text: string): boolean {
  // Most texts have no surrogates at all, which the simple pattern tells several times faster.
  return !SURROGATE.test(text) || !UNPAIRED_SURROGATE.test(text);
}

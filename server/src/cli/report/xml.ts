/** Characters that XML 1.0 cannot hold, not even escaped, half surrogate pairs included. */
const NOT_XML =
  /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\ud800-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text between tags. */
export function content(text: string): string {
  return text.replace(NOT_XML, '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text of an attribute. */
export function attribute(text: string): string {
  return content(text)
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#9;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\r', '&#13;');
}

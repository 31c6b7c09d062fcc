import type { LineIndex } from '../../core/text/lines';
import type { Span } from '../../core/text/span';
import type { PanelPlace } from '../../panelProtocol';
import { baseName } from '../uris';

/** A place that a click goes to; the label has the line as editors count it. */
export function placeIn(uri: string, lines: LineIndex, span: Span): PanelPlace {
  const { start, end } = lines.range(span);
  return {
    label: `${baseName(uri)}:${start.line + 1}`,
    uri,
    line: start.line,
    character: start.character,
    endLine: end.line,
    endCharacter: end.character,
  };
}

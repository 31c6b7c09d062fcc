import { emitString } from '../text/emit';
import { t } from '../text/message';
import type { CustomFormat, ToolDefinition } from '../tools/model';
import type { WireNote, WireOptions } from './options';

/** The parts of a custom tool's format, its grammar file read. */
export interface FormatParts {
  readonly type: 'grammar' | 'text';
  /** JSON texts of the grammar's members. */
  readonly syntax: string | undefined;
  readonly definition: string | undefined;
}

/** The format of a custom tool with its grammar inlined; a note when the grammar file cannot be read. */
export function formatParts(
  format: CustomFormat,
  tool: ToolDefinition,
  options: WireOptions,
): { readonly parts: FormatParts } | { readonly note: WireNote } {
  const syntax = format.syntax === undefined ? undefined : emitString(format.syntax);
  if (format.type === 'text') return { parts: { type: 'text', syntax: undefined, definition: undefined } };
  let definition = format.definitionNode?.text;
  if (format.file !== undefined) {
    definition = options.grammar?.(format.file, tool);
    if (definition === undefined) {
      const message = t(
        'The grammar file "{0}" cannot be read, so the tool cannot be shown as it goes out.',
        format.file,
      );
      return { note: { kind: 'refused', message, reason: undefined, node: format.definitionNode, tool } };
    }
  }
  return {
    parts: { type: 'grammar', syntax, definition: definition === undefined ? undefined : emitString(definition) },
  };
}

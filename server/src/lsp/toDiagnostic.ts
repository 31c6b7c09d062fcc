import { type Diagnostic, DiagnosticTag } from 'vscode-languageserver';
import { ruleLink } from '../core/rules/links';
import type { Finding } from '../core/text/finding';
import { plain, SEVERITIES, toRange } from './convert';
import type { Checked } from './grammarChecks';

/** What a diagnostic carries back with a code action request. */
export interface DiagnosticData {
  readonly pointer: string | null;
  readonly fixes: number;
}

/** A finding in the words of the protocol. */
export function toDiagnostic(finding: Finding, place: Pick<Checked, 'uri' | 'lines' | 'others'>): Diagnostic {
  const { uri, lines, others } = place;
  const data: DiagnosticData = { pointer: finding.pointer ?? null, fixes: finding.fixes.length };
  return {
    range: toRange(lines, finding.span),
    severity: SEVERITIES[finding.level],
    source: 'ToolSpec',
    code: finding.rule,
    codeDescription: { href: ruleLink(finding.rule) },
    message: plain(finding.message),
    ...(finding.unnecessary ? { tags: [DiagnosticTag.Unnecessary] } : {}),
    ...(finding.related.length > 0
      ? {
          relatedInformation: finding.related.flatMap(({ uri: where = uri, span, message }) => {
            // A place in another file can be shown only with the lines of that file.
            const there = where === uri ? lines : others?.get(where);
            if (there === undefined) return [];
            return { location: { uri: where, range: toRange(there, span) }, message: plain(message) };
          }),
        }
      : {}),
    data,
  };
}

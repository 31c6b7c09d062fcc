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
export function toDiagnostic(finding: Finding, { uri, lines }: Pick<Checked, 'uri' | 'lines'>): Diagnostic {
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
          // A place in another file has no line index here; the rules speak of the same file only.
          relatedInformation: finding.related
            .filter((place) => place.uri === undefined || place.uri === uri)
            .map(({ span, message }) => ({ location: { uri, range: toRange(lines, span) }, message: plain(message) })),
        }
      : {}),
    data,
  };
}

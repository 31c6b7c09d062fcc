import type { Finding, Fix, RelatedPlace } from '../text/finding';
import type { JsonNode } from '../text/json';
import { headSpan, pointerOf } from '../text/jsonTree';
import type { Verdict } from './run';

/** A finding that knows its place only from the start of its tool, so that it can move with the tool. It holds no nodes. */
export interface FindingRecord {
  readonly finding: Omit<Finding, 'span' | 'tool' | 'pointer' | 'related' | 'fixes'>;
  readonly start: number;
  readonly end: number;
  /** From the tool's node. */
  readonly pointer: string;
  readonly related: readonly RelatedPlace[];
  readonly fixes: readonly Omit<Fix, 'edits'>[];
}

/** The finding of a verdict. */
export function toFinding(verdict: Verdict, tool: string | undefined): Finding {
  const { rule, level, message, targets, related, fixes, unnecessary, node } = verdict;
  const span = verdict.span ?? headSpan(node);
  return { rule, level, span, message, targets, tool, pointer: pointerOf(node), related, fixes, unnecessary };
}

/** The record of a verdict about a tool, or `undefined` when it speaks of places outside the tool. */
export function toRecord(verdict: Verdict, tool: JsonNode): FindingRecord | undefined {
  const { rule, level, message, targets, unnecessary, node } = verdict;
  const { start, end } = verdict.span ?? headSpan(node);
  const inside = (from: number, to: number): boolean => from >= tool.offset && to <= tool.end;
  const relatedInside = verdict.related.every(({ uri, span }) => uri === undefined && inside(span.start, span.end));
  if (!inside(node.offset, node.end) || !inside(start, end) || !relatedInside) return undefined;
  return {
    finding: { rule, level, message, targets, unnecessary },
    start: start - tool.offset,
    end: end - tool.offset,
    pointer: pointerOf(node, tool),
    related: verdict.related.map((place) => shift(place, -tool.offset)),
    fixes: verdict.fixes.map(({ title, safe, preferred, kind }) => ({ title, safe, preferred, kind })),
  };
}

/** The finding of a record for a tool that starts at `offset`; edits of its fixes are made by running the rules again. */
export function fromRecord(
  record: FindingRecord,
  place: { readonly offset: number; readonly pointer: string; readonly tool: string | undefined },
  edits: (fix: number) => ReturnType<Fix['edits']>,
): Finding {
  const { rule, level, message, targets, unnecessary } = record.finding;
  return {
    rule,
    level,
    span: { start: record.start + place.offset, end: record.end + place.offset },
    message,
    targets,
    tool: place.tool,
    pointer: place.pointer + record.pointer,
    related: record.related.map((each) => shift(each, place.offset)),
    fixes: record.fixes.map((fix, index) => ({ ...fix, edits: () => edits(index) })),
    unnecessary,
  };
}

function shift({ span, message }: RelatedPlace, by: number): RelatedPlace {
  return { span: { start: span.start + by, end: span.end + by }, message };
}

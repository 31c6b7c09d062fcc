/** A part of a text: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether the offset lies in the span or at one of its edges. */
export function touches(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** A parser's answer: the value as JSON text, or what the model is told and where the text is at fault. */
export type BuiltinResult =
  | { readonly ok: true; readonly value: string; readonly notes: readonly string[] }
  /** `offset` in UTF-16 units from 0. */
  | { readonly ok: false; readonly feedback: string; readonly offset: number };

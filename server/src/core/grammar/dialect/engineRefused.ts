import type { Span } from '../../text/span';
import { type JsonValue, memberPlace } from './engineJson';

/** A string's constraint beside its length. */
export type TextRule =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'pattern' | 'format'; readonly source: string };

/** What the engine refuses whatever the alternatives are. */
export class Refused extends Error {
  /** The innermost schema that is to blame. */
  place: Span | undefined;
}

/** A refusal for the sake of one member. */
export function refusedAt(value: JsonValue, message: string): Refused {
  const refused = new Refused(message);
  refused.place = memberPlace(value);
  return refused;
}

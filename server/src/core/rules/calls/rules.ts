import type { Level } from '../../text/finding';
import type { Rule } from '../rule';

/** A rule that speaks of calls that are run: what it says comes from their contract, handler and result. */
const ofCalls = (id: string, level: Level, summary: string): Rule => ({
  id,
  section: 'calls',
  summary,
  levels: { all: level },
});

/** Rules about calls that are run, in the order of the documentation. They hold whatever the targets. */
export const CALL_RULES: readonly Rule[] = [
  ofCalls('call/invalid-json', 'error', 'The arguments are not JSON'),
  ofCalls('call/truncated-json', 'error', 'The arguments end in the middle'),
  ofCalls('call/non-json-number', 'error', 'The arguments have a number that JSON does not know'),
  ofCalls('call/double-encoded', 'error', 'The arguments are a JSON string that holds the arguments'),
  ofCalls('call/stringified-json', 'error', 'A string holds the JSON text of the object or array that is wanted'),
  ofCalls('call/empty-arguments', 'error', 'The arguments are an empty text; a warning where nothing is required'),
  ofCalls('call/type', 'error', 'A value is of another type than the schema says'),
  ofCalls('call/enum', 'error', 'A value is none of those that the schema lists'),
  ofCalls('call/required', 'error', 'A required property is missing'),
  ofCalls('call/unknown-property', 'error', 'The schema does not know a property'),
  ofCalls('call/constraint', 'error', 'A value breaks a bound, a pattern or another constraint of the schema'),
  ofCalls('call/lost-constraint', 'warning', 'The source schema refuses the call and the compiled one accepts it'),
  ofCalls('call/grammar-mismatch', 'error', 'The input does not fit the grammar'),
  ofCalls('call/json-wrapped-freeform', 'error', 'The raw text of a custom tool is wrapped in JSON'),
  ofCalls('grammar/engines-differ', 'info', "The provider's engine and Lark judge an input differently"),
  ofCalls('call/parser-rejects', 'error', 'The contract accepts the call and the handler refuses it'),
  ofCalls('call/parser-accepts', 'warning', 'The contract refuses the call and the handler accepts it'),
  ofCalls(
    'call/missing-structured-content',
    'error',
    'A result lacks the structured content that the output schema asks for',
  ),
  ofCalls('call/output-schema', 'error', 'A result does not fit the output schema'),
  ofCalls('handler/drops-unknown', 'hint', 'The schema closes an object and the handler takes an unknown property'),
  ofCalls('handler/coerces', 'warning', 'The handler accepts a value of another type, or changes it'),
];

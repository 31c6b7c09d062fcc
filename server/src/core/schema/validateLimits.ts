import type { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { t } from '../text/message';
import { constraintFault, type SchemaFault } from './validateFaults';
import type { Form, LimitKeyword } from './validateForms';
import { compareNumbers, isMultiple } from './validateNumbers';

function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** What a limit counts in a value; `undefined` where it does not concern the value. */
function measured(node: JsonNode, keyword: LimitKeyword): string | undefined {
  if (keyword.endsWith('Length')) return node.kind === 'string' ? String(codePoints(node.text)) : undefined;
  if (keyword.endsWith('Items')) return node.kind === 'array' ? String(node.items.length) : undefined;
  if (keyword.endsWith('Properties')) {
    return node.kind === 'object' ? String(effectiveProperties(node).length) : undefined;
  }
  return node.kind === 'number' ? node.text : undefined;
}

/** The fault of a value that breaks a bound, a length or a count. */
export function limitFault(
  form: Form,
  node: JsonNode,
  keyword: LimitKeyword,
  limit: JsonNode,
): SchemaFault | undefined {
  const size = measured(node, keyword);
  if (size === undefined) return undefined;
  const order = keyword === 'multipleOf' ? 0 : compareNumbers(size, limit.text);
  const fault = (message: ReturnType<typeof t>): SchemaFault => constraintFault(form, node, keyword, message);
  switch (keyword) {
    case 'minimum':
      return order < 0 ? fault(t('{0} is less than the minimum {1}.', size, limit.text)) : undefined;
    case 'maximum':
      return order > 0 ? fault(t('{0} is more than the maximum {1}.', size, limit.text)) : undefined;
    case 'exclusiveMinimum':
      return order <= 0 ? fault(t('{0} must be more than {1}.', size, limit.text)) : undefined;
    case 'exclusiveMaximum':
      return order >= 0 ? fault(t('{0} must be less than {1}.', size, limit.text)) : undefined;
    case 'multipleOf':
      return isMultiple(size, limit.text) ? undefined : fault(t('{0} is no multiple of {1}.', size, limit.text));
    case 'minLength':
      return order < 0
        ? fault(t('The length of the string is {0}; the minimum is {1}.', Number(size), Number(limit.text)))
        : undefined;
    case 'maxLength':
      return order > 0
        ? fault(t('The length of the string is {0}; the maximum is {1}.', Number(size), Number(limit.text)))
        : undefined;
    case 'minItems':
      return order < 0
        ? fault(t('The number of items is {0}; the minimum is {1}.', Number(size), Number(limit.text)))
        : undefined;
    case 'maxItems':
      return order > 0
        ? fault(t('The number of items is {0}; the maximum is {1}.', Number(size), Number(limit.text)))
        : undefined;
    case 'minProperties':
      return order < 0
        ? fault(t('The number of properties is {0}; the minimum is {1}.', Number(size), Number(limit.text)))
        : undefined;
    default:
      return order > 0
        ? fault(t('The number of properties is {0}; the maximum is {1}.', Number(size), Number(limit.text)))
        : undefined;
  }
}

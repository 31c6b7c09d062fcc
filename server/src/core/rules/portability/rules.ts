import type { Rule } from '../rule';
import { propertyKey } from './anthropic/propertyKey';
import { refToSmallDefinition } from './compat/refToSmallDefinition';
import { typeList } from './compat/typeList';
import { customUnsupported } from './export/customUnsupported';
import { namespaceUnsupported } from './export/namespaceUnsupported';
import { enumNotString } from './gemini/enumNotString';
import { enumNull } from './gemini/enumNull';
import { nameStart } from './gemini/nameStart';
import { nullUnion } from './gemini/nullUnion';
import { unsupportedKeyword } from './gemini/unsupportedKeyword';
import { emptyOutputSchema } from './mcp/emptyOutputSchema';
import { outputRoot } from './mcp/outputRoot';
import { schemaDialect } from './mcp/schemaDialect';

/** Rules of MCP, Anthropic, Gemini and of conversions, in the order of the documentation. */
export const PORTABILITY_RULES: readonly Rule[] = [
  refToSmallDefinition,
  typeList,
  schemaDialect,
  outputRoot,
  emptyOutputSchema,
  propertyKey,
  unsupportedKeyword,
  enumNotString,
  enumNull,
  nullUnion,
  nameStart,
  customUnsupported,
  namespaceUnsupported,
];

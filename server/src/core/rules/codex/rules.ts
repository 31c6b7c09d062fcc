import type { Rule } from '../rule';
import { constToEnum } from './constToEnum';
import { definitionsDropped } from './definitionsDropped';
import { dynamicTool } from './dynamicTool';
import { itemsDefaulted } from './itemsDefaulted';
import { keywordDropped } from './keywordDropped';
import { nameHashed } from './nameHashed';
import { nameSanitized } from './nameSanitized';
import { namespace } from './namespace';
import { nodeEmptied } from './nodeEmptied';
import { nullRoot } from './nullRoot';
import { overBudget } from './overBudget';
import { reservedName } from './reservedName';
import { rootEmptied } from './rootEmptied';
import { schemaCompacted } from './schemaCompacted';
import { schemaEmptied } from './schemaEmptied';
import { schemaUnsupported } from './schemaUnsupported';
import { strictLossy } from './strictLossy';
import { typeInferred } from './typeInferred';
import { unreachableDefinition } from './unreachableDefinition';

/** Rules about what Codex refuses, drops and changes, in the order of the documentation. */
export const CODEX_RULES: readonly Rule[] = [
  schemaUnsupported,
  nullRoot,
  schemaCompacted,
  overBudget,
  definitionsDropped,
  nodeEmptied,
  schemaEmptied,
  rootEmptied,
  strictLossy,
  unreachableDefinition,
  keywordDropped,
  typeInferred,
  itemsDefaulted,
  constToEnum,
  nameSanitized,
  nameHashed,
  reservedName,
  namespace,
  dynamicTool,
];

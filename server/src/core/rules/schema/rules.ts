import type { Rule } from '../rule';
import { invalidKeywordValue } from './invalidKeywordValue';
import { missingType } from './missingType';
import { neverBranch } from './neverBranch';
import { neverMatches } from './neverMatches';
import { notASchema } from './notASchema';
import { opaqueParameter } from './opaqueParameter';
import { openMap } from './openMap';
import { openVariant } from './openVariant';
import { recursive } from './recursive';
import { refCycle } from './refCycle';
import { refNotLocal } from './refNotLocal';
import { refOutsideDefs } from './refOutsideDefs';
import { tupleItems } from './tupleItems';
import { unknownType } from './unknownType';
import { unresolvedRef } from './unresolvedRef';

/** Rules about schemas that hold for every target, in the order of the documentation. */
export const SCHEMA_RULES: readonly Rule[] = [
  notASchema,
  unknownType,
  invalidKeywordValue,
  missingType,
  opaqueParameter,
  openMap,
  openVariant,
  neverBranch,
  neverMatches,
  tupleItems,
  unresolvedRef,
  refNotLocal,
  refOutsideDefs,
  refCycle,
  recursive,
];

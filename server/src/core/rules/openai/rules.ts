import type { Rule } from '../rule';
import { arrayMissingItems } from './arrayMissingItems';
import { enumCount } from './enumCount';
import { keywordNotPermitted } from './keywordNotPermitted';
import { nestingDepth } from './nestingDepth';
import { objectMissingProperties } from './objectMissingProperties';
import { patternLookaround } from './patternLookaround';
import { propertyCount } from './propertyCount';
import { refSiblings } from './refSiblings';
import { rootCombinator } from './rootCombinator';
import { rootNotObject } from './rootNotObject';
import { strictAdditionalProperties } from './strictAdditionalProperties';
import { strictFormat } from './strictFormat';
import { strictKeyword } from './strictKeyword';
import { strictOpenMap } from './strictOpenMap';
import { strictRequired } from './strictRequired';
import { strictUnion } from './strictUnion';
import { stringBudget } from './stringBudget';

/** Rules of OpenAI's API, in the order of the documentation. */
export const OPENAI_RULES: readonly Rule[] = [
  rootNotObject,
  rootCombinator,
  objectMissingProperties,
  arrayMissingItems,
  keywordNotPermitted,
  nestingDepth,
  enumCount,
  propertyCount,
  stringBudget,
  strictRequired,
  strictAdditionalProperties,
  strictOpenMap,
  strictKeyword,
  strictFormat,
  strictUnion,
  patternLookaround,
  refSiblings,
];

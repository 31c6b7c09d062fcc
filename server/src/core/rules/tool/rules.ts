import { duplicateKey } from '../json/duplicateKey';
import { loneSurrogate } from '../json/loneSurrogate';
import { syntax } from '../json/syntax';
import type { Rule } from '../rule';
import { descriptionOverlap } from './descriptionOverlap';
import { descriptionTooLong } from './descriptionTooLong';
import { duplicateName } from './duplicateName';
import { missingDescription } from './missingDescription';
import { missingName } from './missingName';
import { missingSchema } from './missingSchema';
import { mixedShapes } from './mixedShapes';
import { nameCollidesAfterSanitize } from './nameCollidesAfterSanitize';
import { namePattern } from './namePattern';
import { nameTooLong } from './nameTooLong';
import { nameTooLongPrefixed } from './nameTooLongPrefixed';
import { tooMany } from './tooMany';
import { unknownShape } from './unknownShape';
import { wrongSchemaKey } from './wrongSchemaKey';

/** Rules about files, tools, names and descriptions, in the order of the documentation. */
export const TOOL_RULES: readonly Rule[] = [
  syntax,
  duplicateKey,
  loneSurrogate,
  unknownShape,
  mixedShapes,
  wrongSchemaKey,
  missingName,
  missingSchema,
  missingDescription,
  descriptionOverlap,
  descriptionTooLong,
  namePattern,
  nameTooLong,
  nameTooLongPrefixed,
  duplicateName,
  nameCollidesAfterSanitize,
  tooMany,
];

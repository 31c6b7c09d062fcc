import { DUPLICATE_KEY } from '../json/duplicateKey';
import { LONE_SURROGATE } from '../json/loneSurrogate';
import { SYNTAX } from '../json/syntax';
import type { Rule } from '../rule';
import { DESCRIPTION_OVERLAP } from './descriptionOverlap';
import { DESCRIPTION_TOO_LONG } from './descriptionTooLong';
import { DUPLICATE_NAME } from './duplicateName';
import { MISSING_DESCRIPTION } from './missingDescription';
import { MISSING_NAME } from './missingName';
import { MISSING_SCHEMA } from './missingSchema';
import { MIXED_SHAPES } from './mixedShapes';
import { NAME_COLLIDES_AFTER_SANITIZE } from './nameCollidesAfterSanitize';
import { NAME_PATTERN } from './namePattern';
import { NAME_TOO_LONG } from './nameTooLong';
import { NAME_TOO_LONG_PREFIXED } from './nameTooLongPrefixed';
import { TOO_MANY } from './tooMany';
import { UNKNOWN_SHAPE } from './unknownShape';
import { WRONG_SCHEMA_KEY } from './wrongSchemaKey';

/** Rules about files, tools, names and descriptions, in the order of the documentation. */
export const TOOL_RULES: readonly Rule[] = [
  SYNTAX,
  DUPLICATE_KEY,
  LONE_SURROGATE,
  UNKNOWN_SHAPE,
  MIXED_SHAPES,
  WRONG_SCHEMA_KEY,
  MISSING_NAME,
  MISSING_SCHEMA,
  MISSING_DESCRIPTION,
  DESCRIPTION_OVERLAP,
  DESCRIPTION_TOO_LONG,
  NAME_PATTERN,
  NAME_TOO_LONG,
  NAME_TOO_LONG_PREFIXED,
  DUPLICATE_NAME,
  NAME_COLLIDES_AFTER_SANITIZE,
  TOO_MANY,
];

import type { Rule } from '../rule';
import { configShape } from './shape';
import { unknownRule } from './unknownRule';

/** Rules about the config file, in the order of the documentation. */
export const CONFIG_RULES: readonly Rule[] = [configShape, unknownRule];

import type { Definitions } from '../../calls/definitions';
import type { SampleFile } from '../../calls/model';
import type { JsonNode } from '../../text/json';
import type { Message } from '../../text/message';
import type { Report, Rule } from '../rule';

/** A path in a samples file that leads to no file. */
export interface MissingFile {
  readonly node: JsonNode;
  readonly path: string;
  /** What the file is for. */
  readonly use: 'input' | 'module';
  /** A part of a sentence about the file: "does not exist". */
  readonly failure: Message;
}

/** What a check of a samples file may ask. */
export interface SampleContext {
  readonly file: SampleFile;
  readonly definitions: Definitions;
  readonly missingFiles: readonly MissingFile[];
  report(report: Report): void;
}

/** A rule about files of sample calls. */
export interface SampleRule extends Rule {
  readonly section: 'calls';
  sample(context: SampleContext): void;
}

/** Whether a rule is one about files of sample calls; others of the section speak of calls that are run. */
export function isSampleRule(rule: Rule): rule is SampleRule {
  return rule.section === 'calls' && 'sample' in rule;
}

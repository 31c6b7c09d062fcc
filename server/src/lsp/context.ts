import type { ClientCapabilities, Connection } from 'vscode-languageserver';
import type { InitializationOptions } from '../protocol';
import type { AttachedSamples } from './attached';
import type { ClosedGrammars } from './closedGrammars';
import type { ConfigHandlers } from './configHandlers';
import type { Differences } from './differences';
import type { DriftSearches } from './driftSearches';
import type { Files } from './files';
import type { GrammarChecks } from './grammarChecks';
import type { Grammars } from './grammars';
import type { Guard } from './guard';
import type { NewSamples } from './newSamples';
import type { Outcomes } from './outcomes';
import type { Panels } from './panel/panel';
import type { SampleRuns } from './sampleRuns';
import type { Samples } from './samples';
import type { Sources } from './sources';
import type { ToolLists } from './toolLists';
import type { Verdicts } from './verdicts';
import type { Views } from './views';
import type { Walks } from './walks';

/** What the client said of itself. */
export interface ClientFacts {
  readonly capabilities: ClientCapabilities;
  readonly options: InitializationOptions;
}

/** What every feature works with. */
export interface ServerContext {
  readonly connection: Connection;
  readonly files: Files;
  readonly grammars: Grammars;
  readonly grammarChecks: GrammarChecks;
  readonly closedGrammars: ClosedGrammars;
  readonly verdicts: Verdicts;
  readonly attached: AttachedSamples;
  readonly walks: Walks;
  readonly differences: Differences;
  readonly views: Views;
  readonly toolLists: ToolLists;
  readonly samples: Samples;
  readonly sampleRuns: SampleRuns;
  readonly newSamples: NewSamples;
  readonly outcomes: Outcomes;
  readonly driftSearches: DriftSearches;
  readonly sources: Sources;
  readonly configHandlers: ConfigHandlers;
  readonly panels: Panels;
  readonly guard: Guard;
  readonly client: ClientFacts;
}

import type { Feature } from './feature';
import { callHierarchies, incomingCalls, outgoingCalls } from './features/callHierarchy';
import { codeActionEdits, codeActions } from './features/codeAction';
import { codeLenses } from './features/codeLens';
import { completion } from './features/completion';
import { conversions } from './features/conversion';
import { definitions, documentLinks } from './features/definition';
import { diagnostics } from './features/diagnostic';
import { documentContent } from './features/documentContent';
import { formatting, rangeFormatting } from './features/formatting';
import { hovers } from './features/hover';
import { inlayHints } from './features/inlayHint';
import { panelCalls, panelGenerates, panelRuns, panelSaves, panels, panelTexts } from './features/panel';
import { foldingRanges, selectionRanges } from './features/ranges';
import { documentHighlights, grammarReferences } from './features/references';
import { prepareRenames, renames } from './features/rename';
import { driftSearches, driftStores, sampleAdditions, samplesLists, samplesRuns } from './features/samples';
import { semanticTokensFull, semanticTokensRange } from './features/semanticTokens';
import { snapshots, sourceImports, sourceServers } from './features/sources';
import { documentSymbols, workspaceSymbols } from './features/symbols';
import { toolLists } from './features/toolList';
import { views } from './features/view';
import { walks } from './features/walk';

/** Every request that the server answers. Adding one here announces and handles it. */
export const FEATURES: readonly Feature[] = [
  diagnostics,
  codeActions,
  codeActionEdits,
  inlayHints,
  codeLenses,
  hovers,
  completion,
  definitions,
  documentLinks,
  grammarReferences,
  documentHighlights,
  renames,
  prepareRenames,
  documentSymbols,
  workspaceSymbols,
  foldingRanges,
  selectionRanges,
  semanticTokensFull,
  semanticTokensRange,
  formatting,
  rangeFormatting,
  callHierarchies,
  incomingCalls,
  outgoingCalls,
  documentContent,
  views,
  toolLists,
  conversions,
  walks,
  panels,
  panelTexts,
  panelRuns,
  panelSaves,
  panelCalls,
  panelGenerates,
  samplesLists,
  samplesRuns,
  sampleAdditions,
  driftSearches,
  driftStores,
  sourceServers,
  sourceImports,
  snapshots,
];

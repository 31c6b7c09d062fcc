import type { Feature } from './feature';
import { codeActionEdits, codeActions } from './features/codeAction';
import { codeLenses } from './features/codeLens';
import { diagnostics } from './features/diagnostic';
import { documentContent } from './features/documentContent';
import { hovers } from './features/hover';
import { inlayHints } from './features/inlayHint';
import { views } from './features/view';

/** Every request that the server answers. Adding one here announces and handles it. */
export const FEATURES: readonly Feature[] = [
  diagnostics,
  codeActions,
  codeActionEdits,
  inlayHints,
  codeLenses,
  hovers,
  documentContent,
  views,
];

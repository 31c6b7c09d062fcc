import { inStages } from './stages';

/** The extension in an editor of the web: what the manifest's `browser` names. */
export const { activate, deactivate } = inStages(() => import('./extension.browser'));

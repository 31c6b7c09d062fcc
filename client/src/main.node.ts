import { inStages } from './stages';

/** The extension in a desktop editor: what the manifest's `main` names. */
export const { activate, deactivate } = inStages(() => import('./extension.node'));

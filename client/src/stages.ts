import type * as vscode from 'vscode';

/** What the editor calls of an extension. */
export interface Extension {
  activate(context: vscode.ExtensionContext): void;
  deactivate(): Promise<void>;
}

/** The same, in two stages. */
export interface StagedExtension {
  activate(context: vscode.ExtensionContext): Promise<void>;
  deactivate(): Promise<void>;
}

/**
 * The first stage of the activation: a few lines that give way at once. While an editor starts, its extensions wait for
 * each other in one thread; the code of ours is loaded in a turn of its own, when the others have had theirs. Nothing
 * comes too early for that: the editor holds commands, views, panels and documents of an extension back until the
 * promise of its `activate` is kept.
 */
export function inStages(load: () => Promise<Extension>): StagedExtension {
  let loaded: Promise<Extension> | undefined;
  return {
    async activate(context) {
      loaded = new Promise((resolve) => setTimeout(resolve, 0)).then(load);
      (await loaded).activate(context);
    },
    async deactivate() {
      // A stage that could not be loaded has told so already, and there is nothing to stop.
      const extension = await loaded?.catch(() => undefined);
      await extension?.deactivate();
    },
  };
}

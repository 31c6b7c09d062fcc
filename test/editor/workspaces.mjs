// The workspaces that suites run in: each folder of test/editor/workspaces is one, copied before use.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('./workspaces', import.meta.url));

/** Names of the workspaces. */
export const workspaceNames = () =>
  fs
    .readdirSync(home, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map((each) => each.name);

/**
 * Copies a workspace into a scratch folder. One with a `*.code-workspace` file is a multi-root workspace, any other a
 * plain folder.
 * @returns {{ root: string, folder?: string, workspace?: string }} `root` is the copy.
 */
export function copyWorkspace(name, scratch) {
  const root = path.join(scratch, 'workspace');
  fs.cpSync(path.join(home, name), root, { recursive: true });
  const file = fs.readdirSync(root).find((each) => each.endsWith('.code-workspace'));
  return file ? { root, workspace: path.join(root, file) } : { root, folder: root };
}

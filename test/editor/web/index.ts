import * as vscode from 'vscode';
import { SCHEME } from './memory';
import { tests } from './tests';
import { wakingTests } from './waking';

/**
 * Entry point that VS Code calls in its extension host of the browser. The outcome of each test is logged as one line
 * that begins with `toolspec-result`; the page passes what is logged on to whoever runs the suite.
 */
export async function run(): Promise<void> {
  let failures = 0;
  const { scheme, path } = vscode.workspace.workspaceFolders![0]!.uri;
  const chosen = scheme === SCHEME ? wakingTests.get(path) : tests;
  if (chosen === undefined) throw new Error(`There are no tests for the folder ${path}.`);
  for (const [title, body] of chosen) {
    let error: string | undefined;
    try {
      await body();
    } catch (reason) {
      error = reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
      failures++;
    }
    console.log(
      `toolspec-result ${JSON.stringify({ title, state: error === undefined ? 'passed' : 'failed', error })}`,
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
  if (failures > 0) throw new Error(`${failures} of the tests failed.`);
}

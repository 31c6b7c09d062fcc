import * as vscode from 'vscode';

/**
 * Scheme of the JSON schemas that this extension gives for files of definitions, samples and the config. The built-in
 * JSON support asks for the schema of a file when it opens one with such a name; that is an activation event which
 * stays silent for all other JSON, unlike `onLanguage:json`, and comes whenever the file does, unlike
 * `workspaceContains`.
 */
const SCHEMA_SCHEME = 'toolspec-schema';

const NAMES = new Set(['tool.schema.json', 'samples.schema.json', 'config.schema.json']);

/** Gives the packaged schemas to whoever opens `toolspec-schema:/<name>`. */
export function serveSchemas(extension: vscode.Uri): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEMA_SCHEME, {
    async provideTextDocumentContent({ path }) {
      const name = path.slice(1);
      if (!NAMES.has(name)) return null;
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'schemas', name));
      return new TextDecoder().decode(bytes);
    },
  });
}

import * as vscode from 'vscode';

/** Files of the page, all in one folder: nothing else of the machine can be read by it. */
export function panelRoot(extension: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extension, 'dist', 'panel');
}

/**
 * The page of the panel. Nothing is loaded but the script and the style sheet of the extension: no other script, no
 * inline style, no address of the network.
 *
 * @param texts translations of the page's own texts
 */
export function panelHtml(
  webview: vscode.Webview,
  extension: vscode.Uri,
  texts: Readonly<Record<string, unknown>> | undefined,
): string {
  const root = panelRoot(extension);
  const address = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(root, name)).toString();
  const nonce = makeNonce();
  // Components make their style sheets in script; elements of ours carry sizes as style properties, set in script too.
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
  ].join('; ');
  const json = JSON.stringify(texts ?? {}).replace(/</g, '\\u003c');
  return `<!DOCTYPE html>
<html lang="${escapeHtml(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${address('panel.css')}" id="vscode-codicon-stylesheet">
<title>ToolSpec</title>
</head>
<body>
<div id="panel"></div>
<script type="application/json" id="texts" nonce="${nonce}">${json}</script>
<script type="module" src="${address('panel.js')}" nonce="${nonce}"></script>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** 128 bits that nobody can guess. */
function makeNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

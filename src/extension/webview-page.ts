import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { pageHtml } from './page-html.ts';

/** Sets a webview up: what it may load, and its page. */
export function preparePage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: { readonly name: 'chat' | 'inspector'; readonly title: string },
): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    title: page.title,
    nonce: randomBytes(16).toString('base64url'),
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, `${page.name}.js`)).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, `${page.name}.css`)).toString(),
    language: vscode.env.language,
  });
}

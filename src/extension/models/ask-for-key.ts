import * as vscode from 'vscode';
import type { ApiKeys } from './api-keys.ts';

/**
 * Asks for the API key of an address and keeps it.
 *
 * @returns false where the person left it
 */
export async function askForKey(keys: ApiKeys, baseUrl: string): Promise<boolean> {
  const { host } = new URL(baseUrl);
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API Key for {0}', host),
    prompt: vscode.l10n.t("Kept in the editor's secret storage and sent to {0} only.", host),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      /\s/.test(value.trim()) ? vscode.l10n.t('A key has no spaces or line breaks.') : undefined,
  });
  if (key === undefined || key.trim() === '') return false;
  await keys.set(baseUrl, key.trim());
  return true;
}

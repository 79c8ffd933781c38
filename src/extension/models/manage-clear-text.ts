import * as vscode from 'vscode';
import type { ClearTextConsent } from './clear-text-consent.ts';

/** Lists the origins that may be asked without encryption; picking one withdraws the leave. */
export async function manageClearText(consent: ClearTextConsent): Promise<void> {
  const { origins } = consent;
  const picked = await vscode.window.showQuickPick([...origins], {
    title: vscode.l10n.t('Unencrypted Connections'),
    placeHolder:
      origins.length === 0
        ? vscode.l10n.t('Nothing is sent without encryption, except to this machine')
        : vscode.l10n.t('Pick what it should ask for again'),
  });
  if (picked !== undefined) await consent.withdraw(picked);
}

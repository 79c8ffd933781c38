import * as vscode from 'vscode';
import { type ApprovalRules, type HeldRule, ruleInWords } from '../../agent/approvals/approval-rules.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import type { ClearTextConsent } from '../models/endpoint-access.ts';

interface RuleItem extends vscode.QuickPickItem {
  readonly held: HeldRule;
}

const removeButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: hostText('remove'),
};
const removeAllButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('clear-all'),
  tooltip: hostText('removeAll'),
};

/** Lists the permanent approvals. Choosing an approval, or its button, removes it. */
export function manageApprovals(rules: ApprovalRules): void {
  const pick = vscode.window.createQuickPick<RuleItem>();
  pick.title = hostText('allowedWithoutAsking');
  pick.matchOnDescription = true;
  const show = () => {
    pick.items = rules.list().map(itemOf);
    pick.buttons = pick.items.length === 0 ? [] : [removeAllButton];
    pick.placeholder = pick.items.length === 0 ? hostText('agentAlwaysAsks') : hostText('pickToAskAgain');
  };
  const remove = async (held: readonly HeldRule[]) => {
    for (const { rule } of held) await rules.remove(rule);
    show();
  };
  show();
  pick.onDidTriggerItemButton(({ item }) => remove([item.held]));
  pick.onDidTriggerButton(() => remove(rules.list()));
  pick.onDidAccept(async () => {
    const [item] = pick.selectedItems;
    if (item === undefined) pick.hide();
    else await remove([item.held]);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function itemOf(held: HeldRule): RuleItem {
  return {
    label: editorWording.text(ruleInWords(held.rule)),
    description: held.scope === 'always' ? hostText('alwaysInWorkspace') : hostText('inThisChat'),
    buttons: [removeButton],
    held,
  };
}

/** Lists the servers that may be contacted without encryption. Choosing one withdraws the permission. */
export async function manageClearText(consent: ClearTextConsent): Promise<void> {
  const { origins } = consent;
  const picked = await vscode.window.showQuickPick([...origins], {
    title: hostText('unencryptedConnections'),
    placeHolder: origins.length === 0 ? hostText('nothingUnencrypted') : hostText('pickToAskAgain'),
  });
  if (picked !== undefined) await consent.withdraw(picked);
}

import * as vscode from 'vscode';
import type { SessionHub } from './session-hub.ts';
import type { ActiveSession } from './sessions/active-session.ts';
import { shownTitle } from './sessions/session-notices.ts';
import type { SessionListing } from '../presenters/storage/session-store.ts';

interface SessionItem extends vscode.QuickPickItem {
  readonly listing: SessionListing;
}

const renameButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: vscode.l10n.t('Rename'),
};
const deleteButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: vscode.l10n.t('Delete'),
};

/** Lists the chats of this workspace; picking one resumes it, buttons rename and delete. */
export async function pickSession(hub: SessionHub): Promise<void> {
  const pick = vscode.window.createQuickPick<SessionItem>();
  pick.title = vscode.l10n.t('Chats');
  pick.placeholder = vscode.l10n.t('Resume a chat');
  const load = async () => {
    const { id } = await hub.current();
    pick.items = (await hub.list()).map((listing) => itemOf(listing, listing.id === id));
  };
  await load();
  if (pick.items.length === 0) pick.placeholder = vscode.l10n.t('There are no chats yet');
  pick.onDidTriggerItemButton(async ({ item, button }) => {
    if (button === renameButton) await renameSession(hub, item.listing);
    else await deleteSession(hub, item.listing);
    await load();
    pick.show();
  });
  pick.onDidAccept(async () => {
    const [item] = pick.selectedItems;
    pick.hide();
    if (item !== undefined) await hub.open(item.listing.id);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

export async function renameSession(
  hub: SessionHub,
  { id, title }: Pick<SessionListing, 'id' | 'title'>,
): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Chat'),
    value: shownTitle(title),
    prompt: vscode.l10n.t('A name for this chat'),
  });
  if (name !== undefined && name.trim() !== '') await hub.rename(id, name.trim());
}

export async function deleteSession(
  hub: SessionHub,
  { id, title }: Pick<SessionListing, 'id' | 'title'>,
): Promise<void> {
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Delete the chat “{0}”?', shownTitle(title)),
    { modal: true, detail: vscode.l10n.t('Its messages and compactions are removed from this computer.') },
    vscode.l10n.t('Delete'),
  );
  if (choice !== undefined) await hub.delete(id);
}

/** The active chat, in the form the dialogs need. */
export function listingOf({ id, session }: ActiveSession): Pick<SessionListing, 'id' | 'title'> {
  return { id, title: session.title };
}

function itemOf(listing: SessionListing, isActive: boolean): SessionItem {
  const changed = new Date(listing.changedAt).toLocaleString(vscode.env.language);
  return {
    label: shownTitle(listing.title),
    description: isActive ? vscode.l10n.t('{0} (open)', changed) : changed,
    buttons: [renameButton, deleteButton],
    listing,
  };
}

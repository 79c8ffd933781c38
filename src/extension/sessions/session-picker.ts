import * as vscode from 'vscode';
import type { SessionHub } from './session-hub.ts';
import type { ActiveSession } from './active-session.ts';
import { shownTitle } from './session-notices.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import type { SessionListing } from '../../presenters/storage/session-store.ts';
import { showWarning } from '../editor/plain-notices.ts';

interface SessionItem extends vscode.QuickPickItem {
  readonly listing: SessionListing;
}

const renameButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: hostText('rename'),
};
const deleteButton: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: hostText('delete'),
};

/** Lists the chats of this workspace to open, rename and delete. A title in the list changes with its chat. */
export async function pickSession(hub: SessionHub): Promise<void> {
  const pick = vscode.window.createQuickPick<SessionItem>();
  pick.title = hostText('chats');
  pick.placeholder = hostText('resumeChat');
  const load = async () => {
    const { id } = await hub.current();
    pick.items = (await hub.list()).map((listing) => itemOf(listing, listing.id === id));
  };
  await load();
  if (pick.items.length === 0) pick.placeholder = hostText('noChats');
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
  const titles = hub.onDidHappen(({ type }) => (type === 'title' ? void load() : undefined));
  pick.onDidHide(() => {
    titles.dispose();
    pick.dispose();
  });
  pick.show();
}

export async function renameSession(
  hub: SessionHub,
  { id, title }: Pick<SessionListing, 'id' | 'title'>,
): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: hostText('renameChat'),
    value: shownTitle(title),
    prompt: hostText('chatName'),
    ignoreFocusOut: true,
  });
  if (name !== undefined && name.trim() !== '') await hub.rename(id, name.trim());
}

export async function deleteSession(
  hub: SessionHub,
  { id, title }: Pick<SessionListing, 'id' | 'title'>,
): Promise<void> {
  const choice = await showWarning(
    hostText('deleteChatQuestion', { title: shownTitle(title) }),
    { modal: true, detail: hostText('deleteChatDetail') },
    hostText('delete'),
  );
  if (choice !== undefined) await hub.delete(id);
}

/** The active chat, in the form that dialogs use. */
export function listingOf({ id, session }: ActiveSession): Pick<SessionListing, 'id' | 'title'> {
  return { id, title: session.title };
}

function itemOf(listing: SessionListing, isActive: boolean): SessionItem {
  const changed = new Date(listing.changedAt).toLocaleString(editorWording.language);
  return {
    label: shownTitle(listing.title),
    description: isActive ? hostText('openChat', { changed }) : changed,
    buttons: [renameButton, deleteButton],
    listing,
  };
}

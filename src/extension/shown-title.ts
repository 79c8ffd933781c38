import * as vscode from 'vscode';
import { untitled } from './storage/session-store.ts';

/** The title of a chat for people. What a person has called it stays as it is. */
export function shownTitle(title: string): string {
  return title === untitled ? vscode.l10n.t('New chat') : title;
}

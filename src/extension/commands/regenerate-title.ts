import * as vscode from 'vscode';
import { noSession } from '../../compaction/quoting/session-tags.ts';
import { CancelledError } from '../../compaction/signals/cancellation.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import { writeTitle } from '../../agent/session/write-title.ts';
import { ModelError } from '../../agent/model/chat-model.ts';
import { commandSentences } from '../../language/english/commands-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { commandText } from './manual-edits.ts';
import type { ModelProvider } from '../models/model-provider.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import { signalOf, noticeText } from '../editor/plain-notices.ts';

/**
 * Generates a new title for the active chat, unless the user sets a title in the meantime.
 *
 * @throws {SentenceError} if the chat is empty
 */
export async function regenerateTitle(
  hub: Pick<SessionHub, 'writable' | 'rename'>,
  provider: Pick<ModelProvider, 'models'>,
): Promise<void> {
  const { id, session } = await hub.writable();
  if (session.isEmpty) throw new SentenceError(commandSentences.say('nothingToName'));
  const { chat, compaction = chat } = await provider.models();
  const before = session.title;
  const location = vscode.ProgressLocation.Notification;
  const progress = {
    location,
    title: noticeText(commandText('namingChat', { model: compaction.id })),
    cancellable: true,
  };
  const title = await vscode.window.withProgress(progress, async (_, token) => {
    const signal = signalOf(token);
    const conversation = {
      messages: messagesOf(session.transcript),
      view: session.transcript.view,
      tagSuffix: noSession,
    };
    try {
      const model = await session.compaction.charged(compaction);
      return await writeTitle(conversation, model, signal);
    } catch (error) {
      const isStopped = error instanceof ModelError && error.code === 'cancelled';
      if (signal.aborted || isStopped || error instanceof CancelledError) return undefined;
      throw error;
    }
  });
  if (title !== undefined && session.title === before) await hub.rename(id, title);
}

import { ChangeBatch } from '../../presenters/chat/change-batch.ts';
import { ChatWindow } from '../../presenters/chat/chat-window.ts';
import { type ChatChange, type ChatNotification, type ChatState } from '../../protocol/chat.ts';
import { rowOfMessage } from '../../protocol/shown-messages.ts';
import { editorWording } from '../editor/editor-wording.ts';
import type { SessionPreview } from '../sessions/session-preview.ts';
import { shownTitle } from '../sessions/session-notices.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import type { ChatFeed } from '../../presenters/chat/chat-feed.ts';

interface Page {
  readonly isReady: boolean;
  nextRevision(): number;
  post(notification: ChatNotification): void;
}

interface ChatPageRowsPorts {
  readonly hub: SessionHub;
  readonly page: () => Page | undefined;
  /** The part of the chat's state that is not part of the session. */
  readonly surroundings: () => Pick<
    ChatState,
    'commands' | 'strategies' | 'model' | 'strategy' | 'isTrusted'
  >;
}

/** Sends a page the rows of the active chat: first the newest rows, then changes, and earlier rows on request. */
export class ChatPageRows {
  private readonly ports: ChatPageRowsPorts;
  private readonly window = new ChatWindow();
  private readonly batch = new ChangeBatch((changes) => this.post(changes));
  /** The snapshot that was requested last. Earlier snapshots are no longer posted. */
  private newest: Promise<void> | undefined;
  /** Number of snapshots that are being prepared. A snapshot includes all changes before it is posted. */
  private preparing = 0;

  constructor(ports: ChatPageRowsPorts) {
    this.ports = ports;
  }

  /** Posts the active chat, or the end of the chat that is being opened. Resolves once the newest state has been posted. */
  async postSnapshot(): Promise<void> {
    const { preview } = this.ports.hub;
    const isNewest = () => this.newest === posted;
    const posted: Promise<void> =
      preview.current === undefined ? this.postActive(isNewest) : this.postPreview(preview.current);
    this.newest = posted;
    this.preparing++;
    await posted.finally(() => this.preparing--);
    if (!isNewest()) await this.newest;
  }

  private async postPreview({ id, contents }: SessionPreview): Promise<void> {
    const { hub, surroundings } = this.ports;
    const { tailState } = await import('../../presenters/chat/tail-state.ts');
    const [state, draft] = [await tailState(contents, editorWording), await hub.draftOf(id)];
    const page = this.ports.page();
    if (page === undefined || hub.preview.current?.id !== id) return;
    this.batch.drop();
    page.post({
      type: 'snapshot',
      revision: page.nextRevision(),
      state: { ...state, sessionId: id, draft, ...surroundings() },
    });
  }

  private async postActive(isNewest: () => boolean): Promise<void> {
    const { hub, surroundings } = this.ports;
    const { id, session, view, readOnly } = await hub.current();
    const { feed } = view;
    const [meter, draft] = [await feed.meter(), await hub.draftOf(id)];
    const rows = await feed.allRows();
    if (!isNewest()) return;
    // The rows include the gathered changes. No other message can be posted before the rows.
    this.batch.drop();
    const page = this.ports.page();
    if (page === undefined) return;
    const state: ChatState = {
      sessionId: id,
      title: shownTitle(session.title),
      ...this.window.open(rows, feed.pins),
      activity: session.activity,
      meter,
      streamed: feed.streamed,
      proposal: feed.proposal,
      draft,
      queue: session.queue.all,
      plan: feed.plan,
      pins: feed.pins,
      ...feed.outOfContext,
      readOnly,
      ...surroundings(),
    };
    page.post({ type: 'snapshot', revision: page.nextRevision(), state });
  }

  changed(changes: readonly ChatChange[]): void {
    // Changes of the previous chat would appear in the chat that is being opened.
    if (this.preparing > 0 || this.ports.hub.preview.current !== undefined) return;
    if (this.ports.page()?.isReady !== true) return;
    this.batch.add(this.window.concerning(changes).map(withShownTitle));
    if (changes.some((change) => change.type === 'state' && change.state.pins !== undefined))
      void this.postPinTexts();
  }

  /** @param through id of the earliest row to send */
  async postEarlier(through?: string): Promise<void> {
    const rows = await (await this.feed()).allRows();
    const earlier = this.window.earlier(rows, through);
    if (earlier !== undefined) this.changed([earlier]);
  }

  /** Shows a message. If the page lacks the row of the message, first sends all rows from there on. */
  async reveal(messageId: string): Promise<void> {
    const row = rowOfMessage(await (await this.feed()).allRows(), messageId);
    if (row !== undefined && this.window.isMissing(row.id)) await this.postEarlier(row.id);
    this.ports.page()?.post({ type: 'reveal', messageId });
  }

  /** Records that the page has discarded the rows before `first`. */
  async letGo(first: string): Promise<void> {
    this.window.startAt(await (await this.feed()).allRows(), first);
    await this.postPinTexts();
  }

  private async postPinTexts(): Promise<void> {
    const feed = await this.feed();
    const pinTexts = this.window.pinTexts(await feed.allRows(), feed.pins);
    this.changed([{ type: 'state', state: { pinTexts } }]);
  }

  private async feed(): Promise<ChatFeed> {
    return (await this.ports.hub.current()).view.feed;
  }

  private post(changes: readonly ChatChange[]): void {
    const page = this.ports.page();
    if (page?.isReady === true) page.post({ type: 'changes', revision: page.nextRevision(), changes });
  }
}

/** Translates the title in a change. Rows are already translated. */
function withShownTitle(change: ChatChange): ChatChange {
  if (change.type !== 'state' || change.state.title === undefined) return change;
  return { ...change, state: { ...change.state, title: shownTitle(change.state.title) } };
}

import type { Wording } from '../../language/translated/wording.ts';
import { dispatch, type Handlers } from '../../protocol/messages.ts';
import {
  type PreviewMessage,
  type previewRequests,
  type PreviewView,
} from '../../protocol/inspector-preview.ts';
import type { PreviewChoice } from '../../protocol/shared-requests.ts';
import { CompactionPreview } from './compaction-preview.ts';
import type { InspectorModel } from './inspector-model.ts';
import type { ChangeableSession } from './inspector-target.ts';

/** Functions of the editor that previews use. */
export interface PreviewEditor {
  readonly wording: Wording;
  current(): string;
  /** Asks the user for another strategy; undefined if the user cancels. */
  chooseStrategy(current: string): Promise<string | undefined>;
  /** Asks the user for a focus; undefined if the user cancels. */
  askFocus(current: string): Promise<string | undefined>;
  /** Called whenever a preview has changed. */
  changed(): void;
}

/** The previews of chats. A chat has at most one preview, until the preview is applied or discarded. */
export class PreviewHost {
  private readonly editor: PreviewEditor;
  private readonly previews = new Map<string, CompactionPreview>();
  private plans = 0;
  private readonly handlers: Handlers<typeof previewRequests, Promise<void>, [string, CompactionPreview]> = {
    'preview-check': ({ plan, texts }, _, preview) => preview.check(plan, texts),
    'preview-apply': async ({ plan, texts }, sessionId, preview) => {
      if (await preview.apply(plan, texts)) this.drop(sessionId, preview);
    },
    'preview-again': async ({ plan, texts, change }, sessionId, preview) => {
      preview.keep(plan, texts);
      switch (change) {
        case 'focus': {
          const focus = await this.editor.askFocus(preview.focus);
          if (focus !== undefined) await this.again(sessionId, preview, { focus });
          return;
        }
        case 'strategy': {
          const strategy = await this.editor.chooseStrategy(preview.strategy);
          if (strategy !== undefined) await this.again(sessionId, preview, { strategy });
          return;
        }
        case 'nothing':
          return this.again(sessionId, preview, {});
      }
    },
    'preview-stop': (_, _sessionId, preview) => {
      preview.stop();
      return Promise.resolve();
    },
    'preview-discard': (_, sessionId, preview) => {
      preview.stop();
      this.drop(sessionId, preview);
      return Promise.resolve();
    },
  };

  constructor(editor: PreviewEditor) {
    this.editor = editor;
  }

  /** Plans a compaction and replaces the chat's preview. The new preview is visible at once. */
  async start(
    inspector: Pick<InspectorModel, 'id' | 'preview'>,
    session: ChangeableSession,
    choice: PreviewChoice,
  ): Promise<void> {
    const { id: sessionId } = inspector;
    this.previews.get(sessionId)?.stop();
    const { wording } = this.editor;
    const preview = new CompactionPreview({
      session,
      inspector,
      wording,
      current: () => this.editor.current(),
      nextPlan: () => ++this.plans,
      changed: () => this.editor.changed(),
    });
    this.previews.set(sessionId, preview);
    const { from, to, focus, strategy } = choice;
    await preview.make({ from, to, focus, strategy });
    if (preview.isEmpty) this.drop(sessionId, preview);
  }

  viewOf(sessionId: string): PreviewView | undefined {
    return this.previews.get(sessionId)?.view();
  }

  async handle(request: PreviewMessage, sessionId: string): Promise<void> {
    const preview = this.previews.get(sessionId);
    if (preview !== undefined) await dispatch(this.handlers, request, sessionId, preview);
  }

  /** Stops running work when the page is closed. */
  stop(): void {
    for (const preview of this.previews.values()) preview.stop();
  }

  private async again(
    sessionId: string,
    preview: CompactionPreview,
    change: Pick<PreviewChoice, 'focus' | 'strategy'>,
  ): Promise<void> {
    await preview.again(change);
    if (preview.isEmpty) this.drop(sessionId, preview);
  }

  private drop(sessionId: string, preview: CompactionPreview): void {
    if (this.previews.get(sessionId) !== preview) return;
    this.previews.delete(sessionId);
    this.editor.changed();
  }
}

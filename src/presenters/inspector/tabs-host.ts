import type { ToolSwitch } from '../../agent/session/switched-off.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { messagesOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import type { HeldView, TokenBreakdown } from '../../insights/token-breakdown.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { type CompactionsNotification, compactionsRequests } from '../../protocol/inspector-compactions.ts';
import { placesAtOnce } from '../../protocol/inspector-ledger.ts';
import { type BudgetContext, budgetView } from './budget-view.ts';
import { CompactionsHost, type RecordDialogs } from './compactions-host.ts';
import { type InspectedSession, type InspectorModel, triggerRange } from './inspector-model.ts';
import { LedgerFeed, type LedgerReader } from './ledger-feed.ts';
import { messageText } from './message-view.ts';
import { type PreviewEditor, PreviewHost } from './preview-host.ts';
import type { InspectorTarget } from './inspector-target.ts';
import { TimelineFeed, sessionTools } from './timeline-feed.ts';
import { WhatIfHost, type WhatIfHostPorts } from './what-if-host.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { previewRequests, type PreviewView } from '../../protocol/inspector-preview.ts';
import type { PreviewChoice } from '../../protocol/shared-requests.ts';
import { type WhatIfNotification, whatIfRequests } from '../../protocol/inspector-what-if.ts';
import { dispatch, forwarded, type Handlers } from '../../protocol/messages.ts';
import type {
  RecordsRequest,
  recordsRequests,
  TabsNotification,
  TabsRequest,
  tabsRequests,
} from '../../protocol/inspector.ts';

/** Maximum characters of a message that are sent to a page. */
const longestText = 100_000;

/** Work that runs on another thread, because it takes longer in long conversations. */
interface TabsEngine {
  ledger(meter: UsageMeter): LedgerReader;
  breakDown(
    transcript: Transcript,
    meter: UsageMeter,
    held: Pick<HeldView, 'tools' | 'protectFirst'>,
    most: number,
  ): Promise<TokenBreakdown>;
}

/** Functions that need the editor. */
export interface TabsEditor {
  /** Returns the engine for a session id. If absent, all work runs on this thread. */
  readonly engineOf?: (id: string) => TabsEngine;
  readonly settings: () => Pick<BudgetContext, 'mode' | 'protectFirst' | 'factsOf'>;
  readonly wording: Wording;
  /** Sets the share of the window at which compactions start. */
  setTrigger(ratio: number): Promise<void>;
  /** Switches a tool on or off for the chat. */
  switchTool(change: ToolSwitch): Promise<void>;
  openSetting(id: string): Promise<void>;
  showInChat(messageId: string): Promise<void>;
  /** Opens a message as a read-only document. */
  openMessage(sessionId: string, messageId: string): Promise<void>;
}

/** Answers the requests of the tabs Window, Timeline and Facts. */
export class TabsHost {
  private readonly post: (notification: TabsNotification) => void;
  private readonly editor: TabsEditor;
  private readonly timelines = new TimelineFeed();
  private readonly ledgers = new LedgerFeed();
  private readonly handlers: Handlers<typeof tabsRequests, Promise<void>, [InspectorTarget]> = {
    budget: (_, shown) => this.answerBudget(shown),
    timeline: async (known, shown) => {
      const { inspector } = shown;
      const news = await this.timelines.since(inspector, known, this.modelOf(shown));
      this.post({ type: 'timeline', sessionId: inspector.id, ...news });
    },
    'request-difference': ({ messageId }, shown) => this.answerDifference(messageId, shown),
    'view-points': async (_, { inspector: { id: sessionId, transcript } }) => {
      const { pointViews } = await import('./view-comparison.ts');
      this.post({ type: 'view-points', sessionId, points: pointViews(transcript.entries) });
    },
    'view-difference': async ({ from, to }, { inspector: { id: sessionId, session, meter } }) => {
      const { viewSizes } = await import('./view-comparison.ts');
      const past = { entries: session.transcript.entries, tools: sessionTools(session) };
      const view = await viewSizes(past, { from, to }, meter);
      this.post({ type: 'view-difference', sessionId, view });
    },
    facts: async ({ filter, from }, { inspector }) => {
      const { id: sessionId, meter } = inspector;
      const ledger = this.ledgerOf(inspector);
      this.post({ type: 'facts', sessionId, ...(await ledger.facts(inspector, filter, from)) });
      // Users who open the facts are likely to search next.
      await ledger.prepareSearch(inspector, meter);
    },
    'archive-search': async ({ query, most = placesAtOnce }, { inspector }) => {
      const { id: sessionId, meter } = inspector;
      const found = await this.ledgerOf(inspector).search(inspector, meter, query, most);
      this.post({ type: 'archive-hits', sessionId, query, ...found });
    },
    'archive-text': ({ messageId }, { inspector: { id: sessionId, transcript } }) => {
      const message = messagesOf(transcript).find(({ id }) => id === messageId);
      const whole = message === undefined ? '' : messageText(message);
      const text = headOf(whole, longestText);
      this.post({ type: 'archive-text', sessionId, messageId, text, isCut: text.length < whole.length });
      return Promise.resolve();
    },
    'open-message': ({ messageId }, { inspector }) => this.editor.openMessage(inspector.id, messageId),
    'mark-sentence': async (request, { inspector }) => {
      await inspector.session.mark?.(request);
    },
    'show-in-chat': async ({ messageId }, { isChat }) => {
      if (isChat) await this.editor.showInChat(messageId);
    },
    'open-setting': ({ id }) => this.editor.openSetting(id),
    'switch-tool': async ({ tool, server, isOn }, { isChat }) => {
      if (isChat) await this.editor.switchTool({ tool, server, isOn });
    },
    'set-trigger': async ({ ratio }, { isChat, inspector }) => {
      if (isChat) await this.setTrigger(inspector.session, ratio);
    },
  };

  constructor(post: (notification: TabsNotification) => void, editor: TabsEditor) {
    this.post = post;
    this.editor = editor;
  }

  handle(request: TabsRequest, shown: InspectorTarget): Promise<void> {
    return dispatch(this.handlers, request, shown);
  }

  private async answerBudget(shown: InspectorTarget): Promise<void> {
    const { inspector } = shown;
    const { id: sessionId, session, meter } = inspector;
    const { mode, protectFirst } = this.editor.settings();
    const timeline = await this.timelines.timeline(inspector);
    const view = await budgetView(session, meter, {
      timeline,
      mode,
      protectFirst,
      breakDown: (held, most) =>
        this.editor.engineOf?.(sessionId).breakDown(session.transcript, meter, held, most),
      ...this.modelOf(shown),
      wording: this.editor.wording,
    });
    this.post({ type: 'budget', sessionId, view });
  }

  private ledgerOf({ id, meter }: InspectorModel): LedgerReader {
    return this.editor.engineOf?.(id).ledger(meter) ?? this.ledgers;
  }

  private async answerDifference(messageId: string, shown: InspectorTarget): Promise<void> {
    const { inspector } = shown;
    // Loaded here because few users request it.
    const { requestDifferenceView } = await import('./request-difference-view.ts');
    const { calls } = await this.timelines.timeline(inspector);
    const view = await requestDifferenceView(inspector, messageId, {
      ...this.modelOf(shown),
      calls,
      wording: this.editor.wording,
    });
    if (view !== undefined) this.post({ type: 'request-difference', sessionId: inspector.id, view });
  }

  /** The model of the session, and facts about models. The model of another agent's session is unknown. */
  private modelOf({ inspector, model }: InspectorTarget): Pick<BudgetContext, 'model' | 'factsOf'> {
    const { factsOf } = this.editor.settings();
    if (inspector.session.foreign !== undefined) return { model: undefined, factsOf };
    // Facts that the provider reported are better than facts derived from the model's label.
    return { model: model.label, factsOf: (name) => (name === model.label ? model : factsOf(name)) };
  }

  /** Sets the trigger. Checks the range again, because settings may have changed since the page received it. */
  private async setTrigger({ compaction }: InspectedSession, ratio: number): Promise<void> {
    const range = triggerRange(compaction.budget);
    const rounded = Math.round(ratio * 100) / 100;
    if (range === undefined || rounded < range.least || rounded > range.most) {
      this.post({ type: 'trigger-refused' });
      return;
    }
    await this.editor.setTrigger(rounded);
  }
}

/** Answers requests about applied and tried compactions. Loaded with the first such request. */
export class RecordsHost {
  private readonly compactions: CompactionsHost;
  private readonly whatIf: WhatIfHost;
  private readonly previews: PreviewHost;
  private readonly handlers: Handlers<typeof recordsRequests, Promise<void>, [InspectorTarget]> = {
    ...forwarded(compactionsRequests, (request, shown: InspectorTarget) =>
      this.compactions.handle(request, shown),
    ),
    ...forwarded(whatIfRequests, (request, shown: InspectorTarget) => this.whatIf.handle(request, shown)),
    ...forwarded(previewRequests, (request, { inspector, changes }: InspectorTarget) =>
      changes === undefined ? Promise.resolve() : this.previews.handle(request, inspector.id),
    ),
  };

  constructor(
    post: (notification: CompactionsNotification | WhatIfNotification) => void,
    dialogs: RecordDialogs,
    ports: WhatIfHostPorts,
    previews: PreviewEditor,
  ) {
    this.previews = new PreviewHost(previews);
    this.compactions = new CompactionsHost(post, dialogs);
    this.whatIf = new WhatIfHost(post, ports);
  }

  handle(request: RecordsRequest, shown: InspectorTarget): Promise<void> {
    return dispatch(this.handlers, request, shown);
  }

  /** Plans a compaction and shows it without applying it. */
  async preview({ inspector, changes }: InspectorTarget, choice: PreviewChoice): Promise<void> {
    if (changes !== undefined) await this.previews.start(inspector, changes, choice);
  }

  /** The current preview of a chat, or undefined. */
  previewOf(sessionId: string): PreviewView | undefined {
    return this.previews.viewOf(sessionId);
  }

  dispose(): void {
    this.whatIf.stop();
    this.previews.stop();
  }
}

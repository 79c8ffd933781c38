import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import type { ToolSwitch } from '../../agent/session/switched-off.ts';
import type { CompactionMode } from '../../compaction/service/service-ports.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { messagesOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import type { HeldView, TokenBreakdown } from '../../insights/token-breakdown.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { type CompactionsNotification, compactionsRequests } from '../../protocol/inspector-compactions.ts';
import { placesAtOnce } from '../../protocol/inspector-ledger.ts';
import type { ModelChoice } from '../models/model-choice.ts';
import { budgetView } from './budget-view.ts';
import { CompactionsHost, type RecordDialogs } from './compactions-host.ts';
import { type InspectedSession, type InspectorModel, triggerRange } from './inspector-model.ts';
import { LedgerFeed, type LedgerReader } from './ledger-feed.ts';
import { messageText } from './message-view.ts';
import { canBePreviewed } from './compaction-preview.ts';
import { type PreviewEditor, PreviewHost } from './preview-host.ts';
import { canMark, isRecordSession, type RecordSession } from './record-actions.ts';
import { TimelineFeed, toolsOf } from './timeline-feed.ts';
import { WhatIfHost, type WhatIfHostPorts } from './what-if-host.ts';
import type { Wording } from '../../language/wording.ts';
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

/** Characters of a message that a page is sent. */
const longestText = 100_000;

/** Subject of the requests. */
export interface TabsSubject {
  readonly id: string;
  readonly session: InspectedSession;
  readonly meter: UsageMeter;
  readonly inspector: Pick<InspectorModel, 'viewsOf'>;
  /** False if the shown session is read-only. */
  readonly isChat: boolean;
  /** The model that answers in it; undefined if unknown. */
  readonly model: ModelChoice | undefined;
}

/** Work on a session that takes the longer the more was said, done on another thread. */
export interface TabsEngine {
  ledger(meter: UsageMeter): LedgerReader;
  breakDown(
    transcript: Transcript,
    meter: UsageMeter,
    held: Pick<HeldView, 'tools' | 'protectFirst'>,
    most: number,
  ): Promise<TokenBreakdown>;
}

export interface TabsSettings {
  readonly mode: CompactionMode;
  /** Id of the strategy that is chosen. */
  readonly strategy: string;
  readonly protectFirst: boolean;
  readonly factsOf: (model: string) => ModelFacts;
}

/** Functions that need the editor. */
export interface TabsEditor {
  /** The engine, for the session of an id; without it, everything is done on this thread. */
  readonly engineOf?: (id: string) => TabsEngine;
  readonly settings: () => TabsSettings;
  readonly wording: Wording;
  /** Writes the share of the window at which compactions start. */
  setTrigger(ratio: number): Promise<void>;
  /** Switches a tool on or off for the chat. */
  switchTool(change: ToolSwitch): Promise<void>;
  openSetting(id: string): Promise<void>;
  showInChat(messageId: string): Promise<void>;
  /** Opens a message as a read-only document. */
  openMessage(sessionId: string, messageId: string): Promise<void>;
}

/** Answers the requests of the Budget, the Timeline and the Ledger tab. */
export class TabsHost {
  private readonly post: (notification: TabsNotification) => void;
  private readonly editor: TabsEditor;
  private readonly timelines = new TimelineFeed();
  private readonly ledgers = new LedgerFeed();
  private readonly handlers: Handlers<typeof tabsRequests, Promise<void>, [TabsSubject]> = {
    budget: (_, subject) => this.answerBudget(subject),
    timeline: async (known, { id: sessionId, session, meter }) => {
      const news = await this.timelines.since(session, meter, known);
      this.post({ type: 'timeline', sessionId, ...news });
    },
    'request-difference': ({ messageId }, subject) => this.answerDifference(messageId, subject),
    'view-points': async (_, { id: sessionId, session }) => {
      const { pointViews } = await import('./view-comparison.ts');
      this.post({ type: 'view-points', sessionId, points: pointViews(session.transcript.entries) });
    },
    'view-difference': async ({ from, to }, { id: sessionId, session, meter }) => {
      const { viewSizes } = await import('./view-comparison.ts');
      const past = { entries: session.transcript.entries, tools: toolsOf(session) };
      const view = await viewSizes(past, { from, to }, meter);
      this.post({ type: 'view-difference', sessionId, view });
    },
    facts: async ({ filter, from }, { id: sessionId, session, meter }) => {
      const ledger = this.ledgerOf(sessionId, meter);
      this.post({ type: 'facts', sessionId, ...(await ledger.facts(session, filter, from)) });
      // A person who looks at the facts is about to search, too.
      await ledger.prepareSearch(session, meter);
    },
    'archive-search': async ({ query, most = placesAtOnce }, { id: sessionId, session, meter }) => {
      const found = await this.ledgerOf(sessionId, meter).search(session, meter, query, most);
      this.post({ type: 'archive-hits', sessionId, query, ...found });
    },
    'archive-text': ({ messageId }, { id: sessionId, session }) => {
      const message = messagesOf(session.transcript).find(({ id }) => id === messageId);
      const whole = message === undefined ? '' : messageText(message);
      const text = headOf(whole, longestText);
      this.post({ type: 'archive-text', sessionId, messageId, text, isCut: text.length < whole.length });
      return Promise.resolve();
    },
    'open-message': ({ messageId }, { id }) => this.editor.openMessage(id, messageId),
    'mark-sentence': async (request, { session }) => {
      if (canMark(session)) await session.mark(request);
    },
    'show-in-chat': async ({ messageId }, { isChat }) => {
      if (isChat) await this.editor.showInChat(messageId);
    },
    'open-setting': ({ id }) => this.editor.openSetting(id),
    'switch-tool': async ({ tool, server, isOn }, { isChat }) => {
      if (isChat) await this.editor.switchTool({ tool, server, isOn });
    },
    'set-trigger': async ({ ratio }, { isChat, session }) => {
      if (isChat) await this.setTrigger(session, ratio);
    },
  };

  constructor(post: (notification: TabsNotification) => void, editor: TabsEditor) {
    this.post = post;
    this.editor = editor;
  }

  handle(request: TabsRequest, subject: TabsSubject): Promise<void> {
    return dispatch(this.handlers, request, subject);
  }

  private async answerBudget({ id: sessionId, session, meter, model }: TabsSubject): Promise<void> {
    const { mode, strategy, protectFirst, factsOf } = this.editor.settings();
    const timeline = await this.timelines.timeline(session, meter);
    const view = await budgetView(session, meter, {
      timeline,
      mode,
      strategy,
      protectFirst,
      breakDown: (held, most) =>
        this.editor.engineOf?.(sessionId).breakDown(session.transcript, meter, held, most),
      model: model?.label,
      // Facts found out about the model itself are better than those of its label.
      factsOf: (name) => (name === model?.label ? model : factsOf(name)),
      wording: this.editor.wording,
    });
    this.post({ type: 'budget', sessionId, view });
  }

  private ledgerOf(sessionId: string, meter: UsageMeter): LedgerReader {
    return this.editor.engineOf?.(sessionId).ledger(meter) ?? this.ledgers;
  }

  private async answerDifference(messageId: string, subject: TabsSubject): Promise<void> {
    const { id: sessionId, session, meter, inspector, model } = subject;
    const { factsOf } = this.editor.settings();
    // Only now: few people ask.
    const { requestDifferenceView } = await import('./request-difference-view.ts');
    const view = await requestDifferenceView(session, messageId, {
      meter,
      inspector,
      model: model?.label,
      factsOf: (name) => (name === model?.label ? model : factsOf(name)),
      wording: this.editor.wording,
    });
    if (view !== undefined) this.post({ type: 'request-difference', sessionId, view });
  }

  /** The page only offers what is possible; but settings may have changed since it asked. */
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

/** The session that is shown, with its model. */
export interface RecordsSubject {
  readonly id: string;
  readonly inspector: InspectorModel;
  readonly session: InspectedSession;
  /** False if the shown session is read-only. */
  readonly isChat: boolean;
  readonly model: ModelChoice;
}

/** Answers what is asked about compactions that were made or tried. Loaded with the first such question. */
export class RecordsHost {
  private readonly compactions: CompactionsHost;
  private readonly whatIf: WhatIfHost;
  private readonly previews: PreviewHost;
  private readonly handlers: Handlers<typeof recordsRequests, Promise<void>, [RecordsSubject]> = {
    ...forwarded(compactionsRequests, (request, subject: RecordsSubject) => {
      const { inspector, session } = subject;
      return this.compactions.handle(request, { inspector, session, changes: changesOf(subject) });
    }),
    ...forwarded(whatIfRequests, (request, subject: RecordsSubject) => {
      const { id, inspector, session, model } = subject;
      const { transcript, tools, compaction } = session;
      return this.whatIf.handle(request, {
        sessionId: id,
        inspector,
        transcript,
        tools,
        budget: compaction.budget,
        model,
        session: changesOf(subject),
      });
    }),
    ...forwarded(previewRequests, (request, { id, isChat }: RecordsSubject) =>
      isChat ? this.previews.handle(request, id) : Promise.resolve(),
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

  handle(request: RecordsRequest, subject: RecordsSubject): Promise<void> {
    return dispatch(this.handlers, request, subject);
  }

  /** Plans a compaction for a look before it counts. */
  async preview(
    { id: sessionId, inspector, session, isChat }: RecordsSubject,
    choice: PreviewChoice,
  ): Promise<void> {
    if (isChat && canBePreviewed(session))
      await this.previews.start({ sessionId, inspector, session }, choice);
  }

  /** The preview of a chat as it is now; undefined if it has none. */
  previewOf(sessionId: string): PreviewView | undefined {
    return this.previews.viewOf(sessionId);
  }

  /** Ends what runs in the background, when the inspector is closed. */
  dispose(): void {
    this.whatIf.stop();
    this.previews.stop();
  }
}

/** The session, if it can be changed. */
function changesOf({ session, isChat }: RecordsSubject): RecordSession | undefined {
  return isChat && isRecordSession(session) ? session : undefined;
}

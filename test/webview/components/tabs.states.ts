import { html } from 'lit';
import { compactionsTab } from '../../../webview/inspector/compactions/compactions-tab.ts';
import { flowPicture } from '../../../webview/inspector/compactions/flow-picture.ts';
import { previewPanel } from '../../../webview/inspector/compactions/preview-panel.ts';
import { factsTab } from '../../../webview/inspector/facts/facts-tab.ts';
import { saidMessage } from '../../../webview/inspector/facts/said-message.ts';
import { messagesTab } from '../../../webview/inspector/messages/messages-tab.ts';
import { noAnswers } from '../../../webview/inspector/state/compaction-answers.ts';
import { noMessages } from '../../../webview/inspector/state/messages-data.ts';
import { emptyTimeline, receiveTimeline } from '../../../webview/inspector/state/timeline-state.ts';
import { comparisonPanel } from '../../../webview/inspector/timeline/comparison-panel.ts';
import { differencePanel } from '../../../webview/inspector/timeline/difference-panel.ts';
import { timelineTab } from '../../../webview/inspector/timeline/timeline-tab.ts';
import { whatIfPreview } from '../../../webview/inspector/what-if/what-if-preview.ts';
import { whatIfTab } from '../../../webview/inspector/what-if/what-if-tab.ts';
import { fold } from '../../../webview/inspector/window/folds.ts';
import { windowTab } from '../../../webview/inspector/window/window-tab.ts';
import { flow, inspectorState, ladder, summarySources, usage } from '../support/inspector-fixtures.ts';
import {
  budget,
  facts,
  hits,
  requestDifference,
  timelineAnswer,
  triggerRange,
} from '../support/tab-fixtures.ts';
import { whatIfView } from '../support/what-if-fixtures.ts';
import { type ComponentStates, ignored, page } from './states.ts';

const session = inspectorState({ usage: { ...usage, triggerRange } });
const { sessionId } = session;
const props = { session, view: { filter: {}, open: [], recordId: 'r3' }, page };
const answers = { ...noAnswers, flows: { r3: flow } };
const knownFacts = {
  ...{ filter: { text: '' }, facts, total: facts.length, arrived: facts.length },
  byKind: { requests: { total: 1, gone: 0 }, files: { total: 1, gone: 0 }, commands: { total: 1, gone: 1 } },
  byPresence: { verbatim: 1, ledger: 1, archive: 1 },
};
const size = (tokens: number) => ({ messages: 3, tokens, byKind: usage.byKind });

/** Every tab before and after its answer. */
export const tabStates: ComponentStates = {
  name: 'tabs of the inspector',
  states: {
    'Window, before its answer': () => windowTab({ ...props, budget: undefined, refusals: 0 }),
    Window: () => windowTab({ ...props, budget: { sessionId, view: budget }, refusals: 0 }),
    'Timeline, before its answer': () => timelineTab({ ...props, timeline: emptyTimeline }),
    Timeline: () => timelineTab({ ...props, timeline: receiveTimeline(emptyTimeline, timelineAnswer()) }),
    Compactions: () => compactionsTab({ ...props, answers }),
    'Compactions, none': () =>
      compactionsTab({ ...props, session: { ...session, records: [] }, answers: noAnswers }),
    'What if, before its answer': () => whatIfTab({ ...props, answers: {}, compactions: answers }),
    'What if': () =>
      whatIfTab({ ...props, answers: { sessionId, view: whatIfView() }, compactions: answers }),
    'Facts, before its answer': () => factsTab({ ...props, answers: {} }),
    Facts: () => factsTab({ ...props, answers: { sessionId, facts: knownFacts } }),
    'Messages of another agent': () =>
      messagesTab({
        ...props,
        session: { ...session, messageCount: summarySources.length },
        data: { ...noMessages, sessionId, messages: summarySources },
      }),
  },
};

const said = {
  ...{ message: hits[0]!, canChange: true, page, onToggle: ignored },
  said: { text: '39 passed, 1 failed', isCut: true },
};
const preview = {
  ...{ plan: 1, strategy: 'llm-summary', lost: [], isStale: false, record: ladder },
  summaries: [{ text: 'The lock is in src/lock.ts.', tokens: 1_234 }],
};
const difference = { replyTo: () => 'a38', onStep: ignored, onRecord: ignored, onClose: ignored };

/** Parts of the tabs that open on request. */
export const partStates: ComponentStates = {
  name: 'parts of the tabs',
  states: {
    'a fold': () => fold({ title: 'Tools', note: '3', content: html`<p>read_file</p>` }),
    'a flow with tokens outside the file': () => flowPicture({ record: ladder, flow, unseen: 12_000 }),
    'a message, folded': () => saidMessage({ ...said, isOpen: false }),
    'a message, unfolded': () => saidMessage({ ...said, isOpen: true }),
    'a preview': () => previewPanel({ view: preview, answers, page }),
    'a preview that is being planned': () =>
      previewPanel({
        view: { ...preview, plan: 0, activity: 'planning', record: undefined, summaries: [] },
        answers,
        page,
      }),
    'a preview of a strategy': () =>
      whatIfPreview({
        ...{ strategy: 'ladder', record: ladder, view: whatIfView(), answers, canChange: true },
        post: ignored,
        onBack: ignored,
      }),
    'two requests, before the answer': () => differencePanel({ ...difference, view: undefined }),
    'two requests': () => differencePanel({ ...difference, view: requestDifference }),
    'two points': () =>
      comparisonPanel({
        ...{ session, post: ignored, menu: page.menu, onChoose: ignored, onBack: ignored },
        comparison: {
          points: [
            { type: 'request', number: 1, at: 2 },
            { type: 'now', at: 9 },
          ],
          span: { from: 2, to: 9 },
          sizes: { from: 2, to: 9, before: size(82_746), after: size(51_370) },
        },
      }),
  },
};

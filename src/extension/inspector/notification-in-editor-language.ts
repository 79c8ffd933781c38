import { tierTexts } from '../../insights/engine-sentences.ts';
import { inEditorLanguage } from '../language/in-editor-language.ts';
import type { InspectorNotification } from '../../protocol/inspector.ts';
import type { DiffRowView, MessageView, RecordView } from '../../protocol/inspector-records.ts';
import type { WhatIfView } from '../../protocol/inspector-what-if.ts';

/** What the page is told, with what the engine says in the language of the editor. What was said and done stays. */
export function notificationInEditorLanguage(notification: InspectorNotification): InspectorNotification {
  switch (notification.type) {
    case 'snapshot': {
      const { state } = notification;
      const records = state.records.map(recordViewTexts);
      return { ...notification, state: { ...state, records } };
    }
    case 'diff':
      return { ...notification, rows: notification.rows.map(rowTexts) };
    case 'sources':
      return { ...notification, sources: notification.sources.map(messageTexts) };
    case 'messages':
      return { ...notification, messages: notification.messages.map(messageTexts) };
    case 'bring-back-plan': {
      const { plan } = notification;
      const brought = plan.messages.map(({ message, facts }) => ({
        message: messageTexts(message),
        facts,
      }));
      return { ...notification, plan: { ...plan, messages: brought } };
    }
    case 'what-if':
      return { ...notification, view: whatIfTexts(notification.view) };
    case 'what-if-preview':
      return { ...notification, record: recordViewTexts(notification.record) };
    default:
      return notification;
  }
}

function recordViewTexts(record: RecordView): RecordView {
  const { reason, tiers, warnings } = record;
  return {
    ...record,
    ...(reason === undefined ? {} : { reason: inEditorLanguage(reason) }),
    tiers: tierTexts(tiers, inEditorLanguage),
    warnings: warnings.map(inEditorLanguage),
  };
}

function rowTexts(row: DiffRowView): DiffRowView {
  return {
    ...row,
    reason: inEditorLanguage(row.reason),
    sources: row.sources.map(messageTexts),
    ...(row.output === undefined ? {} : { output: messageTexts(row.output) }),
  };
}

/** The title of a message that does nothing but call tools is their names. */
function messageTexts(message: MessageView): MessageView {
  return message.kind === 'toolCall' ? message : { ...message, title: inEditorLanguage(message.title) };
}

function whatIfTexts(view: WhatIfView): WhatIfView {
  const { problem, rows } = view;
  return {
    ...view,
    ...(problem === undefined ? {} : { problem: inEditorLanguage(problem) }),
    rows: rows.map((row) =>
      row.reason === undefined ? row : { ...row, reason: inEditorLanguage(row.reason) },
    ),
  };
}

import type { ChatRequest } from './chat.ts';
import type { InspectorRequest } from './inspector.ts';
import { parseBudgetRequest } from './inspector-budget.ts';
import { parseCompactionsRequest } from './inspector-compactions.ts';
import { parseLedgerRequest } from './inspector-ledger.ts';
import { parseTimelineRequest } from './inspector-timeline.ts';
import { parseWhatIfRequest } from './inspector-what-if.ts';

/**
 * Messages from a webview are untrusted: a page shows what models and tools wrote. Each is taken apart and put
 * together again from the fields its type has; what does not fit is not a request.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Longest text that a view may send, in characters. */
const longestText = 1_000_000;

const choices = ['once', 'session', 'always', 'reject'] as const;
const reaches = ['sandbox', 'network', 'everything'] as const;
const triggers = ['@', '#', '/'] as const;

export function parseChatRequest(value: unknown): ChatRequest | undefined {
  if (!isFields(value)) return undefined;
  const { type } = value;
  switch (type) {
    case 'ready':
    case 'stop':
    case 'retry':
    case 'compact-now':
    case 'decline-compaction':
    case 'select-strategy':
    case 'set-api-key':
    case 'take-over':
    case 'fork':
      return { type };
    case 'send':
    case 'price': {
      const text = stringIn(value, 'text');
      return text === undefined ? undefined : { type, text };
    }
    case 'draft': {
      const sessionId = stringIn(value, 'sessionId');
      const text = stringIn(value, 'text');
      return sessionId === undefined || text === undefined ? undefined : { type, sessionId, text };
    }
    case 'tool-output': {
      const id = stringIn(value, 'id');
      return id === undefined ? undefined : { type, id };
    }
    case 'open-inspector': {
      const recordId = stringIn(value, 'recordId');
      return recordId === undefined ? { type } : { type, recordId };
    }
    case 'undo':
    case 'record-summary': {
      const recordId = stringIn(value, 'recordId');
      return recordId === undefined ? undefined : { type, recordId };
    }
    case 'compact': {
      const focus = stringIn(value, 'focus');
      const strategy = stringIn(value, 'strategy');
      return {
        type,
        ...(focus === undefined ? {} : { focus }),
        ...(strategy === undefined ? {} : { strategy }),
      };
    }
    case 'complete': {
      const trigger = triggers.find((candidate) => candidate === value['trigger']);
      const query = stringIn(value, 'query');
      return trigger === undefined || query === undefined ? undefined : { type, trigger, query };
    }
    case 'pin': {
      const messageId = stringIn(value, 'messageId');
      const isPinned = value['isPinned'];
      return messageId === undefined || typeof isPinned !== 'boolean'
        ? undefined
        : { type, messageId, isPinned };
    }
    case 'open-file': {
      const path = stringIn(value, 'path');
      const line = value['line'];
      if (path === undefined) return undefined;
      return Number.isSafeInteger(line) && Number(line) > 0
        ? { type, path, line: Number(line) }
        : { type, path };
    }
    case 'decide': {
      const id = stringIn(value, 'id');
      const choice = choices.find((candidate) => candidate === value['choice']);
      const feedback = stringIn(value, 'feedback');
      if (id === undefined || choice === undefined) return undefined;
      const reach = reaches.find((candidate) => candidate === value['reach']);
      return {
        type,
        id,
        choice,
        ...(feedback === undefined ? {} : { feedback }),
        ...(reach === undefined ? {} : { reach }),
      };
    }
    case 'review': {
      const id = stringIn(value, 'id');
      const path = stringIn(value, 'path');
      return id === undefined || path === undefined ? undefined : { type, id, path };
    }
    case 'stop-call':
    case 'unqueue':
    case 'undo-edits': {
      const id = stringIn(value, 'id');
      return id === undefined ? undefined : { type, id };
    }
    case 'edit-message': {
      const id = stringIn(value, 'id');
      const text = stringIn(value, 'text');
      return id === undefined || text === undefined ? undefined : { type, id, text };
    }
    case 'open-sub-agent': {
      const sessionId = stringIn(value, 'sessionId');
      return sessionId === undefined ? undefined : { type, sessionId };
    }
    case 'open-link': {
      const url = stringIn(value, 'url');
      return url === undefined ? undefined : { type, url };
    }
    default:
      return undefined;
  }
}

export function parseInspectorRequest(value: unknown): InspectorRequest | undefined {
  if (!isFields(value)) return undefined;
  const { type } = value;
  const sessionId = stringIn(value, 'sessionId');
  const recordId = stringIn(value, 'recordId');
  const messageId = stringIn(value, 'messageId');
  switch (type) {
    case 'ready':
      return sessionId === undefined ? { type } : { type, sessionId };
    case 'compact-now':
    case 'select-strategy':
      return { type };
    case 'show-session':
      return sessionId === undefined ? undefined : { type, sessionId };
    case 'messages': {
      const from = value['from'];
      if (sessionId === undefined || !Number.isSafeInteger(from) || Number(from) < 0) return undefined;
      return { type, sessionId, from: Number(from) };
    }
    case 'message-text':
      return sessionId === undefined || messageId === undefined ? undefined : { type, sessionId, messageId };
    case 'diff':
    case 'undo':
      return recordId === undefined ? undefined : { type, recordId };
    case 'sources': {
      const index = value['index'];
      if (recordId === undefined || !Number.isSafeInteger(index)) return undefined;
      return { type, recordId, index: Number(index) };
    }
    case 'texts':
    case 'open-diff-editor':
      return recordId === undefined || messageId === undefined ? undefined : { type, recordId, messageId };
    case 'restore':
      return messageId === undefined ? undefined : { type, messageId };
    default:
      return (
        parseCompactionsRequest(value) ??
        parseWhatIfRequest(value) ??
        parseBudgetRequest(value) ??
        parseTimelineRequest(value) ??
        parseLedgerRequest(value)
      );
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function stringIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value.length <= longestText ? value : undefined;
}

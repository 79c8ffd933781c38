import type { ChatRequest } from './chat.ts';
import type { InspectorRequest } from './inspector.ts';

/**
 * Messages from a webview are untrusted: a page shows what models and tools wrote. Each is taken apart and put
 * together again from the fields its type has; what does not fit is not a request.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Longest text that a view may send, in characters. */
const longestText = 1_000_000;

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
      return { type };
    case 'send': {
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
    case 'undo': {
      const recordId = stringIn(value, 'recordId');
      return recordId === undefined ? undefined : { type, recordId };
    }
    case 'open-file': {
      const path = stringIn(value, 'path');
      const line = value['line'];
      if (path === undefined) return undefined;
      return Number.isSafeInteger(line) && Number(line) > 0
        ? { type, path, line: Number(line) }
        : { type, path };
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
  const recordId = stringIn(value, 'recordId');
  const messageId = stringIn(value, 'messageId');
  switch (type) {
    case 'ready': {
      const sessionId = stringIn(value, 'sessionId');
      return sessionId === undefined ? { type } : { type, sessionId };
    }
    case 'compact-now':
    case 'select-strategy':
      return { type };
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
      return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function stringIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value.length <= longestText ? value : undefined;
}

import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import type { ReceivedMessage, ReceivedPart } from '../../presenters/models/client-requests.ts';

/** Role of a system message. VS Code's chat sends it, but the stable API does not name it. */
const systemRole = 3;

/** Reads a message that VS Code sends to a model of ours. Unknown parts, such as marks of other providers, are left out. */
export function receivedMessage({ role, content }: vscode.LanguageModelChatRequestMessage): ReceivedMessage {
  const parts = content.flatMap(receivedPart);
  if (role === vscode.LanguageModelChatMessageRole.Assistant) return { role: 'assistant', parts };
  return { role: (role as number) === systemRole ? 'system' : 'user', parts };
}

function receivedPart(part: unknown): readonly ReceivedPart[] {
  if (part instanceof vscode.LanguageModelToolCallPart)
    return [{ type: 'call', id: part.callId, name: part.name, input: part.input }];
  if (part instanceof vscode.LanguageModelToolResultPart)
    return [{ type: 'result', id: part.callId, parts: part.content.flatMap(textOrImage) }];
  return isThinking(part) ? [{ type: 'thinking', text: [part.value].flat().join('') }] : textOrImage(part);
}

function textOrImage(part: unknown): readonly Extract<ReceivedPart, { type: 'text' | 'image' }>[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: 'text', text: part.value }];
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return [{ type: 'text', text: JSON.stringify(part.value) }];
  if (!(part instanceof vscode.LanguageModelDataPart)) return [];
  const { mimeType: type, data } = part;
  if (type.startsWith('image/'))
    return [{ type: 'image', image: { type, base64: Buffer.from(data).toString('base64') } }];
  const isText = type.startsWith('text/') || type === 'application/json';
  return isText ? [{ type: 'text', text: Buffer.from(data).toString('utf8') }] : [];
}

/** True for a part with reasoning. The stable API has no type for it, although VS Code's chat sends it. */
function isThinking(part: unknown): part is { readonly value: string | readonly string[] } {
  const thinkingPart: unknown = Reflect.get(vscode, 'LanguageModelThinkingPart');
  return typeof thinkingPart === 'function' && part instanceof thinkingPart;
}

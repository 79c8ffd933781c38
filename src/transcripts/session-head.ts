import { geminiParts } from './formats/gemini-cli-turn.ts';
import { textOfParts } from './reading/content-parts.ts';
import type { Fields } from './reading/fields.ts';
import type { FoundAgent } from './session-places.ts';
import { firstTitle } from './typed-title.ts';
import { isRecord } from '../language/is-record.ts';

/** Content of the beginning of a session's file. None of it is checked. */
export interface SessionHead {
  /** The agent's own title, or the first text that a person typed. */
  readonly title?: string | undefined;
  /** The folder that the agent worked in. */
  readonly workspace?: string | undefined;
  /** SHA-256 of that folder's path, in hexadecimal digits. */
  readonly workspaceHash?: string | undefined;
}

/**
 * @param text the first characters of the file, which may break off anywhere
 * @returns the data found; nothing for a malformed file
 */
export function sessionHead(agent: FoundAgent, text: string): SessionHead {
  switch (agent) {
    case 'claude-code':
      return claudeCodeHead(linesOf(text));
    case 'codex':
      return codexHead(linesOf(text));
    case 'gemini-cli':
      return geminiHead(text);
    case 'cline':
    case 'roo-code':
      return taskHead(readJsonHead(text));
  }
}

/**
 * The session that a sub-agent's file belongs to.
 *
 * @param text the first characters of the file
 */
export function parentSessionId(text: string): string | undefined {
  return firstText(linesOf(text).map(({ sessionId }) => sessionId));
}

function claudeCodeHead(lines: readonly Fields[]): SessionHead {
  const given =
    lines.findLast(({ type }) => type === 'custom-title')?.['customTitle'] ??
    lines.findLast(({ type }) => type === 'ai-title')?.['aiTitle'];
  const asked = lines.filter(({ type, isMeta, isCompactSummary }) => {
    return type === 'user' && isMeta !== true && isCompactSummary !== true;
  });
  const own = asked.filter(({ isSidechain }) => isSidechain !== true);
  // A sub-agent's file holds nothing but what it was asked.
  const typed = (own.length > 0 ? own : asked).map(({ message }) =>
    textOfContent(isRecord(message) ? message['content'] : undefined),
  );
  const summary = lines.find(({ type }) => type === 'summary')?.['summary'];
  return {
    title: textIn(given) ?? firstTyped(typed) ?? textIn(summary),
    workspace: firstText(lines.map(({ cwd }) => cwd)),
  };
}

function codexHead(lines: readonly Fields[]): SessionHead {
  const payloads = lines.map(({ type, payload }) => ({ of: type, ...(isRecord(payload) ? payload : {}) }));
  const fields: readonly Fields[] = payloads;
  const told = fields.filter(({ of, type }) => of === 'event_msg' && type === 'user_message');
  const said = fields.filter(({ of, type, role }) => {
    return of === 'response_item' && type === 'message' && role === 'user';
  });
  return {
    title: firstTyped([
      ...told.map(({ message }) => textIn(message)),
      ...said.map(({ content }) => textOfContent(content)),
    ]),
    workspace: firstText(fields.map(({ cwd }) => cwd)),
  };
}

function geminiHead(text: string): SessionHead {
  const lines = linesOf(text);
  const document = lines.length > 0 ? undefined : readJsonHead(text);
  const session = lines[0] ?? (isRecord(document) ? document : {});
  const listed = Array.isArray(document) ? document : (session['messages'] ?? session['history']);
  const told = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  const messages = [...told, ...lines.slice(1)].filter(isRecord);
  const typed = messages
    .filter(({ type, role }) => type === 'user' || role === 'user')
    .map(({ displayContent, content, parts }) =>
      textOfContent(geminiParts(displayContent ?? content ?? parts)?.content),
    );
  const changes = lines.map(({ $set }) => $set).filter(isRecord);
  const summary = [session, ...changes].findLast((fields) => textIn(fields['summary']) !== undefined);
  const { directories, projectHash } = session;
  return {
    title: textIn(summary?.['summary']) ?? firstTyped(typed),
    workspace: Array.isArray(directories) ? firstText(directories) : undefined,
    workspaceHash: textIn(projectHash),
  };
}

function taskHead(document: unknown): SessionHead {
  const messages = Array.isArray(document) ? document.filter(isRecord) : [];
  const text = messages.map(({ content }) => textOfContent(content) ?? '').find((said) => said !== '') ?? '';
  const folder = /^# Current (?:Working|Workspace) Directory \((.*)\) Files$/m.exec(text)?.[1];
  return { title: firstTyped([textIn(text)]), workspace: folder };
}

/** The lines that are objects. The last may be broken off. */
function linesOf(text: string): readonly Fields[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function textOfContent(content: unknown): string | undefined {
  return textIn(textOfParts(content));
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.map(textIn).find((text) => text !== undefined);
}

function firstTyped(texts: readonly (string | undefined)[]): string | undefined {
  return firstTitle(texts.filter((text) => text !== undefined));
}

/**
 * Reads the beginning of a JSON text: what was begun and not ended is ended where the text breaks off. A text that
 * breaks off within a string keeps what there is of it, unless it is a key.
 *
 * @returns undefined if it is not JSON
 */
export function readJsonHead(text: string): unknown {
  const open: string[] = [];
  /** Up to here everything is whole; nothing was begun or ended since. */
  let wholeEnd = 0;
  let isInString = false;
  let end = text.length;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInString) {
      if (character === '"') isInString = false;
      else if (character === '\\') {
        const length = text[index + 1] === 'u' ? 6 : 2;
        if (index + length > text.length) {
          end = index;
          break;
        }
        index += length - 1;
      }
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      wholeEnd = index + 1;
    } else if (character === '}' || character === ']') {
      open.pop();
      wholeEnd = index + 1;
    } else if (character === ',') wholeEnd = index;
  }
  const closing = open.toReversed().join('');
  return (
    parse(text.slice(0, end) + (isInString ? '"' : '') + closing) ?? parse(text.slice(0, wholeEnd) + closing)
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

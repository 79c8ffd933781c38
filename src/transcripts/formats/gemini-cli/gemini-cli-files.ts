import type { SaidPart } from '../../../compaction/messages/typed-parts.ts';
import { isRecord } from '../../../language/is-record.ts';
import {
  type AgentFiles,
  anyName,
  chatSessionFile,
  filledText,
  firstText,
  firstTypedPart,
  lastText,
  type LastUsage,
  lastUsageIn,
  objectLines,
  type SessionHead,
} from '../../reading/agent-files.ts';
import { type Fields, fieldsOf, recordsIn } from '../../reading/fields.ts';
import { readJsonHead } from '../../reading/json-head.ts';
import { geminiParts } from './gemini-cli-turn.ts';

export const geminiCliFiles: AgentFiles = {
  places: ({ home, environment }) => {
    const folder = `${environment['GEMINI_CLI_HOME'] || home}/.gemini/tmp`;
    return [
      {
        folder,
        levels: [anyName, /^chats$/, /^session-.*\.jsonl?$/],
        // Files of sub-agents are in a folder named after the session that started them.
        subAgentLevels: [[anyName, /^chats$/, anyName, chatSessionFile]],
        // A resumed session continues in its file, but leaves another, empty file behind.
        sharedName: /-[\da-f]{8}(?=\.jsonl?$)/,
      },
      { folder, levels: [anyName, /^checkpoint-.*\.json$/] },
    ];
  },
  head: headOf,
  lastUsage: (tail) => {
    const lines = objectLines(tail);
    const said = new Set(lines.map(({ id }) => id).filter((id) => id !== undefined));
    return lastUsageIn(lines, usageIn, (line) => isCompaction(line, said));
  },
};

function headOf(text: string): SessionHead {
  const lines = objectLines(text);
  const document = lines.length > 0 ? undefined : readJsonHead(text);
  const session = lines[0] ?? fieldsOf(document);
  const listed = Array.isArray(document) ? document : (session['messages'] ?? session['history']);
  const messages = [...recordsIn(listed), ...lines.slice(1)];
  const typed = typedIn(messages);
  const changes = lines.map(({ $set }) => $set).filter(isRecord);
  const summary = [session, ...changes].findLast((fields) => filledText(fields['summary']) !== undefined);
  const { directories, projectHash, sessionId } = session;
  // Before the first message, a session contains only the program's text for the model.
  const all = [...messages, ...changes.flatMap((set) => recordsIn(set['messages']))];
  const isSaid =
    all.some(({ type, role }) => type === 'gemini' || role === 'model') ||
    firstTypedPart(typedIn(all)) !== undefined;
  return {
    ...(!isSaid && { isEmpty: true }),
    sessionId: filledText(sessionId),
    title: filledText(summary?.['summary']) ?? firstTypedPart(typed),
    workspace: Array.isArray(directories) ? firstText(directories) : undefined,
    workspaceHash: filledText(projectHash),
    model: lastText(messages.map(({ model }) => model)),
  };
}

function typedIn(messages: readonly Fields[]): readonly (readonly SaidPart[])[] {
  return messages
    .filter(({ type, role }) => type === 'user' || role === 'user')
    .map(
      ({ displayContent, content, parts }) => geminiParts(displayContent ?? content ?? parts)?.texts ?? [],
    );
}

function usageIn({ tokens, model }: Fields): LastUsage | undefined {
  const { input, output } = fieldsOf(tokens);
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  return { tokens: input + output, model: filledText(model) };
}

/**
 * True for a line by which a compaction replaces the model's history. All messages in it have new ids. When Gemini
 * CLI resumes a session, it writes such a line with the existing messages.
 */
function isCompaction({ $set: changes }: Fields, said: ReadonlySet<unknown>): boolean {
  const { messages } = fieldsOf(changes);
  return Array.isArray(messages) && !recordsIn(messages).some(({ id }) => said.has(id));
}

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '../../src/compaction/messages/message.ts';
import { transcriptsFolder } from '../project.ts';
import { benchmarkPorts, readMessages } from './transcript-measures.ts';

/** All real sessions joined into one; undefined if there are no sessions. */
export async function realSessions(): Promise<readonly Message[] | undefined> {
  const folder = join(transcriptsFolder, 'normalised');
  if (!existsSync(folder)) {
    console.log(`No transcripts in ${folder}: only the generated session is compacted.`);
    return undefined;
  }
  const joined: Message[] = [];
  for (const [index, name] of readdirSync(folder).toSorted().entries()) {
    const { messages } = await readMessages(join(folder, name));
    for (const message of messages) joined.push(numbered(message, index));
  }
  return joined;
}

/** The first messages that together have some tokens, or a little more. */
export async function firstTokens(messages: Iterable<Message>, least: number): Promise<readonly Message[]> {
  const { meter } = benchmarkPorts();
  const first: Message[] = [];
  let tokens = 0;
  for (const message of messages) {
    if (tokens >= least) break;
    first.push(message);
    tokens += (await meter.measure([message])).total;
  }
  return first;
}

/** A message whose ids are unique in all sessions. */
function numbered(message: Message, session: number): Message {
  const own = (id: string) => `s${session}-${id}`;
  return {
    ...message,
    id: own(message.id),
    ...(message.tool_call_id === undefined ? {} : { tool_call_id: own(message.tool_call_id) }),
    ...(message.tool_calls === undefined
      ? {}
      : { tool_calls: message.tool_calls.map((call) => ({ ...call, id: own(call.id) })) }),
  };
}

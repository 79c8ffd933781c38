import { isPrompt, isTask, type Message } from '../messages/message.ts';
import { rememberedList } from '../messages/remembered.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { emptyState, type Moment, type RequestState, type WorkState } from '../messages/where-it-stands.ts';
import { framed, type Mark } from '../quoting/mark.ts';
import { cleanText } from '../quoting/quoted.ts';
import { callEnds, hasBegun } from './call-ends.ts';
import { factsOfCall, factText } from './call-facts.ts';

/**
 * The state of the work after messages. The state that a summary carries is taken over, with the messages behind the
 * last one that it covers.
 */
export const workState: (messages: readonly Message[]) => WorkState = rememberedList((messages) => {
  const { earlier, later } = resumed(messages);
  const ends = callEnds(messages);
  let { calls, edits, request } = earlier;
  for (const message of later) {
    if (isPrompt(message)) request = requestOf(message, { calls, edits }) ?? request;
    for (const call of message.tool_calls ?? []) {
      const { end } = ends.get(call)!;
      if (!hasBegun(end)) continue;
      calls++;
      if (end === 'ran' && factsOfCall(call).filesModified.length > 0) edits++;
    }
    if (message.role === 'assistant' && request !== undefined) {
      const isReply = (message.tool_calls ?? []).length === 0;
      request = {
        ...request,
        end: message.interrupted === true ? 'interrupted' : isReply ? 'answered' : 'open',
      };
    }
  }
  const upTo = later.at(-1)?.id ?? earlier.upTo;
  return {
    ...earlier,
    calls,
    edits,
    ...(upTo !== undefined && { upTo }),
    ...(request !== undefined && { request }),
  };
});

/** The state that the newest summary carries, and the messages that it does not cover. */
function resumed(messages: readonly Message[]): {
  readonly earlier: WorkState;
  readonly later: readonly Message[];
} {
  const place = messages.findLastIndex(
    ({ kind, carried }) => kind === 'summary' && carried?.state !== undefined,
  );
  const earlier = messages[place]?.carried?.state ?? emptyState;
  // Messages that stayed beside the summary were there before it was written.
  const covered = messages.findLastIndex(({ id }, index) => index > place && id === earlier.upTo);
  return { earlier, later: messages.slice(Math.max(place, covered) + 1) };
}

function requestOf(message: Message, at: Moment): RequestState | undefined {
  const text = factText(ownWords(message));
  if (text === '') return undefined;
  return { text, ...(isTask(message) && { isTask: true }), end: 'open', at };
}

const tag = 'work_state';
const title = '## Where it stands';
const block = /<work_state(_[a-z0-9]+)?>\n[\s\S]*?\n<\/work_state\1>/gu;

/** The state as a text for models; empty if nothing is known. */
export function renderState(state: WorkState, mark: Mark): string {
  const lines = stateLines(state).map((line) => `- ${cleanText(line, mark)}`);
  return lines.length === 0 ? '' : framed(tag, mark, [title, ...lines].join('\n'));
}

/** The text without a state in it. */
export function withoutState(text: string): string {
  const without = text.replace(block, '');
  return without === text ? text : without.trim();
}

/** The state, one line each; texts of others are in quotes or behind a colon. */
export function stateLines({ request, calls }: WorkState): readonly string[] {
  return request === undefined ? [] : [requestLine(request, calls)];
}

const requestEnds: Readonly<Record<RequestState['end'], string>> = {
  open: 'still being worked on',
  answered: 'answered',
  interrupted: 'interrupted',
  refused: 'stopped when the user refused a call',
};

function requestLine({ text, isTask, end, at }: RequestState, calls: number): string {
  const since = calls - at.calls;
  const work = since === 0 ? '' : `, ${since} ${since === 1 ? 'call' : 'calls'} since`;
  const whose = isTask === true ? 'Last task (given by another agent)' : 'Last request (of the user)';
  return `${whose}, ${requestEnds[end]}${work}: ${text}`;
}

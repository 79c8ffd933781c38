import { isPlan } from '../messages/protection.ts';
import { isPrompt, type Message, type ToolCall, typedText } from '../messages/message.ts';
import { memoised, memoisedByList } from '../messages/memoise.ts';
import type { SentenceMark } from '../messages/sentence-marks.ts';
import { type CheckState, emptyState, type Moment, type WorkState } from '../messages/where-it-stands.ts';
import { type AiderReport, aiderReport } from './aider-reports.ts';
import { askedSession, awaitedAfter, awaitedAtEnd, sessionStatus, startedSession } from './awaited.ts';
import { deedsOf } from './call-deeds.ts';
import { callEnds, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall } from './call-facts.ts';
import { checkRuns, withRun } from './check-results.ts';
import { changesFiles, type GitRun, hasCommitted } from './git-steps.ts';
import { isLookup } from './lookups.ts';
import { marksIn, unmarkedSteps, unmarkedText } from './marked-sentences.ts';
import { agedPlan, closingReplies, newPlan, planAfter, stepsOfPlan } from './plan-steps.ts';
import { repositoryAfter } from './repository.ts';
import { requestAfter } from './request-state.ts';
import { errorsOf } from './result-facts.ts';
import { pullRequestIn } from './result-ids.ts';
import { undoneWork } from './undone-work.ts';

/**
 * Finds the state of the work after messages. Continues the state in the newest summary with the messages
 * that the summary does not cover.
 */
export const workState: (messages: readonly Message[]) => WorkState = memoisedByList((messages) => {
  const { earlier, later } = resumed(messages);
  const ends = callEnds(messages);
  const closing = closingReplies(later);
  const undone = undoneWork(messages).requests;
  let state = earlier;
  let reply: Message | undefined;
  const sessions: Sessions = new Map();
  for (const message of later) {
    if (isPlan(message)) state = { ...state, ...newPlan(stepsOfPlan(message), state) };
    if (closing.has(message)) state = withPlan(state, agedPlan(state, 'answers'));
    const request = requestAfter(state, message, ends, reply, undone);
    if (request !== undefined) state = { ...state, request };
    if (message.role === 'assistant') reply = message;
    else if (isPrompt(message)) reply = undefined;
    for (const call of message.tool_calls ?? []) state = afterCall(state, ends.get(call)!, sessions);
    state = afterReport(state, aiderReport(message));
  }
  const running = state.awaited.filter(({ what }) => what === 'background');
  const atEnd = awaitedAtEnd(later, ends) ?? earlier.awaited.filter(({ what }) => what !== 'background');
  const upTo = later.at(-1)?.id ?? earlier.upTo;
  return {
    ...unmarkedState({ ...state, awaited: [...running, ...atEnd] }, marksIn(messages)),
    ...(upTo !== undefined && { upTo }),
  };
});

/** Removes sentences, steps and questions that the user marked or struck. Marked sentences appear elsewhere. */
export function unmarkedState({ request, ...state }: WorkState, marks: readonly SentenceMark[]): WorkState {
  const text = request === undefined ? undefined : unmarkedText(request.text, marks);
  const isLeft = ({ text }: { readonly text: string }) => unmarkedSteps([text], marks).length > 0;
  return {
    ...state,
    ...(request !== undefined && text !== undefined && { request: { ...request, text } }),
    plan: state.plan.filter(isLeft),
    awaited: state.awaited.filter(isLeft),
  };
}

/** Returns the state in the newest summary, and the messages that the summary does not cover. */
function resumed(messages: readonly Message[]): {
  readonly earlier: WorkState;
  readonly later: readonly Message[];
} {
  const place = messages.findLastIndex(
    ({ kind, carried }) => kind === 'summary' && carried?.state !== undefined,
  );
  const earlier = messages[place]?.carried?.state ?? emptyState;
  // Messages that the summary did not replace can be older than the summary.
  const covered = messages.findLastIndex(({ id }, index) => index > place && id === earlier.upTo);
  return { earlier, later: messages.slice(Math.max(place, covered) + 1) };
}

/** Calls whose commands continue in the background, by the id of the command's session. */
type Sessions = Map<string, ToolCall>;

/** A command line of a call, with its checks, and with what git reports. */
interface RanLine {
  readonly run: GitRun;
  readonly checks: readonly Omit<CheckState, 'at'>[];
  readonly hasCommitted: boolean;
  readonly pullRequest: string | undefined;
}

interface CallWork {
  readonly hasEdited: boolean;
  readonly lines: readonly RanLine[];
}

const workOfCall = memoised((ended: EndedCall) => workBy(ended, undefined));

/** @param asked the call that started the command, if this call only requests more of its output */
function workBy(ended: EndedCall, asked: ToolCall | undefined): CallWork {
  const { call, end, result } = ended;
  const { commands } = factsOfCall(call);
  const output = result === undefined ? '' : typedText(result);
  const session = result === undefined ? undefined : startedSession(result);
  const status = ended.status ?? (asked && result && sessionStatus(result));
  const { folder } = factsOfCall(asked ?? call);
  const runOf = (script: string): GitRun => ({ script, folder, end, status, output });
  const hasEdited =
    end === 'ran' &&
    (deedsOf(ended).files.some(({ what }) => what !== 'read') ||
      commands.some((script) => changesFiles(runOf(script))));
  const errors = () => (result === undefined ? [] : errorsOf(result));
  const ran = asked === undefined ? commands : session === undefined ? factsOfCall(asked).commands : [];
  const lines = ran.map((script): RanLine => {
    const run = runOf(script);
    return {
      run,
      checks: checkRuns({ ...run, end: session === undefined ? end : 'running', errors }),
      hasCommitted: hasCommitted(run),
      pullRequest: end === 'ran' ? pullRequestIn(script, output) : undefined,
    };
  });
  return { hasEdited, lines };
}

function afterCall(state: WorkState, ended: EndedCall, sessions: Sessions): WorkState {
  const { call, end, result } = ended;
  if (!hasBegun(end) || isLookup(call.function.name)) return state;
  const asked = sessions.get(askedSession(call) ?? '');
  const session = result === undefined ? undefined : startedSession(result);
  if (session !== undefined && asked === undefined) sessions.set(session, call);
  const { hasEdited, lines } = asked === undefined ? workOfCall(ended) : workBy(ended, asked);
  const at: Moment = { calls: state.calls + 1, edits: state.edits + (hasEdited ? 1 : 0) };
  let { checks, repository } = state;
  let planned: Pick<WorkState, 'plan' | 'planAge'> = state;
  for (const line of lines) {
    for (const run of line.checks) checks = withRun(checks, { ...run, at });
    repository = repositoryAfter(repository, line.run, at);
    const { pullRequest } = line;
    if (pullRequest !== undefined) repository = { ...repository, pullRequest };
    if (line.hasCommitted) planned = agedPlan({ ...planned, ...at }, 'commits');
  }
  const plan =
    end === 'ran' ? planAfter(state.plan, call, result === undefined ? '' : typedText(result)) : undefined;
  return {
    ...withPlan(state, plan === undefined ? planned : newPlan(plan, at)),
    ...at,
    checks,
    ...(repository !== undefined && { repository }),
    awaited: awaitedAfter(state.awaited, ended, asked),
  };
}

function afterReport(state: WorkState, report: AiderReport | undefined): WorkState {
  if (report === undefined) return state;
  const { edited, undone, head } = report;
  const branch = state.repository?.branch;
  return {
    ...state,
    edits: state.edits + (edited.length + undone.length > 0 ? 1 : 0),
    ...(head !== undefined && { repository: { ...(branch !== undefined && { branch }), commit: head } }),
  };
}

function withPlan(
  { planAge: _age, ...state }: WorkState,
  planned: Pick<WorkState, 'plan' | 'planAge'>,
): WorkState {
  const { plan, planAge } = planned;
  return { ...state, plan, ...(planAge !== undefined && { planAge }) };
}

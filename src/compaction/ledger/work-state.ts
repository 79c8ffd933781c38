import { isPlan } from '../messages/protection.ts';
import { isPrompt, isTask, type Message, textOf, type ToolCall, typedText } from '../messages/message.ts';
import { remembered, rememberedList } from '../messages/remembered.ts';
import type { SentenceMark } from '../messages/sentence-marks.ts';
import { ownWords } from '../messages/typed-parts.ts';
import {
  type Awaited,
  type CheckState,
  emptyState,
  type Moment,
  type PlanStep,
  type RepositoryState,
  type RequestState,
  type WorkState,
} from '../messages/where-it-stands.ts';
import { framed, type Mark } from '../quoting/mark.ts';
import { cleanText, inQuotes } from '../quoting/quoted.ts';
import { headOf } from '../text/clip.ts';
import { parseShallow } from '../text/parse-json.ts';
import { type AiderReport, aiderReport } from './aider-reports.ts';
import { awaitedAfter, awaitedAtEnd, questionFor, reports } from './awaited.ts';
import { askedSession, sessionStatus, startedSession } from './background-session.ts';
import { callEnds, type EndedCall, hasBegun, tellsInterruption } from './call-ends.ts';
import { factsOfCall, factText, folderOfInput } from './call-facts.ts';
import { checkRuns, withRun } from './check-results.ts';
import { isLookup } from './lookups.ts';
import { marksIn, unmarkedSteps, unmarkedText } from './marked-sentences.ts';
import { closingReplies, mostAnswers, planAfter, stepsOfPlan } from './plan-steps.ts';
import { repositoryAfter } from './repository.ts';
import { errorsOf } from './result-facts.ts';

/**
 * The state of the work after messages. The state that a summary carries is taken over, with the messages behind the
 * last one that it covers.
 */
export const workState: (messages: readonly Message[]) => WorkState = rememberedList((messages) => {
  const { earlier, later } = resumed(messages);
  const ends = callEnds(messages);
  const closing = closingReplies(later);
  let state = earlier;
  let reply: Message | undefined;
  const sessions: Sessions = new Map();
  for (const message of later) {
    if (isPlan(message)) state = { ...state, plan: stepsOfPlan(message), answersSincePlan: 0 };
    if (closing.has(message)) state = afterAnswer(state);
    state = { ...state, ...requestAfter(state, message, ends, reply) };
    if (message.role === 'assistant') reply = message;
    else if (isPrompt(message)) reply = undefined;
    for (const call of message.tool_calls ?? []) state = afterCall(state, call, ends.get(call)!, sessions);
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

/** The state without sentences, steps and questions that the user marked: they stand elsewhere, or are struck. */
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

function requestAfter(
  { request, calls, edits, checks }: WorkState,
  message: Message,
  ends: ReadonlyMap<ToolCall, EndedCall>,
  reply: Message | undefined,
): { readonly request?: RequestState } {
  if (isPrompt(message)) {
    const text = headOf(factText(ownWords(message)), longestText);
    // A word like `/exit` is for the program.
    if (text === '' || /^\/[\w-]+$/u.test(text)) return {};
    const question = isTask(message) ? undefined : questionFor(text, reply);
    return {
      request: {
        text,
        ...(question !== undefined && { question }),
        ...(isTask(message) && { isTask: true }),
        end: 'open',
        at: { calls, edits },
      },
    };
  }
  if (request === undefined) return {};
  if (tellsInterruption(message)) return { request: { ...request, end: 'interrupted' } };
  if (message.role !== 'assistant' || message.kind !== undefined) return {};
  const asked = message.tool_calls ?? [];
  const end =
    message.interrupted === true
      ? 'interrupted'
      : asked.length === 0
        ? checks.some(({ result, at }) => result === 'failed' && at.calls === calls) && breaksOff(message)
          ? request.end
          : 'answered'
        : asked.some(reports)
          ? 'answered'
          : asked.some((call) => ends.get(call)?.end === 'refused')
            ? 'refused'
            : 'open';
  return { request: { ...request, end } };
}

/** True for a reply that stops within a sentence: behind a check that failed, it is none yet. */
function breaksOff({ content }: Message): boolean {
  return /[\p{L}\p{N},:]$/u.test(textOf(content).trimEnd());
}

/** Longest request, in characters. */
const longestText = 240;

/** Calls whose commands go on, by the session in which they do. */
type Sessions = Map<string, ToolCall>;

function afterCall(state: WorkState, call: ToolCall, ended: EndedCall, sessions: Sessions): WorkState {
  const { end, result } = ended;
  if (!hasBegun(end) || isLookup(call.function.name)) return state;
  const facts = factsOfCall(call);
  const at: Moment = {
    calls: state.calls + 1,
    edits: state.edits + (end === 'ran' && facts.filesModified.length > 0 ? 1 : 0),
  };
  const output = result === undefined ? '' : typedText(result);
  const asked = sessions.get(askedSession(call) ?? '');
  const session = result === undefined ? undefined : startedSession(result);
  if (session !== undefined && asked === undefined) sessions.set(session, call);
  const status = ended.status ?? (asked && result && sessionStatus(result));
  let { checks, repository } = state;
  for (const script of asked === undefined
    ? facts.commands
    : session === undefined
      ? factsOfCall(asked).commands
      : []) {
    const errors = () => (result === undefined ? [] : errorsOf(result));
    for (const run of checkRuns({ script, end, status, output, errors }))
      checks = withRun(checks, { ...run, at });
    repository = repositoryAfter(
      repository,
      { script, folder: folderOf(asked ?? call), end, status, output },
      at,
    );
  }
  const plan = end === 'ran' ? planAfter(state.plan, call, output) : undefined;
  return {
    ...state,
    ...at,
    checks,
    ...(repository !== undefined && { repository }),
    ...(plan !== undefined && { plan, answersSincePlan: 0 }),
    awaited: awaitedAfter(state.awaited, call, ended, asked),
  };
}

function afterReport(state: WorkState, report: AiderReport | undefined): WorkState {
  if (report === undefined) return state;
  const { edited, head } = report;
  const branch = state.repository?.branch;
  return {
    ...state,
    edits: state.edits + (edited.length > 0 ? 1 : 0),
    ...(head !== undefined && { repository: { ...(branch !== undefined && { branch }), commit: head } }),
  };
}

function afterAnswer(state: WorkState): WorkState {
  if (state.plan.length === 0) return state;
  const answersSincePlan = (state.answersSincePlan ?? 0) + 1;
  return answersSincePlan < mostAnswers
    ? { ...state, answersSincePlan }
    : { ...state, plan: [], answersSincePlan: 0 };
}

const folderOf = remembered((call: ToolCall): string | undefined => {
  return folderOfInput(parseShallow(call.function.arguments)?.value);
});

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

/** The state, one fact a line. */
export function stateLines(state: WorkState): readonly string[] {
  const { request, checks, repository, plan, awaited } = state;
  return [
    ...(request === undefined ? [] : [requestLine(request, state)]),
    ...awaited.map(awaitedLine),
    ...checkLines(checks, state),
    ...(repository === undefined ? [] : repositoryLines(repository, state)),
    ...planLines(plan),
  ];
}

const requestEnds: Readonly<Record<RequestState['end'], string>> = {
  open: 'still being worked on',
  answered: 'answered',
  interrupted: 'interrupted by the user',
  refused: 'the user refused the newest call',
};

function requestLine({ text, question, isTask, end, at }: RequestState, { calls }: Moment): string {
  const since = calls - at.calls;
  const isUntouched = end === 'open' && since === 0;
  const whose = isTask === true ? 'Last task (given by another agent)' : 'Last request (of the user)';
  return `${whose}, ${isUntouched ? 'not answered yet' : requestEnds[end]}${since === 0 ? '' : `, ${counted(since, 'call')} since`}: ${text}${question === undefined ? '' : ` ${answering(question)}`}`;
}

/** Words behind a short answer. */
export function answering(question: string, mark?: Mark): string {
  return `(the assistant had asked: ${inQuotes(question, mark)})`;
}

const awaitedWords: Readonly<Record<Awaited['what'], string>> = {
  answer: "Awaited: the user's answer to this question of the assistant",
  approval: 'Refused by the user, who said nothing since',
  background: 'Running in the background, no end seen',
  'sub-agent': "Awaited: a sub-agent's report",
  result: 'Awaited: the result of a call',
};

function awaitedLine({ what, text }: Awaited): string {
  return `${awaitedWords[what]}: ${text}`;
}

const resultWords: Readonly<Record<CheckState['result'], string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'ran, result not told',
  cancelled: 'was cancelled',
  running: 'was still running',
};

/** The newest run of each kind, and others that failed, unless a later check of their kind passed. */
function checkLines(checks: readonly CheckState[], now: Moment): readonly string[] {
  const newest = checks.filter(
    ({ kind }, index) => checks.findLastIndex((other) => other.kind === kind) === index,
  );
  const passed = new Set(newest.flatMap(({ kind, result }) => (result === 'passed' ? [kind] : [])));
  const others = checks
    .filter((check) => !newest.includes(check) && !passed.has(check.kind))
    .slice(-mostOthers);
  return [
    ...newest.toReversed().map((check) => `Newest ${checkLine(check, now)}`),
    ...others.toReversed().map((check) => `Not run again since: ${checkLine(check, now)}`),
  ];
}

/** Checks that are named beside the newest of their kind. */
const mostOthers = 2;

function checkLine({ kind, command, folder, result, line, at }: CheckState, now: Moment): string {
  const place = folder === undefined ? '' : ` (in ${factText(folder)})`;
  const why = line === undefined ? '' : `; it printed: ${line}`;
  return `${kind}: \`${command}\`${place} ${resultWords[result]}, ${age(at, now)}${why}`;
}

/** The work since a moment, in calls and edits. */
function age(at: Moment, now: Moment): string {
  const [calls, edits] = [now.calls - at.calls, now.edits - at.edits];
  if (calls === 0) return 'in the newest call';
  return `${counted(calls, 'call')} ago, ${edits === 0 ? 'no edits' : counted(edits, 'edit')} since`;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Files of a repository that are named. */
const mostFiles = 10;
/** Calls after which a list of uncommitted files says nothing any more, if files were edited since. */
const longestAge = 30;

function repositoryLines(
  { folder, branch, commit, push, uncommitted }: RepositoryState,
  now: Moment,
): readonly string[] {
  const parts = [
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(commit === undefined
      ? []
      : [`last commit ${commit.hash}${commit.subject === undefined ? '' : ` "${commit.subject}"`}`]),
    ...(push === undefined
      ? []
      : [
          `${push.ref === branch ? '' : `${push.ref} `}${push.isRejected === true ? 'push rejected' : 'pushed'}`,
        ]),
    ...(uncommitted === undefined || isStale(uncommitted.at, now)
      ? []
      : [`${uncommittedWords(uncommitted.files)} (${age(uncommitted.at, now)})`]),
  ];
  const place = folder === undefined ? '' : ` (in ${factText(folder)})`;
  return parts.length === 0 ? [] : [`Git${place}: ${parts.join('; ')}`];
}

function isStale(at: Moment, now: Moment): boolean {
  return now.calls - at.calls > longestAge && now.edits > at.edits;
}

function uncommittedWords(files: readonly string[]): string {
  if (files.length === 0) return 'nothing uncommitted';
  const more = files.length > mostFiles ? `, and ${files.length - mostFiles} more` : '';
  return `uncommitted: ${files.slice(0, mostFiles).join(', ')}${more}`;
}

function planLines(plan: readonly PlanStep[]): readonly string[] {
  if (plan.length === 0) return [];
  const done = plan.filter(({ state }) => state === 'done').length;
  const steps = (wanted: PlanStep['state']) =>
    plan.filter(({ state }) => state === wanted).map(({ text }) => text);
  const [current, open] = [steps('in progress'), steps('open')];
  return [
    `Plan (of the assistant): ${done} of ${counted(plan.length, 'step')} done`,
    ...current.map((text) => `In progress: ${text}`),
    ...open.slice(0, mostSteps).map((text) => `Open: ${text}`),
    ...(open.length > mostSteps ? [`and ${open.length - mostSteps} more open`] : []),
  ];
}

/** Open steps of a plan that are named. */
const mostSteps = 12;

import { factText } from './call-facts.ts';
import type {
  Awaited,
  CheckState,
  Moment,
  PlanStep,
  RepositoryState,
  RequestState,
  WorkState,
} from '../messages/where-it-stands.ts';
import { framed, type TagSuffix } from '../quoting/session-tags.ts';
import { cleanText, inQuotes } from '../quoting/quoted.ts';

const tag = 'work_state';
const title = '## Where it stands';
const block = /<work_state(_[a-z0-9]+)?>\n[\s\S]*?\n<\/work_state\1>/gu;

/** Writes the state of the work as a text for models; empty if nothing is known. */
export function renderState(state: WorkState, tagSuffix: TagSuffix): string {
  const lines = stateLines(state).map((line) => `- ${cleanText(line, tagSuffix)}`);
  return lines.length === 0 ? '' : framed(tag, tagSuffix, [title, ...lines].join('\n'));
}

/** Removes the state from a text. */
export function withoutState(text: string): string {
  const without = text.replace(block, '');
  return without === text ? text : without.trim();
}

/** Writes the state, one fact per line. */
export function stateLines(state: WorkState): readonly string[] {
  const { request, checks, repository, awaited } = state;
  return [
    ...(request === undefined ? [] : [requestLine(request, state)]),
    ...awaited.map(({ what, text }) => `${awaitedWords[what]}: ${text}`),
    ...checkLines(checks, state),
    ...(repository === undefined ? [] : repositoryLines(repository, state)),
    ...planLines(state),
  ];
}

const requestEnds: Readonly<Record<RequestState['end'], string>> = {
  open: 'still being worked on',
  answered: 'answered',
  interrupted: 'interrupted by the user',
  refused: 'the user refused the newest call',
  closed: 'over: the user thanked or took leave',
  undone: 'the work for it was taken back',
};

function requestLine(request: RequestState, { calls }: Moment): string {
  const { text, question, isTask, end, failed, at } = request;
  const since = calls - at.calls;
  const isUntouched = end === 'open' && since === 0;
  const told = [
    isTask === true ? 'Last task (given by another agent)' : 'Last request (of the user)',
    isUntouched ? 'not answered yet' : requestEnds[end],
    ...(since === 0 ? [] : [`${counted(since, 'call')} since`]),
    ...(failed === undefined || end === 'closed' || end === 'undone'
      ? []
      : [`its newest step failed (${failed})`]),
  ];
  return `${told.join(', ')}: ${text}${question === undefined ? '' : ` ${answering(question)}`}`;
}

/** Returns the text after a short answer, with the question that it answers. */
export function answering(question: string, tagSuffix?: TagSuffix): string {
  return `(the assistant had asked: ${inQuotes(question, tagSuffix)})`;
}

const awaitedWords: Readonly<Record<Awaited['what'], string>> = {
  answer: "Awaited: the user's answer to this question of the assistant",
  approval: 'Refused by the user, who said nothing since',
  background: 'Running in the background, no end seen',
  'sub-agent': "Awaited: a sub-agent's report",
  result: 'Awaited: the result of a call',
};

const resultWords: Readonly<Record<CheckState['result'], string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'ran, result not told',
  cancelled: 'was cancelled',
  running: 'was still running',
};

/** Writes the newest check of each kind. Leaves out old checks without a result. */
function checkLines(checks: readonly CheckState[], now: Moment): readonly string[] {
  const told = checks.filter(({ result, at }) => /^(?:passed|failed)$/u.test(result) || !isStale(at, now));
  const lastFailed = checks.findLast(({ result }) => result === 'failed');
  return told.toReversed().map((check) => `Newest ${checkLine(check, now, check === lastFailed)}`);
}

function checkLine(check: CheckState, now: Moment, isWhole: boolean): string {
  const { kind, command, folder, result, line, more = [], at } = check;
  const place = folder === undefined ? '' : ` (in ${factText(folder)})`;
  const printed = line === undefined || isStale(at, now) ? [] : isWhole ? [line, ...more] : [line];
  const why = printed.length === 0 ? '' : `; it printed: ${printed.join(' | ')}`;
  return `${kind}: \`${command}\`${place} ${resultWords[result]}, ${age(at, now)}${why}`;
}

/** Writes the age of an observation: the numbers of calls and edits since then. */
function age(at: Moment, now: Moment): string {
  const [calls, edits] = [now.calls - at.calls, now.edits - at.edits];
  if (calls === 0) return 'in the newest call';
  return `${counted(calls, 'call')} ago, ${edits === 0 ? 'no edits' : counted(edits, 'edit')} since`;
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Maximum number of files that are listed for a repository. */
const mostFiles = 10;
/** Number of calls after which observations are outdated, if files were edited since. */
const longestAge = 30;

function repositoryLines(
  { folder, branch, commit, push, pullRequest, uncommitted }: RepositoryState,
  now: Moment,
): readonly string[] {
  const parts = [
    ...(branch === undefined ? [] : [`branch ${branch}`]),
    ...(commit === undefined ? [] : [commitWords(commit, now)]),
    ...(push === undefined
      ? []
      : [
          `${push.ref === branch ? '' : `${push.ref} `}${push.isRejected === true ? 'push rejected' : 'pushed'}`,
        ]),
    ...(pullRequest === undefined ? [] : [`pull request ${pullRequest}`]),
    ...(uncommitted === undefined || isStale(uncommitted.at, now)
      ? []
      : [`${uncommittedWords(uncommitted.files)} (${age(uncommitted.at, now)})`]),
  ];
  const place = folder === undefined ? '' : ` (in ${factText(folder)})`;
  return parts.length === 0 ? [] : [`Git${place}: ${parts.join('; ')}`];
}

function commitWords(
  { hash, subject, at, newer }: NonNullable<RepositoryState['commit']>,
  { calls }: Moment,
): string {
  const ago = at === undefined || at.calls === calls ? [] : [`${counted(calls - at.calls, 'call')} ago`];
  const since = newer === undefined ? [] : [`${newer} was shown since, which may be newer`];
  const notes = [...ago, ...since];
  const title = subject === undefined ? '' : ` "${subject}"`;
  return `last commit ${hash}${title}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function isStale(at: Moment, now: Moment): boolean {
  return now.calls - at.calls > longestAge && now.edits > at.edits;
}

function uncommittedWords(files: readonly string[]): string {
  if (files.length === 0) return 'nothing uncommitted';
  const more = files.length > mostFiles ? `, and ${files.length - mostFiles} more` : '';
  return `uncommitted: ${files.slice(0, mostFiles).join(', ')}${more}`;
}

function planLines({ plan, planAge, calls }: WorkState): readonly string[] {
  if (plan.length === 0) return [];
  const done = plan.filter(({ state }) => state === 'done').length;
  const steps = (wanted: PlanStep['state']) =>
    plan.filter(({ state }) => state === wanted).map(({ text }) => text);
  const [current, open] = [steps('in progress'), steps('open')];
  const { answers = 0, commits = 0, at = { calls } } = planAge ?? {};
  const isOld = answers + commits > 0;
  const since = calls - at.calls;
  const told = [
    `Plan (of the assistant): ${done} of ${counted(plan.length, 'step')} done`,
    ...(isOld && since > 0 ? [`as of ${counted(since, 'call')} ago`] : []),
    ...(isOld ? [`before the newest ${commits > 0 ? 'commit' : 'answer'}`] : []),
  ];
  return [
    told.join(', '),
    ...current.map((text) => `${isOld ? 'Then in progress' : 'In progress'}: ${text}`),
    ...open.slice(0, mostSteps).map((text) => `${isOld ? 'Then open' : 'Open'}: ${text}`),
    ...(open.length > mostSteps ? [`and ${open.length - mostSteps} more open`] : []),
  ];
}

/** Maximum number of open steps that are listed for a plan. */
const mostSteps = 12;

import type { Ledger } from '../messages/ledger.ts';
import { remembered } from '../messages/remembered.ts';
import { isTyped, type Message, type ToolCall } from '../messages/message.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { parseShallow } from '../text/parse-json.ts';
import { factText } from './call-facts.ts';
import { standingStatements } from './replacement.ts';
import {
  decisionsOfModel,
  isEnding,
  sentencesIn,
  type Statement,
  type Statements,
  statementsIn,
} from './statements.ts';
import { isRecord } from '../../language/is-record.ts';

/** Facts that one message, or the ledger in a summary, adds to a conversation. */
export interface Spoken {
  /** Texts of requests as the person wrote them. */
  readonly requests: readonly string[];
  readonly statements: Statements;
}

const nothing: Spoken = { requests: [], statements: { statements: [], retraction: 'none' } };

/** Facts that a person or a model states in a message; none for every other message. */
export function spokenIn(message: Message): Spoken {
  if (isTyped(message)) {
    const text = ownWords(message);
    return text.trim() === '' ? nothing : { requests: [text], statements: statementsIn(text) };
  }
  if (message.role === 'assistant' && message.kind === undefined && typeof message.content === 'string') {
    return { requests: [], statements: decisionsOfModel(message.content) };
  }
  return nothing;
}

/** Facts that the ledger of a summary carries on: its requests are read again, as a later message may replace them. */
export function spokenInLedger({ requests, decisions, choices, constraints }: Ledger): readonly Spoken[] {
  const carried = (kind: Statement['kind'], texts: readonly string[]) =>
    texts.map((text): Statement => ({ text, kind, isChange: false }));
  const listed: Statements = {
    statements: [
      ...carried('decision', decisions),
      ...choices.map((text): Statement => ({ text, kind: 'decision', isChange: false, isOfModel: true })),
      ...carried('constraint', constraints),
    ],
    retraction: 'none',
  };
  return [
    ...requests.map((text): Spoken => ({ requests: [text], statements: statementsIn(text) })),
    { requests: [], statements: listed },
  ];
}

/** The sections of a ledger that come from what was said. */
export type SpokenSections = Pick<Ledger, 'requests' | 'decisions' | 'choices' | 'constraints' | 'replaced'>;

/** Sorts statements into sections. A replaced statement or request appears only in the section for replaced ones. */
export function spokenFacts(spoken: readonly Spoken[]): SpokenSections {
  const { statements, replaced } = standingStatements(spoken.map((one) => one.statements));
  const gone = new Set(replaced.map(({ text }) => text));
  const of = (kind: Statement['kind'], isOfModel = false) =>
    statements
      .filter((statement) => statement.kind === kind && (statement.isOfModel === true) === isOfModel)
      .map(({ text }) => text);
  return {
    requests: spoken.flatMap((one) =>
      requestsIn(one).flatMap((request) => standingRequest(request, gone) ?? []),
    ),
    decisions: of('decision'),
    choices: of('decision', true),
    constraints: of('constraint'),
    replaced,
  };
}

/** The requests of a message, read once: as a fact, and sentence by sentence. */
const requestsIn = remembered(({ requests }: Spoken) =>
  requests.map((text) => ({
    fact: factText(text),
    sentences: sentencesIn(text).map((sentence) => ({ sentence, isOver: isEnding(sentence) })),
  })),
);
type Request = ReturnType<typeof requestsIn>[number];

/** A request without the sentences that were replaced; undefined if nothing is left of it. */
function standingRequest({ fact, sentences }: Request, gone: ReadonlySet<string>): string | undefined {
  if (gone.size === 0) return fact;
  const left = sentences.filter(({ sentence, isOver }) => !isOver && !gone.has(sentence));
  if (left.length === sentences.length) return fact;
  return left.length === 0 ? undefined : factText(left.map(({ sentence }) => sentence).join(' '));
}

/** Tools with which agents keep a list of steps: our own, and those of common agents. */
export const planTool =
  /^(?:(?:update|write|set|manage)_?)?(?:plan|todos?|todo_?list|tasks?)(?:_?(?:write|update|list))?$/iu;
const doneStatus = /^(?:completed?|done|cancell?ed|skipped|finished)$/iu;
const heading =
  /^(?:#{1,6}\s*|\*\*)?(?:(?:the |my )?(?:next|remaining|open|outstanding) (?:steps?|tasks?|work|items?)|what(?:['’]s| is) (?:left|next)|still to do|to ?do|下一步|接下来|待办|剩余(?:工作|任务)?)\s*(?:\*\*\s*)?(?:[:：]\s*)?(?:\*\*\s*)?$/iu;
const item = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[ \]\s*)?(\S.*)$/u;
const doneItem = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[[xX]\]|~~|✅)/u;
const announcement =
  /^(?:(?:the )?next steps? (?:is|are|will be|would be)|next(?:,? (?:i|we)(?:['’]ll| will)|\s*:)|(?:what )?(?:remains|is left)(?: to do)?(?: is)?\b|still (?:to do|open|missing)\s*:|下一步)/iu;
const mostSteps = 10;
/** A step named twice by its status and its text is one word longer than this, in characters. */
const shortestStep = 3;

/** The steps of a plan that a call writes which are not done yet; undefined for any other call. */
export function openStepsOf({ function: called }: ToolCall): readonly string[] | undefined {
  if (!planTool.test(called.name)) return undefined;
  const list = listIn(parseShallow(called.arguments)?.value);
  if (list === undefined) return undefined;
  return list.flatMap((entry) => openStep(entry) ?? []).slice(0, mostSteps);
}

function listIn(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input as readonly unknown[];
  if (!isRecord(input)) return undefined;
  return Object.values(input).find((value): value is readonly unknown[] => Array.isArray(value));
}

function openStep(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  const { status, state, done, completed, ...rest } = entry;
  const isDone =
    done === true || completed === true || [status, state].some((value) => doneStatus.test(String(value)));
  if (isDone) return undefined;
  const named = ['step', 'content', 'title', 'text', 'task', 'description', 'name'].map((name) => rest[name]);
  const text = named.find((value) => typeof value === 'string');
  return text !== undefined && text.trim().length >= shortestStep ? factText(text) : undefined;
}

/** Steps that a reply says are left to do: the list under such a heading, or the sentences that say so. */
export function announcedSteps({ role, content }: Pick<Message, 'role' | 'content'>): readonly string[] {
  if (role !== 'assistant' || typeof content !== 'string') return [];
  const lines = content.split('\n');
  const start = lines.findLastIndex((line) => heading.test(line.trim()));
  if (start >= 0) {
    const steps: string[] = [];
    for (const line of lines.slice(start + 1)) {
      const step = item.exec(line)?.[1];
      if (step !== undefined && !doneItem.test(line)) steps.push(factText(step));
      // A line of text ends the list, a blank one or a step's own details do not.
      else if (line.trim() !== '' && !/^\s/u.test(line) && !doneItem.test(line)) break;
    }
    if (steps.length > 0) return steps.slice(0, mostSteps);
  }
  return sentencesIn(content)
    .filter((sentence) => announcement.test(sentence))
    .slice(-2);
}

import { pairCalls } from '../exchange.ts';
import { isTyped, typedText, type Message } from '../message.ts';
import { factsOfCall, type CallFacts } from './call-facts.ts';
import { factText } from './fact-text.ts';
import { emptyLedger, mergeLedgers, type CommandFact, type Ledger } from './ledger.ts';
import { parseLedger } from './render.ts';
import { errorsIn, exitStatusIn } from './result-facts.ts';
import { constraintsIn, decisionsIn } from './spoken-facts.ts';

/** The facts of one message, as far as it alone tells them. */
interface MessageFacts {
  readonly requests: readonly string[];
  readonly calls: readonly CallFacts[];
  readonly errors: readonly string[];
  readonly status: number | undefined;
  readonly decisions: readonly string[];
  readonly constraints: readonly string[];
  /** What a summary carries on from earlier messages. */
  readonly earlier: Ledger | undefined;
}

/** Kept as long as the message: most messages are looked at again at every compaction. */
const known = new WeakMap<Message, MessageFacts>();

/** The facts of messages, from structured fields where there are any. Ledgers in summaries are taken over. */
export function extractLedger(messages: readonly Message[]): Ledger {
  const { callerOf } = pairCalls(messages);
  const statusOf = new Map<number, (number | undefined)[]>();
  const facts = messages.map(factsOf);
  facts.forEach(({ status }, index) => {
    const caller = callerOf.get(index);
    if (caller !== undefined) statusOf.set(caller, [...(statusOf.get(caller) ?? []), status]);
  });

  let earlier = emptyLedger;
  const sections: Record<keyof Ledger, Map<string, CommandFact>> = {
    requests: new Map(),
    filesModified: new Map(),
    filesRead: new Map(),
    commands: new Map(),
    errors: new Map(),
    identifiers: new Map(),
    decisions: new Map(),
    constraints: new Map(),
  };
  const meet = (section: keyof Ledger, text: string, status?: number): void => {
    sections[section].delete(text);
    sections[section].set(text, status === undefined ? { command: text } : { command: text, status });
  };
  facts.forEach((fact, index) => {
    if (fact.earlier !== undefined) earlier = mergeLedgers(earlier, fact.earlier);
    fact.calls.forEach((call, position) => {
      for (const path of call.filesModified) meet('filesModified', path);
      for (const path of call.filesRead) meet('filesRead', path);
      for (const command of call.commands) meet('commands', command, statusOf.get(index)?.[position]);
      for (const identifier of call.identifiers) meet('identifiers', identifier);
    });
    for (const section of ['requests', 'errors', 'decisions', 'constraints'] as const) {
      for (const text of fact[section]) meet(section, text);
    }
  });
  const texts = (section: keyof Ledger) => [...sections[section].keys()];
  return mergeLedgers(earlier, {
    requests: texts('requests'),
    filesModified: texts('filesModified'),
    filesRead: texts('filesRead'),
    commands: [...sections.commands.values()],
    errors: texts('errors'),
    identifiers: texts('identifiers'),
    decisions: texts('decisions'),
    constraints: texts('constraints'),
  });
}

function factsOf(message: Message): MessageFacts {
  const facts = known.get(message) ?? read(message);
  known.set(message, facts);
  return facts;
}

function read(message: Message): MessageFacts {
  const text = typedText(message);
  const isTool = message.role === 'tool';
  const typed = isTyped(message);
  const isSpoken = typed || (message.role === 'assistant' && message.kind === undefined);
  return {
    requests: typed && text.trim() !== '' ? [factText(text)] : [],
    calls: (message.tool_calls ?? []).map(factsOfCall),
    errors: isTool ? errorsIn(text) : [],
    status: isTool ? exitStatusIn(text) : undefined,
    decisions: isSpoken ? decisionsIn(text) : [],
    constraints: typed ? constraintsIn(text) : [],
    earlier: message.kind === 'summary' ? parseLedger(text) : undefined,
  };
}

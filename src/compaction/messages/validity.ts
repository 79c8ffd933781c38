import type { Sentence } from '../../language/sentence.ts';
import { acceptanceSentences } from '../../language/english/acceptance-english.ts';
import { isBlank, roles, type ChatMessage } from './message.ts';

type ViolationCode =
  | 'unknown-role'
  | 'empty-content'
  | 'empty-tool-calls'
  | 'orphan-result'
  | 'repeated-result'
  | 'unanswered-call';

interface Violation {
  readonly code: ViolationCode;
  readonly index: number;
  readonly sentence: Sentence;
}

/** Checks messages by the rules of strict endpoints: roles, texts, and one result right after each call. */
export function findViolations(messages: readonly ChatMessage[]): readonly Violation[] {
  const violations: Violation[] = [];
  const report = (code: ViolationCode, index: number, sentence: Sentence) =>
    violations.push({ code, index, sentence });

  const pending = new Map<string, number>();
  const answered = new Set<string>();
  let caller = -1;
  const closeExchange = () => {
    for (const id of pending.keys()) {
      report(
        'unanswered-call',
        caller,
        acceptanceSentences.say('callWithoutResult', { call: id, index: `${caller}` }),
      );
    }
    if (pending.size > 0) pending.clear();
    if (answered.size > 0) answered.clear();
  };

  messages.forEach((message, index) => {
    if (message.role === 'tool') {
      const id = message.tool_call_id ?? '';
      const open = pending.get(id) ?? 0;
      if (open > 1) pending.set(id, open - 1);
      else if (open === 1) pending.delete(id);
      else if (answered.has(id)) {
        report(
          'repeated-result',
          index,
          acceptanceSentences.say('answersCallTwice', { call: id, index: `${index}` }),
        );
      } else report('orphan-result', index, acceptanceSentences.say('answersNoCall', { index: `${index}` }));
      if (open > 0) answered.add(id);
      if (message.content === null)
        report(
          'empty-content',
          index,
          acceptanceSentences.say('resultWithoutContent', { index: `${index}` }),
        );
      return;
    }
    closeExchange();
    if (!(roles as readonly string[]).includes(message.role)) {
      report(
        'unknown-role',
        index,
        acceptanceSentences.say('unknownRole', { role: message.role, index: `${index}` }),
      );
    }
    if (message.tool_calls?.length === 0) {
      report('empty-tool-calls', index, acceptanceSentences.say('emptyToolCalls', { index: `${index}` }));
    }
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
    if (calls.length === 0 && isBlank(message.content)) {
      report('empty-content', index, acceptanceSentences.say('messageWithoutContent', { index: `${index}` }));
    }
    caller = index;
    for (const call of calls) pending.set(call.id, (pending.get(call.id) ?? 0) + 1);
  });
  closeExchange();
  return violations;
}

import type { Sentence } from '../../../language/sentence.ts';
import { customSentences } from '../../../language/english/custom-english.ts';
import { strategySentences } from '../../../language/english/strategies-english.ts';
import type { CarriedText } from '../../messages/ledger.ts';
import { CompactionFailure, messageOf } from '../../records/reason.ts';
import type { Content, ContentPart, ToolCall } from '../../messages/message.ts';
import { declaredTitleOf } from '../../records/custom-strategy-title.ts';
import type { PlannedAction } from '../../records/plan.ts';
import type { TagSuffix } from '../../quoting/session-tags.ts';
import { cleanBody } from '../../ledger/render.ts';
import { summaryText, withoutSummaryTags } from '../../summary/summary-form.ts';
import { planned, type PlanResult, unchanged } from './strategy.ts';
import { ellipsised } from '../../text/clip.ts';
import { isRecord } from '../../../language/is-record.ts';

/** Maximum length of all texts of a plan, in characters. A larger plan would be refused after counting anyway. */
export const longestPlan = 10_000_000;
/** Maximum number of messages that a plan may insert. */
export const mostInsertions = 100;

interface CustomFrame {
  readonly tagSuffix: TagSuffix;
  readonly written: ReadonlyMap<string, CarriedText>;
}

/** Reads the plan in an answer. @throws {CompactionFailure} `custom-invalid` with the path, or `summary-empty` */
export function parseCustomPlan(
  answer: unknown,
  sizes: ReadonlyMap<string, number>,
  name: string,
  frame: CustomFrame,
): PlanResult {
  const fields = requiredFields(plainOf(answer, name), customSentences.say('answerOf', { name }));
  switch (fields['kind']) {
    case 'unchanged':
      return unchanged(requiredText(fields['reason'], `${name}: reason`));
    case 'plan': {
      const plan = requiredFields(fields['plan'], `${name}: plan`);
      const list = requiredList(plan['actions'], `${name}: plan.actions`);
      if (list.length > sizes.size + mostInsertions) {
        refuse(
          `${name}: plan.actions`,
          strategySentences.say('atMostActions', { most: sizes.size + mostInsertions }),
          list.length,
        );
      }
      const actions = list.map((action, index) =>
        readAction(requiredFields(action, `${name}: plan.actions[${index}]`), sizes, name, index, frame),
      );
      const insertions = actions.filter(({ kind }) => kind === 'insert').length;
      if (insertions > mostInsertions) {
        refuse(
          `${name}: plan.actions`,
          strategySentences.say('atMostInsertions', { most: mostInsertions }),
          insertions,
        );
      }
      const { warnings } = plan;
      const told = warnings === undefined ? [] : textsIn(warnings, `${name}: plan.warnings`);
      const characters = [...actions, ...told].reduce((sum, part) => sum + lengthOf(part), 0);
      if (characters > longestPlan) {
        refuse(`${name}: plan`, strategySentences.say('atMostCharacters', { most: longestPlan }), characters);
      }
      const strategyTitle = declaredTitleOf(fields['title']);
      return planned({
        actions,
        ...(told.length === 0 ? {} : { warnings: told }),
        ...(strategyTitle === undefined ? {} : { strategyTitle }),
      });
    }
    default:
      return refuse(`${name}: kind`, strategySentences.say('planOrUnchanged'), fields['kind']);
  }
}

/** Turns an answer into plain JSON data. @throws {CompactionFailure} for cycles and other values without a JSON form */
function plainOf(answer: unknown, name: string): unknown {
  if (typeof answer !== 'object') return answer;
  try {
    return JSON.parse(JSON.stringify(answer));
  } catch (error) {
    throw new CompactionFailure(
      'custom-invalid',
      customSentences.say('named', {
        name,
        problem: customSentences.say('notPlainData', { problem: messageOf(error) }),
      }),
    );
  }
}

function readAction(
  fields: Fields,
  sizes: ReadonlyMap<string, number>,
  name: string,
  index: number,
  frame: CustomFrame,
): PlannedAction {
  const at = (field: string) => `${name}: plan.actions[${index}].${field}`;
  const text = (field: string) => requiredText(fields[field], at(field));
  const { kind } = fields;
  switch (kind) {
    case 'hide':
    case 'offload': {
      const id = text('id');
      const originalTokens = sizes.get(id) ?? 0;
      return { kind, id, placeholder: text('placeholder'), originalTokens, reason: text('reason') };
    }
    case 'clip': {
      const { content, toolCalls } = fields;
      const id = text('id');
      if (content === undefined && toolCalls === undefined)
        refuse(at('content'), strategySentences.say('givenOrToolCalls'), content);
      return {
        kind,
        id,
        ...(content === undefined ? {} : { content: contentIn(content, at('content')) }),
        ...(toolCalls === undefined ? {} : { toolCalls: callsIn(toolCalls, at('toolCalls')) }),
        originalTokens: sizes.get(id) ?? 0,
        reason: text('reason'),
      };
    }
    case 'drop':
      return { kind, ids: textsIn(fields['ids'], at('ids')), reason: text('reason') };
    case 'summarise':
      return {
        kind,
        ids: textsIn(fields['ids'], at('ids')),
        ...summaryIn(fields['text'], at('text'), frame),
        reason: text('reason'),
      };
    case 'insert': {
      const after = fields['after'] === null ? null : text('after');
      const { text: inserted } = summaryIn(fields['text'], at('text'), frame);
      return { kind, after, text: inserted, reason: text('reason') };
    }
    default:
      return refuse(
        at('kind'),
        strategySentences.say('oneOf', { choices: 'hide, offload, clip, drop, summarise, insert' }),
        kind,
      );
  }
}

/** Returns a summary in the usual tags. Text that the strategy wrote is cleaned first. */
function summaryIn(value: unknown, path: string, { tagSuffix, written }: CustomFrame): CarriedText {
  const text = requiredText(value, path);
  if (text.trim() === '')
    throw new CompactionFailure('summary-empty', strategySentences.say('isEmpty', { path }));
  return (
    written.get(text) ?? { text: summaryText(cleanBody(withoutSummaryTags(text), tagSuffix), tagSuffix) }
  );
}

export function contentIn(value: unknown, path: string): Content {
  if (value === null || typeof value === 'string') return value;
  return requiredList(value, path).map((part, index): ContentPart => {
    const fields = requiredFields(part, `${path}[${index}]`);
    const { text } = fields;
    return {
      ...fields,
      type: requiredText(fields['type'], `${path}[${index}].type`),
      ...(text === undefined ? {} : { text: requiredText(text, `${path}[${index}].text`) }),
    };
  });
}

export function callsIn(value: unknown, path: string): readonly ToolCall[] {
  return requiredList(value, path).map((call, index): ToolCall => {
    const at = `${path}[${index}]`;
    const fields = requiredFields(call, at);
    const called = requiredFields(fields['function'], `${at}.function`);
    return {
      id: requiredText(fields['id'], `${at}.id`),
      type: 'function',
      function: {
        name: requiredText(called['name'], `${at}.function.name`),
        arguments: requiredText(called['arguments'], `${at}.function.arguments`),
      },
    };
  });
}

/** Counts the characters of all strings in a checked value. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOf(part), 0);
}

/** Fields of a custom strategy's plain data. Invalid values are refused with path, expected form and actual value. */
type Fields = Readonly<Record<string, unknown>>;

export function requiredFields(value: unknown, path: string | Sentence): Fields {
  return isRecord(value) ? value : refuse(path, strategySentences.say('anObject'), value);
}

export function requiredList(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value)
    ? Array.from<unknown>(value)
    : refuse(path, strategySentences.say('aList'), value);
}

export function requiredText(value: unknown, path: string): string {
  return typeof value === 'string' ? value : refuse(path, strategySentences.say('aString'), value);
}

function textsIn(value: unknown, path: string): readonly string[] {
  return requiredList(value, path).map((entry, index) => requiredText(entry, `${path}[${index}]`));
}

export function refuse(path: string | Sentence, expected: Sentence, value: unknown): never {
  throw new CompactionFailure(
    'custom-invalid',
    strategySentences.say('mustBe', { path, expected, found: describe(value) }),
  );
}

function describe(value: unknown): string | Sentence {
  if (typeof value === 'string') return JSON.stringify(ellipsised(value, 40));
  if (Array.isArray(value)) return strategySentences.say('aList');
  if (isRecord(value)) return strategySentences.say('anObject');
  return typeof value === 'function' ? strategySentences.say('aFunction') : String(value);
}

import { engineSentences } from '../../language/english/engine-english.ts';
import { summarySentences } from '../../language/english/summary-english.ts';
import { mentionsIn } from '../ledger/mentions.ts';
import { type Carried, filterLedger, textOfFact } from '../messages/ledger.ts';
import { type Message, textOf } from '../messages/message.ts';
import type { TagSuffix } from '../quoting/session-tags.ts';
import type { PlannedAction } from '../records/plan.ts';
import { CompactionFailure } from '../records/reason.ts';
import type { CompactionRecord, RecordedAction } from '../records/record.ts';
import { planned, type Strategy } from '../strategies/contract/strategy.ts';
import { cleanBody } from '../ledger/render.ts';
import { isSummaryText, summaryText, withoutSummaryTags } from '../summary/summary-form.ts';
import { parseSummary } from '../summary/write-summary.ts';

/** The user's text for a summary of a planned compaction. */
export interface SummaryEdit {
  /** Id of the message with the summary, among the outputs of the record. */
  readonly outputId: string;
  readonly text: string;
}

/** Returns the text of a summary for editing, without the tags around it. */
export function editableText({ content }: Message): string {
  return withoutSummaryTags(textOf(content));
}

/** Returns a strategy that repeats the plan of a record with edited summaries. The plan is checked like any plan. */
export function withEdits(
  strategy: Pick<Strategy, 'description'>,
  record: CompactionRecord,
  edits: readonly SummaryEdit[],
): Strategy {
  const outputs = new Map(record.outputs.map((output) => [output.id, output]));
  return {
    ...strategy,
    id: record.actualStrategy,
    needsModel: false,
    isExact: true,
    options: {},
    plan({ tagSuffix }) {
      const actions = record.actions.flatMap((action) => plannedAgain(action, outputs, edits, tagSuffix));
      const { summary, strategyTitle } = record;
      return Promise.resolve(
        planned({
          actions,
          ...(summary === undefined ? {} : { summary }),
          ...(strategyTitle === undefined ? {} : { strategyTitle }),
        }),
      );
    },
  };
}

function plannedAgain(
  action: RecordedAction,
  outputs: ReadonlyMap<string, Message>,
  edits: readonly SummaryEdit[],
  tagSuffix: TagSuffix,
): readonly PlannedAction[] {
  const { kind, sourceIds, outputId = '' } = action;
  const reason =
    action.sentence === undefined ? action.reason : { ...action.sentence, english: action.reason };
  const output = outputs.get(outputId);
  const [id = ''] = sourceIds;
  if (kind === 'drop') return [{ kind, ids: sourceIds, reason }];
  if (kind === 'keep' || output === undefined) return [];
  const originalTokens = output.truncation?.originalTokens ?? action.tokensBefore;
  const text = textOf(output.content);
  switch (kind) {
    case 'hide':
    case 'offload':
      return [{ kind, id, placeholder: text, originalTokens, reason }];
    case 'clip': {
      const { content, tool_calls: toolCalls } = output;
      return [
        { kind, id, content, ...(toolCalls === undefined ? {} : { toolCalls }), originalTokens, reason },
      ];
    }
    case 'summarise': {
      const edit = edits.find((one) => one.outputId === outputId);
      const { opaque } = output;
      if (edit !== undefined && opaque !== undefined) {
        throw new CompactionFailure('change-not-permitted', summarySentences.say('onlyProviderReads'));
      }
      const words = edit === undefined ? text : edited(text, edit.text, tagSuffix);
      const carried = edit === undefined ? output.carried : stillSaid(output.carried, words);
      return [
        { kind, ids: sourceIds, text: words, carried, ...(opaque === undefined ? {} : { opaque }), reason },
      ];
    }
    case 'insert':
      // Files are restored with every plan, in their current state.
      if (output.kind === 'file') return [];
      return [{ kind, after: action.after ?? null, text, reason }];
  }
}

/** @throws {CompactionFailure} if the text would also be refused as a reply of a model */
function edited(before: string, words: string, tagSuffix: TagSuffix): string {
  if (words.trim() === '') {
    throw new CompactionFailure('summary-whitespace', engineSentences.say('summaryIsEmpty'));
  }
  const body = cleanBody(parseSummary({ content: words, finishReason: 'stop' }), tagSuffix);
  return isSummaryText(before) ? summaryText(body, tagSuffix) : body;
}

/** Keeps the facts that the edited text still contains. Facts that the user removed are not carried. */
function stillSaid(carried: Carried | undefined, text: string): Carried | undefined {
  if (carried === undefined) return undefined;
  const { ledger, requests, concepts, plan, ...rest } = carried;
  const said = mentionsIn([text]);
  const kept = concepts
    ?.map(({ concept, facts }) => ({ concept, facts: facts.filter((fact) => text.includes(fact)) }))
    .filter(({ facts }) => facts.length > 0);
  return {
    ...rest,
    ...(ledger === undefined
      ? {}
      : { ledger: filterLedger(ledger, (_section, fact) => said.has(textOfFact(fact))) }),
    ...(requests && { requests: requests.filter((request) => said.has(request.text)) }),
    ...(kept === undefined ? {} : { concepts: kept }),
    ...(plan !== undefined && text.includes(plan) ? { plan } : {}),
  };
}

import { type Message } from '../../../src/compaction/messages/message.ts';
import { strategyOf } from '../../../src/compaction/strategies/index.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { turnsOf } from '../../../src/compaction/messages/exchange.ts';
import { runCompaction, SummaryModelDouble } from '../../support/engine.ts';
import { textOfTokens } from '../../support/messages.ts';
import { fieldsOf, listOf, numberOf, textIn, viewOf, type OriginalCase } from './original-case.ts';
import { shapeExpected } from './original-shape.ts';
import { compared, expectedOutcome, planOutcome, sentTo, textsOf, type Outcomes } from './plan-outcome.ts';
import {
  autoCompact,
  belowThreshold,
  breaker,
  outputBudget,
  overflow,
  postProcess,
  splitPoint,
  thinkingProtection,
  thresholds,
  type Rule,
} from './decision-rules.ts';
import {
  hiding,
  hidingThenSummary,
  masking,
  mask,
  middle,
  recent,
  sliding,
  tieredCompress,
} from './shortening-rules.ts';

/** Long enough to exceed its summary. */
const worthSummarising = (text: string, role: string) =>
  role === 'system' || text.trim() === '' ? text : `${text}\n${textOfTokens(300)}`;

const kimiSummary: Rule = async (original, meter) => {
  const { params, expected } = original;
  const focus = params['custom_instruction'];
  const ours = await planOutcome(original, {
    strategy: strategyOf('llm-summary'),
    options: { preserveMessages: params['max_preserved_messages'] },
    view: viewOf(original, worthSummarising),
    meter,
    ...(typeof focus === 'string' ? { focus } : {}),
  });
  const request = fieldsOf(expected['summary_request']);
  const wanted = [request['contains'] ?? [], request['last_part_contains'] ?? []].flat().map(String);
  const unwanted = [request['excludes'] ?? []].flat().map(String);
  const sent = sentTo(ours.model);
  const tail = shapeExpected(original, expected['preserved']);
  return {
    theirs: {
      ...expectedOutcome(original),
      ...(tail === undefined ? {} : { view: tail === '' ? '' : `summary ${tail}` }),
      asksAbout: wanted.filter((text) => text !== "User's Custom Compaction Instruction"),
      sends: [],
    },
    ours: {
      ...ours,
      asksAbout: wanted.filter((text) => sent.includes(text)),
      sends: unwanted.filter((text) => sent.includes(text)),
    },
  };
};

/** The original has no target, so ours gets one that no rule reaches. */
const selectiveRules: Rule = (original, meter) =>
  compared(original, {
    strategy: strategyOf('selective'),
    options: { summary: 'never', keepRecentExchanges: original.params['keep_recent'] ?? 5, protectRounds: 0 },
    view: viewOf(original),
    meter,
    target: 1,
  });

const selective: Rule = (original, meter) => {
  const threshold = numberOf(original.params['threshold']) ?? 0;
  const isOff = original.params['fallback_to_full_summary'] === false;
  // Far below its threshold, or switched off with 0, the original asks no strategy.
  const strategy = strategyOf(threshold === 1 ? 'selective' : 'none');
  return compared(original, {
    strategy,
    options: { summary: isOff ? 'never' : 'always', keepRecentExchanges: isOff ? 5 : 0 },
    view: viewOf(original, worthSummarising),
    meter,
    target: 1,
  });
};

const codes: Readonly<Record<string, string>> = {
  blank_content: 'summary-whitespace',
  empty_tag_body: 'summary-empty',
};

const comateSummary: Rule = async (original, meter) => {
  const { expected } = original;
  const ours = await planOutcome(original, {
    strategy: strategyOf('llm-summary'),
    options: { preserveMessages: 0 },
    // With the newest request protected, the original's conversation would be empty.
    view: [...viewOf(original, worthSummarising), next],
    meter,
  });
  return {
    theirs: {
      compacted: expected['compacted'],
      ...(expected['failure_reason'] === undefined
        ? {}
        : { failure: codes[textIn(expected['failure_reason'])] }),
      ...(expected['summary'] === undefined ? {} : { says: expected['summary'] }),
    },
    ours: { ...ours, says: textsOf(ours.actions).includes('done') ? 'done' : '' },
  };
};

const koog =
  (id: 'whole-history' | 'none' | 'chunked' | 'last-n-messages' | 'retrieve-facts', more = {}): Rule =>
  async (original, meter) => {
    const { params, expected } = original;
    const options = {
      'whole-history': { preserveMemory: params['preserve_memory'] ?? true, ...more },
      'retrieve-facts': { concepts: params['concepts'] ?? [params['concept']] },
      'last-n-messages': { n: params['n'], mode: 'summarise' },
      chunked: { size: params['chunk_size'] },
      none: {},
    }[id];
    const view = viewOf(original, worthSummarising);
    const ours = await planOutcome(original, {
      strategy: strategyOf(id),
      options,
      view,
      meter,
      protectFirst: true,
    });
    const told = textsOf(ours.actions);
    const wanted = listOf(
      expected['facts'] ??
        [listOf(expected['messages']).map((entry) => fieldsOf(entry)['also_contains'] ?? [])].flat(2),
    ).map(String);
    return {
      theirs: { ...expectedOutcome(original), ...(wanted.length === 0 ? {} : { says: wanted }) },
      ours: { ...ours, says: wanted.filter((text) => told.includes(text)) },
    };
  };

/** The original's newest turns, in messages of user and model. */
const tiered: Rule = async (original, meter) => {
  const view = viewOf(original, worthSummarising);
  const turns = numberOf(original.params['preserve_recent_turns']) ?? 0;
  const newest = turnsOf(view).slice(-turns);
  const preserveMessages = view
    .slice(newest[0]?.start ?? 0)
    .filter(({ role }) => role === 'user' || role === 'assistant').length;
  if (original.expected['raises'] === true) {
    const { problems } = resolveOptions(strategyOf('llm-summary').options, { preserveMessages: turns });
    return { theirs: { refused: true }, ours: { refused: problems.length > 0 } };
  }
  return compared(original, {
    strategy: strategyOf('llm-summary'),
    options: { preserveMessages },
    protectFirst: true,
    view,
    meter,
  });
};

const snapshot: Rule = async (original, meter) => {
  const { params, expected } = original;
  if (params['force'] === false && numberOf(params['last_prompt_tokens']) === 600)
    return belowThreshold(original);
  const isOneTurn = original.inputs.filter(({ role }) => role === 'user').length < 2;
  const view = viewOf(original, worthSummarising);
  const ours = await planOutcome(original, {
    strategy: strategyOf('state-snapshot'),
    options: {
      preserveRatio: params['preserve_fraction'] ?? 0.3,
      toolBudget: params['tool_budget_tokens'] ?? 50_000,
    },
    // Ours would keep the newest part of a single turn, so it becomes the turn before the newest.
    view: isOneTurn && original.inputs.length < 3 ? [...view, next] : view,
    meter,
    window: numberOf(params['token_limit']) ?? numberOf(params['window']) ?? 128_000,
    target: Number.MAX_SAFE_INTEGER,
  });
  const result = ours.failure ?? (ours.compacted ? 'applied' : 'unchanged');
  if (params['recounted_tokens'] !== undefined) return inflated(original, viewOf(original), meter);
  if (expected['throws'] === true) return { theirs: { result: 'thrown' }, ours: { result } };
  return { theirs: expectedOutcome(original), ours: { ...ours, result } };
};

/** The newest request, for a case without a remaining one. */
const next: Message = { id: 'newest', createdAt: '', role: 'user', origin: 'person', content: 'next' };

/** A summary larger than its source is refused by the acceptance check that follows every plan. */
async function inflated(
  original: OriginalCase,
  view: readonly Message[],
  meter: UsageMeter,
): Promise<Outcomes> {
  const [record] = await runCompaction(
    {
      view: [...view, next],
      strategy: strategyOf('llm-summary'),
      options: { preserveMessages: 0 },
      model: new SummaryModelDouble(`<summary>${original.replies[0] ?? ''}</summary>`),
    },
    meter,
  );
  return { theirs: { status: 'refused' }, ours: { status: record?.status } };
}

/** The originals' tests put the newest prompt at the size that compacts. Only that size is compared. */
const snapshotBefore: Rule = (original, meter) =>
  original.inputs.length === 1 ? belowThreshold(original) : snapshot(original, meter);

const retrieval: Rule = async (original, meter) => {
  const ours = await planOutcome(original, {
    strategy: strategyOf('dialogue-retrieval'),
    view: viewOf(original),
    meter,
  });
  return { theirs: { calls: original.expected['llm_calls_for_query'] }, ours: { calls: ours.calls } };
};

const failingModel: Rule = async (original, meter) => {
  const ours = await planOutcome(
    { replies: ['$error'] },
    {
      strategy: strategyOf('llm-summary'),
      options: { preserveMessages: 0 },
      view: [...viewOf(original, worthSummarising), next],
      meter,
    },
  );
  return { theirs: { result: 'a fixed sentence' }, ours: { result: ours.failure } };
};

/** Rules by the originals' names. */
export const rules: Readonly<Record<string, Rule>> = {
  'SimpleCompaction.prepare': kimiSummary,
  should_auto_compact: autoCompact,
  ToolResultHidingCompaction: hiding,
  HidingThenSummaryCompaction: hidingThenSummary,
  'SelectiveCompactionPolicy.compact': selective,
  'SelectiveCompactionPolicy._truncate_tool_blocks': selectiveRules,
  'SelectiveCompactionPolicy._collect_recent_round_protected_ids': thinkingProtection,
  'CompactionService.compact': comateSummary,
  WholeHistory: koog('whole-history'),
  WholeHistoryMultipleSystemMessages: koog('whole-history', { perSystemBlock: true }),
  FromLastNMessages: koog('last-n-messages'),
  Chunked: koog('chunked'),
  FactRetrieval: koog('retrieve-facts'),
  retrieveFactsFromHistory: koog('retrieve-facts'),
  NoCompression: koog('none'),
  Tiered: tiered,
  split_point: splitPoint,
  split_point_v0: splitPoint,
  llm_summary_split: snapshot,
  llm_summary_split_v0: snapshotBefore,
  reverse_tool_budget: snapshot,
  tool_masking: masking,
  circuit_breaker: breaker,
  thresholds,
  output_budget: outputBudget,
  summary_postprocess: postProcess,
  overflow_error_detect: overflow,
  overflow_error_parse: overflow,
  truncate_middle: middle,
  mask_old_tool_outputs: hiding,
  tiered_compress: tieredCompress,
  turn_truncate: recent('oldest-turns'),
  newest_first_truncate: recent('newest-first'),
  history_to_file_rag: retrieval,
  newest_first_strip_to_user: sliding,
  per_message_cap: failingModel,
  observation_mask: mask,
};

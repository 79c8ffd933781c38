import { clipText } from '../../../src/compaction/text/clip-json.ts';
import { textOf } from '../../../src/compaction/messages/message.ts';
import { strategyOf } from '../../../src/compaction/strategies/index.ts';
import { called, result, said, textOfTokens, typed } from '../../support/messages.ts';
import { fieldsOf, listOf, numberOf, textIn, viewOf } from './original-case.ts';
import { shapeExpected } from './original-shape.ts';
import { compared, planOutcome, textsOf } from './plan-outcome.ts';
import { StubMeter } from './stub-meter.ts';
import { type Rule } from './decision-rules.ts';

/** A text long enough for a placeholder. */
const lengthened = (text: string, role: string) =>
  role === 'tool' && text.length < 1_000 && !text.includes('隐藏') ? `${text}\n${textOfTokens(300)}` : text;

const hiddenByOriginals = '<system>历史 tool_call已隐藏</system>';

export const hiding: Rule = (original, meter) => {
  const { params } = original;
  const groups = params['preserve_recent_n'] ?? params['keep_last_n'];
  const options = { preserveRecentGroups: groups, placeholder: hiddenByOriginals, minTokens: 0 };
  const view = viewOf(original, lengthened);
  return compared(original, { strategy: strategyOf('tool-result-hiding'), options, view, meter });
};

export const hidingThenSummary: Rule = (original, meter) =>
  compared(original, {
    strategy: strategyOf('hiding-then-summary'),
    options: {
      preserveRecentGroups: original.params['preserve_recent_n'],
      preserveMessages: original.params['max_preserved_messages'],
      placeholder: hiddenByOriginals,
    },
    view: viewOf(original),
    meter,
  });

/** Counts one token per character, as the originals' tests assume for long output. */
export const masking: Rule = (original) => {
  const { params, expected } = original;
  const estimates = fieldsOf(params['token_estimates_by_tool']);
  const names = new Map(original.inputs.map((input, index) => [`m${index}`, textIn(input['name'])]));
  const meter = new StubMeter(
    (text) => text.length,
    ({ id, content, truncation }) => {
      const claimed = numberOf(estimates[names.get(id) ?? '']);
      return claimed !== undefined && truncation === undefined ? claimed : textOf(content).length;
    },
  );
  return (async () => {
    const ours = await planOutcome(original, {
      strategy: strategyOf('observation-masking'),
      options: {
        protectTokens: params['protection_tokens'],
        minFreedTokens: params['min_prunable_tokens'],
        exemptTools: params['exempt_tools'],
      },
      view: viewOf(original),
      meter,
      window: 1_000_000,
    });
    const told = textsOf(ours.actions);
    const wanted = listOf(fieldsOf(listOf(expected['messages'])[0])['contains']).map(String);
    const count = expected['masked_count'];
    // Some of their tests look at the first message only.
    const isWhole = listOf(expected['messages']).length === original.inputs.length;
    return {
      theirs: {
        ...(isWhole ? { view: shapeExpected(original) } : {}),
        ...(count === undefined ? {} : { masked: count }),
        says: wanted,
      },
      ours: { ...ours, masked: ours.actions.length, says: wanted.filter((text) => told.includes(text)) },
    };
  })();
};

export const middle: Rule = (original, meter) => {
  const { params, expected } = original;
  if (original.inputs.length > 0) {
    const target = numberOf(params['max_tokens']);
    const view = viewOf(original);
    return compared(original, {
      strategy: strategyOf('layered-truncation'),
      options: { threshold: 100_000 },
      view,
      meter,
      ...(target === undefined ? {} : { target }),
    });
  }
  const content = String(params['content']);
  const longest = numberOf(params['max_length']) ?? 0;
  const clipped = clipText(content, longest, 'm0');
  const kept =
    expected['value'] === undefined ? expected['unchanged'] === true : expected['value'] === content;
  return {
    theirs: { whole: kept, withinLimit: expected['longer_than_max'] !== true },
    ours: { whole: clipped === content, withinLimit: clipped.length <= longest },
  };
};

export const tieredCompress: Rule = async (original, meter) => {
  const { params, expected } = original;
  const view = viewOf(original);
  const limit =
    numberOf(expected['final_tokens_lte']) ?? numberOf(params['target']) ?? numberOf(params['max_tokens']);
  const window = numberOf(params['context_window']) ?? 200_000;
  const ours = await planOutcome(original, {
    strategy: strategyOf('layered-truncation'),
    view,
    meter,
    window,
    target: limit ?? Math.floor(window * 0.84),
  });
  const left = new Set(ours.view.split(' ').map((part) => part.replace('~', '')));
  const { total } = await meter.measure(view.filter(({ id }) => left.has(id)));
  return {
    theirs: {
      ...(expected['final_tokens_lte'] === undefined ? {} : { fits: true, compacted: true }),
      ...(expected['pairing_valid'] === undefined ? {} : { pairs: true }),
      ...(expected['output_length'] === undefined ? {} : { compacted: false }),
    },
    ours: {
      ...ours,
      fits: limit === undefined || total <= limit,
      pairs: view.every(
        ({ id }) => !/^[cr]\d/.test(id) || left.has(id.replace('c', 'r')) === left.has(id.replace('r', 'c')),
      ),
    },
  };
};

/** Counts one token per word, including the words of calls. */
const words = (text: string) => text.split(/\s+/).filter((word) => word !== '').length;

export const recent =
  (order: 'oldest-turns' | 'newest-first'): Rule =>
  (original) => {
    const { params, expected } = original;
    const meter = new StubMeter(words, ({ content, tool_calls: calls = [] }) =>
      words(`${textOf(content)} ${calls.map((call) => JSON.stringify(call.function)).join(' ')}`),
    );
    const options = { order, budget: params['max_tokens'] };
    const planned = { strategy: strategyOf('recent-window'), options, view: viewOf(original), meter };
    if (expected['throws'] === undefined) return compared(original, planned);
    return (async () => ({
      theirs: { view: 'thrown' },
      ours: { view: (await planOutcome(original, planned)).view },
    }))();
  };

export const sliding: Rule = (original) => {
  const costs = listOf(original.expected['message_costs']).map(Number);
  const meter = new StubMeter(
    (text) => text.length,
    ({ id }) => costs[Number(id.slice(1))] ?? 0,
  );
  const budget = numberOf(original.params['max_input_tokens']) ?? 0;
  return compared(original, {
    strategy: strategyOf('sliding-window'),
    options: { budget: Math.max(0, budget) },
    view: viewOf(original),
    meter,
  });
};

export const mask: Rule = async (original, meter) => {
  const content = String(original.params['content']);
  const view = [
    typed('m0', 'look'),
    called('m1', ['a', 'bash']),
    result('m2', 'a', content),
    said('m3', 'seen'),
  ];
  const options = { protectTokens: 0, minFreedTokens: 0 };
  const ours = await planOutcome(original, {
    strategy: strategyOf('observation-masking'),
    options,
    view,
    meter,
  });
  return { theirs: { whole: original.expected['ref'] === null }, ours: { whole: !ours.compacted } };
};

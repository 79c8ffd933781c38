import { strategySentences } from '../../language/english/strategies-english.ts';
import { blocksOf } from '../messages/exchange.ts';
import { textOf } from '../messages/message.ts';
import { placeheld } from '../messages/placeheld.ts';
import type { PlannedRewrite } from '../records/plan.ts';
import type { OptionsOf } from './contract/options.ts';
import {
  defineStrategy,
  planned,
  unchanged,
  type StrategyInput,
  type StrategyPorts,
} from './contract/strategy.ts';

export const hidingOptions = {
  preserveRecentGroups: {
    type: 'integer',
    default: 5,
    minimum: 0,
    maximum: 1000,
    keepsNewest: true,
    description: 'Number of the newest exchanges whose tool results stay. Parallel calls are one exchange.',
  },
  placeholder: {
    type: 'string',
    default: '[Result of {tool} hidden: {tokens} tokens. recall("{id}") returns it.]',
    description: 'Text that replaces a hidden result. `{id}`, `{tool}` and `{tokens}` are filled in.',
  },
  minTokens: {
    type: 'integer',
    default: 100,
    minimum: 0,
    maximum: 1_000_000,
    description:
      'Results smaller than this stay: a placeholder would save next to nothing, and getting one back takes a call. A result no larger than its placeholder always stays.',
  },
} as const;

export const toolResultHiding = defineStrategy({
  id: 'tool-result-hiding',
  description:
    'Replaces the results of all but the newest exchanges by a placeholder. Needs no model. Keeps every message, call and decision; loses the text of old results until the agent recalls them.',
  needsModel: false,
  options: hidingOptions,
  async plan(input, ports) {
    const { actions } = await planHiding(input, ports);
    return actions.length > 0 ? planned({ actions }) : unchanged(strategySentences.say('noResultToHide'));
  },
});

export async function planHiding(
  input: StrategyInput<OptionsOf<typeof hidingOptions>>,
  ports: Pick<StrategyPorts, 'meter'>,
) {
  const { view, options } = input;
  const { resultsBefore } = await import('./steps/old-results.ts');
  const exchanges = blocksOf(view).filter((block) => block.isExchange);
  const recent = exchanges[Math.max(0, exchanges.length - options.preserveRecentGroups)];
  const isPlaceholder = placeholderTest(options.placeholder);
  const old = (await resultsBefore(input, recent?.start ?? view.length, ports.meter)).filter(
    ({ result, tokens }) => tokens >= options.minTokens && !isPlaceholder(textOf(result.content)),
  );
  const actions = old.map(({ result, tool, tokens }): PlannedRewrite => ({
    kind: 'hide',
    id: result.id,
    placeholder: fill(options.placeholder, { id: result.id, tool, tokens: String(tokens) }),
    originalTokens: tokens,
    reason: strategySentences.say('oldToolResult'),
  }));
  const sizes = await ports.meter.measureEach(
    old.map(({ result, tokens }, index) =>
      placeheld(result, 'hide', actions[index]?.placeholder ?? '', tokens),
    ),
  );
  const freed = old.map(({ tokens }, index) => tokens - (sizes[index]?.total ?? 0));
  return {
    actions: actions.filter((_action, index) => (freed[index] ?? 0) > 0),
    freedTokens: freed.reduce((total, tokens) => total + Math.max(0, tokens), 0),
  };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(id|tool|tokens)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** Returns a test for text made from a template. In a reimported view, nothing else shows a placeholder. */
function placeholderTest(template: string): (text: string) => boolean {
  const pattern = template
    .split(/\{(?:id|tool|tokens)\}/)
    .map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^\\n]{0,200}');
  const expression = new RegExp(`^${pattern}$`);
  return (text) => expression.test(text);
}

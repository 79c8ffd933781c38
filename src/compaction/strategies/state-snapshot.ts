import { strategySentences } from '../../language/english/strategies-english.ts';
import type { Message } from '../messages/message.ts';
import { isPlan, removableMessages } from '../messages/protection.ts';
import {
  carriedPlan,
  followersOf,
  isSnapshot,
  largestSummary,
  snapshotForm,
  snapshotMessage,
} from '../summary/summary-form.ts';
import { hasNews } from '../summary/summarise.ts';
import { headAndTail } from '../text/clip.ts';
import { sizeIn } from '../tokens/usage.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';
import { summaryOptions } from './llm-summary.ts';
import { maskingOptions } from './observation-masking.ts';
import { ledgerRoom, memoryOption, stayingBesideSummary, summaryTask } from './steps/summary-sources.ts';
import { tailByTurnsWithin } from './steps/tail.ts';

/** Number of lines of an offloaded tool result that stay with its reference. */
const previewLines = 3;
const largestNewestShare = 0.5;
/** Share of the room next to the newest messages that the snapshot may take, for a hard target. */
const snapshotShare = 0.8;
export const stateSnapshot = defineStrategy({
  id: 'state-snapshot',
  description:
    "A model writes a snapshot of the work (goal, rules, knowledge, files, last steps, plan) that replaces all but the newest part of the conversation, and updates it at the next compaction. Keeps the newest messages, the newest tool output, the agent's plan and the facts the model left out; loses the wording of the rest until the agent recalls it.",
  needsModel: true,
  options: {
    preserveRatio: {
      type: 'number',
      default: 0.3,
      minimum: 0,
      maximum: 0.9,
      description:
        'Share of the conversation, newest part first, that stays word for word. Never more than half of the space the target leaves.',
    },
    toolBudget: {
      type: 'integer',
      default: 50_000,
      minimum: 0,
      maximum: 10_000_000,
      keepsNewest: true,
      description:
        'Amount of the newest tool output that stays whole, in tokens. Older output becomes a few lines and a reference.',
    },
    verify: {
      type: 'choice',
      default: 'when-needed',
      choices: ['when-needed', 'never'],
      description:
        '`when-needed` asks the model a second time when changed files, rules or errors are missing from its snapshot. `never` asks once.',
    },
    preservePlan: {
      type: 'boolean',
      default: true,
      description: "Copies the agent's newest plan or to-do list word for word.",
    },
    focus: summaryOptions.focus,
    model: summaryOptions.model,
    ...memoryOption,
  },
  async plan(input, ports, signal) {
    const { view, options, target, trigger, toolTokens, budget } = input;
    const protectedIds = stayingBesideSummary(input);
    const { meter } = ports;
    const working = new WorkingView(input, meter);
    const { maskOldResults } = await import('./steps/masking.ts');
    const freed = await maskOldResults(
      input.protectedIds,
      working,
      {
        protectTokens: options.toolBudget,
        preview: previewLines,
        exemptTools: maskingOptions.exemptTools.default,
      },
      meter,
    );
    const sizes = await working.sizes();
    const staying = view.filter(({ id }) => protectedIds.has(id));
    const fixed = toolTokens + sizeIn(staying, sizes);
    const isOver = target !== undefined && working.tokens > target;
    const room = Math.max(0, (isOver ? target : working.tokens) - fixed);
    const share = (working.tokens - fixed) * options.preserveRatio;
    const newest = Math.floor(isOver ? Math.min(share, room * largestNewestShare) : share);
    // Protected messages take no room from the newest messages.
    const start = tailByTurnsWithin(view, newest, {
      get: (id) => (protectedIds.has(id) ? 0 : sizes.get(id)),
    });
    const sources = removableMessages(view.slice(0, start), protectedIds);
    if (!hasNews(sources) || (!isOver && isSettled(view))) {
      return freed > 0 ? planned(working.plan()) : unchanged(strategySentences.say('littleSinceSnapshot'));
    }

    const kept = sizeIn(view.slice(start), sizes);
    const largest =
      trigger.requirement === 'hard' && isOver
        ? Math.max(1, Math.floor((room - kept) * snapshotShare))
        : undefined;
    const tail = view.slice(view.indexOf(sources.at(-1)!) + 1);
    const { marksIn, withoutSentences } = await import('../ledger/marked-sentences.ts');
    const copied = options.preservePlan && !view.some(isPlan) ? newestPlan(sources, tail) : undefined;
    const plan = copied && withoutSentences(copied, marksIn(view));
    const asked = summaryTask(input, ports, sources);
    const form = snapshotForm({
      isUpdate: sources.some(isSnapshot),
      largest: largest ?? largestSummary,
      hasScratchpad: asked.model?.readsSources !== true,
    });
    const task = { ...asked, form };
    const { summaryAround } = await import('../summary/summary-body.ts');
    const { renderSnapshot, writeSnapshot } = await import('../summary/rolling-summary.ts');
    const { body, quotes, report, warnings } = await writeSnapshot(
      task,
      options.verify,
      plan ?? '',
      meter,
      signal,
    );
    const notes = renderSnapshot({ body, plan }, input.tagSuffix);
    const parts = { ...task, notes, quotes, ledgerTokens: ledgerRoom(budget.window), room: largest };
    const { text, carried } = await summaryAround(parts, meter);
    await working.summarise(
      sources.map(({ id }) => id),
      {
        text: snapshotMessage(text, tail.length, input.tagSuffix),
        carried: { ...carried, followers: tail.length, ...(plan === undefined ? {} : { plan }) },
      },
      strategySentences.say('beforeNewestMessages'),
    );
    return planned(working.plan({ summary: report, warnings }));
  },
});

/** True if all messages after the newest snapshot already existed when the snapshot was written. */
function isSettled(view: readonly Message[]): boolean {
  const index = view.findLastIndex(isSnapshot);
  const message = view[index];
  const followers = message === undefined ? undefined : followersOf(message);
  return followers !== undefined && view.length - 1 - index <= followers;
}

const planTool =
  /^(?:update_?plan|(?:write|update|manage|set|create)_?(?:todos?|tasks?)(?:_?list)?|todo_?(?:write|list)|todos)$/i;
const longestPlan = 16_000;

/** Copies the agent's plan from its newest call or an earlier snapshot; undefined if a newer plan stays in the view. */
function newestPlan(leaving: readonly Message[], staying: readonly Message[]): string | undefined {
  if (staying.some((message) => planCallIn(message) !== undefined)) return undefined;
  for (const message of leaving.toReversed()) {
    const plan = planCallIn(message) ?? carriedPlan(message);
    if (plan !== undefined) return headAndTail(plan, longestPlan);
  }
  return undefined;
}

function planCallIn(message: Message): string | undefined {
  return message.tool_calls?.findLast(({ function: called }) => planTool.test(called.name))?.function
    .arguments;
}

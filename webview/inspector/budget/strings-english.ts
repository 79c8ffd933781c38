import type { FloorName, HealthView, TriggerRange } from '../../../src/protocol/inspector-budget.ts';

/** Every text of the Budget tab in English. */
export const englishStrings = {
  loading: 'Adding up…',
  slider: {
    label: 'Size at which a compaction starts',
    value: (share: string, tokens: string) => `${share} of the window, ${tokens} tokens`,
    least: {
      target: (share: string) =>
        `Not below ${share}: a compaction aims at a size just under that. Lower the target ratio first.`,
      setting: (share: string) => `Not below ${share}: compactions would hardly ever pay for themselves.`,
    } satisfies Record<TriggerRange['leastReason'], (share: string) => string>,
    most: {
      reserve: (share: string) => `Not above ${share}: the rest of the window stays free for the reply.`,
      tokens: (share: string) =>
        `Not above ${share}: a number of tokens is set that starts a compaction there in any case.`,
      setting: (share: string) => `Not above ${share}: the next request would not fit.`,
    } satisfies Record<TriggerRange['mostReason'], (share: string) => string>,
    refused: 'The trigger was not moved: the settings have changed meanwhile.',
  },
  facts: {
    title: 'Numbers',
    floor: 'tokens that no strategy can remove',
    cached: 'of the input came from the cache',
    money: 'so far',
    difference: 'reported against counted',
  },
  sentences: {
    floor: (parts: readonly string[]) => `No strategy removes: ${parts.join(', ')}.`,
    floorPart: (name: string, tokens: string) => `${name} ${tokens}`,
    same: (reported: string) =>
      `The provider counted the last request it reported on exactly as it is counted here: ${reported} tokens.`,
    different: (counted: string, reported: string, difference: string) =>
      `Of the last request that the provider reported on, ${counted} tokens were counted here and ${reported} there, ${difference}: providers put messages and tools in a form of their own, which only they can count.`,
    money: (uncached: string, cached: string, output: string) =>
      `Input ${uncached}, input from the cache ${cached}, output ${output}.`,
    moneyUnknown: (count: number, text: string) =>
      count === 1
        ? 'The cost of 1 more request is not known.'
        : `The cost of ${text} more requests is not known.`,
    moneyMayBeMore: 'What was written to the cache may cost more.',
  },
  floorNames: {
    tools: 'tool schemas',
    system: 'system messages',
    pins: 'pinned messages',
    memory: 'memory',
    newestRequest: 'your newest message',
    firstRequest: 'your first message',
  } satisfies Record<FloorName, string>,
  health: {
    title: 'Health',
    count: (wanting: number, text: string) =>
      wanting === 0
        ? 'nothing wants a look'
        : wanting === 1
          ? '1 point wants a look'
          : `${text} points want a look`,
    states: {
      good: 'Good',
      warning: 'Look at this',
      bad: 'Bad',
      unknown: 'Not known',
    } satisfies Record<HealthView['state'], string>,
    /** Names of the points, by their ids. */
    names: {
      prefix: 'Prefix',
      staticFirst: 'Static part first',
      cache: 'Prompt cache',
      toolOutput: 'Tool output',
      ingest: 'Long results',
      trigger: 'Trigger',
      allocation: 'Allocation',
      protected: 'Protected parts',
      completeness: 'Completeness',
      strategy: 'Strategy',
      task: 'Whole task',
    } as Readonly<Record<string, string>>,
    openSetting: 'Open setting',
    openSettingLabel: (name: string) => `Open setting: ${name}`,
    showMessage: 'Show message',
    showMessageLabel: (name: string) => `Show message: ${name}`,
    showRecord: 'Show compaction',
    showRecordLabel: (name: string) => `Show compaction: ${name}`,
  },
  largest: 'Largest messages',
  tools: 'Tools',
  files: 'Files',
  none: 'None yet.',
  inChat: 'Show in the chat',
  calls: (count: number, text: string) => (count === 1 ? '1 call' : `${text} calls`),
  toolParts: (calls: string, results: string) => `calls ${calls}, results ${results}`,
  tokens: (text: string) => `${text} tokens`,
};

/** The texts of the Budget tab, in any language. */
export type BudgetStrings = typeof englishStrings;

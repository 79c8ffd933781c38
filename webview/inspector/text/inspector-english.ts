import type { FloorName, HealthView, TriggerRange } from '../../../src/protocol/inspector-budget.ts';
import type { FactSectionName, PresenceName } from '../../../src/protocol/inspector-ledger.ts';
import type { ReportView, SessionChoice } from '../../../src/protocol/inspector.ts';

/** The inspector's English: the page, its header and usage, and the tabs Budget, Timeline and Ledger. */
export const inspectorEnglish = {
  sentences: (sentences: readonly string[]) => sentences.join(' '),
  window: (tokens: string) => `window ${tokens}`,
  unknownWindow: 'window unknown',
  strategy: 'strategy',
  strategyLabel: (strategy: string) => `Strategy: ${strategy}. Change it.`,
  compactNow: 'Compact now',
  compacting: 'Compacting…',

  tabs: {
    label: 'Parts of the session',
    messages: 'Messages',
    budget: 'Budget',
    timeline: 'Timeline',
    compactions: 'Compactions',
    whatIf: 'What if',
    ledger: 'Ledger',
  },
  picker: {
    title: 'Chat and sub-agents',
    chat: 'Main chat',
    states: {
      running: 'running',
      done: 'done',
      failed: 'failed',
      stopped: 'stopped',
    } satisfies Record<SessionChoice['state'], string>,
    /** Conversations beside the one in force in a file that was opened say what they are. */
    name: (name: string, kind: SessionChoice['kind']) =>
      kind === 'branch' ? `Branch: ${name}` : kind === 'sub-agent' ? `Sub-agent: ${name}` : name,
    facts: (state: string, tokens: string) => `${state} · ${tokens}`,
    tokens: (text: string) => `${text} tokens`,
  },
  messages: {
    title: 'Messages',
    loading: 'Loading the messages…',
    none: 'Nothing was said yet.',
    loadingText: 'Loading the text…',
    cut: (characters: string) => `Only the first ${characters} characters are shown.`,
  },

  usage: {
    title: 'Tokens in use',
    ofWindow: (window: string, share: string, counted: string) =>
      `of ${window} tokens · ${share} · ${counted}`,
    plain: (counted: string) => `tokens · ${counted}`,
    counted: 'counted',
    approximate: 'counted approximately',
    standIn:
      'This model has a tokenizer of its own, and another one counts in its place: the provider may count more or less.',
    reported: (tokens: string, since: number) =>
      since === 0
        ? `provider reported ${tokens}`
        : `provider reported ${tokens}, ${since} ${since === 1 ? 'message' : 'messages'} ago`,
    compactAt: (share: string) => `compact at ${share}`,
    askAt: (share: string) => `ask at ${share}`,
    backgroundAt: (share: string) => `background ${share}`,
    target: 'target',
    kind: 'Kind',
    tokens: 'Tokens',
    share: 'Share',
    ofAllotment: 'Of its allotment',
    allotment: (used: string, allotted: string) => `${used} of its ${allotted}`,
    allotmentTitle: (used: string, allotted: string) =>
      `${used} of the ${allotted} of the window that are meant for it and its like`,
    total: 'Total',
    reserved: 'Reserved for reply',
    free: 'Free',
    bar: (tokens: string, window: string) => `${tokens} of ${window} tokens in use.`,
    barOfTotal: (tokens: string) => `${tokens} tokens in use.`,
    barKind: (kind: string, tokens: string) => `${kind} ${tokens}`,
    barKinds: (kinds: readonly string[]) => `${kinds.join(', ')}.`,
    barReserved: (tokens: string) => `${tokens} are reserved for the reply.`,
    barTarget: (tokens: string) => `A compaction aims at ${tokens}.`,
  },

  report: {
    counted: (reported: string, counted: string) => `Last request: ${reported} reported, ${counted} counted.`,
    notInFile: (tokens: string, missing: ReportView['missing']) =>
      `${tokens} are not in the file: ${missing.map((name) => (name === 'system' ? 'system prompt' : 'tool schemas')).join(' and ')}.`,
    difference: (tokens: string) => `The two tokenizers differ by ${tokens}.`,
    cached: (share: string) => `${share} of the input came from the cache.`,
    cost: (money: string) => `All requests cost ${money}.`,
    partOfCost: (money: string) => `Requests whose price is known cost ${money}.`,
  },

  /** The Budget tab. */
  budget: {
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
  },

  /** The Timeline tab. */
  timeline: {
    loading: 'Reading the session…',
    none: 'No request was sent yet. Every request of the agent will be a bar here.',
    title: 'Tokens sent with each request',
    requests: (count: number, text: string) => (count === 1 ? '1 request' : `${text} requests`),
    compactions: (count: number, text: string) => (count === 1 ? '1 compaction' : `${text} compactions`),
    overflows: (count: number, text: string) => (count === 1 ? '1 overflow' : `${text} overflows`),
    range: (from: string, to: string) => `${from} to ${to} shown`,
    bucketed: (count: number, text: string) =>
      count === 2
        ? 'a bar stands for up to 2 requests and shows the larger'
        : `a bar stands for up to ${text} requests and shows the largest`,
    wholeSession: 'Whole session',
    trigger: (tokens: string) => `compact at ${tokens}`,
    withBackground: (trigger: string, tokens: string) => `${trigger}, in the background from ${tokens}`,
    triggerAbove: (tokens: string) => `compactions start at ${tokens}, above the chart`,
    chart: 'Request',
    keys: 'Arrow keys move, Page Up and Page Down move by ten, Shift with an arrow key marks a range, Enter shows it or opens the compaction, Escape goes back.',
    first: (number: string) => `request ${number}`,
    request: (number: string, count: string) => `Request ${number} of ${count}`,
    tokens: (text: string) => `${text} tokens`,
    reported: (text: string) => `provider reported ${text}`,
    cached: (share: string) => `${share} from the cache`,
    kind: (name: string, tokens: string) => `${name} ${tokens}`,
    kinds: (parts: readonly string[]) => parts.join(', '),
    events: (labels: readonly string[]) => labels.join('; '),
    spoken: (parts: readonly string[]) => parts.join('. '),
    selected: (from: string, to: string) => `Requests ${from} to ${to} are marked. Enter shows only these`,
    before: (event: string) => `before it: ${event}`,
    afterLast: (event: string) => `After the last request: ${event}`,
    openMark: (label: string, request: string) => `${label}, before request ${request}`,
    marks: {
      applied: (strategy: string, before: string, after: string) =>
        `${strategy} · ${before} → ${after} tokens`,
      notApplied: (strategy: string, status: string) => `${strategy} · ${status}`,
      started: (what: string, start: string) => `${what} · ${start}`,
      overflow: (tokens: string) => `Too long for the window: ${tokens} tokens`,
      undo: (count: number, text: string) =>
        count === 1 ? '1 compaction undone' : `${text} compactions undone`,
      restore: (count: number, text: string) =>
        count === 1 ? '1 message restored' : `${text} messages restored`,
    },
    /** Beside the sign of a mark, where there is little room. */
    markNames: {
      overflow: 'Too long for the window',
      undo: 'Undone',
      restore: 'Restored',
    },
    several: (count: string) => `× ${count}`,
    severalLabel: (labels: string) => `Several: ${labels}`,
    table: {
      show: 'As a table',
      name: 'Tokens sent with each request',
      request: 'Request',
      time: 'Time',
      total: 'Total',
      reported: 'Reported',
      cached: 'From cache',
      event: 'Before it',
    },
  },

  /** The Ledger tab. */
  ledger: {
    search: {
      title: 'Search everything that was said',
      label: 'Search everything that was said in this session',
      placeholder: 'Words, a file, an error…',
      none: 'Nothing was found.',
      found: (count: number, text: string) => (count === 1 ? '1 place' : `${text} places`),
      best: (count: number, text: string) => (count === 1 ? 'the best place' : `the best ${text} places`),
      more: 'Show more places',
      searching: 'Searching…',
      results: 'Places',
    },
    facts: {
      title: 'Ledger',
      none: 'No fact was found yet.',
      noneMatches: 'No fact matches.',
      loading: 'Reading the session…',
      label: 'Filter the facts',
      placeholder: 'Filter',
      section: 'Kind of fact',
      anySection: (count: string) => `all facts (${count})`,
      presence: 'Where it is now',
      anyPresence: 'anywhere',
      option: (name: string, count: string) => `${name} (${count})`,
      shown: (shown: string, total: string) => `${shown} of ${total}`,
      more: 'Show more',
      list: 'Facts',
      status: (status: string) => `exit ${status}`,
      replacedBy: (text: string) => `Now: ${text}`,
      sources: (count: number, text: string) => (count === 1 ? '1 source' : `${text} sources`),
      notNamed: (text: string) => `and ${text} earlier ones`,
    },
    sections: {
      requests: 'Your messages',
      constraints: 'Your rules',
      decisions: 'Your decisions',
      choices: "The assistant's choices",
      values: 'Values you gave',
      nextSteps: 'Next steps',
      filesModified: 'Files modified',
      filesRead: 'Files read',
      commands: 'Commands',
      errors: 'Errors',
      identifiers: 'Identifiers',
      replaced: 'Replaced',
    } satisfies Record<FactSectionName, string>,
    presences: {
      verbatim: 'in view',
      ledger: 'in view, copied',
      summary: 'in a summary',
      archive: 'in the archive only',
    } satisfies Record<PresenceName, string>,
    message: {
      inView: 'in view',
      inArchive: 'in the archive',
      pinned: 'pinned',
      place: (parts: readonly string[]) => parts.join(', '),
      tokens: (text: string) => `${text} tokens`,
      loading: 'Loading the text…',
      noText: 'No text.',
      cut: 'This is the beginning. The editor shows all of it.',
      restore: 'Restore this message',
      pin: 'Pin',
      unpin: 'Unpin',
      open: 'Open in editor',
    },
  },
};

/** The page's texts, in any language. */
export type InspectorStrings = typeof inspectorEnglish;

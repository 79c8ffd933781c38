import type { FloorName, HealthView, TriggerRange } from '../../../src/protocol/inspector-budget.ts';
import type { ReportView, SessionChoice } from '../../../src/protocol/inspector.ts';

/** The inspector's English: the page, its header and usage, and the tabs Budget, Timeline and Ledger. */
export const inspectorEnglish = {
  sentences: (sentences: readonly string[]) => sentences.join(' '),
  window: (tokens: string) => `window ${tokens}`,
  unknownWindow: 'window unknown',
  strategy: 'strategy',
  strategyLabel: (strategy: string) => `Strategy: ${strategy}. Select to change it.`,
  cost: {
    soFar: (total: string) => `cost so far ${total}`,
    atLeast: (total: string) => `cost so far at least ${total}`,
    inParts: (sum: string, parts: readonly string[]) => `${sum} (${parts.join(', ')})`,
    requests: (dollars: string) => `requests ${dollars}`,
    summaries: (dollars: string) => `summaries ${dollars}`,
    subAgents: (dollars: string) => `sub-agents ${dollars}`,
  },
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
      live: 'live',
    } satisfies Record<NonNullable<SessionChoice['state']>, string>,
    /** Other conversations of an opened file say what they are. */
    name: (name: string, kind: SessionChoice['kind']) =>
      kind === 'branch' ? `Branch: ${name}` : kind === 'sub-agent' ? `Sub-agent: ${name}` : name,
    tokens: (text: string) => `${text} tokens`,
  },
  messages: {
    title: 'Messages',
    loading: 'Loading messages…',
    none: 'No messages yet.',
    loadingText: 'Loading…',
    cut: (characters: string) => `Only the first ${characters} characters are shown.`,
  },

  usage: {
    title: 'Tokens in use',
    ofWindow: (window: string, share: string) => `of ${window} tokens · ${share}`,
    /** Two windows that fit, or their shares. */
    either: (some: readonly string[]) => some.join(' or '),
    ofTrigger: (share: string, trigger: string) => `${share} of the ${trigger} at which it compacts`,
    tokensOnly: 'tokens',
    counted: 'counted',
    approximate: 'counted approximately',
    inFile: (tokens: string) => `${tokens} of them in the file`,
    measured: (tokens: string, version: string) =>
      `${tokens} of them not in the file, as measured with version ${version}`,
    byOurCount: (tokens: string) => `${tokens} by our count`,
    standIn: 'Counted with a similar tokenizer; expect a few percent difference.',
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
    ofAllotment: 'Of its share',
    allotment: (used: string, allotted: string) => `${used} of its ${allotted} share`,
    allotmentTitle: (used: string, allotted: string) =>
      `${used} of the ${allotted} of the window allotted to this group`,
    shares:
      'A share is the part of the window meant for a group of messages. It is a guide: only the strategy Budgeted enforces it.',
    details: 'All numbers',
    total: 'Total',
    notInFile: 'Not in the file',
    countedMore: 'Counted, but not reported',
    beyond: 'Provider’s count beyond that',
    reserved: 'Reserved for reply',
    free: 'Free',
    bar: (tokens: string, window: string) => `${tokens} of ${window} tokens in use.`,
    barOfTotal: (tokens: string) => `${tokens} tokens in use.`,
    barKind: (kind: string, tokens: string) => `${kind} ${tokens}`,
    barKinds: (kinds: readonly string[]) => `${kinds.join(', ')}.`,
    barNotInFile: (tokens: string) => `${tokens} not in the file.`,
    barReserved: (tokens: string) => `${tokens} reserved for the reply.`,
    barTarget: (tokens: string) => `Compaction target: ${tokens}.`,
  },

  report: {
    counted: (reported: string, counted: string) => `Last request: ${reported} reported, ${counted} counted.`,
    notInFile: (tokens: string, missing: ReportView['missing']) =>
      `${tokens} missing from the file: ${missing.map((name) => (name === 'system' ? 'system prompt' : 'tool definitions')).join(' and ')}.`,
    difference: (tokens: string) => `The counts differ by ${tokens}.`,
    cached: (share: string) => `${share} of the input came from the cache.`,
    cost: (money: string) => `All requests cost ${money}.`,
    partOfCost: (money: string) => `Requests with known prices cost ${money}.`,
  },

  /** Changes of the context by hand. */
  byHand: {
    menu: 'Message',
    more: 'More actions…',
    moreOn: (name: string) => `More actions for ${name}`,
    hide: 'Hide…',
    show: 'Show',
    hideTool: (tool: string) => `Hide all results of ${tool}…`,
    hideFile: (path: string) => `Hide all results for ${path}…`,
    compactAbove: 'Compact everything above…',
    compactBelow: 'Compact everything below…',
    compactRange: 'Compact from here to here…',
    goOn: 'Go on from here…',
    pick: 'Select or deselect',
    pickedLabel: 'Selected messages',
    picked: (count: number, text: string) =>
      count === 1 ? '1 message selected' : `${text} messages selected`,
    cancel: 'Cancel',
    hidden: 'hidden by hand',
    hiddenCount: (count: number, text: string) =>
      count === 1 ? '1 hidden by hand' : `${text} hidden by hand`,
    hiddenTitle: 'Hidden by hand',
    request: (number: string) => `Request ${number}`,
    requests: (from: string, to: string) => `Requests ${from} to ${to}`,
    hint: 'Click a request, then another one, or press Shift with an arrow key, to select a range.',
  },

  /** The Budget tab. */
  budget: {
    loading: 'Calculating…',
    slider: {
      label: 'Size at which compaction starts',
      value: (share: string, tokens: string) => `${share} of the window, ${tokens} tokens`,
      least: {
        target: (share: string) =>
          `Cannot go below ${share}: the compaction target is just under it. Lower the target ratio first.`,
        setting: (share: string) => `Cannot go below ${share}: compactions would rarely pay off.`,
      } satisfies Record<TriggerRange['leastReason'], (share: string) => string>,
      most: {
        reserve: (share: string) =>
          `Cannot go above ${share}: the rest of the window is reserved for the reply.`,
        tokens: (share: string) =>
          `Cannot go above ${share}: the token trigger starts compaction there anyway.`,
        setting: (share: string) => `Cannot go above ${share}: the next request would not fit.`,
      } satisfies Record<TriggerRange['mostReason'], (share: string) => string>,
      refused: 'The trigger was not moved because the settings changed in the meantime.',
    },
    facts: {
      title: 'Numbers',
      floor: 'tokens no strategy can remove',
      cached: 'of input from the cache',
      money: 'so far',
      difference: 'reported vs. counted',
    },
    sentences: {
      floor: (parts: readonly string[]) => `No strategy can remove ${parts.join(', ')}.`,
      floorPart: (name: string, tokens: string) => `${name} ${tokens}`,
      same: (reported: string) => `The provider’s last reported count matches ours: ${reported} tokens.`,
      different: (counted: string, reported: string, difference: string) =>
        `For the last reported request, the provider counted ${reported} tokens and we counted ${counted} (${difference}): providers convert messages and tools to their own format, which only they can count.`,
      money: (uncached: string, cached: string, output: string) =>
        `Input ${uncached}, cached input ${cached}, output ${output}.`,
      moneyUnknown: (count: number, text: string) =>
        count === 1
          ? 'The cost of 1 more request is unknown.'
          : `The cost of ${text} more requests is unknown.`,
      moneyMayBeMore: 'Cache writes may cost more.',
    },
    floorNames: {
      notInFile: 'content not in the file',
      tools: 'tool definitions',
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
          ? 'nothing needs attention'
          : wanting === 1
            ? '1 item needs attention'
            : `${text} items need attention`,
      states: {
        good: 'Good',
        warning: 'Needs attention',
        bad: 'Bad',
        unknown: 'Unknown',
      } satisfies Record<HealthView['state'], string>,
      /** Names of the checks, by id. */
      names: {
        prefix: 'Prefix',
        staticFirst: 'Static content first',
        cache: 'Prompt cache',
        toolOutput: 'Tool output',
        ingest: 'Long results',
        trigger: 'Trigger',
        allocation: 'Allocation',
        protected: 'Protected content',
        completeness: 'Completeness',
        strategy: 'Strategy',
        task: 'Whole task',
      } as Readonly<Record<string, string>>,
      openSetting: 'Open setting',
      openSettingLabel: (name: string) => `Open setting: ${name}`,
      showDifference: 'Why was the cache missed?',
      showMessage: 'Show message',
      showMessageLabel: (name: string) => `Show message: ${name}`,
      showRecord: 'Show compaction',
      showRecordLabel: (name: string) => `Show compaction: ${name}`,
    },
    largest: 'Largest messages',
    tools: 'Tools',
    files: 'Files',
    none: 'None yet.',
    inChat: 'Show in chat',
    calls: (count: number, text: string) => (count === 1 ? '1 call' : `${text} calls`),
    toolParts: (calls: string, results: string) => `calls ${calls}, results ${results}`,
    tokens: (text: string) => `${text} tokens`,
  },

  /** The Timeline tab. */
  timeline: {
    loading: 'Reading the session…',
    none: 'No requests yet. Each request the agent sends appears here as a bar.',
    title: 'Tokens sent with each request',
    legend: { title: 'What the chart shows', reported: 'reported by the provider' },
    requests: (count: number, text: string) => (count === 1 ? '1 request' : `${text} requests`),
    compactions: (count: number, text: string) => (count === 1 ? '1 compaction' : `${text} compactions`),
    overflows: (count: number, text: string) => (count === 1 ? '1 overflow' : `${text} overflows`),
    range: (from: string, to: string) => `${from} to ${to} shown`,
    bucketed: (count: number, text: string) =>
      count === 2
        ? 'each bar covers up to 2 requests and shows the larger one'
        : `each bar covers up to ${text} requests and shows the largest one`,
    wholeSession: 'Whole session',
    trigger: (tokens: string) => `compact at ${tokens}`,
    withBackground: (trigger: string, tokens: string) => `${trigger}, in the background from ${tokens}`,
    triggerAbove: (tokens: string) => `compaction starts at ${tokens}, above the chart`,
    chart: 'Request',
    keys: 'Arrow keys move by one, Page Up and Page Down by ten. Shift with an arrow key selects a range. Enter shows the range or opens the compaction. Escape goes back.',
    first: (number: string) => `request ${number}`,
    request: (number: string, count: string) => `Request ${number} of ${count}`,
    tokens: (text: string) => `${text} tokens`,
    reported: (text: string) => `provider reported ${text}`,
    cached: (share: string) => `${share} from the cache`,
    kind: (name: string, tokens: string) => `${name} ${tokens}`,
    kinds: (parts: readonly string[]) => parts.join(', '),
    events: (labels: readonly string[]) => labels.join('; '),
    spoken: (parts: readonly string[]) => parts.join('. '),
    selected: (from: string, to: string) => `Requests ${from} to ${to} selected. Enter shows only these`,
    before: (event: string) => `before it: ${event}`,
    afterLast: (event: string) => `After the last request: ${event}`,
    openMark: (label: string, request: string) => `${label}, before request ${request}`,
    marks: {
      applied: (strategy: string, before: string, after: string) =>
        `${strategy} · ${before} → ${after} tokens`,
      notApplied: (strategy: string, status: string) => `${strategy} · ${status}`,
      started: (what: string, start: string) => `${what} · ${start}`,
      overflow: (tokens: string) => `Exceeded the window: ${tokens} tokens`,
      undo: (count: number, text: string) =>
        count === 1 ? '1 compaction undone' : `${text} compactions undone`,
      restore: (count: number, text: string) =>
        count === 1 ? '1 message restored' : `${text} messages restored`,
    },
    /** Next to the icon of a mark, if space is short. */
    markNames: {
      overflow: 'Exceeded the window',
      undo: 'Undone',
      restore: 'Restored',
    },
    /** Two consecutive requests side by side. */
    difference: {
      open: 'Why was the cache missed?',
      loading: 'Comparing requests…',
      title: (request: string, before: string) => `Request ${request} compared with request ${before}`,
      earlier: 'Previous request',
      later: 'Next request',
      close: 'Close',
      record: 'Show compaction',
      expected: (tokens: string) => `A cache can serve ${tokens} tokens.`,
      expectedAndReported: (tokens: string, reported: string) =>
        `A cache can serve ${tokens} tokens; the provider reported ${reported}.`,
      written: (again: string, fresh: string) =>
        `Written to the cache again: ${again} tokens; new messages: ${fresh} tokens.`,
      cost: (written: string) => `Writing them again cost about ${written}.`,
      costAndRead: (written: string, read: string) =>
        `Writing them again cost about ${written}; from the cache, they would have cost ${read}.`,
      side: (request: string) => `Request ${request}`,
      text: (request: string) => `First difference in request ${request}`,
      ended: 'This request has nothing here.',
    },
    several: (count: string) => `× ${count}`,
    severalLabel: (labels: string) => `Several events: ${labels}`,
    table: {
      show: 'As a table',
      name: 'Tokens sent with each request',
      request: 'Request',
      time: 'Time',
      total: 'Total',
      reported: 'Reported',
      cached: 'From cache',
      event: 'Before it',
      compared: 'Cache',
      why: 'Why missed?',
      whyLabel: (request: string) => `Why was the cache missed by request ${request}?`,
    },
  },
};

/** The page's texts, in any language. */
export type InspectorStrings = typeof inspectorEnglish;

/** Every text of the Timeline tab in English. */
export const englishStrings = {
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
    applied: (strategy: string, before: string, after: string) => `${strategy} · ${before} → ${after} tokens`,
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
};

/** The texts of the Timeline tab, in any language. */
export type TimelineStrings = typeof englishStrings;

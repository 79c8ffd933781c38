import { catalogue } from '../sentence.ts';

/** Headings of the strategy picker, and one line of at most 64 characters for each strategy, by id. */
export const strategyChoice = catalogue('strategyChoice', {
  recommended: 'Recommended',
  withoutModel: 'No model needed',
  withModel: 'With a model',
  fromLiterature: 'From papers and other agents',
  own: 'Your own',
  off: 'Off',

  none: 'Never compacts, except once after a request that was too long',
  'llm-summary': 'One model call turns older messages into notes',
  'tool-result-hiding': 'Hides old tool results and keeps everything that was said',
  'hiding-then-summary': 'Hides old tool results first, then summarises',
  selective: 'Shortens by your rules for each kind of message',
  'whole-history': 'Summarises everything, including the newest steps',
  'last-n-messages': 'Keeps the last messages and drops the rest',
  chunked: 'Summarises every N messages, in order',
  'retrieve-facts': 'Asks a model for the facts you name',
  'layered-truncation': 'Clips the longest texts, round by round',
  'recent-window': 'Keeps the newest turns that fit a fixed budget',
  'dialogue-retrieval': 'Brings back the passages that match your newest request',
  'middle-truncation': 'Cuts the middle out of long texts',
  'sliding-window': 'Keeps the newest messages that fit and drops the rest',
  'state-snapshot': 'A model keeps one snapshot of the work up to date',
  'observation-masking': 'Reduces old tool output to a few lines; keeps cache misses rare',
  'anchored-summary': 'Copies facts word for word and summarises only the discussion',
  'provider-native': "Uses the provider's own compaction, which cannot be inspected",
  budgeted: 'Gives each part of the window a share and shortens the excess',
  custom: 'A module of your workspace, or an extension',
  ladder: 'Cheapest step first; copies facts and keeps the newest work',
});

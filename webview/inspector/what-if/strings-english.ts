import type { MissingKind } from '../../../src/protocol/inspector-compactions.ts';

/** Every text of the What-if tab in English. */
export const englishStrings = {
  title: 'What if this session were compacted now',
  intro: 'Tries every strategy on this session’s own history. Nothing is changed, and no provider is asked.',
  run: 'Compare strategies',
  again: 'Run again',
  cancel: 'Cancel',
  running: (done: string, total: string, strategy: string) =>
    `dry run, nothing is changed · ${done} of ${total} done · trying ${strategy}…`,
  done: (done: string, total: string, time: string) =>
    `dry run on this session’s own history, nothing is changed · ${done} of ${total} done in ${time}`,
  cancelled: (done: string, total: string) => `cancelled · ${done} of ${total} done`,
  failed: (problem: string) => `The comparison failed: ${problem}`,
  stale: 'The conversation went on since: these numbers are of an earlier view.',
  applied: (strategy: string) =>
    `${strategy} was applied: these numbers are of the view before it. Undo it, or run the comparison again.`,
  progress: 'Strategies tried',

  table: 'Strategies compared',
  columns: {
    strategy: 'Strategy',
    tokens: 'Tokens after',
    saved: 'Saved per call',
    miss: 'Cache miss now',
    payBack: 'Pays back in',
    files: 'Files',
    commands: 'Commands',
    errors: 'Errors',
    userMessages: 'Your messages',
    modelCalls: 'Model calls',
    time: 'Time',
  },
  actions: 'Actions',
  current: 'current',
  estimate: 'estimate',
  estimateNote:
    '“estimate”: the summary was written by the offline summariser in place of the model. The size is about right; the words, and with them what is kept, will differ.',
  nothing: 'changes nothing',
  failedRow: 'cannot run',
  keptOf: (kept: string, total: string) => `${kept} / ${total}`,
  lost: (share: string, what: string) => `${share} ${what}, show what is lost`,
  calls: (count: number, text: string) => (count === 1 ? `${text} call` : `${text} calls`),
  never: 'never',
  noMiss: 'at once',
  money: (amount: string) => `about ${amount}`,
  preview: 'Preview diff',
  previewLabel: (strategy: string) => `Preview diff of ${strategy}`,
  loadingLost: 'Loading what is lost…',
  lostTitle: (strategy: string) => `What ${strategy} would lose`,
  closeLost: 'Close',
  lostNames: {
    files: 'Files',
    commands: 'Commands',
    errors: 'Errors',
    identifiers: 'Identifiers',
    userMessages: 'Your messages',
  } satisfies Record<MissingKind, string>,
  lostCount: (name: string, count: string) => `${name} (${count})`,

  previewTitle: (strategy: string) => `What ${strategy} would do`,
  previewNote: 'Nothing of this was done yet.',
  estimatePreviewNote:
    'Nothing of this was done yet. The offline summariser wrote this summary: to apply it, the model of this session writes one of its own first, so what becomes of it will differ.',
  back: 'Back to all strategies',
  apply: 'Apply',
  applyAnew: 'Make the summary and apply',
  isApplying: 'Making the summary…',
  applyStale: 'The conversation went on since. Run the comparison again to apply this.',
  isApplied: 'Applied',
  appliedNote: 'This was applied. It can be undone in the chat and among the compactions.',
  otherApplied: (strategy: string) =>
    `${strategy} was applied since. Undo it, or run the comparison again, to apply this.`,
  use: 'Use as this workspace’s strategy',
  isUsed: 'This workspace’s strategy',
};

/** The texts of the What-if tab, in any language. */
export type WhatIfStrings = typeof englishStrings;

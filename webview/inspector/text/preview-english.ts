/** The inspector's English for a compaction that is looked at before it counts. */
export const previewEnglish = {
  compactWithPreview: 'Compact with preview…',
  preview: {
    title: (strategy: string) => `Preview of ${strategy}`,
    note: 'Nothing has been changed yet.',
    planning: (strategy: string) => `Planning with ${strategy}…`,
    applying: 'Applying…',
    stop: 'Stop',
    failed: (problem: string) => `Planning failed: ${problem}`,
    back: 'All compactions',
    apply: 'Apply',
    withFocus: 'Ask again with a focus…',
    otherStrategy: 'Another strategy…',
    discard: 'Discard',
    stale: 'The conversation has changed since this was planned, so it cannot be applied. Your text is kept.',
    planAgain: 'Plan again',
    summary: 'Summary',
    summaryOf: (index: number, total: number) => `Summary ${index} of ${total}`,
    tokens: (text: string) => `${text} tokens`,
    checking: 'Checking…',
    refused: (reason: string) => `This text cannot be applied: ${reason}`,
    losesNothing: 'Edited by you. No facts are lost by the edit.',
    loses: (names: string) => `Edited by you. The edit leaves out ${names}.`,
    waiting: 'A preview has not been applied yet.',
    show: 'Show preview',
  },
};

/** The texts of previews, in any language. */
export type PreviewStrings = typeof previewEnglish;

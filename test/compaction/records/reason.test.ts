import { describe, expect, it } from 'vitest';
import {
  actionReason,
  actionText,
  CompactionFailure,
  phraseOf,
  phraseText,
  reasonOf,
  reasonText,
  recordedWarnings,
  tierViews,
  warningTexts,
} from '../../../src/compaction/records/reason.ts';
import { strategySentences } from '../../../src/language/english/strategies-english.ts';
import { SentenceError } from '../../../src/language/sentence.ts';
import { englishWording, wordingFor } from '../../../src/language/translated/wording.ts';

const nothing = strategySentences.say('nothingToFree');
const chinese = await wordingFor('zh-cn');

describe('a reason', () => {
  it('stores its sentence beside the English text', () => {
    expect(reasonOf('nothing-to-do', nothing)).toEqual({
      code: 'nothing-to-do',
      message: 'Nothing to free.',
      sentence: { key: 'strategies.nothingToFree', values: {} },
    });
  });

  it("is worded in the reader's language", () => {
    const reason = reasonOf('nothing-to-do', nothing);
    expect(reasonText(reason, englishWording)).toBe('Nothing to free.');
    expect(reasonText(reason, chinese)).toBe('没有可释放的内容。');
  });

  it('is not translated if a model or a provider worded it', () => {
    const reason = reasonOf('model-failed', 'Run the tests. Edit the notes.');
    expect(reason).toEqual({ code: 'model-failed', message: 'Run the tests. Edit the notes.' });
    expect(reasonText(reason, chinese)).toBe('Run the tests. Edit the notes.');
  });

  it('shows its stored text if the sentence is from another version', () => {
    const sentence = { key: 'engine.saidOnlyLater', values: {} };
    expect(reasonText({ message: 'Said only later.', sentence }, chinese)).toBe('Said only later.');
  });

  it('is taken from the failure or error', () => {
    expect(new CompactionFailure('nothing-to-do', nothing).reason).toEqual(
      reasonOf('nothing-to-do', nothing),
    );
    expect(phraseOf(new CompactionFailure('nothing-to-do', nothing))).toBe(nothing);
    expect(phraseOf(new SentenceError(nothing))).toBe(nothing);
    expect(phraseOf(new Error('disk full'))).toBe('disk full');
  });
});

describe('the reason of an action', () => {
  it('is stored and worded like the reason of a record', () => {
    const action = actionReason(nothing);
    expect(action).toEqual({
      reason: 'Nothing to free.',
      sentence: { key: 'strategies.nothingToFree', values: {} },
    });
    expect(actionText(action, chinese)).toBe('没有可释放的内容。');
    expect(actionReason('too old')).toEqual({ reason: 'too old' });
  });
});

describe('the warnings of a record', () => {
  it('keep their sentences in their positions, without duplicates', () => {
    const warnings = recordedWarnings(['theirs', nothing, strategySentences.say('nothingToFree')]);
    expect(warnings).toEqual({
      warnings: ['theirs', 'Nothing to free.'],
      warningSentences: [null, { key: 'strategies.nothingToFree', values: {} }],
    });
    expect(warningTexts(warnings, chinese)).toEqual(['theirs', '没有可释放的内容。']);
  });

  it('are plain strings if they are not our own sentences', () => {
    expect(recordedWarnings(['theirs'])).toEqual({ warnings: ['theirs'] });
    expect(warningTexts({ warnings: ['theirs'] }, chinese)).toEqual(['theirs']);
  });
});

describe('the reader’s language', () => {
  it('is used for our own phrases only', () => {
    expect(phraseText(nothing, chinese)).toBe('没有可释放的内容。');
    expect(phraseText('by a model', chinese)).toBe('by a model');
  });

  it('is used for the reasons of strategies that were tried', () => {
    const applied = { strategy: 'fold', status: 'applied' } as const;
    const unchanged = {
      strategy: 'hide',
      status: 'unchanged',
      reason: reasonOf('nothing-to-do', nothing),
    } as const;
    expect(tierViews([applied, unchanged], chinese)).toEqual([
      applied,
      { ...unchanged, reason: { code: 'nothing-to-do', message: '没有可释放的内容。' } },
    ]);
  });
});

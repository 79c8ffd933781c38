import { beforeAll, describe, expect, it } from 'vitest';
import { transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';
import { readSession, type SessionContents } from '../../src/transcripts/session/session-format.ts';
import { readTranscriptText, sampleSession } from '../support/transcripts.ts';

describe('the sample session', () => {
  let text: string;
  let contents: SessionContents;
  beforeAll(() => {
    text = readTranscriptText(sampleSession);
    contents = readSession(text);
  });

  it('is read without a problem', () => {
    expect(contents.problems).toEqual([]);
    expect(contents.title).toBe('How does the store keep notes on disk?');
  });

  it('has turns with tool calls, and a compaction followed by more turns', () => {
    const kinds = contents.entries.map((entry) =>
      entry.type === 'message' ? entry.message.role : entry.type,
    );
    expect(kinds.filter((kind) => kind === 'user')).toHaveLength(15);
    expect(kinds.filter((kind) => kind === 'tool').length).toBeGreaterThan(50);
    expect(kinds.filter((kind) => kind === 'compaction')).toHaveLength(1);
    expect(kinds.lastIndexOf('user')).toBeGreaterThan(kinds.indexOf('compaction'));
  });

  it('has the same valid view when read as a session and when imported', () => {
    const { view } = transcriptOf(contents.entries);
    expect(findViolations(view)).toEqual([]);
    expect(importTranscript(text).transcript.view).toEqual(view);
  });
});

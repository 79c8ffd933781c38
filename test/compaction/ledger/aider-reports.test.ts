import { describe, expect, it } from 'vitest';
import { aiderReport } from '../../../src/compaction/ledger/aider-reports.ts';
import { workFacts } from '../../../src/compaction/ledger/work-facts.ts';
import { workState } from '../../../src/compaction/ledger/work-state.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';

const said = (content: string, origin: 'harness' | 'person' = 'harness'): Message => ({
  id: content.slice(0, 12),
  role: 'user',
  origin,
  createdAt: '',
  content,
});
const report = said(
  [
    'Tokens: 8,985 sent, 883 received. Cost: $0.04 request, $0.04 session.  ',
    'Applied edit to tests/test_repo.py  ',
    'Commit 04fff71 feat: Add tests  ',
    'You can use /undo to revert and discard commit 04fff71.  ',
    '## Running: ./lint.sh tests/test_repo.py  ',
  ].join('\n'),
);
const undone = said(
  'Removed: 04fff71 feat: Add tests  \nNow at:  6a478b4 feat: Draw a graph  \nYou can use /undo to undo.',
);

describe('a report of Aider', () => {
  it('yields the files and the commits of the session', () => {
    const { filesModified, identifiers } = workFacts([report]);
    expect(filesModified).toEqual([{ path: 'tests/test_repo.py', edits: 1 }]);
    expect(identifiers).toEqual(['04fff71']);
  });

  it('excludes undone commits', () => {
    expect(workFacts([report, undone]).identifiers).toEqual([]);
  });

  it('names the last commit that was not undone', () => {
    const lastOf = (...messages: readonly Message[]) => workState(messages).repository?.commit;
    expect(lastOf(report)).toEqual({ hash: '04fff71', subject: 'feat: Add tests' });
    expect(lastOf(report, undone)).toEqual({ hash: '6a478b4', subject: 'feat: Draw a graph' });
  });

  it('is not recognised in typed text or in messages of other programs', () => {
    expect(aiderReport(said('Applied edit to a.ts', 'person'))).toBeUndefined();
    expect(aiderReport(said('<system-reminder>\nApplied edit to a.ts'))).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import { type Carried, emptyLedger } from '../../src/compaction/messages/ledger.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import type { RecordedAction } from '../../src/compaction/records/record.ts';
import { append, transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { markEntry, type MarkRequest } from '../../src/compaction/manual-edits/mark-sentence.ts';
import { sessionFacts } from '../../src/insights/session-facts.ts';
import { called, entriesOf, result, typed } from '../support/messages.ts';
import { recordWith } from '../support/records.ts';

const messages: readonly Message[] = [
  typed('u', 'why does the lock hang?'),
  called('a1', ['c1', 'read_file', { path: 'src/lock.ts' }]),
  result('r1', 'c1', 'Error: EBUSY: resource busy'),
  called('a2', ['c2', 'run_command', { command: 'npm ci' }]),
  result('r2', 'c2', 'exit code: 0'),
  called('a3', ['c3', 'edit_file', { path: 'src/lock.ts' }]),
  result('r3', 'c3', 'done'),
];
const before = transcriptOf(entriesOf(messages));

/** The transcript with everything but the request summarised. */
function summarisedAs(text: string, carried?: Carried) {
  const ids = messages.slice(1).map(({ id }) => id);
  const action: RecordedAction = {
    kind: 'summarise',
    sourceIds: ids,
    outputId: 'k.1',
    reason: 'test',
    tokensBefore: 0,
    tokensAfter: 0,
  };
  const summary: Message = {
    ...typed('k.1', text),
    origin: 'strategy',
    kind: 'summary',
    ...(carried && { carried }),
  };
  return append(before, { type: 'compaction', record: recordWith('k', [action], [summary]) });
}

describe('the facts of a session', () => {
  it('list every message that contains them, even if it only read a file', () => {
    const facts = sessionFacts(before);
    expect(facts.find(({ text }) => text === 'src/lock.ts')).toEqual({
      section: 'filesModified',
      text: 'src/lock.ts',
      sources: ['a1', 'a3'],
      presence: 'verbatim',
    });
  });

  it('state the exit status of the last run of a command', () => {
    expect(sessionFacts(before).find(({ section }) => section === 'commands')).toMatchObject({
      text: 'npm ci',
      status: 0,
      sources: ['a2'],
    });
  });

  it('list the results that printed an error', () => {
    const failing = [
      typed('u', 'check it'),
      called('a', ['c', 'run_command', { command: 'sh check.sh' }]),
      result('r', 'c', 'Error: the index is torn'),
    ];
    expect(
      sessionFacts(transcriptOf(entriesOf(failing))).find(({ section }) => section === 'errors'),
    ).toMatchObject({
      text: 'Error: the index is torn',
      sources: ['r'],
    });
  });

  it('state where they are: word for word in context, in a ledger, in a summary, or in the archive', () => {
    const compacted = summarisedAs(
      'The packages were installed (npm ci).\n<ledger>\n## Files modified\n- src/lock.ts\n</ledger>',
      { ledger: { ...emptyLedger, filesModified: [{ path: 'src/lock.ts' }] } },
    );
    const presence = Object.fromEntries(sessionFacts(compacted).map((fact) => [fact.section, fact.presence]));
    expect(presence).toEqual({
      requests: 'verbatim',
      filesModified: 'ledger',
      commands: 'summary',
      errors: 'archive',
    });
  });

  it('keep their sources, even if the sources have left the context', () => {
    const facts = sessionFacts(summarisedAs('nothing of note'));
    expect(facts.find(({ section }) => section === 'errors')?.sources).toEqual(['r1']);
  });
});

describe('a sentence that the user marked', () => {
  const said = transcriptOf(entriesOf([typed('u1', 'Use tabs. Use port 8080.'), typed('u2', 'Use tabs.')]));
  const mark = (request: MarkRequest) => append(said, markEntry(said, request, '')!);

  it('is only in the archive until a summary contains its mark', () => {
    const facts = sessionFacts(mark({ sentence: 'Use tabs.', as: 'done' }));
    expect(facts[0]).toEqual({
      section: 'marked',
      text: 'Use tabs.',
      mark: { as: 'done', sentence: 'Use tabs.' },
      sources: ['u1', 'u2'],
      presence: 'archive',
    });
  });

  it('is in context if its message is in context and the user did not reword it', () => {
    const presence = (words?: string) =>
      sessionFacts(mark({ sentence: 'Use tabs.', as: 'rule', words }))[0]?.presence;
    expect([presence(), presence('Use spaces.')]).toEqual(['verbatim', 'archive']);
  });

  it('is still listed after the user struck it, so that the mark can be undone', () => {
    const facts = sessionFacts(mark({ sentence: 'Use tabs.', as: 'struck' }));
    expect(facts.filter(({ text }) => text === 'Use tabs.').map(({ section }) => section)).toEqual([
      'struck',
    ]);
  });
});

describe('a replaced fact', () => {
  const said = [typed('u1', 'The port is 8080. Never push to main.'), typed('u2', 'The port is 9191 now.')];

  it('names its replacement and its source', () => {
    const facts = sessionFacts(transcriptOf(entriesOf(said)));
    expect(facts.find(({ section }) => section === 'replaced')).toEqual({
      section: 'replaced',
      text: 'The port is 8080.',
      replacedBy: 'The port is 9191 now.',
      sources: ['u1'],
      presence: 'verbatim',
    });
  });

  it('is left out of the listed requests', () => {
    const requests = sessionFacts(transcriptOf(entriesOf(said))).filter(
      ({ section }) => section === 'requests',
    );
    expect(requests).toMatchObject([
      { text: 'Never push to main.', sources: ['u1'], presence: 'verbatim' },
      { text: 'The port is 9191 now.', sources: ['u2'], presence: 'verbatim' },
    ]);
  });
});

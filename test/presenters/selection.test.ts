import { describe, expect, it } from 'vitest';
import { protections } from '../../src/compaction/messages/protection.ts';
import { transcriptOf } from '../../src/compaction/transcript/transcript.ts';
import { hidingOf, obstaclesTo, rangeAfter, rangeOf } from '../../src/presenters/selection.ts';
import { called, entriesOf, result, said, typed } from '../support/messages.ts';

const transcript = transcriptOf(
  entriesOf([
    typed('u1', 'look around'),
    called('a1', ['x', 'read_file', { path: 'src/a.ts' }], ['y', 'run_command', { command: 'npm test' }]),
    result('r1', 'x', 'text of a'),
    result('r2', 'y', 'ok'),
    called('a2', ['z', 'read_file', { path: 'src/b.ts' }]),
    result('r3', 'z', 'text of b'),
    said('a3', 'Done.'),
    typed('u2', 'and\nnow?'),
  ]),
);

describe('the messages that a selection hides', () => {
  it.each([
    ['a message', { messageIds: ['a3'] }, ['a3']],
    ['a result, without its call', { messageIds: ['r1'] }, ['r1']],
    ['a call, with all its results', { messageIds: ['a1'] }, ['a1', 'r1', 'r2']],
    ['all results of a tool', { tool: 'read_file' }, ['r1', 'r3']],
    ['all results that show a file', { path: 'src/b.ts' }, ['r3']],
    ['several, in the order of the conversation', { messageIds: ['a3', 'u1'] }, ['u1', 'a3']],
    ['nothing that is not in context', { messageIds: ['m9'], tool: 'grep' }, []],
  ])('include %s', (_what, selection, messages) => {
    expect(hidingOf(transcript, selection)).toEqual({ messages, pictures: [] });
  });

  it('are absent if only the pictures of a message are hidden', () => {
    expect(hidingOf(transcript, { pictureIds: ['u1'] })).toEqual({ messages: [], pictures: ['u1'] });
  });
});

describe('the messages that cannot be hidden', () => {
  it('are all protected messages, each with its reason and its beginning', () => {
    const { view } = transcript;
    const causes = protections(view, { pins: new Set(['r3']), protectFirst: true });
    expect(obstaclesTo({ messages: ['u1', 'a3', 'u2'], pictures: ['r3'] }, view, causes)).toEqual([
      { id: 'u1', cause: 'first-request', excerpt: 'look around' },
      { id: 'r3', cause: 'pin', excerpt: 'text of b' },
      { id: 'u2', cause: 'newest-request', excerpt: 'and now?' },
    ]);
  });
});

describe('the range of messages to compact', () => {
  it.each([
    ['everything above an exchange', { above: 'r3' }, { to: 'r2' }],
    ['everything below an exchange', { below: 'a1' }, { from: 'a2' }],
    ['everything from one message to another', { from: 'a1', to: 'r3' }, { from: 'a1', to: 'r3' }],
    ['nothing above the first message', { above: 'u1' }, undefined],
    ['nothing below the newest message', { below: 'u2' }, undefined],
    ['nothing around a message that is not in context', { above: 'm9' }, undefined],
  ])('%s', (_what, choice, range) => {
    expect(rangeOf(transcript, choice)).toEqual(range);
  });
});

describe('the messages after a given message', () => {
  it('begin after the whole exchange of the message', () => {
    expect(rangeAfter(transcript, 'r1')).toEqual({ from: 'a2', rewinds: true });
    expect(rangeAfter(transcript, 'u1')).toEqual({ from: 'a1', rewinds: true });
  });

  it('are absent after the newest message, or after a message out of context', () => {
    expect(rangeAfter(transcript, 'u2')).toBeUndefined();
    expect(rangeAfter(transcript, 'm9')).toBeUndefined();
  });
});

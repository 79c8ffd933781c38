import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { protectedIds } from '../../../src/compaction/messages/protection.ts';
import { called, result, said, system, typed } from '../../support/messages.ts';

const options = { pins: new Set<string>(), protectFirst: false };
const wanted = (message: Message): Message => ({
  ...message,
  reasoningItems: { endpoint: 'https://example.com/v1', model: 'thinker', items: [{}] },
});

describe('reasoning that a provider needs back', () => {
  const question = typed('m1', 'why?');
  const call = wanted(called('m2', ['c1', 'look']));

  it('is protected while its calls wait for an answer', () => {
    expect(protectedIds([question, call, result('m3', 'c1', 'so')], options)).toEqual(new Set(['m1', 'm2']));
  });

  it('is not protected once the model has continued', () => {
    const view = [question, call, result('m3', 'c1', 'so'), said('m4', 'Because.')];
    expect([...protectedIds(view, options)]).toEqual(['m1']);
  });

  it('is not protected in a message without calls', () => {
    expect([...protectedIds([question, wanted(said('m2', 'Because.'))], options)]).toEqual(['m1']);
  });
});

describe('system messages', () => {
  it('are protected, except exact copies of earlier messages', () => {
    const view = [system('s1', 'rules'), typed('m1', 'go'), system('s2', 'more'), system('s3', 'rules')];
    expect([...protectedIds(view, options)].sort()).toEqual(['m1', 's1', 's2']);
  });

  it('are protected if they are pinned, even as copies', () => {
    const view = [system('s1', 'rules'), typed('m1', 'go'), system('s3', 'rules')];
    expect(protectedIds(view, { ...options, pins: new Set(['s3']) })).toContain('s3');
  });
});

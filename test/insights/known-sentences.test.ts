import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentenceLookup } from '../../src/insights/known-sentences.ts';

const lookup = sentenceLookup({
  'Try again.': '请重试。',
  '{0} refused the key. {1}': '{0} 拒绝了密钥。{1}',
  '{0} did not answer within {#1} s.': '{0} 在 {1} 秒内没有响应。',
  'Message {#0}: expected {1}.': '消息 {0}: 应为{1}。',
  'one of {0}': '以下值之一: {0}',
  '{0} must be {1}, not {2}.': '{0} 必须是{1}，而不是 {2}。',
  'The server said: {0}': '服务器返回: {0}',
  '{#0} failed': '{0} 个失败',
  '{0} of {1} kept': '{1} 中保留 {0}',
  '{0} failed to load': '{0} 加载失败',
});

describe('looking sentences up', () => {
  it('finds one as it stands', () => {
    expect(lookup('Try again.')).toBe('请重试。');
  });

  it('fills in what a template has holes for, in the order of the other language', () => {
    expect(lookup('3 of 4 kept')).toBe('4 中保留 3');
  });

  it('looks up what is filled in', () => {
    expect(lookup('Message 3: expected one of user, tool.')).toBe('消息 3: 应为以下值之一: user, tool。');
  });

  it('takes a single word that is filled in as it is', () => {
    const words = sentenceLookup({ '{0} is open.': '{0} 已打开。', Memory: '记忆' });
    expect(words('Memory is open.')).toBe('Memory 已打开。');
  });

  it('takes a text for several sentences, and leaves the words of somebody else as they are', () => {
    expect(lookup('host did not answer within 5 s. Try again. The server said: Out of memory. Sorry!')).toBe(
      'host 在 5 秒内没有响应。请重试。服务器返回: Out of memory. Sorry!',
    );
  });

  it('prefers the reading that knows most', () => {
    expect(lookup('host refused the key. Try again.')).toBe('host 拒绝了密钥。请重试。');
  });

  it('takes only a number for a number', () => {
    expect(lookup('1,204 failed')).toBe('1,204 个失败');
    expect(lookup('npm failed')).toBeUndefined();
  });

  it('is not misled by names that every object has', () => {
    expect(lookup('constructor')).toBeUndefined();
  });

  it('does not know what is not in the table, or too long for a sentence', () => {
    expect(lookup('Nothing of the kind.')).toBeUndefined();
    expect(lookup(`${'x'.repeat(2_000)} must be one of a, not b.`)).toBeUndefined();
  });

  it('puts in whatever is filled in, as it is', () => {
    const value = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/\s/u.test(text));
    fc.assert(
      fc.property(value, (name) => {
        expect(lookup(`${name} failed to load`)).toBe(`${name} 加载失败`);
      }),
    );
  });

  it('gives the same answer again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z .:,0-9]{0,200}$/), (text) => {
        expect(lookup(text)).toBe(lookup(text));
      }),
    );
  });
});

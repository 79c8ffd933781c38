import { describe, expect, it } from 'vitest';
import type { Skill } from '../../../src/agent/memory/skill-files.ts';
import { createLoadSkill } from '../../../src/agent/tools/load-skill.ts';
import { kindOf } from '../../../src/compaction/messages/message.ts';
import { selective } from '../../../src/compaction/strategies/selective.ts';
import { viewAfter } from '../../contract/contract.ts';
import { createMeter, runCompaction } from '../../support/engine.ts';
import { said, textOfTokens, typed } from '../../support/messages.ts';
import { SessionHarness } from '../session/session-harness.ts';

const release: Skill = {
  name: 'release',
  description: 'makes a release',
  shown: '.agents/skills/release/SKILL.md',
};
const texts = new Map([['release', '[Skill release]\nTag it first.']]);

/** A session with skills, whose model loads the named ones. */
async function sessionWith(skills: () => readonly Skill[]) {
  const harness = await SessionHarness.start(await createMeter(), {
    skills: () => Promise.resolve(skills()),
    tools: ({ saySkill }) => [
      createLoadSkill({ text: (name) => Promise.resolve(texts.get(name)), say: saySkill }),
    ],
  });
  const load = (name: string) => ({ toolCalls: [{ name: 'load_skill', arguments: { name } }] });
  const kinds = () => harness.session.transcript.view.map(kindOf);
  return { harness, load, kinds };
}

describe('skills in a session', () => {
  it('are listed before the first message, and their text follows the call that loads it', async () => {
    const { harness, load, kinds } = await sessionWith(() => [release]);
    await using _ = harness;
    harness.server.reply(load('release'), load('release'), load('none'), { text: 'Done.' });
    await harness.session.send('Make a release.');
    expect(kinds()).toEqual(
      [
        ...['system', 'skillMetadata', 'user', 'toolCall', 'toolResult', 'skill'],
        ...['toolCall', 'toolResult', 'toolCall', 'toolResult', 'assistant'],
      ].map((kind) => (kind === 'toolCall' ? 'assistant' : kind)),
    );
    const said = harness.view.map(([, text]) => text);
    expect(said[1]).toContain('- release: makes a release (.agents/skills/release/SKILL.md)');
    expect(said[5]).toBe('[Skill release]\nTag it first.');
    expect(said[7]).toContain('already');
    expect(said[9]).toContain('There is no skill "none"');
    const usage = await harness.session.nextRequest.size();
    expect(usage.byKind.skill).toBeGreaterThan(0);
    expect(usage.byKind.skillMetadata).toBeGreaterThan(0);
  });

  it('are listed again only after a change', async () => {
    let skills: readonly Skill[] = [release];
    const { harness, kinds } = await sessionWith(() => skills);
    await using _ = harness;
    const listed = () => kinds().filter((kind) => kind === 'skillMetadata').length;
    harness.server.replyWith(() => ({ text: 'Yes.' }));
    await harness.session.send('One.');
    await harness.session.send('Two.');
    expect(listed()).toBe(1);
    skills = [];
    await harness.session.send('Three.');
    expect(listed()).toBe(2);
    expect(harness.view.map(([, text]) => text)).toContain(
      '[There are no skills in this workspace any more.]',
    );
  });

  it('are not mentioned if the workspace has none', async () => {
    const { harness, kinds } = await sessionWith(() => []);
    await using _ = harness;
    harness.server.reply({ text: 'Yes.' });
    await harness.session.send('One.');
    expect(kinds()).toEqual(['system', 'user', 'assistant']);
  });
});

describe('the strategy Selective', () => {
  const of = (id: string, kind: 'skill' | 'skillMetadata') =>
    ({ role: 'user', origin: 'harness', kind, id, createdAt: '', content: textOfTokens(300) }) as const;
  const view = [
    typed('m1', 'go'),
    of('list', 'skillMetadata'),
    of('text', 'skill'),
    said('m2', textOfTokens(200)),
    typed('m3', 'go on'),
  ];
  const left = async (target: number) => {
    const run = { view, strategy: selective, options: { summary: 'never' }, target };
    const [record] = await runCompaction(run, await createMeter());
    return viewAfter(view, record!).map(({ id }) => id);
  };

  it('removes the text of a skill before the list of skills', async () => {
    expect(await left(600)).toEqual(['m1', 'list', 'm2', 'm3']);
    expect(await left(300)).toEqual(['m1', 'm2', 'm3']);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../../../src/compaction/messages/message.ts';
import { dialogueRetrieval } from '../../../src/compaction/strategies/dialogue-retrieval.ts';
import { createMeter } from '../../support/engine.ts';
import { said, textOfTokens, typed } from '../../support/messages.ts';
import { never, ServiceHarness } from './service-harness.ts';

const meter = await createMeter();

const topics = {
  postgres: 'The postgres pool has 37 connections.',
  redis: 'The redis entries live 55 minutes.',
  kafka: 'The kafka topic is called quartz-events.',
  nginx: 'The nginx port is 48213.',
};

describe('a strategy that restores messages for the newest request', () => {
  let harness: ServiceHarness;
  beforeEach(async () => {
    harness = new ServiceHarness(meter);
    harness.choose(dialogueRetrieval, { topK: 3 });
    for (const [topic, fact] of Object.entries(topics)) {
      harness.host.say(typed(`ask-${topic}`, `Tell me about ${topic}.`));
      harness.host.say(said(topic, `${fact} ${textOfTokens(2_000)}`));
    }
    harness.host.say(typed('q1', 'How many connections has the postgres pool?'));
    await harness.service.check(never);
  });
  const shown = () => {
    const texts = harness.host.transcript.view.map(({ content }) => textOf(content)).join('\n');
    return Object.entries(topics).flatMap(([topic, fact]) => (texts.includes(fact) ? [topic] : []));
  };
  const ask = async (id: string, request: string) => {
    harness.host.say(said(`a-${id}`, 'As you see.'), typed(id, request));
    await harness.service.check(never);
  };

  it('runs again for a new request, even if there is enough room', async () => {
    expect(shown()).toContain('postgres');
    expect(shown()).not.toContain('kafka');
    await ask('q2', 'And the name of the kafka topic?');
    expect(shown()).toContain('kafka');
    await ask('q3', 'At which port does nginx listen?');
    expect(shown()).toContain('nginx');
    expect(harness.records.map(({ trigger }) => trigger.source)).toEqual([
      'ratio',
      'newRequest',
      'newRequest',
    ]);
    expect(await harness.tokens()).toBeLessThan(5_000);
  });

  it('does not run at every call of a turn', async () => {
    await ask('q2', 'And the name of the kafka topic?');
    const { length } = harness.records;
    harness.host.say(said('thinking', 'Let me see.'));
    await harness.service.check(never);
    expect(harness.records).toHaveLength(length);
  });

  it.each(['ask', 'off'] as const)('does not run automatically in the mode %s', async (mode) => {
    harness.settings = { ...harness.settings, mode };
    const { length } = harness.records;
    await ask('q2', 'And the name of the kafka topic?');
    expect(harness.records).toHaveLength(length);
  });

  it('does not run if nothing was removed', async () => {
    for (const record of [...harness.records]) await harness.service.undo(record.id);
    harness.settings = { ...harness.settings, budget: { ...harness.settings.budget, window: 100_000 } };
    const { length } = harness.records;
    await ask('q2', 'And the name of the kafka topic?');
    expect(harness.records).toHaveLength(length);
  });
});

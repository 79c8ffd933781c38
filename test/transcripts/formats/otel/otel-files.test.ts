import { describe, expect, it } from 'vitest';
import { sessionHead, sessionPlaces } from '../../../../src/transcripts/found-agents.ts';

const says = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

function line(attributes: Readonly<Record<string, unknown>>): string {
  const listed = Object.entries(attributes).map(([key, value]) => ({
    key,
    value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
  }));
  return `${JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 't1', attributes: listed }] }] }] })}\n`;
}

const request = {
  'gen_ai.request.model': 'x',
  'gen_ai.input.messages': [says('system', 'rules'), says('user', 'Mend the test')],
};

describe('telemetry that was received', () => {
  it('is found in the state folder', () => {
    const surroundings = {
      home: '/home/a',
      platform: 'linux',
      environment: { CONTEXT_BUDGET_STATE: '/state' },
    };
    const place = sessionPlaces(surroundings).find(({ agent }) => agent === 'opentelemetry');
    expect(place?.folder).toBe('/state/telemetry');
    expect(place?.levels[0]?.test('2026-11-27-10-00-00-a1b2c3d4.jsonl')).toBe(true);
  });

  it('is titled after the first typed message, with the model', () => {
    const later = line({ ...request, 'gen_ai.input.messages': [says('user', 'Something else')] });
    expect(sessionHead('opentelemetry', line(request) + later)).toMatchObject({
      title: 'Mend the test',
      model: 'x',
    });
  });

  it('has its title and model even if the beginning ends within the messages', () => {
    const long = [...request['gen_ai.input.messages'], says('assistant', 'x'.repeat(10_000))];
    const text = line({ ...request, 'gen_ai.input.messages': long }).slice(0, 2_000);
    expect(sessionHead('opentelemetry', text)).toMatchObject({ title: 'Mend the test', model: 'x' });
  });

  it('has no title in a file of something else', () => {
    expect(sessionHead('opentelemetry', '{"attributes":[],"events":7}\n[').title).toBeUndefined();
  });
});

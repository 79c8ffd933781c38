import { describe, expect, it } from 'vitest';
import type { AgentSpan } from '../../../src/agent/telemetry/otlp-span.ts';
import { SpanExporter } from '../../../src/agent/telemetry/span-exporter.ts';
import { typed } from '../../support/messages.ts';
import { SpanCollector } from '../../support/span-collector.ts';

function span(subject: string, more: Partial<AgentSpan> = {}): AgentSpan {
  const place = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331', parent: undefined };
  return { ...place, operation: 'chat', subject, start: 0, end: 1, attributes: {}, ...more };
}

/** An exporter, and the lines that it logged. */
function exporterTo(endpoint: string, content = false) {
  const lines: string[] = [];
  const exporter = new SpanExporter({
    target: () => ({ endpoint, content }),
    keys: () => Promise.resolve([]),
    version: '1.2.3',
    warn: (line) => lines.push(line),
  });
  return { exporter, lines };
}

describe('the exporter of spans', () => {
  it('sends spans that end together in one request', async () => {
    await using collector = await SpanCollector.start();
    const { exporter } = exporterTo(`${collector.endpoint}/otlp/`);
    exporter.add(span('one'));
    exporter.add(span('two'));
    await exporter.settled();
    expect(collector.spans.map(({ name }) => name)).toEqual(['chat one', 'chat two']);
    expect(collector.paths).toEqual(['/otlp/v1/traces']);
  });

  it('sends long conversations in several requests', async () => {
    await using collector = await SpanCollector.start();
    const { exporter } = exporterTo(collector.endpoint, true);
    const input = [typed('m1', 'a'.repeat(800_000))];
    for (const name of ['one', 'two', 'three']) exporter.add(span(name, { content: { input } }));
    await exporter.settled();
    expect(collector.bodies).toHaveLength(2);
    expect(collector.spans.map(({ name }) => name)).toEqual(['chat one', 'chat two', 'chat three']);
  });

  it('logs one line until spans arrive again', async () => {
    await using collector = await SpanCollector.start();
    const { exporter, lines } = exporterTo(collector.endpoint);
    const send = async (status: number) => {
      collector.status = status;
      exporter.add(span('one'));
      await exporter.settled();
      return lines.length;
    };
    expect([await send(503), await send(503), await send(200), await send(503)]).toEqual([1, 1, 1, 2]);
    expect(lines[0]).toContain('503');
  });

  it('follows no redirect', async () => {
    await using collector = await SpanCollector.start();
    const { exporter, lines } = exporterTo(collector.endpoint);
    collector.status = 302;
    exporter.add(span('one'));
    await exporter.settled();
    expect(collector.paths).toEqual(['/v1/traces']);
    expect(lines).toHaveLength(1);
  });

  it('drops spans beyond those that may wait', async () => {
    await using collector = await SpanCollector.start();
    const { exporter } = exporterTo(collector.endpoint);
    for (let index = 0; index < 3_000; index++) exporter.add(span(String(index)));
    await exporter.settled();
    expect(collector.spans).toHaveLength(2_000);
  });
});

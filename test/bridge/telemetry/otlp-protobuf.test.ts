import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeExport, encodeMessage } from '../../../src/bridge/telemetry/otlp-protobuf.ts';
import { exportedLogs, exportedSpans } from './exported.ts';

const text = (stringValue: string) => ({ stringValue });

describe('an export in protobuf', () => {
  it('is read like the same spans in OTLP/JSON', () => {
    expect(decodeExport('resourceSpans', exportedSpans)).toEqual({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: text('weather-agent') }] },
          scopeSpans: [
            {
              spans: [
                {
                  traceId: '0af7651916cd43dd8448eb211c80319c',
                  spanId: 'b7ad6b7169203331',
                  name: 'chat x',
                  startTimeUnixNano: expect.stringMatching(/^\d{19}$/u) as string,
                  endTimeUnixNano: expect.stringMatching(/^\d{19}$/u) as string,
                  attributes: [
                    { key: 'gen_ai.operation.name', value: text('chat') },
                    { key: 'gen_ai.request.model', value: text('gpt-4o-mini') },
                    { key: 'gen_ai.request.temperature', value: { doubleValue: 0.5 } },
                    { key: 'gen_ai.usage.input_tokens', value: { intValue: '300' } },
                    { key: 'gen_ai.usage.output_tokens', value: { intValue: '5' } },
                    {
                      key: 'gen_ai.response.finish_reasons',
                      value: { arrayValue: { values: [text('stop')] } },
                    },
                    { key: 'gen_ai.request.stream', value: { boolValue: true } },
                    { key: 'gen_ai.input.messages', value: text(expect.stringContaining('Köln') as string) },
                    { key: 'gen_ai.output.messages', value: text(expect.stringContaining('☀') as string) },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('is read like the same log records in OTLP/JSON', () => {
    expect(decodeExport('resourceLogs', exportedLogs)).toMatchObject({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  eventName: 'gen_ai.user.message',
                  body: { kvlistValue: { values: [{ key: 'content', value: text('Hello?') }] } },
                },
                { eventName: 'gen_ai.choice' },
              ],
            },
          ],
        },
      ],
    });
  });

  it('is read or refused wherever it is cut off', () => {
    for (let end = 0; end < exportedSpans.length; end++) {
      const cut = exportedSpans.subarray(0, end);
      if (end === 0) expect(decodeExport('resourceSpans', cut)).toEqual({});
      else expect(() => decodeExport('resourceSpans', cut), String(end)).toThrow(RangeError);
    }
  });

  it('fails with a reason for any bytes that are not protobuf', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeExport('resourceLogs', bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });

  it('is refused if its values are nested without end', () => {
    let value = encodeMessage([[1, Buffer.from('deep')]]);
    for (let level = 0; level < 200; level++) value = encodeMessage([[5, encodeMessage([[1, value]])]]);
    const within = (...fields: readonly number[]) =>
      fields.reduceRight((inner, field) => encodeMessage([[field, inner]]), value);
    expect(() => decodeExport('resourceLogs', within(1, 2, 2, 5))).toThrow('too many messages');
  });

  it('is read without fields of later versions', () => {
    const later = encodeMessage([
      [900, 70_000],
      [901, Buffer.from('later')],
    ]);
    const both = Buffer.concat([later, exportedSpans]);
    expect(decodeExport('resourceSpans', both)).toEqual(decodeExport('resourceSpans', exportedSpans));
  });
});

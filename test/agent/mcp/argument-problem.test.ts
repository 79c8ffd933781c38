import { describe, expect, it } from 'vitest';
import { argumentProblem } from '../../../src/agent/mcp/argument-problem.ts';

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    size: { type: ['integer', 'null'] },
    state: { enum: ['open', 'closed'] },
    labels: { type: 'array', items: { type: 'string' } },
    place: { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] },
  },
  required: ['title'],
  additionalProperties: false,
};

describe('arguments for a tool of a server', () => {
  it.each([
    [{ title: 'x' }],
    [{ title: 'x', size: null, state: 'open', labels: ['a'], place: { line: 1, column: 2 } }],
  ])('match its schema: %j', (input) => {
    expect(argumentProblem(schema, input)).toBeUndefined();
  });

  it.each([
    [{}, 'The argument "title" is missing.'],
    [{ title: 1 }, '"title" must be of type string.'],
    [{ title: 'x', size: 1.5 }, '"size" must be of type integer or null.'],
    [{ title: 'x', state: 'ajar' }, '"state" must be one of "open", "closed".'],
    [{ title: 'x', labels: ['a', 2] }, '"labels[1]" must be of type string.'],
    [{ title: 'x', place: {} }, 'The argument "place.line" is missing.'],
    [
      { title: 'x', colour: 'red' },
      'There is no argument "colour". There are: title, size, state, labels, place.',
    ],
    [
      { title: 'x', constructor: 1 },
      'There is no argument "constructor". There are: title, size, state, labels, place.',
    ],
  ])('do not match their schema: %j', (input, problem) => {
    expect(argumentProblem(schema, input)).toBe(problem);
  });

  it('are left to the server if the schema is missing or uses unsupported rules', () => {
    expect(argumentProblem(undefined, { a: 1 })).toBeUndefined();
    expect(argumentProblem({ type: 'object', properties: { a: 'text' } }, { a: 1 })).toBeUndefined();
    const slow = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    expect(argumentProblem(slow, { a: `${'a'.repeat(40)}b` })).toBeUndefined();
  });

  it('are checked at any depth', () => {
    const nested: Record<string, unknown> = {};
    nested['properties'] = { a: nested };
    let input: Record<string, unknown> = {};
    for (let level = 0; level < 1_000; level++) input = { a: input };
    expect(argumentProblem(nested, input)).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';
import {
  dependenciesOf,
  problemWithSubAgents,
  type SubAgent,
} from '../../../src/agent/delegation/sub-agents.ts';

const tools = ['read_file', 'edit_file'];

function subAgent(
  name: string,
  dependsOn: readonly string[] = [],
  changes: Partial<SubAgent> = {},
): SubAgent {
  return { name, task: `Do ${name}.`, dependsOn, ...changes };
}

const problem = (...subAgents: readonly SubAgent[]) => problemWithSubAgents(subAgents, tools);

describe('a set of sub-agents', () => {
  it('accepts dependencies in any order, and a choice of tools', () => {
    expect(problem(subAgent('ui', ['api']), subAgent('api', [], { tools: ['read_file'] }))).toBeUndefined();
  });

  it('has one to eight members', () => {
    const many = Array.from({ length: 9 }, (_, index) => subAgent(`s${index}`));
    expect(problem()).toBe('There are no sub-agents to start.');
    expect(problem(...many)).toMatch(/^At most 8 sub-agents .* not 9\./);
    expect(problem(...many.slice(1))).toBeUndefined();
  });

  it.each(['', 'Api', 'a b', '../a', '1st', 'nul', 'com1', 'a'.repeat(33)])(
    'refuses the name "%s"',
    (name) => {
      expect(problem(subAgent(name))).toContain(`"${name}" cannot be the name of a sub-agent`);
    },
  );

  it('refuses a duplicate name', () => {
    expect(problem(subAgent('api'), subAgent('api'))).toMatch(/^Two sub-agents are called api\./);
  });

  it('refuses a sub-agent with no task or with a very long task', () => {
    expect(problem(subAgent('api', [], { task: ' \n' }))).toBe('The sub-agent api has no task.');
    expect(problem(subAgent('api', [], { task: 'x'.repeat(20_001) }))).toMatch(
      /longer than 20000 characters/,
    );
  });

  it('refuses an unknown dependency or tool, and lists the known ones', () => {
    expect(problem(subAgent('ui', ['db']), subAgent('api'))).toBe(
      'ui depends on db, which is not one of the sub-agents: ui, api.',
    );
    expect(problem(subAgent('ui', [], { tools: ['delegate'] }))).toBe(
      'ui cannot have the tool delegate. There are: read_file, edit_file.',
    );
  });

  it('refuses a cycle, and names only the sub-agents in it', () => {
    const subAgents = [
      subAgent('start', ['a']),
      subAgent('a', ['b']),
      subAgent('b', ['c']),
      subAgent('c', ['a']),
    ];
    expect(problem(...subAgents)).toContain('in a circle: a → b → c → a.');
  });

  it('refuses a sub-agent that waits for itself', () => {
    expect(problem(subAgent('a', ['a']))).toContain('in a circle: a → a.');
  });

  it('allows two paths of dependencies to the same sub-agent', () => {
    expect(
      problem(subAgent('a', ['b', 'c']), subAgent('b', ['d']), subAgent('c', ['d']), subAgent('d')),
    ).toBeUndefined();
  });
});

describe('the dependencies of a sub-agent', () => {
  it('include the dependencies of its dependencies', () => {
    const subAgents = [subAgent('a', ['b']), subAgent('b', ['c']), subAgent('c'), subAgent('other')];
    expect([...dependenciesOf('a', subAgents)]).toEqual(['b', 'c']);
    expect([...dependenciesOf('c', subAgents)]).toEqual([]);
  });
});

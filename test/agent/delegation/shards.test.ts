import { describe, expect, it } from 'vitest';
import { dependenciesOf, problemWithShards, type Shard } from '../../../src/agent/delegation/shards.ts';

const tools = ['read_file', 'edit_file'];

function shard(name: string, dependsOn: readonly string[] = [], changes: Partial<Shard> = {}): Shard {
  return { name, task: `Do ${name}.`, dependsOn, ...changes };
}

const problem = (...shards: readonly Shard[]) => problemWithShards(shards, tools);

describe('a set of shards', () => {
  it('is taken with dependencies in any order, and with some of the tools', () => {
    expect(problem(shard('ui', ['api']), shard('api', [], { tools: ['read_file'] }))).toBeUndefined();
  });

  it('has at least one and at most eight', () => {
    const many = Array.from({ length: 9 }, (_, index) => shard(`s${index}`));
    expect(problem()).toBe('There are no shards to start.');
    expect(problem(...many)).toMatch(/^At most 8 shards .* not 9\./);
    expect(problem(...many.slice(1))).toBeUndefined();
  });

  it.each(['', 'Api', 'a b', '../a', '1st', 'nul', 'com1', 'a'.repeat(33)])(
    'refuses the name "%s"',
    (name) => {
      expect(problem(shard(name))).toContain(`"${name}" cannot be the name of a shard`);
    },
  );

  it('refuses a name that is used twice', () => {
    expect(problem(shard('api'), shard('api'))).toMatch(/^Two shards are called api\./);
  });

  it('refuses a shard without a task, and one with a task as long as a book', () => {
    expect(problem(shard('api', [], { task: ' \n' }))).toBe('The shard api has no task.');
    expect(problem(shard('api', [], { task: 'x'.repeat(20_001) }))).toMatch(/longer than 20000 characters/);
  });

  it('refuses a dependency and a tool that are not there, and says which there are', () => {
    expect(problem(shard('ui', ['db']), shard('api'))).toBe(
      'ui depends on db, which is not one of the shards: ui, api.',
    );
    expect(problem(shard('ui', [], { tools: ['delegate'] }))).toBe(
      'ui cannot have the tool delegate. There are: read_file, edit_file.',
    );
  });

  it('refuses a cycle, with its path and without what only leads to it', () => {
    const shards = [shard('start', ['a']), shard('a', ['b']), shard('b', ['c']), shard('c', ['a'])];
    expect(problem(...shards)).toContain('in a circle: a → b → c → a.');
  });

  it('refuses a shard that waits for itself', () => {
    expect(problem(shard('a', ['a']))).toContain('in a circle: a → a.');
  });

  it('takes two ways to the same shard for no cycle', () => {
    expect(problem(shard('a', ['b', 'c']), shard('b', ['d']), shard('c', ['d']), shard('d'))).toBeUndefined();
  });
});

describe('dependencies', () => {
  it('are also those of dependencies', () => {
    const shards = [shard('a', ['b']), shard('b', ['c']), shard('c'), shard('other')];
    expect([...dependenciesOf('a', shards)]).toEqual(['b', 'c']);
    expect([...dependenciesOf('c', shards)]).toEqual([]);
  });
});

import { strategyTitle } from '../language/english/strategy-titles-english.ts';
import { strategyCatalogue } from '../compaction/strategies/index.ts';
import { defaultOf, type OptionSpec } from '../compaction/strategies/contract/options.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { type Command, onOff, readArguments } from './command.ts';

export const strategies: Command = {
  name: 'strategies',
  synopsis: '[--json]',
  summary: 'Lists the strategies with their options and defaults.',
  run(args, io) {
    const { values } = readArguments(args, { json: onOff }, []);
    const all: readonly Strategy[] = Object.values(strategyCatalogue);
    if (values.json) {
      const list = all.map(({ id, description, needsModel, options }) => ({
        id,
        title: strategyTitle(id).english,
        description,
        needsModel,
        options,
      }));
      io.print(JSON.stringify(list, null, 2));
    } else io.print(all.map(describe).join('\n\n'));
    return Promise.resolve(0);
  },
};

function describe({ id, description, needsModel, options }: Strategy): string {
  return [
    `${id}: ${strategyTitle(id).english}${needsModel ? ' (needs a model)' : ''}`,
    `  ${description}`,
    ...Object.entries(options).map(([name, spec]) => `  ${name} = ${describeOption(spec)}`),
  ].join('\n');
}

function describeOption(spec: OptionSpec): string {
  return `${JSON.stringify(defaultOf(spec))}${rangeOf(spec)}: ${spec.description}`;
}

function rangeOf(spec: OptionSpec): string {
  switch (spec.type) {
    case 'integer':
      return `, ${spec.minimum} to ${spec.maximum}${spec.auto === true ? ' or auto' : ''}`;
    case 'number':
      return `, ${spec.minimum} to ${spec.maximum}`;
    case 'choice':
      return `, one of ${spec.choices.join(', ')}`;
    case 'texts':
      return spec.choices === undefined ? '' : `, of ${spec.choices.join(', ')}`;
    default:
      return '';
  }
}

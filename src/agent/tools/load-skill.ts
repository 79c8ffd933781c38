import { defineTool } from './support/define-tool.ts';
import { failed, ok, type Tool } from './support/tool.ts';
import { toModel } from '../../language/sentence.ts';

/** Port to the skills of the workspace, and to the conversation that gets their texts. */
export interface SkillAccess {
  readonly text: (name: string) => Promise<string | undefined>;
  /** @returns true if the text is already in context */
  readonly say: (name: string, text: string) => boolean;
}

export function createLoadSkill({ text, say }: SkillAccess): Tool {
  return defineTool({
    name: 'load_skill',
    description:
      'Puts the text of a skill of this workspace in front of you: how one thing is done here. The list of skills says what each is for; load one before you do what it is for.',
    properties: { name: { type: 'string', description: 'Name of the skill, as the list has it.' } },
    required: ['name'],
    describe: ({ name = '' }) => name,
    async run({ name }) {
      const found = await text(name);
      if (found === undefined)
        return failed(
          toModel`There is no skill ${JSON.stringify(name)}. The list of skills has their names.`,
        );
      return ok(
        say(name, found) ? 'The skill is in front of you already.' : 'The text of the skill follows.',
      );
    },
  });
}

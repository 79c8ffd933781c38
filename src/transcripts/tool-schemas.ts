import type { ToolSchema } from '../compaction/message.ts';
import { isFields } from './fields.ts';

/** The tool schemas among the values of a list; none where it is no list. */
export function toolsOf(list: unknown): readonly ToolSchema[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly unknown[]).filter(
    (tool): tool is ToolSchema =>
      isFields(tool) && isFields(tool['function']) && typeof tool['function']['name'] === 'string',
  );
}

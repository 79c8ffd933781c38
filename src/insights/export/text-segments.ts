/** A part of a text that was written as Markdown. */
export interface TextSegment {
  readonly type: 'prose' | 'code';
  readonly text: string;
  /** Code only: what its fence names, for example a language; letters, digits and `+ - #`. */
  readonly language: string;
}

const opening = /^ {0,3}(?<fence>`{3,}(?!`)|~{3,}(?!~))(?<info>.*)$/u;

/** Takes a text apart at its code fences. One that is never closed goes on to the end, as Markdown has it. */
export function segmentsOf(text: string): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  let lines: string[] = [];
  let fence: { readonly marker: string; readonly language: string } | undefined;
  const finish = () => {
    const segment = { text: lines.join('\n'), language: fence?.language ?? '' };
    if (fence !== undefined) segments.push({ type: 'code', ...segment });
    else if (segment.text.trim() !== '') segments.push({ type: 'prose', ...segment });
    lines = [];
  };
  for (const line of text.split(/\r\n|\r|\n/u)) {
    const { fence: marker, info = '' } = opening.exec(line)?.groups ?? {};
    const closes =
      fence !== undefined && marker !== undefined && marker.startsWith(fence.marker) && info.trim() === '';
    const opens =
      fence === undefined && marker !== undefined && !(marker.startsWith('`') && info.includes('`'));
    if (!closes && !opens) {
      lines.push(line);
      continue;
    }
    finish();
    fence = opens ? { marker, language: /^[\w+#-]*/u.exec(info.trim())?.[0] ?? '' } : undefined;
  }
  finish();
  return segments;
}

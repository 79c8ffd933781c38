import { lexer, walkTokens, type Token } from 'marked';

/** A page of the documents, divided into its parts. */
export interface MarkdownPage {
  /** Relative to the project folder. */
  readonly path: string;
  readonly text: string;
  /** Code within sentences, without its backticks. */
  readonly spans: readonly string[];
  /** Lines of code blocks. */
  readonly codeLines: readonly string[];
  /** Bold and italic texts. */
  readonly labels: readonly string[];
  /** Targets of links and pictures. */
  readonly links: readonly string[];
  /** Anchors of the headings, in the form of GitHub and VS Code. */
  readonly anchors: ReadonlySet<string>;
}

export function parsePage(path: string, text: string): MarkdownPage {
  const tokens: Token[] = [];
  void walkTokens(lexer(text), (token) => void tokens.push(token));
  const textsOf = (...types: readonly string[]): readonly string[] =>
    tokens.flatMap((token) => (types.includes(token.type) && 'text' in token ? [String(token.text)] : []));
  return {
    path,
    text,
    spans: textsOf('codespan'),
    codeLines: textsOf('code').flatMap((block) => block.split('\n')),
    labels: textsOf('strong', 'em'),
    links: tokens.flatMap((token) =>
      token.type === 'link' || token.type === 'image' ? [String(token.href)] : [],
    ),
    anchors: anchorsOf(textsOf('heading')),
  };
}

/** The part of a page below a heading, up to the next heading of the same or a higher level. */
export function sectionOf({ path, text }: MarkdownPage, heading: string): MarkdownPage {
  const [level = ''] = /^#+/u.exec(heading) ?? [];
  const [, below] = text.split(`\n${heading}\n`);
  if (below === undefined) throw new Error(`${path} has no heading "${heading}".`);
  return parsePage(path, below.split(new RegExp(`\\n#{1,${level.length}} `, 'u'))[0]!);
}

function anchorsOf(headings: readonly string[]): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const heading of headings) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    let copies = 0;
    while (anchors.has(copies === 0 ? anchor : `${anchor}-${copies}`)) copies += 1;
    anchors.add(copies === 0 ? anchor : `${anchor}-${copies}`);
  }
  return anchors;
}

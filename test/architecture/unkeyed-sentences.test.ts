import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { textOf } from './literal-text.ts';
import { projectFolder } from '../../scripts/project.ts';

/** Files whose sentences this program does not show to users, each with their reader. */
const files: readonly (readonly [file: RegExp, readBy: string])[] = [
  [/^src\/agent\/session\/(?:system-prompt|write-title)\.ts$/u, 'a model, as its prompt'],
  [/^src\/compaction\/summary\/[\w-]+\.ts$/u, 'a model, as the prompt for a summary'],
  [/^src\/compaction\/ledger\/[a-z]+-forms\.ts$/u, 'nobody: examples of what users say'],
  [/^src\/compaction\/ledger\/lookups\.ts$/u, 'a model, as the head of facts that it lost'],
  [/^src\/agent\/offline\/[\w-]+\.ts$/u, 'a person, as the words of the offline model'],
  [/^src\/insights\/(?:export|handoff)\/[\w-]+\.ts$/u, 'others, in files that are always in English'],
  [
    /^src\/transcripts\/(?:formats\/|session\/session-format|validate-import)/u,
    'the log: parts not imported',
  ],
  [/^src\/agent\/command\/find-sandbox\.ts$/u, 'the log: why there is no sandbox'],
  [/^src\/presenters\/settings\/[\w-]+\.ts$/u, 'a person, in the manifest, which has its own translations'],
  [/^src\/agent\/providers\/presets\.ts$/u, 'a person, in the manifest'],
  [
    /^src\/agent\/custom-strategy\/registered-strategies\.ts$/u,
    'authors of extensions, as errors of the API',
  ],
  [
    /^src\/presenters\/engine\/[\w-]+\.ts$|\/(?:worker-channel|live-session|vocabulary|token-pairs)\.ts$/u,
    'nobody, unless there is a bug',
  ],
];

/** Constructs whose strings are not shown to users, by their names in the code. */
const constructs = {
  /** Tags of templates: text for models. */
  tag: /^toModel$/u,
  /** Calls: the log, results of tools, queries, and errors that are caught by their class and worded elsewhere. */
  call: /^(?:log|(?:\w+\.)*log\.(?:info|warn|error)|ok|(?:\w+\s*\.)rows|super|AnswerError)$/u,
  /** Properties in the two folders of `describing`: results of tools, and descriptions of tools and strategies. */
  property: /^(?:content|description)$/u,
  describing: /^src\/(?:agent|compaction)\//u,
} as const;

/** The name before a notice. */
const notices: ReadonlySet<string> = new Set(['Context Budget: {}']);

/** Begins with a capital letter, a quotation mark or a value, has several words, and ends like a sentence. */
const sentence = /^\s*(?:\p{Lu}|"|\{\})[^]*(?:\p{L}|\})[:,]? [^]*[.!?:…]\s*$/u;
/** Several words. */
const words = /\p{L}{2,}[:,]? \S/u;
/** Calls that show their strings to users, in any form. */
const shows = /^(?:show(?:Information|Warning|Error)Message|\w*(?:Error|Failure))$/u;

/** Strings in a source that may be shown to users without a key. Values in templates are written `{}`. */
function unkeyedIn(source: string, file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node, isShown: boolean): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isForOthers(node, file)) return;
    const text = textOf(node);
    const isSaid = text !== undefined && (sentence.test(text) || (isShown && words.test(text)));
    if (isSaid && !notices.has(text)) found.push(text);
    const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
    ts.forEachChild(node, (child) => visit(child, isCall ? shows.test(lastName(node)) : isShown));
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true), false);
  return found;
}

function isForOthers(node: ts.Node, file: string): boolean {
  if (ts.isTaggedTemplateExpression(node)) return constructs.tag.test(node.tag.getText());
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    return constructs.call.test(node.expression.getText().replace(/^this\./u, ''));
  }
  if (!ts.isPropertyAssignment(node) || !constructs.describing.test(file)) return false;
  return constructs.property.test(node.name.getText());
}

function lastName({ expression }: ts.CallExpression | ts.NewExpression): string {
  return expression.getText().split('.').at(-1) ?? '';
}

const unkeyed = globSync('src/{agent,extension,presenters,compaction,transcripts,insights}/**/*.ts', {
  cwd: projectFolder,
})
  .map((file) => file.replaceAll('\\', '/'))
  .flatMap((file) =>
    unkeyedIn(readFileSync(join(projectFolder, file), 'utf8'), file).map((text) => ({ file, text })),
  );

describe('a sentence for users', () => {
  it('has a key in src/language', () => {
    expect(unkeyed.filter(({ file }) => !files.some(([pattern]) => pattern.test(file)))).toEqual([]);
  });

  it.each(files)('may lack a key in %s, read by %s', (pattern) => {
    expect(unkeyed.some(({ file }) => pattern.test(file))).toBe(true);
  });

  it.each<readonly [source: string, found: string]>([
    ["failed('The file is gone.')", 'The file is gone.'],
    ['const note = `${name} has no text.`;', '{} has no text.'],
    ['return `Step ${step} is "${title}" now.`;', 'Step {} is "{}" now.'],
    ["const reason = isGone ? 'It is gone.' : problem;", 'It is gone.'],
    ["throw new Error('not a file')", 'not a file'],
    ['throw new ImportFailure(`line ${line} is broken`)', 'line {} is broken'],
    ["window.showInformationMessage('all done')", 'all done'],
    ["row = { summary: 'Choose a file…' }", 'Choose a file…'],
    ["ok(lines.join('')); tell('There are none.')", 'There are none.'],
  ])('is detected in %s', (source, found) => {
    expect(unkeyedIn(source, 'src/agent/sample.ts')).toEqual([found]);
  });

  it.each([
    "failed(agentSentences.say('fileIsGone', { file }))",
    'failed(toModel`Step ${step} has no text.`)',
    "ok('There are none.')",
    "this.log.warn('It is gone.')",
    "defineTool({ name: 'look', description: 'Looks it up.' })",
    "import { look } from './look it up.ts';",
    "throw new Error('ENOENT')",
    "names.join(', ')",
  ])('is not detected in %s', (source) => {
    expect(unkeyedIn(source, 'src/agent/sample.ts')).toEqual([]);
  });

  it('is detected in a description that the editor shows', () => {
    const source = "pick({ description: 'Looks it up.' })";
    expect(unkeyedIn(source, 'src/extension/sample.ts')).toEqual(['Looks it up.']);
  });
});

import type { SaidForm } from './said-form.ts';

/** Verbs for an agent's work on a project. Sentences about programs do not contain them. */
const work =
  'commit|push|merge|deploy|publish|release|rebase|amend|force[- ]push|stage|stash|refactor|rewrite|reformat|implement|install|proceed|continue|guess|assume|invent|make up|hallucinate|mock';
/** Objects that a rule may protect from any change, not only in the current step. */
const guarded =
  '(?:the |our |any )?(?:anything(?! else)|(?:existing |generated |source |test )*(?:files?|code|tests)|public|vendor|api|database|schema|production|generated|existing)';
/** Things that an agent may add to a project. */
const additions = 'dependenc(?:y|ies)|packages?|librar(?:y|ies)|frameworks?|comments|emojis?|abstractions?';
/** Verbs of rules with "always" or "never". Forms such as "never went" and "always shows" describe a program. */
const habits =
  'add|alter|amend|answer|ask|assume|break|build|bypass|call|change|check|cite|comment|commit|create|delete|deploy|disable|do|document|edit|ensure|expose|follow|force|format|guess|hard-?code|ignore|import|include|install|invent|keep|leave|let|lint|log|make|mention|merge|mock|modify|move|name|overwrite|prefer|push|put|rebase|read|rely|remove|rename|reply|respond|return|revert|review|rewrite|run|say|show (?:me|the diff)|sign|skip|squash|start|stop|store|suggest|swallow|sync|test|touch|trust|try|update|use|validate|verify|wait|work|write';
/** A recurring step of the work. */
const eachStep =
  '(?:each|every|any) (?:[\\w-]+ )?(?:commit|push|change|edit|step|(?:sub-?)?task|phase|merge|deploy|release|file)\\b';
const soFar = '(?!.*\\b(?:yet|for now|right now|at the moment|this time)\\b)';

const forms: readonly Omit<SaidForm, 'kind'>[] = [
  {
    pattern: new RegExp(`^(?:never|do(?: not|n['’]?t) ever)\\s+(?:${habits})\\b`, 'iu'),
    examples: ['Never touch the vendor folder.'],
  },
  {
    pattern: new RegExp(
      `^always\\s+(?:${habits})\\b|^(?:commit|push|ask|use|check) always (?!\\w+s\\b)`,
      'iu',
    ),
    examples: ['Always run the linter.', 'commit always before updating'],
  },
  {
    pattern:
      /\b(?:from now on|going forward|for the rest of (?:this|the) (?:session|conversation|chat)|under no circumstances|at all times)\b/iu,
    examples: ['From now on, report all sizes in tokens.'],
  },
  {
    pattern:
      /\b(?:without (?:asking|checking with|telling|consulting) me|unless i (?:say|ask|tell|approve|confirm)|until i (?:say|tell|ask|approve|confirm|give|answer|reply)|without my (?:explicit |prior )?(?:ok|okay|approval|permission|consent|confirmation))\b/iu,
    examples: ['Do not install anything without asking me.'],
  },
  {
    isOfRequest: true,
    pattern:
      /\b(?:(?:ask|check with|tell|consult|confirm with) me (?:first|before)|ask (?:first|before)|wait for my)\b/iu,
    examples: ['Wait for my approval.'],
  },
  {
    isOfRequest: true,
    pattern:
      /^only (?:stop|ask|interrupt|proceed|continue|commit|push|merge|deploy|edit|modify|touch|change|work|answer|reply|respond|report|look at)\b/iu,
    examples: ['Yes, keep going. Only stop if you have a question.'],
  },
  {
    isOfRequest: true,
    pattern: new RegExp(
      `^(?:make sure (?:that )?you )?do(?: not|n['’]?t) (?:actually )?(?:${work}|build(?! an?\\b))\\b${soFar}|^do(?: not|n['’]?t) (?:delete|remove) anything\\b|^do(?: not|n['’]?t) (?:edit|modify|touch|change) ${guarded}\\b${soFar}|^do(?: not|n['’]?t) (?:add|use|introduce|include|write|create) (?:any |new |more |extra |external |third-party )*(?:${additions})\\b${soFar}|^do(?: not|n['’]?t) stop\\b.{0,40}\\b(?:until|unless|before)\\b`,
      'iu',
    ),
    examples: ['Don’t commit.', 'do not touch the public API'],
  },
  {
    isOfRequest: true,
    pattern: new RegExp(
      `^no (?:new|external|extra|additional|more|third[- ]party) (?:${additions}|files|features)\\b|^no (?:${additions})$`,
      'iu',
    ),
    examples: ['No new dependencies, please.', 'Keep it small, no emojis.'],
  },
  {
    pattern:
      /^you (?:must (?:not|never|always|only)|may (?:not|only|never)|should (?:always|never|only)|(?:need|have) to always|are (?:not |never |only )?allowed to|can(?:not|['’]?t| only| never) (?:use|change|touch|edit|modify|commit|push|install|add|access))\b(?! (?:have|be) )/iu,
    examples: ['You must never push.', 'You may not use the network.', 'You should always cite the file.'],
  },
  {
    pattern:
      /^we should (?:never|always|only) (?!need|have to|worry|see|get|be able)|^we should(?:n['’]?t| not) (?:use|add|commit|push|merge|deploy)\b|^i(?:['’]ll| will) (?:run|test|commit|push|deploy|merge|start|do) .{1,40}\bmyself\b/iu,
    examples: ['We shouldn’t use console.log.', 'I’ll run the app myself whenever needed.'],
  },
  {
    isOfRequest: true,
    pattern:
      /^i (?:(?:do not|don['’]?t|never) want you to|(?:want|need|expect) you to (?:always|never|only))\b/iu,
    examples: ['I don’t want you to write code.'],
  },
  {
    pattern: new RegExp(
      `^any ?time\\b.*\\bmust\\b|\\b(?:(?:every|each) time|whenever) you (?:commit|push|change|edit|modify|make|add|write|finish|complete|fix|create|start|update|implement|touch|need|are)\\b|^(?:before|after) ${eachStep},? (?:please )?(?:${habits}|explain|show|tell|report|summari[sz]e)\\b|^(?:git )?(?:${habits}|explain|show|tell|report|summari[sz]e)\\b.*\\b(?:before|after) ${eachStep}|\\bbefore (?:you (?:commit|push|merge|deploy)|(?:committing|pushing|merging|deploying))\\b`,
      'iu',
    ),
    examples: ['Every time you change a schema, write a migration.', 'Run the tests before you commit.'],
  },
  {
    isOfRequest: true,
    pattern:
      /^keep (?:going|working) (?:until|unless)\b|^(?:there (?:is|['’]s) )?no need to (?:stop|ask|wait|pause)\b/iu,
    examples: ['Keep going until all of it is done.', 'There is no need to stop after each subtask.'],
  },
  {
    pattern:
      /^(?:hard |project |house |coding |important |my |the )*(?:rule|constraint|requirement|policy)(?: \d)?: \S/iu,
    examples: ['Hard constraint: the API stays as it is.', 'Rule: one commit for each fix.'],
  },
  {
    pattern:
      /^(?:nie(?:mals)?|auf keinen fall|unter keinen umständen)\s+\p{L}|\b(?:ab (?:jetzt|sofort)|von nun an)\b|\bohne (?:mich )?(?:vorher |zuerst )?(?:zu fragen|rückfrage|rücksprache)\b|^(?:commit|push|frag|verwend|nutz|benutz|schreib|antwort|änder|lösch|test|führ|prüf|arbeit|rühr)(?:e|st|t)?\b.*\b(?:nie(?:mals)?|immer|auf keinen fall|vorher|nur wenn|erst wenn)\b|^du (?:darfst|musst|sollst) (?:nie(?:mals)?|immer|nur|nicht|keine?n?)\b|^immer (?:erst|zuerst|vorher)\b/iu,
    examples: ['Niemals auf main pushen.'],
  },
  {
    pattern:
      /(?:从现在(?:起|开始)|从今以后|^以后(?:都|请|不要|别|必须|每次)|今后|(?:永远|绝对|千万)(?:不要|不能|不准|别)|每次(?:提交|修改|改|写|回答|完成|推送)|(?:不要|不得|不准|禁止|请勿)(?:修改|改动|提交|推送|删除|引入|擅自)|^一律|未经(?:我|允许|同意)|除非我|先(?:问我|征求我)|^(?:必须|务必))/u,
    examples: ['从现在开始，用中文回答。'],
  },
  {
    // In capitals only, because the words in lower case also describe programs.
    pattern: /\b[Ss]hould (?:NEVER|ALWAYS)\b/u,
    examples: ['The parser should NEVER change the input.'],
  },
  {
    pattern:
      /\bmust (?:never|always)\b|\bshould (?:never|always) be (?:committed|pushed|edited|deleted|logged|stored|exposed)\b/iu,
    examples: ['invalid themes must NEVER explode', 'Secrets should never be committed.'],
  },
];

export const ruleForms = forms.map((form): SaidForm => ({ kind: 'rule', ...form }));

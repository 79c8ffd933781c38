import type { SaidForm } from './said-form.ts';

const forms: readonly Omit<SaidForm, 'kind'>[] = [
  {
    isWhole: true,
    pattern:
      /^(?:scratch|forget|disregard|ignore)(?: about)? (?:everything|all)(?: (?:so far|above|before|(?:that )?i (?:just )?(?:said|asked|wrote)))?$|^(?:scratch|strike|forget|disregard|ignore|drop|cancel)(?: about)? (?:(?:that|this|it|all (?:of )?(?:that|this))(?: (?:idea|plan|one|last one))?(?:$|:)|what i (?:just )?said|my (?:last|previous|earlier)|the (?:last|previous|earlier) (?:message|request|instructions?|point|one|idea|plan))/iu,
    examples: ['Scratch that.', 'forget what I said', 'Ignore my last message.'],
  },
  {
    pattern:
      /^(?:never ?mind|nvm)(?:$|[:.]| (?:that|this|it|about|i|my|the last)\b| [\w.-]+$)|^on second thou?ghts?\b|^i(?:['’]ve| have)? changed my mind\b|^i take (?:that|it) back\b|^let me revise\b|^change of plans?\b/iu,
    examples: ['Never mind.', 'On second thought, let’s go with Zustand.', 'I changed my mind.'],
  },
  {
    pattern:
      /^(?:vergiss (?:das|es|was ich)|streich das|das nehme ich zurück|ich (?:hab(?:e)?(?: es|['’]s)?|habe mir das) mir? ?(?:das )?anders überlegt|doch nicht$|kommando zurück)/iu,
    examples: ['Vergiss das.', 'Ich habe es mir anders überlegt.', 'Doch nicht.'],
  },
  {
    pattern:
      /^(?:算了|我改(?:变)?主意了|忘(?:掉|了)(?:刚才|之前|前面)|收回(?:刚才|之前|前面)|还是不(?:要|用)了|取消(?:刚才|之前|上一)|前面(?:说)?的(?:全部)?(?:作废|不算))/u,
    examples: ['算了，用 Redis 吧。', '我改主意了。', '忘掉之前的计划。'],
  },
];

export const retractionForms = forms.map((form): SaidForm => ({ kind: 'retraction', ...form }));

import { type Kind, kinds } from '../../src/protocol/engine-terms.ts';

/** The colours and the pattern of a kind, in all pictures. Red and yellow are for trouble. */
interface Look {
  readonly colour: string;
  /** Colour in high contrast, where patterns distinguish kinds and pale colours are hard to see. */
  readonly strong?: string;
  /** Background in high contrast, in the colour `var(--kind)`; plain if absent. */
  readonly pattern?: string;
}

const looks: Readonly<Record<Kind, Look>> = {
  system: { colour: 'var(--purple)' },
  tools: { colour: mixed('--purple', 62), strong: 'var(--purple)', pattern: lines(45, 2, 5) },
  memory: { colour: 'var(--orange)', pattern: dots(35, 4) },
  user: { colour: 'var(--blue)', pattern: lines(0, 2, 4) },
  assistant: { colour: mixed('--blue', 42, '--green'), pattern: lines(90, 2, 4) },
  reasoning: {
    colour: mixed('--kind-assistant', 55),
    strong: 'var(--kind-assistant)',
    pattern: lines(90, 1, 6),
  },
  toolCall: { colour: mixed('--orange', 62, '--fg'), pattern: lines(-45, 3, 5) },
  // Sand: the largest and most harmless kind.
  toolResult: {
    colour: `color-mix(in srgb, ${mixed('--orange', 35, '--fg')} 80%, var(--surface))`,
    pattern: lines(45, 4, 5),
  },
  summary: { colour: 'var(--green)', pattern: grid(4) },
  reminder: { colour: mixed('--orange', 50), strong: 'var(--orange)', pattern: dots(25, 6) },
  skill: { colour: mixed('--green', 60, '--fg'), pattern: lines(0, 1, 6) },
  skillMetadata: { colour: mixed('--kind-skill', 60), strong: 'var(--kind-skill)', pattern: grid(8) },
  file: {
    colour: mixed('--kind-toolResult', 55),
    strong: 'var(--kind-toolResult)',
    pattern: lines(45, 1, 6),
  },
};

/** Adds the colours and patterns of kinds to the page: for bars, and for the areas and tiles of the chart. */
export function styleKinds(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(kinds.map((kind) => rulesOf(kind, looks[kind])).join('\n'));
  document.adoptedStyleSheets.push(sheet);
}

function rulesOf(kind: Kind, { colour, strong = colour, pattern }: Look): string {
  const name = `--kind-${kind}`;
  return `
    body { ${name}: ${colour}; }
    .kind-${kind} { --kind: var(${name}); }
    .tile-${kind} { stroke: var(${name}); }
    body:not(.vscode-high-contrast) .area-${kind} { fill: var(${name}); }
    body.vscode-high-contrast {
      ${name}: ${strong};
      ${pattern === undefined ? '' : `& .kind.kind-${kind} { background: ${pattern}; }`}
    }`;
}

function mixed(variable: string, percent: number, other = '--surface'): string {
  return `color-mix(in srgb, var(${variable}) ${percent}%, var(${other}))`;
}

/** Lines of a width and a distance, in pixels. */
function lines(degrees: number, width: number, distance: number): string {
  return `repeating-linear-gradient(${degrees}deg, var(--kind) 0 ${width}px, transparent ${width}px ${distance}px)`;
}

/** Lines in both directions, one pixel wide. */
function grid(distance: number): string {
  return `${lines(0, 1, distance)}, ${lines(90, 1, distance)}`;
}

/** Dots with a radius in percent, on tiles with a size in pixels. */
function dots(percent: number, size: number): string {
  return `radial-gradient(var(--kind) ${percent}%, transparent ${percent + 5}%) 0 0 / ${size}px ${size}px`;
}

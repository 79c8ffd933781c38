import type { TemplateResult } from 'lit';

/** The states of a component, by a short description. Each draws the component with fixed props. */
export interface ComponentStates {
  /** The component's tag, or the name of its function. */
  readonly name: string;
  readonly states: Readonly<Record<string, () => TemplateResult>>;
}

/** A component that sends requests sends them nowhere. */
export const ignored = (): void => {};

/** The state of a page. Data flows one way: a message or an action changes the store, and the page is drawn from it. */
export class Store<State extends object> {
  private readonly listeners = new Set<(state: State, before: State) => void>();
  private state: State;

  constructor(state: State) {
    this.state = state;
  }

  get current(): State {
    return this.state;
  }

  /** Replaces some fields, and tells the listeners if one of them differs. */
  update(change: Partial<State>): void {
    const before = this.state;
    const names = Object.keys(change) as (keyof State)[];
    if (names.every((name) => change[name] === before[name])) return;
    this.state = { ...before, ...change };
    for (const listener of this.listeners) listener(this.state, before);
  }

  subscribe(listener: (state: State, before: State) => void): void {
    this.listeners.add(listener);
  }
}

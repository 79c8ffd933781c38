/** Something that is loaded with the first request. */
export class LoadedOnce<Value> {
  /** Undefined before the first request. */
  started: Promise<Value> | undefined;
  private readonly load: () => Promise<Value>;

  constructor(load: () => Promise<Value>) {
    this.load = load;
  }

  get(): Promise<Value> {
    return (this.started ??= this.load());
  }
}

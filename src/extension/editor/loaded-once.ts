/** A value that is loaded when it is first requested. */
export class LoadedOnce<Value> {
  /** The loading or loaded value; undefined before the first request. */
  started: Promise<Value> | undefined;
  private readonly load: () => Promise<Value>;

  constructor(load: () => Promise<Value>) {
    this.load = load;
  }

  get(): Promise<Value> {
    return (this.started ??= this.load());
  }
}

type Path = readonly PropertyKey[];

/** Data in which single places are changed. Objects on the way to them are copied once; the rest is shared. */
export class Draft {
  #root: { data: unknown };
  readonly #own = new Set<object>();

  constructor(data: unknown) {
    this.#root = { data };
  }

  get data(): unknown {
    return this.#root.data;
  }

  put(path: Path, value: unknown): void {
    this.#change(path, (whole, name) => Object.defineProperty(whole, name, { value, ...PLAIN }));
  }

  drop(path: Path): void {
    this.#change(path, (whole, name) => Reflect.deleteProperty(whole, name));
  }

  /** Changes the object or list around a place; does nothing if there is none. */
  #change(path: Path, change: (whole: object, name: PropertyKey) => void): void {
    let whole: object = this.#root;
    let name: PropertyKey = 'data';
    for (const step of path) {
      const inner = valueAt(whole, [name]);
      if (typeof inner !== 'object' || inner === null) return;
      const own = this.#own.has(inner) ? inner : Array.isArray(inner) ? [...inner] : { ...inner };
      if (own !== inner) {
        this.#own.add(own);
        Object.defineProperty(whole, name, { value: own, ...PLAIN });
      }
      [whole, name] = [own, step];
    }
    change(whole, name);
  }
}

/** `__proto__` is a name like any other. */
const PLAIN = { writable: true, enumerable: true, configurable: true };

/** Returns the value at a place of data. */
export function valueAt(data: unknown, path: Path): unknown {
  let at = data;
  for (const step of path)
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined;
  return at;
}

// Where the rows of a long list are, of which only those in sight are on the page. Rows have different heights: each has
// an estimated one until it has been measured.

/** Heights of rows in order, with their sums: a Fenwick tree, so that 100,000 of them cost nothing to keep right. */
export class Heights {
  readonly length: number;
  readonly #height: Float64Array;
  readonly #tree: Float64Array;

  constructor(length: number, heightOf: (index: number) => number) {
    this.length = length;
    this.#height = Float64Array.from({ length }, (_, i) => heightOf(i));
    this.#tree = new Float64Array(length + 1);
    for (let i = 1; i <= length; i++) {
      this.#tree[i] = (this.#tree[i] ?? 0) + (this.#height[i - 1] ?? 0);
      const parent = i + (i & -i);
      if (parent <= length) this.#tree[parent] = (this.#tree[parent] ?? 0) + (this.#tree[i] ?? 0);
    }
  }

  /** Sets the height of a row and returns by how much it grew. */
  set(index: number, height: number): number {
    const grown = height - (this.#height[index] ?? 0);
    if (grown === 0 || index < 0 || index >= this.length) return 0;
    this.#height[index] = height;
    for (let i = index + 1; i <= this.length; i += i & -i) this.#tree[i] = (this.#tree[i] ?? 0) + grown;
    return grown;
  }

  height(index: number): number {
    return this.#height[index] ?? 0;
  }

  /** The top of a row: the heights of all before it. */
  top(index: number): number {
    let sum = 0;
    for (let i = Math.min(index, this.length); i > 0; i -= i & -i) sum += this.#tree[i] ?? 0;
    return sum;
  }

  get total(): number {
    return this.top(this.length);
  }

  /** The row that is at this distance from the top; the last one where it is further. */
  at(y: number): number {
    let index = 0;
    let rest = y;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.length))); step >= 1; step /= 2) {
      const next = index + step;
      if (next <= this.length && (this.#tree[next] ?? 0) <= rest) {
        index = next;
        rest -= this.#tree[next] ?? 0;
      }
    }
    return Math.max(0, Math.min(index, this.length - 1));
  }
}

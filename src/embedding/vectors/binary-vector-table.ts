import { countBits, toBinaryVector } from "./binary-vector.js";

// For each number that is wanted, so many codes are looked at more closely: 2,000 for 400. With 1,000 and with 4,000, 0.999
// and 1.000 of the ten nearest of 100,000 vectors were among the 400 (MiniLM, 100 questions; 2026-11).
const closerLooks = 5;

/** One-bit codes, each with a number, in memory: 5 MB for 100,000 codes of 384 dimensions, searched in 4 ms. */
export class BinaryVectorTable {
  /** Of 32 bits, in each code, filled up to a multiple of four. */
  readonly words: number;
  #size = 0;
  #numbers = new Uint32Array(0);
  #codes = new Int32Array(0);

  constructor(dimensions: number) {
    this.words = 4 * Math.ceil(dimensions / 128);
  }

  get size(): number {
    return this.#size;
  }

  /** Adds codes, end to end. */
  add(numbers: number[], codes: Uint8Array): void {
    const size = this.#size + numbers.length;
    if (size > this.#numbers.length) {
      const room = Math.max(size, Math.ceil(1.5 * this.#numbers.length));
      const [oldNumbers, oldCodes] = [this.#numbers, this.#codes];
      this.#numbers = new Uint32Array(room);
      this.#codes = new Int32Array(room * this.words);
      this.#numbers.set(oldNumbers);
      this.#codes.set(oldCodes);
    }
    this.#numbers.set(numbers, this.#size);
    new Uint8Array(this.#codes.buffer).set(codes, 4 * this.words * this.#size);
    this.#size = size;
  }

  /**
   * The numbers whose codes are most like a vector's, most alike first; of those chosen, where some are. First by how many
   * bits differ; the better ones then by what the bits weigh in this vector, which finds the nearest among half as many.
   */
  nearest(vector: Float32Array, count: number, among?: Set<number>): number[] {
    const [numbers, size] = [this.#numbers, this.#size];
    const distances = this.#distances(vector);
    const outOfReach = 32 * this.words + 1;
    if (among) {
      for (let position = 0; position < size; position += 1) {
        if (!among.has(numbers[position] as number)) distances[position] = outOfReach;
      }
    }
    const radius = radiusFor(distances, closerLooks * count, outOfReach);
    const weigh = this.#weigher(vector);
    const closer: { number: number; weight: number }[] = [];
    for (let position = 0; position < size; position += 1) {
      if ((distances[position] as number) > radius) continue;
      closer.push({ number: numbers[position] as number, weight: weigh(position) });
    }
    closer.sort((a, b) => b.weight - a.weight);
    return [...new Set(closer.map(({ number }) => number))].slice(0, count);
  }

  /** How many bits of each code differ from the vector's. */
  #distances(vector: Float32Array): Uint16Array {
    const code = new Uint8Array(4 * this.words);
    code.set(toBinaryVector(vector.subarray(0, 32 * this.words)));
    const asked = new Int32Array(code.buffer);
    const distances = new Uint16Array(this.#size);
    const [codes, words] = [this.#codes, this.words];
    for (let position = 0, at = 0; position < distances.length; position += 1) {
      let distance = 0;
      for (let word = 0; word < words; word += 4, at += 4) {
        distance += countBits(
          (codes[at] as number) ^ (asked[word] as number),
          (codes[at + 1] as number) ^ (asked[word + 1] as number),
          (codes[at + 2] as number) ^ (asked[word + 2] as number),
          (codes[at + 3] as number) ^ (asked[word + 3] as number),
        );
      }
      distances[position] = distance;
    }
    return distances;
  }

  /**
   * Weighs a code by the vector: the sum of the dimensions whose bit is set, less those whose bit is not. By a table of
   * what each byte of a code adds for each of its values.
   */
  #weigher(vector: Float32Array): (position: number) => number {
    const bytes = 4 * this.words;
    const weights = new Float32Array(256 * bytes);
    for (let byte = 0; byte < bytes; byte += 1) {
      const table = weights.subarray(256 * byte, 256 * (byte + 1));
      const dimensions = Array.from({ length: 8 }, (_, bit) => vector[8 * byte + bit] ?? 0);
      table[0] = -dimensions.reduce((sum, dimension) => sum + dimension, 0);
      for (let value = 1; value < 256; value += 1) {
        const lowest = 31 - Math.clz32(value & -value);
        table[value] = (table[value & (value - 1)] as number) + 2 * (dimensions[lowest] as number);
      }
    }
    const codes = new Uint8Array(this.#codes.buffer);
    return (position) => {
      let weight = 0;
      for (let byte = 0, at = bytes * position; byte < bytes; byte += 1, at += 1) {
        weight += weights[256 * byte + (codes[at] as number)] as number;
      }
      return weight;
    };
  }
}

/** The smallest distance within which there are so many; all that are in reach, where there are fewer. */
function radiusFor(distances: Uint16Array, count: number, outOfReach: number): number {
  const histogram = new Uint32Array(outOfReach + 1);
  for (let position = 0; position < distances.length; position += 1) {
    const distance = distances[position] as number;
    histogram[distance] = (histogram[distance] as number) + 1;
  }
  let [radius, within] = [0, histogram[0] as number];
  while (within < count && radius < outOfReach - 1) within += histogram[(radius += 1)] as number;
  return radius;
}

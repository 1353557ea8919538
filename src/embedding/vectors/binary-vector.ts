/** One bit a dimension: whether it is above zero. Vectors that point the same way share most of their bits. */
export function toBinaryVector(vector: Float32Array): Uint8Array {
  const code = new Uint8Array(Math.ceil(vector.length / 8));
  vector.forEach((value, index) => {
    const byte = index >> 3;
    if (value > 0) code[byte] = (code[byte] ?? 0) | (1 << (index & 7));
  });
  return code;
}

/** The bytes of a vector as libSQL's vector functions take them. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The vector whose bytes SQL gave by `hex()`. */
export function vectorOf(hex: string): Float32Array {
  // A copy, because a Buffer may begin at any byte and floats may not.
  return new Float32Array(new Uint8Array(Buffer.from(hex, "hex")).buffer);
}

/** How many bits are set in four numbers of 32. Together, because each sum on the way has room for all four. */
export function countBits(a: number, b: number, c: number, d: number): number {
  const ab = fours(pairs(a)) + fours(pairs(b));
  const cd = fours(pairs(c)) + fours(pairs(d));
  const bytes = (ab & 0x0f0f0f0f) + ((ab >>> 4) & 0x0f0f0f0f) + (cd & 0x0f0f0f0f) + ((cd >>> 4) & 0x0f0f0f0f);
  return Math.imul(bytes, 0x01010101) >>> 24;
}

function pairs(word: number): number {
  return word - ((word >>> 1) & 0x55555555);
}

function fours(word: number): number {
  return (word & 0x33333333) + ((word >>> 2) & 0x33333333);
}

/** A line without its end; without bytes where it was longer than allowed. `isCut`: no line end followed. */
export interface RawLine {
  bytes?: Uint8Array;
  isCut: boolean;
}

/**
 * The lines of a stream, one at a time. Holds one line at most, and of a line that is too long nothing: it is passed over.
 * What it cost to read is counted by `onBytes`.
 */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onBytes: (count: number) => void,
): AsyncGenerator<RawLine> {
  let held: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array) => {
    length += piece.length;
    if (length > maxBytes) held = [];
    else if (piece.length > 0) held.push(piece);
  };
  const take = (isCut: boolean): RawLine => {
    const line: RawLine = length > maxBytes ? { isCut } : { bytes: joined(held, length), isCut };
    held = [];
    length = 0;
    return line;
  };
  for await (const chunk of source) {
    onBytes(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, from)) {
      add(chunk.subarray(from, end));
      yield take(false);
      from = end + 1;
    }
    // A copy: a stream may use its buffer again, and `slice` of a Buffer copies nothing.
    if (from < chunk.length) add(new Uint8Array(chunk.subarray(from)));
  }
  if (length > 0) yield take(true);
}

const lineEnd = 10;

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

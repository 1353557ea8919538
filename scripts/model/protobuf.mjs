// As much of protobuf's wire format as an ONNX file needs. A message is a list of fields, each of them bytes.

/** A message: its fields, one after the other. */
export function message(...fields) {
  return Buffer.concat(fields.flat());
}

export function integerField(number, value) {
  return Buffer.concat([tag(number, 0), varint(value)]);
}

export function floatField(number, value) {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([tag(number, 5), bytes]);
}

/** A text, raw bytes or a message within a message. */
export function bytesField(number, value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([tag(number, 2), varint(bytes.length), bytes]);
}

function tag(number, wireType) {
  return varint(number * 8 + wireType);
}

/** Seven bits a byte, the lowest first; a negative number as its 64 bits. */
function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

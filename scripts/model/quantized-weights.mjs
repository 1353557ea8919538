// Reads the weights of a TensorFlow.js graph model in which every float is a byte: value = byte × scale + minimum.

/** A function that finds a weight by its whole name; a name that is not there is an error. */
export function readWeights(manifest, bytes) {
  const weights = new Map();
  let offset = 0;
  for (const { name, shape, dtype, quantization } of manifest.weightsManifest[0].weights) {
    const count = shape.reduce((product, length) => product * length, 1);
    const size = quantization ? count : count * bytesOf(dtype);
    weights.set(name, weightOf(shape, quantization, bytes.subarray(offset, offset + size)));
    offset += size;
  }
  if (offset !== bytes.length) throw new Error(`The weights take ${offset} bytes, the file has ${bytes.length}.`);

  return (name) => {
    const weight = weights.get(name);
    if (!weight) throw new Error(`There is no weight ${name}.`);
    return weight;
  };
}

function bytesOf(dtype) {
  if (dtype === "int32" || dtype === "float32") return 4;
  throw new Error(`A weight of type ${dtype} is not expected.`);
}

function weightOf(shape, quantization, bytes) {
  const { scale = 1, min = 0 } = quantization ?? {};
  return {
    shape,
    bytes,
    scale,
    /** The byte that stands for 0. */
    zeroPoint: Math.round(-min / scale),
    values: () => Float32Array.from(bytes, (byte) => byte * scale + min),
  };
}

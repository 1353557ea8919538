// Writes an ONNX model. The numbers of the fields are those of onnx.proto.
import { bytesField, floatField, integerField, message } from "./protobuf.mjs";

export const elementTypes = { float32: 1, uint8: 2, int64: 7 };
const attributeTypes = { float: 1, integer: 2, integers: 7 };
// LayerNormalization is in it, and every runtime since 2022 reads it.
const operatorSet = 17;
const irVersion = 8;

/** A graph that grows by one operator or constant at a time; each call gives the name of what it made. */
export function openGraph() {
  const nodes = [];
  const constants = [];

  /** An operator with one output, or the names of several when `outputs` is a list. */
  function operator(type, inputs, { attributes = {}, outputs = `${type}_${nodes.length}` } = {}) {
    const node = message(
      inputs.map((name) => bytesField(1, name)),
      [outputs].flat().map((name) => bytesField(2, name)),
      bytesField(4, type),
      Object.entries(attributes).map(([name, value]) => bytesField(5, attribute(name, value))),
    );
    nodes.push(bytesField(1, node));
    return outputs;
  }

  function constant(elementType, shape, values) {
    const name = `constant_${constants.length}`;
    const tensor = message(
      shape.map((length) => integerField(1, length)),
      integerField(2, elementTypes[elementType]),
      bytesField(8, name),
      bytesField(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
    );
    constants.push(bytesField(5, tensor));
    return name;
  }

  /** The model as the bytes of a file. Inputs and outputs are `{ name, elementType, shape }`; a named length is free. */
  function toModel({ name, inputs, outputs }) {
    const graph = message(
      nodes,
      bytesField(2, name),
      constants,
      inputs.map((value) => bytesField(11, valueInfo(value))),
      outputs.map((value) => bytesField(12, valueInfo(value))),
    );
    const operators = message(bytesField(1, ""), integerField(2, operatorSet));
    return message(integerField(1, irVersion), bytesField(2, "tacit"), bytesField(7, graph), bytesField(8, operators));
  }

  return {
    operator,
    uint8: (shape, bytes) => constant("uint8", shape, bytes),
    float: (shape, values) => constant("float32", shape, Float32Array.from(values)),
    integers: (values) => constant("int64", [values.length], BigInt64Array.from(values, BigInt)),
    toModel,
  };
}

function attribute(name, value) {
  if (Array.isArray(value)) {
    const items = value.map((item) => integerField(8, item));
    return message(bytesField(1, name), items, integerField(20, attributeTypes.integers));
  }
  // A whole number is meant as one: no operator of this model has a float attribute that is whole.
  return Number.isInteger(value)
    ? message(bytesField(1, name), integerField(3, value), integerField(20, attributeTypes.integer))
    : message(bytesField(1, name), floatField(2, value), integerField(20, attributeTypes.float));
}

function valueInfo({ name, elementType, shape }) {
  const lengths = shape.map((length) =>
    bytesField(1, typeof length === "number" ? integerField(1, length) : bytesField(2, length)),
  );
  const tensor = message(integerField(1, elementTypes[elementType]), bytesField(2, message(lengths)));
  return message(bytesField(1, name), bytesField(2, bytesField(1, tensor)));
}

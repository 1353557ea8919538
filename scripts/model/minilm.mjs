// The graph of all-MiniLM-L6-v2: a BERT of six layers, the mean of its token states, length 1.
import { elementTypes, openGraph } from "./onnx-graph.mjs";

const width = 384;
const heads = 12;
const headWidth = width / heads;
const layers = 6;
const byteSteps = 127;
// What the model was made for; more would be read, but not better.
const longestText = 256;
const bert = "StatefulPartitionedCall/model/tf_bert_model/bert/";

/**
 * The model as the bytes of an ONNX file, for one text at a time: `input_ids` in; `embedding` out, and the states of the
 * single tokens as `tokens`. Large matrices stay bytes, and what they are multiplied with is made bytes on the way.
 */
export function minilmModel(weight) {
  const graph = openGraph();
  const { operator, float, integers } = graph;
  const one = float([], [1]);
  const half = float([], [0.5]);
  const inverseRootOfTwo = float([], [Math.SQRT1_2]);
  const attentionScale = float([], [1 / Math.sqrt(headWidth)]);
  const byteStep = float([], [1 / byteSteps]);
  const byteZero = graph.uint8([], Uint8Array.of(byteSteps + 1));
  const splitHeads = integers([0, 0, heads, headWidth]);
  const joinHeads = integers([0, 0, width]);

  let states = normalize(embedTokens(), "embeddings/LayerNorm");
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `encoder/layer_._${layer}/`;
    const attended = multiply(toBytes(attend(states, at)), `${at}attention/output/dense`);
    states = normalize(operator("Add", [attended, states]), `${at}attention/output/LayerNorm`);
    const widened = gelu(multiply(toBytes(states), `${at}intermediate/dense`));
    const narrowed = multiply(toBytes(widened), `${at}output/dense`);
    states = normalize(operator("Add", [narrowed, states]), `${at}output/LayerNorm`);
  }
  const tokens = operator("Identity", [states], { outputs: "tokens" });
  const mean = operator("ReduceMean", [tokens], { attributes: { axes: [1], keepdims: 0 } });
  operator("LpNormalization", [mean], { attributes: { axis: -1, p: 2 }, outputs: "embedding" });

  return graph.toModel({
    name: "all-MiniLM-L6-v2",
    inputs: [{ name: "input_ids", elementType: "int64", shape: [1, "length"] }],
    outputs: [
      { name: "embedding", elementType: "float32", shape: [1, width] },
      { name: "tokens", elementType: "float32", shape: [1, "length", width] },
    ],
  });

  /** Words and positions. The kind of sentence is always the first, so its vector is added to every position here. */
  function embedTokens() {
    const words = weight("unknown");
    const kind = weight("unknown_1").values();
    const positions = weight("unknown_0")
      .values()
      .slice(0, longestText * width);
    const bytes = operator("Gather", [graph.uint8(words.shape, words.bytes), "input_ids"]);
    const start = integers([0]);
    const length = operator("Shape", ["input_ids"], { attributes: { start: 1 } });
    const places = float(
      [longestText, width],
      positions.map((value, index) => value + kind[index % width]),
    );
    return operator("Add", [
      operator("DequantizeLinear", [bytes, float([], [words.scale]), zeroPointOf(words)]),
      operator("Slice", [places, start, length, start]),
    ]);
  }

  /** Each token looks at every other one, in twelve ways at once. */
  function attend(input, at) {
    const bytes = toBytes(input);
    const headsOf = (name, perm) => {
      const split = operator("Reshape", [multiply(bytes, `${at}attention/self/${name}`), splitHeads]);
      return operator("Transpose", [split], { attributes: { perm } });
    };
    const queries = headsOf("query", [0, 2, 1, 3]);
    const keys = headsOf("key", [0, 2, 3, 1]);
    const values = headsOf("value", [0, 2, 1, 3]);
    const similarity = operator("Mul", [operator("MatMul", [queries, keys]), attentionScale]);
    const shares = operator("Softmax", [similarity], { attributes: { axis: -1 } });
    const mixed = operator("Transpose", [operator("MatMul", [shares, values])], { attributes: { perm: [0, 2, 1, 3] } });
    return operator("Reshape", [mixed, joinHeads]);
  }

  /**
   * Floats as bytes from 1 to 255, 128 for 0, and for each token the float that 255 stands for. One scale for a whole
   * text (DynamicQuantizeLinear) is a little faster and errs 2.6 times as much: single tokens have far larger states.
   */
  function toBytes(input) {
    const largest = operator("ReduceMax", [operator("Abs", [input])], { attributes: { axes: [-1], keepdims: 1 } });
    const bytes = operator("QuantizeLinear", [operator("Div", [input, largest]), byteStep, byteZero]);
    return { bytes, largest };
  }

  /**
   * Bytes times bytes, back to floats, plus the bias. The two scales are multiplied in one by one: runtimes recognise
   * the other order, and replace it by an operator that has one scale for all tokens.
   */
  function multiply({ bytes, largest }, name) {
    const matrix = weight(`${bert}${name}/Tensordot/ReadVariableOp`);
    const bias = weight(`${bert}${name}/BiasAdd/ReadVariableOp`);
    const matrixBytes = graph.uint8(matrix.shape, matrix.bytes);
    const product = operator("MatMulInteger", [bytes, matrixBytes, byteZero, zeroPointOf(matrix)]);
    const steps = operator("Cast", [product], { attributes: { to: elementTypes.float32 } });
    const shares = operator("Mul", [steps, float([], [matrix.scale / byteSteps])]);
    return operator("Add", [operator("Mul", [shares, largest]), float(bias.shape, bias.values())]);
  }

  function normalize(input, name) {
    const factor = weight(`${bert}${name}/batchnorm/mul/ReadVariableOp`);
    const shift = weight(`${bert}${name}/batchnorm/ReadVariableOp`);
    return operator("LayerNormalization", [input, float([width], factor.values()), float([width], shift.values())], {
      attributes: { axis: -1, epsilon: 1e-12 },
    });
  }

  function gelu(input) {
    const erf = operator("Erf", [operator("Mul", [input, inverseRootOfTwo])]);
    return operator("Mul", [operator("Mul", [input, operator("Add", [erf, one])]), half]);
  }

  function zeroPointOf(matrix) {
    return graph.uint8([], Uint8Array.of(matrix.zeroPoint));
  }
}

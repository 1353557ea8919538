import { readFile } from "node:fs/promises";
import { builtFile } from "../../base/built-file.js";

/** `onnxruntime-node`, native, or the WebAssembly build of the same runtime, which runs everywhere. */
export type RuntimeName = "node" | "web";

/** The vector of a text, given the numbers of its model tokens. */
type RunModel = (tokens: number[]) => Promise<Float32Array>;

/** As much of ONNX Runtime as is needed to run a model; both packages have it. */
interface OnnxRuntime {
  Tensor: new (type: "int64", data: BigInt64Array, shape: readonly number[]) => object;
  InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
}

interface Session {
  run(inputs: Record<string, unknown>, outputs: string[]): Promise<Record<string, { data: unknown }>>;
}

/** Loads the model into a runtime: the native one where it works, unless another is asked for. */
export async function openModel(runtime: RuntimeName | undefined): Promise<RunModel> {
  if (runtime === "web") return openInWebRuntime();
  try {
    return await openInNativeRuntime();
  } catch (error) {
    // Not installed, installed for another machine, or too old for the model.
    if (runtime === "node") throw error;
    return openInWebRuntime();
  }
}

async function openInNativeRuntime(): Promise<RunModel> {
  const { default: runtime } = (await import("onnxruntime-node")) as unknown as { default: OnnxRuntime };
  return open(runtime, {
    // The machine belongs to the agent: embedding in the background takes one core of it.
    intraOpNumThreads: 1,
    // Errors only; warnings would go to the standard error of somebody else's program.
    logSeverityLevel: 3,
  });
}

async function openInWebRuntime(): Promise<RunModel> {
  const runtime = (await import(builtFile("model/runtime/ort.wasm.bundle.min.mjs").href)) as OnnxRuntime & {
    env: { wasm: { numThreads: number; wasmBinary: Uint8Array } };
  };
  // With one thread it needs no further file, and a single text is read faster than with two.
  runtime.env.wasm.numThreads = 1;
  runtime.env.wasm.wasmBinary = await readFile(builtFile("model/runtime/ort-wasm-simd-threaded.wasm"));
  // Rewriting the graph takes 130 ms of every start and saves 3 % of the time of a text (2026-11).
  return open(runtime, { graphOptimizationLevel: "disabled", logSeverityLevel: 3 });
}

async function open({ InferenceSession, Tensor }: OnnxRuntime, options: object): Promise<RunModel> {
  const session = await InferenceSession.create(await readFile(builtFile("model/model.onnx")), options);
  return async (tokens) => {
    const input = new Tensor("int64", BigInt64Array.from(tokens, BigInt), [1, tokens.length]);
    const { embedding } = await session.run({ input_ids: input }, ["embedding"]);
    return embedding?.data as Float32Array;
  };
}

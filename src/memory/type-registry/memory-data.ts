// Schemas of the structured data that some types carry. Loose: what a newer version adds is kept.
import { z } from "zod";

const file = z.string().min(1);
const count = z.number().int().nonnegative();
const amount = z.number().nonnegative();

export const workflowRecipe = z.looseObject({
  taskPattern: z.string().min(1),
  steps: z
    .array(
      z.looseObject({
        order: count,
        description: z.string().min(1),
        canonicalFile: file.optional(),
        canonicalLine: count.optional(),
      }),
    )
    .min(1),
  lastValidatedAt: z.iso.datetime({ offset: true }).optional(),
  successCount: count.optional(),
});

export const deadEnd = z.looseObject({
  approachTried: z.string().min(1),
  whyItFailed: z.string().min(1),
  alternativeUsed: z.string().optional(),
  taskContext: z.string().optional(),
});

export const prefetchPattern = z.looseObject({
  alwaysReadFiles: z.array(file),
  frequentlyReadFiles: z.array(file),
  moduleTrigger: z.string().min(1),
  sessionCount: count,
});

export const taskCalibration = z.looseObject({
  module: z.string().min(1),
  methodology: z.string().min(1),
  averageActualSteps: amount,
  averagePlannedSteps: amount,
  ratio: amount,
  sampleCount: count,
});

export const e2eObservation = z.looseObject({
  observationType: z.enum(["precondition", "timing", "ui_behavior", "test_sequence", "mcp_gotcha"]),
});

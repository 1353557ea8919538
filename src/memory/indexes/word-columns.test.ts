import * as fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryText } from "../../../test/support/arbitrary-record.js";
import { indexTokens } from "../../base/text/words.js";
import { wordColumns } from "./word-columns.js";

it("gives the words of each label as if they stood in one text", () => {
  const label = fc.oneof(
    arbitraryText,
    fc.constantFrom("src/httpServer.ts", "e-mail", "\u0301accent", "naïve", "v1.2.3"),
  );
  fc.assert(
    fc.property(fc.array(label, { maxLength: 5 }), (labels) => {
      const { tags, files } = wordColumns({ content: "", tags: labels, relatedFiles: labels });

      expect(tags).toBe(indexTokens(labels.join(" \n ")));
      expect(files).toBe(tags);
    }),
    { numRuns: 500 },
  );
});

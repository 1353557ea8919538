/**
 * Says what went wrong, once, and only where `TACIT_DEBUG=1` asks for it: an agent goes on without its memory, and nobody
 * wants to read that at each step.
 */
export function complainOnce(): (error: unknown) => void {
  let isSaid = false;
  return (error) => {
    if (isSaid || process.env["TACIT_DEBUG"] !== "1") return;
    isSaid = true;
    process.stderr.write(`tacit: ${error instanceof Error ? error.message : String(error)}\n`);
  };
}

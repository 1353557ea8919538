import { onTestFinished, vi } from "vitest";

/**
 * Lets a while pass for whoever asks how long ago something was, without waiting for it: Tacit looks at files and settings once a
 * second. Until the test ends.
 */
export function letTimePass(ms: number): void {
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + ms);
  onTestFinished(() => clock.mockRestore());
}

/** The main agent first. */
export function mainFirst<P extends { agentId: string | undefined }>(pads: P[]): P[] {
  return pads.toSorted((a, b) => Number(a.agentId !== undefined) - Number(b.agentId !== undefined));
}

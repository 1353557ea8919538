/** A way by which words reach an agent: the line of a shell, or a tool with its input. */
export type Channel = string | readonly [tool: string, input: Record<string, unknown>];

export function channelName(channel: Channel): string {
  return typeof channel === "string" ? channel : `${channel[0]} ${JSON.stringify(channel[1])}`;
}

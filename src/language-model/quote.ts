/** What somebody else said, as it stands at the end of a message of ours. */
export function quote(said: string): string {
  return `“${said}”`;
}

/** The message without what it quotes: a server may repeat what it was given, and that must not outlive a purge. */
export function withoutQuote(message: string): string {
  return message.replace(/:? “[^]*$/, ".");
}

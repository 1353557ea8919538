/** True of a path that leads out of the root: absolute, of the home folder, or upwards. */
export function isOutsidePath(path: string, root: string): boolean {
  const plain = path.replaceAll("\\", "/");
  if (/^\/dev\/(?:null|std\w+|fd\b|tty)/.test(plain)) return false;
  if (/^(?:~|\.\.)(?:\/|$)/.test(plain)) return true;
  if (!/^(?:\/|[a-z]:\/)/i.test(plain)) return false;
  const base = root.replaceAll("\\", "/").replace(/\/+$/, "");
  // Of Windows: there capitals and small letters name the same file.
  const [whole, part] = /^[a-z]:/i.test(base) ? [base.toLowerCase(), plain.toLowerCase()] : [base, plain];
  return part !== whole && !part.startsWith(`${whole}/`);
}

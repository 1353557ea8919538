/** A path of Windows with its drive as the system itself writes it: programs name `c:\app` and `C:\app`. Others stay. */
export function withUpperCaseDrive(path: string): string {
  return path.replace(/^[a-z](?=:(?:[\\/]|$))/, (letter) => letter.toUpperCase());
}

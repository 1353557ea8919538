import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./git-repository.js";

/** A program that leaves a trace when it is started. */
export interface GitTrap {
  program: string;
  wasSprung(): boolean;
  reset(): void;
}

/** Sets such a program wherever the configuration of a repository may name one. */
export function setTraps(root: string): GitTrap {
  const trap = trapIn(root);
  for (const key of programKeys) git(root, "config", key, trap.program);
  git(root, "config", "log.showSignature", "true");
  git(root, "config", "submodule.recurse", "true");
  git(root, "config", "protocol.ext.allow", "always");
  return trap;
}

const programKeys =
  `core.fsmonitor core.pager core.sshCommand core.editor core.askPass core.alternateRefsCommand core.gitProxy
  pager.log pager.grep pager.config diff.external diff.evil.command diff.evil.textconv filter.evil.clean filter.evil.smudge
  filter.evil.process merge.evil.driver gpg.program gpg.ssh.program gpg.x509.program gpg.openpgp.program
  interactive.diffFilter uploadpack.packObjectsHook credential.helper sequence.editor`.split(/\s+/);

export function trapIn(root: string): GitTrap {
  const [program, trace] = [join(root, ".git", "trap"), join(root, ".git", "sprung")];
  writeFileSync(program, `#!/bin/sh\ntouch '${trace}'\nexit 1\n`);
  chmodSync(program, 0o755);
  return { program, wasSprung: () => existsSync(trace), reset: () => rmSync(trace, { force: true }) };
}

/** Gives the last commit a signature, which nobody has made. */
export function signHead(root: string): void {
  const [header, message] = git(root, "cat-file", "commit", "HEAD").split("\n\n");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----";
  const file = join(root, ".git", "signed");
  writeFileSync(file, `${header}\n${signature}\n\n${message}\n`);
  git(root, "update-ref", "HEAD", git(root, "hash-object", "-t", "commit", "-w", file));
}

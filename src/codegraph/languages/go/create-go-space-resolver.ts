import { folderOf, joinPath } from "../../tree/paths.js";
import type { ModuleTree, ResolveSpace } from "../module-resolver.js";

/** Folders are told by the paths of the modules that `go.mod` files name. */
export function createGoSpaceResolver({ settings }: ModuleTree): ResolveSpace {
  const modules = [...settings].flatMap(([path, mod]) => {
    const name = path.endsWith("go.mod") ? /^\s*module\s+"?([^\s"]+)/m.exec(mod)?.[1] : undefined;
    return name === undefined ? [] : [{ name, folder: folderOf(path) }];
  });
  modules.sort((a, b) => b.name.length - a.name.length);
  return (_from, space) => {
    if (space.startsWith("go:./")) return space;
    const path = space.slice("go:".length);
    const module = modules.find(({ name }) => path === name || path.startsWith(`${name}/`));
    const folder = module && joinPath(module.folder, path.slice(module.name.length));
    return folder === undefined ? undefined : `go:./${folder}`;
  };
}

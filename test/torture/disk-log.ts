// What a disk may hold after a loss of power, from a log of every write and fsync (record-writes.c).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * strict: a name is safe when its folder was synced, and of the rest any may be there or not. ordered: names reach the disk in
 * the order in which they were made, and any fsync takes all earlier ones along, as on ext4, XFS and btrfs.
 */
export type DiskModel = "ordered" | "strict";

export interface DiskRecord {
  type: string;
  thread: number;
  inode: bigint;
  offset: number;
  /** The path, in most. */
  a: Buffer;
  /** The bytes, or the second path. */
  b: Buffer;
}

const headerBytes = 29;
// A disk writes whole sectors, in any order.
const sectorBytes = 512;

export function readDiskLog(file: string): DiskRecord[] {
  const log = readFileSync(file);
  const records: DiskRecord[] = [];
  for (let at = 0; at < log.length;) {
    const [a, b] = [log.readUInt32LE(at + 21), log.readUInt32LE(at + 25)];
    const begin = at + headerBytes;
    records.push({
      type: String.fromCharCode(log[at] ?? 0),
      thread: log.readUInt32LE(at + 1),
      inode: log.readBigUInt64LE(at + 5),
      offset: Number(log.readBigUInt64LE(at + 13)),
      a: log.subarray(begin, begin + a),
      b: log.subarray(begin + a, begin + a + b),
    });
    at = begin + a + b;
  }
  return records;
}

type Change = { offset: number; bytes: Buffer } | { size: number };

interface Inode {
  id: number;
  isFolder: boolean;
  /** What is surely on disk. */
  safe: Buffer;
  /** What was done since. */
  changes: Change[];
}

/** Names that are given and taken together, as by a rename: `folder/name` and the inode, or none. */
type NameChange = [key: string, inode: number | undefined][];

/** A disk that is told what happens, record by record, and can be asked at any moment what would be left. */
export class Disk {
  readonly #root: string;
  readonly #model: DiskModel;
  readonly #random: () => number;
  readonly #ignores: (path: string, isFolder: boolean) => boolean;
  readonly #inodes: Inode[] = [{ id: 0, isFolder: true, safe: Buffer.alloc(0), changes: [] }];
  readonly #byNumber = new Map<bigint, Inode>();
  readonly #names = new Map<string, number>();
  readonly #safeNames = new Map<string, number>();
  readonly #marks = new Map<number, { changes: number; names: NameChange[] }>();
  #nameChanges: NameChange[] = [];

  constructor(
    root: string,
    {
      model,
      random,
      ignores = () => false,
    }: {
      model: DiskModel;
      random: () => number;
      /** For a control: an fsync that counts for nothing. */
      ignores?: (path: string, isFolder: boolean) => boolean;
    },
  ) {
    this.#root = root;
    this.#model = model;
    this.#random = random;
    this.#ignores = ignores;
  }

  step({ type, thread, inode: number, offset, a, b }: DiskRecord): void {
    const path = a.toString();
    const inode = this.#byNumber.get(number);
    if (type === "C" || type === "M") this.#changeNames([[this.#keyOf(path), this.#make(number, type === "M").id]]);
    else if (type === "W") inode?.changes.push({ offset, bytes: b });
    else if (type === "T") inode?.changes.push({ size: offset });
    else if (type === "B")
      this.#marks.set(thread, { changes: inode?.changes.length ?? 0, names: [...this.#nameChanges] });
    else if (type === "E") this.#synced(thread, path === this.#root ? this.#inodes[0] : inode, path);
    else if (type === "U") this.#changeNames([[this.#keyOf(path), undefined]]);
    else {
      const id = this.#find(path);
      if (id === undefined) return;
      const target: NameChange = [[this.#keyOf(b.toString()), id]];
      this.#changeNames(type === "R" ? [[this.#keyOf(path), undefined], ...target] : target);
    }
  }

  /** All that was done so far is on disk, as after `sync`. */
  syncAll(): void {
    for (const inode of this.#inodes) {
      inode.safe = changed(inode.safe, inode.changes);
      inode.changes = [];
    }
    for (const change of this.#nameChanges) applyNames(this.#safeNames, change);
    this.#nameChanges = [];
  }

  /** Writes what a loss of power at this moment leaves, one of many ways, in place of the root's content. */
  crash(): void {
    const luck = this.#pick(6);
    const how = luck === 0 ? "nothing" : luck === 1 ? "everything" : "something";
    const names = new Map(this.#safeNames);
    for (const change of this.#survivingNames(how)) applyNames(names, change);
    for (const name of readdirSync(this.#root)) rmSync(join(this.#root, name), { recursive: true, force: true });
    const inside = new Map<number, [string, number][]>();
    for (const [key, id] of names) {
      const slash = key.indexOf("/");
      const folder = Number(key.slice(0, slash));
      inside.set(folder, [...(inside.get(folder) ?? []), [key.slice(slash + 1), id]]);
    }
    const fill = (id: number, folder: string): void => {
      for (const [name, child] of inside.get(id) ?? []) {
        const [path, inode] = [join(folder, name), this.#inodes[child]];
        if (inode?.isFolder) {
          mkdirSync(path, { mode: 0o700 });
          fill(child, path);
        } else if (inode) writeFileSync(path, this.#bytesOf(inode, name, how), { mode: 0o600 });
      }
    };
    fill(0, this.#root);
  }

  #make(number: bigint, isFolder: boolean): Inode {
    const inode: Inode = { id: this.#inodes.length, isFolder, safe: Buffer.alloc(0), changes: [] };
    this.#inodes.push(inode);
    this.#byNumber.set(number, inode);
    return inode;
  }

  #find(path: string): number | undefined {
    let id: number | undefined = 0;
    for (const part of path.slice(this.#root.length).split("/").filter(Boolean)) {
      id = this.#names.get(`${id}/${part}`);
      if (id === undefined) return undefined;
    }
    return id;
  }

  #keyOf(path: string): string {
    return `${this.#find(dirname(path))}/${basename(path)}`;
  }

  #changeNames(change: NameChange): void {
    applyNames(this.#names, change);
    this.#nameChanges.push(change);
  }

  #synced(thread: number, inode: Inode | undefined, path: string): void {
    const mark = this.#marks.get(thread);
    if (!mark || !inode || this.#ignores(path, inode.isFolder)) return;
    if (!inode.isFolder) {
      inode.safe = changed(inode.safe, inode.changes.splice(0, mark.changes));
    }
    const isOfFolder = (change: NameChange) => change.some(([key]) => key.startsWith(`${inode.id}/`));
    const covered = new Set(
      this.#model === "ordered" ? mark.names : inode.isFolder ? mark.names.filter(isOfFolder) : [],
    );
    for (const change of this.#nameChanges) if (covered.has(change)) applyNames(this.#safeNames, change);
    this.#nameChanges = this.#nameChanges.filter((change) => !covered.has(change));
  }

  #survivingNames(how: Luck): NameChange[] {
    if (how === "nothing") return [];
    if (how === "everything") return this.#nameChanges;
    if (this.#model === "ordered") return this.#nameChanges.slice(0, this.#pick(this.#nameChanges.length + 1));
    return this.#nameChanges.filter(() => this.#random() < 0.5);
  }

  #bytesOf(inode: Inode, name: string, how: Luck): Buffer {
    // Written through a memory map, of which the log knows nothing.
    if (name.endsWith("-shm") && this.#random() < 0.5)
      return Buffer.from(Array.from({ length: 4096 }, () => this.#pick(256)));
    if (how === "nothing") return inode.safe;
    if (how === "everything") return changed(inode.safe, inode.changes);
    return this.#torn(inode);
  }

  /** Any length that the file had since, and of each sector any version. */
  #torn({ safe, changes }: Inode): Buffer {
    const sizes = [safe.length];
    const versions = new Map<number, Buffer[]>();
    const sectorOf = (bytes: Buffer, sector: number) =>
      Buffer.from(bytes.subarray(sector * sectorBytes, (sector + 1) * sectorBytes));
    let current: Buffer = Buffer.from(safe);
    for (const change of changes) {
      const before = current.length;
      current = apply(current, change);
      const [from, to] =
        "size" in change
          ? [Math.min(change.size, before), Math.max(change.size, before)]
          : [change.offset, change.offset + change.bytes.length];
      for (let sector = Math.floor(from / sectorBytes); sector * sectorBytes < to; sector += 1) {
        versions.set(sector, [...(versions.get(sector) ?? [sectorOf(safe, sector)]), sectorOf(current, sector)]);
      }
      sizes.push(current.length);
    }
    const left = Buffer.alloc(sizes[this.#pick(sizes.length)] ?? 0);
    safe.copy(left);
    for (const [sector, all] of versions) {
      const begin = sector * sectorBytes;
      if (begin >= left.length) continue;
      left.fill(0, begin, Math.min(left.length, begin + sectorBytes));
      all[this.#pick(all.length)]?.copy(left, begin);
    }
    return left;
  }

  #pick(count: number): number {
    return Math.floor(this.#random() * count);
  }
}

type Luck = "nothing" | "something" | "everything";

function applyNames(names: Map<string, number>, change: NameChange): void {
  for (const [key, inode] of change) {
    if (inode === undefined) names.delete(key);
    else names.set(key, inode);
  }
}

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  return changes.length === 0 ? bytes : changes.reduce(apply, Buffer.from(bytes));
}

/** In place where it fits: a database of a megabyte is written page by page. */
function apply(bytes: Buffer, change: Change): Buffer {
  const size = "size" in change ? change.size : Math.max(bytes.length, change.offset + change.bytes.length);
  let next = bytes;
  if (size !== bytes.length) {
    next = Buffer.alloc(size);
    bytes.copy(next);
  }
  if ("bytes" in change) change.bytes.copy(next, change.offset);
  return next;
}

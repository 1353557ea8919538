import type { DamagedMemoryText } from "../memory/damage/damage.js";

const maxShown = 5;

export function countTexts({ length }: DamagedMemoryText[]): string {
  return length === 1 ? "1 text was" : `${length} texts were`;
}

export function describeTexts(damaged: DamagedMemoryText[]): string {
  const rest = damaged.length > maxShown ? `; and ${damaged.length - maxShown} more (--json lists all)` : "";
  return `${damaged.slice(0, maxShown).map(describeDamaged).join("; ")}${rest}`;
}

function describeDamaged({ table, row, column, memory }: DamagedMemoryText): string {
  const whose = memory === undefined ? "" : `, memory ${memory.slice(-8)}`;
  return `${table}.${column} in row ${row}${whose}`;
}

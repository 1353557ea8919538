export function randomFrom(seed: number): () => number;
export function word(random: () => number, syllableCount?: number): string;
export function sentence(random: () => number, mark: string): string;

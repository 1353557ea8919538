export function heedModes(): { under: string } | { reason: string };

export function canRead(script: string, file: string): boolean;

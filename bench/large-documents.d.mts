export const largeDocuments: Record<string, string>;

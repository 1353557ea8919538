export interface SecretSample {
  kind: string;
  text: string;
  secret: string;
  file: string;
}

export function secretlintSamples(seed?: number): SecretSample[];
export function otherSamples(seed?: number): SecretSample[];

// For every rule of secretlint's recommended preset, samples in the formats that it looks for, five or more.
import { inPlaces, sample } from "./secret-makers.mjs";

export const secretlintFormats = {
  "1password": ({ hex, alnum }) => inPlaces(...times(3, () => `ops_${serviceAccount(hex, alnum)}`)),
  anthropic: ({ urlSafe }) => inPlaces(...times(3, (n) => `sk-ant-api0${n + 1}-${urlSafe(93)}AA`)),
  aws: ({ base64, alnum }) => {
    const secret = () => base64(39) + alnum(1);
    return [
      sample`AWS_SECRET_ACCESS_KEY=${secret()}`,
      sample`aws_secret_access_key = ${secret()}`,
      sample`"SecretAccessKey": "${secret()}"`,
      sample`secret_access_key: '${secret()}'`,
      sample`'aws_secret_access_key' => '${secret()}'`,
      sample`export AWS_SECRET_ACCESS_KEY="${secret()}" && terraform apply`,
    ];
  },
  basicauth: ({ alnum, word, digits }) => [
    sample`https://deploy:${alnum(12)}@registry.example.net/v2/`,
    sample`The intranet is at http://bob:${word() + digits(2)}@intra.example.net now.`,
    sample`ftp://mirror:${alnum(10)}@ftp.example.net/pub`,
    sample`ftps://mirror:${`${word()}-${digits(3)}`}@ftp.example.net`,
    sample`See [the panel](https://ops:${alnum(16)}@panel.example.net:8443/status) for it.`,
    sample`git clone https://bob:${word()}@git.example.net/a/b.git`,
  ],
  "database-connection-string": ({ alnum, password, word }) => [
    sample`mongodb+srv://app:${alnum(14)}@cluster0.abcde.mongodb.net/shop?retryWrites=true`,
    sample`MONGO_URL="mongodb://app:${password()}@10.0.0.7:27017/shop"`,
    sample`mysql://root:${alnum(12)}@db.example.net:3306/shop`,
    sample`jdbc:mysql://app:${password()}@db.example.net/shop?useSSL=true`,
    sample`mysqlx://app:${word() + alnum(4)}@db.example.net/shop`,
    sample`postgres://app:${word()}@db.example.net:5432/shop`,
    sample`DATABASE_URL=postgresql://app:${alnum(20)}@db.example.net/shop?sslmode=require`,
  ],
  databricks: ({ hex, digits }) => inPlaces(`dapi${hex(32)}`, `dapi${hex(32)}-${digits(1)}`),
  docker: ({ urlSafe }) => inPlaces(...times(2, () => `dckr_pat_${urlSafe(27)}`)),
  figma: ({ urlSafe }) => inPlaces(`figd_${urlSafe(40)}`, `figd_${urlSafe(64)}`),
  gcp: ({ pem, hex }) =>
    times(5, (n) => {
      const key = pem("", { newline: "\\n", lines: n + 3 });
      const account = `"type": "service_account", "private_key_id": "${hex(40)}", "client_email": "ci@a.example.net"`;
      return { file: "key.json", text: `{${account}, "private_key": "${key.text}\\n"}`, secret: key.secret };
    }),
  github: ({ alnum }) =>
    inPlaces(
      ...["p", "o", "u", "s", "r"].map((type) => `gh${type}_${alnum(36)}`),
      `github_pat_${alnum(22)}_${alnum(59)}`,
    ),
  gitlab: ({ urlSafe }) => inPlaces(`glpat-${urlSafe(20)}`, `glpat-${urlSafe(40)}`),
  grafana: ({ alnum, base64, hex }) => inPlaces(`glsa_${alnum(32)}_${hex(8)}`, `glc_${base64(60)}==`),
  groq: ({ alnum }) => inPlaces(...times(2, () => `gsk_${alnum(52)}`)),
  "hashicorp-vault": ({ urlSafe }) => inPlaces(`hvs.${urlSafe(95)}`, `hvb.${urlSafe(150)}`, `hvr.${urlSafe(95)}`),
  huggingface: ({ letters }) => inPlaces(...times(2, () => `hf_${letters(34)}`)),
  linear: ({ alnum }) => inPlaces(`lin_api_${alnum(40)}`, `lin_api_${alnum(32)}`),
  notion: ({ digits, alnum }) => inPlaces(...times(2, () => `ntn_${digits(11)}${alnum(35)}`)),
  npm: ({ alnum, uuid, hex }) => [
    ...inPlaces(...times(2, () => `npm_${alnum(36)}`)),
    { file: ".npmrc", ...sample`//registry.npmjs.org/:_authToken=${uuid()}` },
    { file: ".npmrc", ...sample`//npm.pkg.example.net/:_authToken=${alnum(40)}` },
    { file: "package.json", ...sample`"a": "git+https://${hex(40)}:x-oauth-basic@github.com/a/b.git"` },
  ],
  openai: ({ alnum, urlSafe }) => {
    // Base64 of "OpenAI", in the middle of every key.
    const mark = Buffer.from("OpenAI").toString("base64");
    return inPlaces(
      `sk-${alnum(20)}${mark}${alnum(20)}`,
      `sk-proj-${urlSafe(74)}${mark}${urlSafe(74)}`,
      `sk-svcacct-${urlSafe(58)}${mark}${urlSafe(58)}`,
      `sk-admin-${urlSafe(74)}${mark}${urlSafe(74)}`,
    );
  },
  privatekey: ({ pem }) => [
    ...["", "RSA ", "DSA ", "EC "].map((type) => pem(type)),
    pem("OPENSSH ", { start: "b3BlbnNzaC1rZXktdjE" }),
    pem("RSA ", { newline: "\\n" }),
  ],
  sendgrid: ({ alnum }) => inPlaces(...times(2, () => `SG.${alnum(22)}.${alnum(20)}-${alnum(22)}`)),
  shopify: ({ alnum }) => inPlaces(...["at", "ca", "pa", "ss"].map((type) => `shp${type}_${alnum(32)}`)),
  slack: ({ digits, alnum, hex, capitals }) => [
    ...inPlaces(
      `xoxb-${digits(12)}-${digits(12)}-${alnum(24)}`,
      `xoxp-${digits(12)}-${digits(12)}-${digits(12)}-${hex(32)}`,
      `xoxa-2-${digits(12)}-${digits(12)}-${hex(32)}`,
      `xoxr-${digits(12)}-${alnum(24)}`,
      `xapp-1-${capitals(11)}-${digits(13)}-${hex(64)}`,
    ),
    sample`https://hooks.slack.com/services/${`T${capitals(8)}/B${capitals(8)}/${alnum(24)}`}`,
    sample`Post to https://hooks.slack.com/services/${`T${capitals(10)}/B${capitals(10)}/${alnum(24)}`}, please.`,
  ],
  vercel: ({ alnum }) => inPlaces(...["p", "i", "a", "r", "k"].map((type) => `vc${type}_${alnum(24)}`)),
};

function serviceAccount(hex, alnum) {
  const account = {
    email: `${hex(13)}@1passwordserviceaccounts.com`,
    muk: { alg: "A256GCM", k: alnum(43) },
    secretKey: `A3-${alnum(6)}-${alnum(6)}`,
    srpX: hex(64),
    signInAddress: "my.1password.com",
    userAuth: { method: "SRPg-4096", alg: "PBES2g-HS256", iterations: 100_000, salt: alnum(21) },
  };
  // The rule wants the closing brace to be encoded by itself, which takes a length of 3n + 1.
  while (JSON.stringify(account).length % 3 !== 1) account.srpX += hex(1);
  return Buffer.from(JSON.stringify(account)).toString("base64");
}

function times(count, make) {
  return Array.from({ length: count }, (_, n) => make(n));
}

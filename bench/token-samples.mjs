// Secrets that are known by their shape, wherever they stand.
import { inPlaces, sample } from "./secret-makers.mjs";

export const tokenKinds = {
  aws: ({ capitals }) => inPlaces(`AKIA${capitals(16)}`, `ASIA${capitals(16)}`),
  "aws bedrock": ({ base64 }) => inPlaces(`ABSK${base64(124)}`),
  azure: ({ alnum, base64 }) => [
    ...inPlaces(`${alnum(3)}8Q~${alnum(34)}`),
    sample`DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${`${base64(86)}==`};EndpointSuffix=core.windows.net`,
    sample`Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=${`${base64(43)}=`}`,
    sample`AccountEndpoint=https://a.documents.azure.com:443/;AccountKey=${`${base64(86)}==`};`,
    sample`https://a.blob.core.windows.net/backups?sv=2024-11-04&ss=b&sp=r&sig=${`${alnum(43)}%3D`}`,
    sample`https://a.azurewebsites.net/api/import?code=${`${alnum(54)}==`}`,
  ],
  github: ({ alnum }) => inPlaces(`ghp_${alnum(36)}`, `github_pat_${alnum(22)}_${alnum(59)}`, `ghs_${alnum(36)}`),
  gitlab: ({ urlSafe, small, hex }) =>
    inPlaces(
      `glpat-${urlSafe(20)}`,
      `glpat-${urlSafe(27)}.01.${small(9)}`,
      `gldt-${urlSafe(20)}`,
      `glrt-t1_${urlSafe(27)}`,
      `glptt-${hex(40)}`,
      `glcbt-64_${urlSafe(20)}`,
      `glffct-${urlSafe(20)}`,
    ),
  slack: ({ digits, alnum, capitals }) => [
    ...inPlaces(`xoxb-${digits(12)}-${digits(13)}-${alnum(24)}`, `xoxe.xoxp-1-${alnum(163)}`),
    sample`https://hooks.slack.com/workflows/${`T${capitals(8)}/A${capitals(8)}/${digits(18)}/${alnum(24)}`}`,
  ],
  stripe: ({ alnum }) =>
    inPlaces(`sk_live_${alnum(24)}`, `sk_test_51${alnum(97)}`, `rk_live_${alnum(24)}`, `whsec_${alnum(32)}`),
  twilio: ({ hex }) => inPlaces(`SK${hex(32)}`),
  mail: ({ hex, alnum, urlSafe }) =>
    inPlaces(
      `SG.${urlSafe(22)}.${urlSafe(43)}`,
      `key-${hex(32)}`,
      `${hex(32)}-${hex(8)}-${hex(8)}`,
      `${hex(32)}-us14`,
      `xkeysib-${hex(64)}-${alnum(16)}`,
      `re_${alnum(8)}_${alnum(24)}`,
    ),
  packages: ({ alnum, urlSafe, hex, small }) =>
    inPlaces(
      `npm_${alnum(36)}`,
      `pypi-AgEIcHlwaS5vcmc${urlSafe(150)}`,
      `rubygems_${hex(48)}`,
      `oy2${small(43)}`,
      `CLOJARS_${hex(60)}`,
      `dckr_pat_${urlSafe(27)}`,
    ),
  hosting: ({ urlSafe, hex, alnum, base64 }) =>
    inPlaces(
      `HRKU-AA${urlSafe(58)}`,
      `dop_v1_${hex(64)}`,
      `nfp_${alnum(36)}`,
      `rnd_${alnum(28)}`,
      `fo1_${urlSafe(43)}`,
      `FlyV1 fm2_${base64(120)}`,
      `sbp_${hex(40)}`,
      `pscale_tkn_${urlSafe(43)}`,
      `v1.0-${hex(24)}-${hex(146)}`,
      `tskey-auth-${alnum(12)}CNTRL-${alnum(32)}`,
    ),
  models: ({ alnum, urlSafe, hex, letters }) =>
    inPlaces(
      `sk-${alnum(48)}`,
      `sk-proj-${urlSafe(156)}`,
      `sk-svcacct-${urlSafe(156)}`,
      `sk-ant-api03-${urlSafe(93)}AA`,
      `sk-ant-oat01-${urlSafe(93)}AA`,
      `sk-or-v1-${hex(64)}`,
      `hf_${letters(34)}`,
      `gsk_${alnum(52)}`,
      `xai-${alnum(80)}`,
      `r8_${alnum(37)}`,
      `pplx-${alnum(48)}`,
      `lsv2_pt_${hex(32)}_${hex(10)}`,
      `pcsk_${alnum(6)}_${alnum(60)}`,
    ),
  google: ({ urlSafe, alnum }) =>
    inPlaces(
      `AIza${alnum(35)}`,
      `GOCSPX-${urlSafe(28)}`,
      `ya29.${urlSafe(120)}`,
      `1//0${urlSafe(60)}`,
      `AAAA${alnum(7)}:APA91b${urlSafe(134)}`,
    ),
  chat: ({ alnum, digits, urlSafe }) => [
    ...inPlaces(`MT${alnum(22)}.G${alnum(5)}.${urlSafe(38)}`, `${digits(10)}:AA${urlSafe(33)}`),
    sample`https://discord.com/api/webhooks/${`${digits(18)}/${urlSafe(68)}`}`,
    sample`https://api.telegram.org/bot${`${digits(10)}:AA${urlSafe(33)}`}/getUpdates`,
  ],
  commerce: ({ alnum, urlSafe, hex, uuid }) =>
    inPlaces(
      `shpat_${hex(32)}`,
      `EAAA${urlSafe(60)}`,
      `sq0csp-${urlSafe(43)}`,
      `rzp_live_${alnum(14)}`,
      `access-production-${uuid()}`,
    ),
  planning: ({ alnum, digits, urlSafe, hex, uuid }) =>
    inPlaces(
      `lin_api_${alnum(40)}`,
      `ntn_${digits(11)}${alnum(35)}`,
      `secret_${alnum(43)}`,
      `figd_${urlSafe(40)}`,
      `pat${alnum(14)}.${hex(64)}`,
      `ATATT3xFfGF0${urlSafe(172)}`,
      `pat-na1-${uuid()}`,
      `CFPAT-${urlSafe(43)}`,
    ),
  operations: ({ hex, alnum, urlSafe, base64, capitals }) =>
    inPlaces(
      `hvs.${urlSafe(95)}`,
      `dp.pt.${alnum(43)}`,
      `ops_ey${base64(300)}`,
      `glsa_${alnum(32)}_${hex(8)}`,
      `sntrys_${base64(100)}_${alnum(43)}`,
      `NRAK-${capitals(27)}`,
      `dt0c01.${capitals(24)}.${capitals(64)}`,
      `PMAK-${hex(24)}-${hex(34)}`,
      `pul-${hex(40)}`,
      `${alnum(14)}.atlasv1.${urlSafe(67)}`,
      `sqp_${hex(40)}`,
      `CCIPAT_${alnum(22)}_${hex(40)}`,
      `phx_${alnum(43)}`,
    ),
  // As services shape their tokens today; nobody here has heard of these.
  "unknown services": ({ alnum, hex }) =>
    inPlaces(
      `acme_live_${alnum(32)}`,
      `zork_pat_${alnum(40)}`,
      `qx-api-${alnum(36)}`,
      `bolt_sk_${hex(48)}`,
      `nimbus_${alnum(40)}`,
    ),
  jwt: ({ jwt }) => inPlaces(jwt(), jwt()),
  "private keys": ({ pem, base64, capitals }) => [
    pem("RSA "),
    pem("OPENSSH ", { start: "b3BlbnNzaC1rZXktdjE", newline: "\r\n" }),
    pem("EC ", { indent: "    " }),
    pem("ENCRYPTED ", { newline: "\\n" }),
    rewritten(pem("RSA "), (lines) => lines.slice(0, 4)),
    rewritten(pem(""), (lines) => lines.slice(0, 2)),
    rewritten(pem("DSA "), (lines) => lines.map((line) => `> ${line}`)),
    rewritten(pem("EC "), (lines) => lines.map((line) => `"${line}\\n" +`)),
    rewritten(pem("PGP "), (lines) => lines.map((line) => line.replace(/KEY-----$/, "KEY BLOCK-----"))),
    rewritten(pem("RSA "), (lines) => lines.map((line) => `  // ${line}`)),
    sample`tls.key: ${Buffer.from(pem("").text).toString("base64")}`,
    sample`[Interface]\nPrivateKey = ${`${base64(43)}=`}\nAddress = 10.0.0.2/32`,
    ...inPlaces(`AGE-SECRET-KEY-1${capitals(58)}`),
  ],
};

/** The first line of the key stands for all of it: where it is gone, so is what follows. */
function rewritten({ whole, body }, change) {
  return { text: change(whole).join("\n"), secret: body[0] };
}

"""Keys and tokens of vendors: models, clouds, tools of developers, messaging, business software."""

from __future__ import annotations

from typing import Final

from memories.gate.formats.format import ALNUM, ANY_HEX, BASE64, HEX, UUID, WORD, Format

# Many vendors use `sk-`. A plain key must contain a digit, which CSS classes and slugs rarely do.
_PLAIN_SK: Final = rf"sk-(?=[A-Za-z]{{0,60}}[0-9]){ALNUM}{{20,180}}"
_OPENAI: Final = rf"sk-(?:proj|svcacct|admin|service|None)-{WORD}{{20,250}}"

AI: Final = (
    Format("anthropic_key", ("sk-ant-",), rf"sk-ant-{WORD}{{20,250}}"),
    Format("openrouter_key", ("sk-or-",), r"sk-or-(?:v1-)?[0-9a-f]{40,80}"),
    Format("langfuse_key", ("sk-lf-",), rf"sk-lf-{UUID}"),
    Format("openai_key", ("sk-",), _OPENAI),
    Format("sk_key", ("sk-",), _PLAIN_SK),
    Format("cerebras_key", ("csk-",), rf"csk-{ALNUM}{{40,64}}"),
    Format("groq_key", ("gsk_",), rf"gsk_{ALNUM}{{40,80}}"),
    Format("xai_key", ("xai-",), rf"xai-{ALNUM}{{60,100}}"),
    Format("perplexity_key", ("pplx-",), rf"pplx-{ALNUM}{{40,64}}"),
    Format("huggingface_token", ("hf_", "api_org_"), rf"(?:hf|api_org)_{ALNUM}{{30,50}}"),
    Format("replicate_token", ("r8_",), rf"r8_{ALNUM}{{32,48}}"),
    Format("nvidia_key", ("nvapi-",), rf"nvapi-{WORD}{{50,90}}"),
    Format("together_key", ("tgp_v1_",), rf"tgp_v1_{WORD}{{40,64}}"),
    Format("fireworks_key", ("fw_",), rf"fw_(?=[A-Za-z]{{0,30}}[0-9]){ALNUM}{{22,32}}"),
    Format("voyage_key", ("pa-",), rf"pa-(?=[A-Za-z_-]{{0,42}}[0-9]){WORD}{{43}}"),
    Format("jina_key", ("jina_",), rf"jina_{HEX}{{32}}{WORD}{{20,40}}"),
    Format("tavily_key", ("tvly-",), rf"tvly-(?:dev-|prod-)?{ALNUM}{{24,50}}"),
    Format("pinecone_key", ("pcsk_",), rf"pcsk_{ALNUM}{{4,8}}_{ALNUM}{{50,80}}"),
    Format("langsmith_key", ("lsv2_",), rf"lsv2_(?:pt|sk)_{HEX}{{32}}_{HEX}{{10}}"),
    Format("elevenlabs_key", ("sk_",), rf"sk_{HEX}{{48}}"),
    Format("zhipu_key", (".",), rf"{HEX}{{32}}\.[A-Za-z0-9]{{16}}"),
    Format("wandb_key", ("wandb_v1_",), rf"wandb_v1_{WORD}{{30,100}}"),
)


_GOOGLE: Final = rf"AIza{WORD}{{32,40}}|AQ\.A[a-z][A-Za-z0-9]{WORD}{{30,80}}"
_GOOGLE_OAUTH: Final = rf"ya29\.[A-Za-z0-9._-]{{20,2000}}+|1//0{WORD}{{35,200}}+"
# Azure puts its own signature at a fixed position in keys of fixed length.
_AZURE_CLIENT: Final = r"[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}"
_BAIDU: Final = rf"bce-v3/ALTAK-{ALNUM}{{21}}/{HEX}{{40}}|ALTAK-{ALNUM}{{21}}"
_DOPPLER: Final = r"dp\.(?:pt|ct|sa|scim|audit|st(?:\.[a-z0-9_-]{1,40})?)\.[A-Za-z0-9]{40,50}"
_FLY: Final = rf"fm[12][ar]?_[A-Za-z0-9+/=,_]{{80,2000}}+|fo1_{WORD}{{43}}"
_VERCEL: Final = rf"vc[pirak]_{ALNUM}{{24,80}}|vercel_blob_rw_{ALNUM}{{16}}_{ALNUM}{{30,40}}"
_TAILSCALE: Final = rf"tskey-[a-z]{{2,10}}-{ALNUM}{{8,24}}(?:-{ALNUM}{{16,48}})?"
_NEW_RELIC: Final = rf"NRAK-[A-Z0-9]{{27}}|NRII-{WORD}{{32}}|NRJS-{HEX}{{19}}|{HEX}{{36}}NRAL"
_SENTRY: Final = rf"sntrys_[A-Za-z0-9+/=_-]{{50,600}}+|sntryu_{HEX}{{64}}"
_GRAFANA: Final = rf"glc_[A-Za-z0-9+/]{{32,400}}+={{0,2}}|glsa_{ALNUM}{{32}}_{ANY_HEX}{{8}}"

CLOUD: Final = (
    Format("aws_access_key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}"),
    Format(
        "aws_bedrock_key",
        ("ABSK", "bedrock-api-key-"),
        rf"(?:ABSK|bedrock-api-key-){BASE64}{{100,400}}+={{0,2}}",
    ),
    Format("google_api_key", ("AIza", "AQ.A"), _GOOGLE),
    Format("google_oauth_secret", ("GOCSPX-",), rf"GOCSPX-{WORD}{{20,40}}"),
    Format("google_oauth_token", ("ya29.", "1//0"), _GOOGLE_OAUTH),
    Format("azure_client_secret", ("Q~",), _AZURE_CLIENT),
    Format("azure_devops_token", ("AZDO",), rf"{ALNUM}{{76}}AZDO{ALNUM}{{4}}"),
    Format("azure_storage_key", ("+ASt",), rf"{BASE64}{{76}}\+ASt{BASE64}{{6}}=="),
    Format("azure_ai_key", ("JQQJ99",), rf"{ALNUM}{{52}}JQQJ99{ALNUM}{{26}}"),
    Format("alibaba_access_key", ("LTAI",), rf"LTAI{ALNUM}{{12,26}}"),
    Format("tencent_secret_id", ("AKID",), rf"AKID{ALNUM}{{28,36}}"),
    Format("volcengine_access_key", ("AKLT",), r"AKLT[A-Za-z0-9_=-]{30,60}"),
    Format("baidu_cloud_key", ("ALTAK-",), _BAIDU),
    Format("digitalocean_token", ("_v1_",), rf"do[opr]_v1_{HEX}{{64}}"),
    Format("heroku_token", ("HRKU-",), rf"HRKU-{WORD}{{36,64}}"),
    Format("databricks_token", ("dapi",), rf"dapi{HEX}{{32}}(?:-[0-9])?"),
    Format("cloudflare_origin_key", ("v1.0-",), rf"v1\.0-{HEX}{{24}}-{HEX}{{146}}"),
    Format("vault_token", ("hvs.", "hvb.", "hvr."), rf"hv[sbr]\.{WORD}{{20,300}}"),
    Format("terraform_token", (".atlasv1.",), rf"{ALNUM}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,80}}"),
    Format("doppler_token", ("dp.",), _DOPPLER),
    Format("pulumi_token", ("pul-",), rf"pul-{HEX}{{40}}"),
    Format("planetscale_token", ("pscale_",), r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}"),
    Format("supabase_key", ("sbp_", "sb_secret_"), rf"sbp_{HEX}{{40}}|sb_secret_{WORD}{{20,60}}"),
    Format("fly_token", ("fm1", "fm2_", "fo1_"), _FLY),
    Format("netlify_token", ("nfp_",), rf"nfp_{ALNUM}{{36,40}}"),
    Format("vercel_token", ("vcp_", "vci_", "vcr_", "vca_", "vck_", "vercel_blob_rw_"), _VERCEL),
    Format("tailscale_key", ("tskey-",), _TAILSCALE),
    Format("dynatrace_token", ("dt0",), r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    Format("new_relic_key", ("NRAK-", "NRII-", "NRJS-", "NRAL"), _NEW_RELIC),
    Format("sentry_token", ("sntrys_", "sntryu_"), _SENTRY),
    Format("grafana_token", ("glc_", "glsa_"), _GRAFANA),
    Format("grafana_key", ("eyJrIjoi",), rf"eyJrIjoi{BASE64}{{40,400}}+={{0,2}}"),
    Format("launchdarkly_key", ("sdk-", "api-"), rf"(?:sdk|api)-{UUID}"),
)


_GITHUB: Final = (
    rf"gh[pousr]_[A-Za-z0-9_]{{30,255}}(?:\.{WORD}{{10,2000}}+){{0,2}}|github_pat_[A-Za-z0-9_]{{50,255}}"
)
_GITLAB_MARKS: Final = (
    *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-"),
    *("glagent-", "gloas-", "glsoat-", "glffct-", "glwt-", "GR1348941"),
)
_GITLAB: Final = (
    rf"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-{WORD}{{20,300}}+(?:\.{ALNUM}{{2,12}}){{0,2}}"
    rf"|GR1348941{WORD}{{20,60}}"
)
_BITBUCKET: Final = rf"ATBB{ALNUM}{{32,40}}|ATCTT3xFf[A-Za-z0-9_=-]{{100,300}}"
_CIRCLECI: Final = rf"CCI(?:PAT|PRJ)_{ALNUM}{{20,24}}_{HEX}{{40}}"
# Includes tokens without a signature, and encrypted tokens of five parts, the second of which may be empty.
_JWT: Final = rf"eyJ{WORD}{{8,1000}}+\.(?:{WORD}{{16,9000}}+|(?=\.))(?:\.{WORD}{{0,9000}}+){{0,3}}"

DEVELOPER: Final = (
    Format("github_token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"), _GITHUB),
    Format("gitlab_token", _GITLAB_MARKS, _GITLAB),
    Format("bitbucket_token", ("ATBB", "ATCTT3xFf"), _BITBUCKET),
    Format("atlassian_token", ("ATATT3xFf",), r"ATATT3xFf[A-Za-z0-9_=-]{100,300}"),
    Format("npm_token", ("npm_",), rf"npm_{ALNUM}{{36,60}}"),
    Format("pypi_token", ("pypi-Ag",), rf"pypi-Ag{WORD}{{40,400}}+"),
    Format("rubygems_key", ("rubygems_",), rf"rubygems_{HEX}{{48}}"),
    Format("nuget_key", ("oy2",), r"oy2[a-z0-9]{43}"),
    Format("crates_token", ("cio",), rf"cio(?=[A-Za-z]{{0,32}}[0-9]){ALNUM}{{32}}"),
    Format("clojars_token", ("CLOJARS_",), r"CLOJARS_[a-z0-9]{60}"),
    Format("docker_token", ("dckr_",), rf"dckr_[op]at_{WORD}{{24,40}}"),
    Format("artifactory_token", ("AKCp", "cmVmdGtu"), rf"AKCp{ALNUM}{{60,80}}|cmVmdGtu{ALNUM}{{56}}"),
    Format("sonar_token", ("sqp_", "squ_", "sqa_"), rf"sq[pua]_{HEX}{{40}}"),
    Format("postman_key", ("PMAK-",), rf"PMAK-{HEX}{{24}}-{HEX}{{34}}"),
    Format("prefect_key", ("pnu_", "pnb_"), rf"pn[ub]_{ALNUM}{{36}}"),
    Format("readme_key", ("rdme_",), r"rdme_[a-z0-9]{60,80}"),
    Format("circleci_token", ("CCIPAT_", "CCIPRJ_"), _CIRCLECI),
    Format("buildkite_token", ("bkua_", "bkaj_", "bkct_"), rf"bk(?:ua|aj|ct)_{HEX}{{40}}"),
    Format("linear_key", ("lin_api_", "lin_oauth_"), rf"lin_(?:api|oauth)_{ALNUM}{{32,64}}"),
    Format("figma_token", ("figd_", "figo_", "figu_"), rf"fig[dou]_{WORD}{{36,60}}"),
    Format("notion_token", ("secret_", "ntn_"), rf"secret_{ALNUM}{{43}}|ntn_{ALNUM}{{40,60}}"),
    Format("airtable_token", ("pat",), rf"pat{ALNUM}{{14}}\.{HEX}{{64}}"),
    Format("contentful_token", ("CFPAT-",), rf"CFPAT-{WORD}{{40,50}}"),
    Format("typeform_token", ("tfp_",), r"tfp_[A-Za-z0-9_.-]{40,64}"),
    Format("onepassword_token", ("ops_eyJ",), r"ops_eyJ[A-Za-z0-9+/_-]{150,2000}+={0,2}"),
    Format("asana_token", ("1/", "2/"), rf"[12]/[0-9]{{13,18}}(?:/[0-9]{{13,18}})?:{HEX}{{32}}"),
    Format("posthog_key", ("phx_", "phs_"), rf"ph[xs]_{ALNUM}{{40,60}}"),
    Format(
        "age_secret_key", ("AGE-SECRET-KEY-1",), r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{50,64}"
    ),
)

#: Tried last, because tokens of other formats may contain one.
JWT: Final = Format("jwt", ("eyJ",), _JWT)


_SLACK: Final = (
    r"xox[abceoprs]-[A-Za-z0-9-]{10,250}+|xoxe\.xox[bp]-[A-Za-z0-9-]{20,250}+"
    r"|xapp-[0-9]-[A-Z0-9]{6,20}-[0-9]{8,20}-[A-Za-z0-9]{20,100}"
)
_DISCORD: Final = rf"[MNO]{WORD}{{22,28}}\.{WORD}{{6}}\.{WORD}{{27,40}}|mfa\.{WORD}{{84}}"

MESSAGING: Final = (
    Format("slack_token", ("xox", "xapp-"), _SLACK),
    # In the method path of the API, `bot` directly precedes the token.
    Format("telegram_token", (":AA",), rf"(?:bot)?[0-9]{{8,12}}:AA{WORD}{{32,34}}"),
    Format("discord_token", (".",), _DISCORD),
    Format("twilio_key", ("SK",), rf"SK{HEX}{{32}}"),
    Format("twilio_credentials", ("AC",), rf"AC{HEX}{{32}}:{HEX}{{32}}"),
    Format("sendgrid_key", ("SG.",), rf"SG\.{WORD}{{16,32}}\.{WORD}{{32,64}}"),
    Format("mailgun_key", ("-",), rf"key-{HEX}{{32}}|{HEX}{{32}}-{HEX}{{8}}-{HEX}{{8}}"),
    Format("mailchimp_key", ("-us",), rf"{HEX}{{32}}-us[0-9]{{1,2}}"),
    Format("mandrill_key", ("md-",), rf"md-(?=[A-Za-z_-]{{0,21}}[0-9]){WORD}{{22}}"),
    Format("brevo_key", ("xkeysib-", "xsmtpsib-"), rf"x(?:keysib|smtpsib)-{HEX}{{64}}-{ALNUM}{{16}}"),
    Format("resend_key", ("re_",), rf"re_{ALNUM}{{8}}_{ALNUM}{{22,28}}"),
    Format("facebook_token", ("EAA",), rf"EAA[A-Z]{ALNUM}{{80,400}}+"),
    Format("twitter_bearer_token", ("AAAAAAAAAAAAAAAAAAAA",), r"A{20}[A-Za-z0-9%]{60,200}"),
    Format("dingtalk_secret", ("SEC",), rf"SEC{HEX}{{64}}"),
)


_STRIPE_MARKS: Final = ("_live_", "_test_", "_org_", "_prod_")
_SQUARE: Final = rf"sq0(?:atp|csp|cgp)-{WORD}{{22,43}}|EAAA(?=[A-Za-z_-]{{0,59}}[0-9]){WORD}{{60}}"
_BRAINTREE: Final = rf"access_token\$(?:production|sandbox)\$[0-9a-z]{{16}}\${HEX}{{32}}"

BUSINESS: Final = (
    Format("stripe_key", _STRIPE_MARKS, rf"(?:sk|rk)_(?:live|test|org|prod)_{ALNUM}{{16,250}}"),
    Format("stripe_webhook_secret", ("whsec_",), r"whsec_[A-Za-z0-9+/]{24,80}={0,2}"),
    Format("shopify_token", ("shp",), rf"shp(?:at|ca|pa|ss|ua|tka)_{ANY_HEX}{{32}}"),
    Format("square_token", ("sq0", "EAAA"), _SQUARE),
    Format("braintree_token", ("access_token$",), _BRAINTREE),
    Format("razorpay_key", ("rzp_",), rf"rzp_(?:live|test)_{ALNUM}{{14,20}}"),
    Format("plaid_token", ("access-",), rf"access-(?:sandbox|development|production)-{UUID}"),
    Format("flutterwave_key", ("FLWSECK",), rf"FLWSECK(?:_TEST)?-{ALNUM}{{12,40}}(?:-X)?"),
    Format("easypost_key", ("EZAK", "EZTK"), rf"EZ[AT]K{ALNUM}{{54}}"),
    Format("shippo_token", ("shippo_",), rf"shippo_(?:live|test)_{HEX}{{40}}"),
    Format("duffel_token", ("duffel_",), rf"duffel_(?:live|test)_{WORD}{{43}}"),
    Format("adobe_secret", ("p8e-",), rf"p8e-{ALNUM}{{32}}"),
    Format("adafruit_key", ("aio_",), rf"aio_{ALNUM}{{28}}"),
    Format("dropbox_token", ("sl.",), rf"sl\.(?:u\.)?{WORD}{{100,2000}}+"),
    Format("mapbox_secret", ("sk.eyJ",), rf"sk\.eyJ{WORD}{{40,200}}+\.{WORD}{{20,40}}"),
    Format("hubspot_token", ("pat-",), rf"pat-(?:na|eu|ap)[0-9]-{UUID}"),
    Format("intercom_token", ("dG9rO",), r"dG9rO[A-Za-z0-9+/]{50,90}={0,2}"),
    Format("frameio_token", ("fio-u-",), rf"fio-u-{WORD}{{64}}"),
    Format("lob_key", ("live_", "test_"), rf"(?:live|test)_{HEX}{{35}}"),
)

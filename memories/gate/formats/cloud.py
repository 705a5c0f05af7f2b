"""Keys of cloud, hosting and infrastructure providers."""

from __future__ import annotations

from typing import Final

from memories.gate.formats.format import ALNUM, ANY_HEX, BASE64, HEX, UUID, WORD, Format

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
